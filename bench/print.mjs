export const count = number => number.toLocaleString('en')
export const ms = number => (number < 100 ? number.toFixed(1) : count(Math.round(number)))
export const times = number => `${number.toFixed(number < 10 ? 2 : 0)}x`
export const percent = share => `${(100 * share).toFixed(1)} %`

/** A Markdown table with aligned columns; the first column has text, the others numbers. */
export function table(titles, rows) {
  const cells = [titles, ...rows]
  const widths = titles.map((_, column) => Math.max(3, ...cells.map(row => row[column].length)))
  const line = row => `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(' | ')} |`
  const rule = `|${widths.map((width, i) => (i === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [line(titles), rule, ...rows.map(line)].join('\n')
}
