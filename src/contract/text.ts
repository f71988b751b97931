/** At most `max` characters including the … that marks the cut, which never splits a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 2)
  const end = last >= 0xd800 && last <= 0xdbff ? max - 2 : max - 1
  return `${text.slice(0, Math.max(0, end))}…`
}
