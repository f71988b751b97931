/** The maximum length of the whole text. */
const maxText = 2_000_000
/** The maximum indentation of nested quotes and lists; without it, deep nesting would make each line as long as its depth. */
const maxPrefix = 40

/** Collects lines with the prefixes of the quotes and lists around them; the marker of an item is only on its first line. */
export function blockWriter() {
  const pieces: string[] = []
  let length = 0
  let prefix = ''
  /** Replaces the prefix on the next line: contains the markers of items that have no content yet. */
  let lead: string | null = null
  let lastPrefix = ''
  let gap = 0
  let listDepth = 0
  /** The gap before the current item, which its content cannot enlarge; null once the item has content. */
  let itemGap: number | null = null

  function block(content: readonly string[], after = 2): void {
    if (content.length === 0) return
    const blank = (lastPrefix.length < prefix.length ? lastPrefix : prefix).trimEnd()
    const wanted = itemGap ?? gap
    if (pieces.length > 0) put(wanted > 1 ? `\n${blank}\n` : '\n')
    content.forEach((line, i) => {
      put(`${i > 0 ? '\n' : ''}${(i === 0 && lead) || prefix}${line}`)
    })
    lead = null
    itemGap = null
    lastPrefix = prefix
    gap = after
  }

  function put(piece: string): void {
    const room = Math.max(0, maxText - length)
    const end = /[\ud800-\udbff]/.test(piece.charAt(room - 1)) ? room - 1 : room
    if (end > 0) pieces.push(piece.slice(0, end))
    length += piece.length
  }

  function within(first: string, others: string, content: () => void): void {
    if (prefix.length >= maxPrefix) {
      content()
      return
    }
    const before = { prefix, lead }
    lead = lead === null && first === others ? null : (lead ?? prefix) + first
    prefix += others
    content()
    prefix = before.prefix
    lead = lead === null ? null : before.lead
  }

  function item(marker: string, content: () => void): void {
    itemGap ??= Math.max(gap, pieces.length > 0 ? 1 : 0)
    const wanted = itemGap
    within(marker, ' '.repeat(marker.length), content)
    // an empty item leaves the gap unchanged
    gap = itemGap === null ? 1 : wanted
    itemGap = null
  }

  function list(content: () => void): void {
    if (listDepth > 0 && gap > 1 && lead === null) gap = 1
    listDepth++
    content()
    listDepth--
    if (listDepth === 0) gap = 2
  }

  return { block, within, item, list, full: () => length > maxText, text: () => pieces.join('').trimEnd() }
}
