/** Lines with the indentation that they have beyond the indentation of all. */
export function tidyLines(lines: readonly string[]): string {
  const drawn = lines.map(each => each.replace(/[\u00ad\u200b\u2060\ufeff\r\n]/g, '').replace(/\s+$/, ''))
  const indents = drawn.filter(each => each).map(each => each.search(/\S/))
  const common = indents.reduce((least, indent) => Math.min(least, indent), indents[0] ?? 0)
  return drawn
    .map(each => each.slice(common))
    .join('\n')
    .replace(/^\n+|\n+$/g, '')
    .replace(/\n{3,}/g, '\n\n')
}
