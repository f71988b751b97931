import { maxChars as maxCharsOfAnswer, minChars } from '../../contract/limits.ts'
import type { SnapshotMeta } from '../../contract/snapshot.ts'
import { advise, adviseOption, type Dialect, note } from '../text/dialect.ts'
import { quote } from '../text/quote.ts'

/** A search result: its line or lines, and how well it matches. */
export interface RankedItem {
  readonly text: string
  readonly refs: readonly string[]
  readonly score: number
  /** writes it with shorter details, for an answer that has less room than `text` needs */
  readonly shorten?: (maxChars: number) => string
}

/** The answer to `observe` or `extract`. */
export interface RankedResult {
  readonly text: string
  readonly refs: readonly string[]
  readonly found: number
  /** how many of the found items match the query */
  readonly matching: number
  /** the offset of the next page; null at the end */
  readonly nextOffset: number | null
  /** notes of the driver; not part of the text */
  readonly notes?: readonly string[]
}

export interface RankOptions {
  /** the first word of the answer */
  readonly title: string
  /** '' if there is none: then all items match */
  readonly query: string
  readonly offset: number
  readonly maxChars: number
  /** parts of the page that were not searched, in words; the first page of results names them */
  readonly missing: readonly string[]
  /** words of the query that were found nowhere, to be named */
  readonly absent?: readonly string[]
  readonly dialect: Dialect
  /** what to do if nothing matches */
  readonly instead: string
  /** items that score less than this share of the best one do not count as matches. @default 0 */
  readonly minShare?: number
}

/** As many items as fit, in their order, and the offset of the next page. */
export function formatRanked(meta: SnapshotMeta, items: readonly RankedItem[], options: RankOptions): RankedResult {
  const { title, query, offset, missing, absent = [], dialect, instead, minShare = 0 } = options
  const maxChars = Math.min(maxCharsOfAnswer, Math.max(minChars, options.maxChars))
  const leastScore = minShare * (items[0]?.score ?? 0)
  const matching = query ? items.filter(({ score }) => score > 0 && score >= leastScore).length : items.length
  const header = [
    `[${title}]`,
    ...(meta.url ? [`url=${quote(meta.url, Math.floor(maxChars / 16))}`] : []),
    ...(meta.title ? [`title=${quote(meta.title, Math.floor(maxChars / 20))}`] : []),
    `found=${items.length}`,
    ...(query ? [`matching=${matching}`] : []),
    ...(missing.length > 0 ? ['truncated=true'] : []),
  ].join(' ')
  const warning = offset === 0 ? missingNotes(missing, dialect).join('\n') : ''
  const nothing =
    offset > 0
      ? ''
      : matching > 0
        ? absent.length > 0
          ? note(`not found: ${absent.map(word => quote(word, 40)).join(', ')}`)
          : ''
        : note(items.length > 0 ? 'nothing matches' : 'nothing found', query ? `use other words, or ${instead}` : instead)
  const roomWith = (...lines: readonly string[]) => maxChars - footerRoom - lines.reduce((sum, line) => sum + line.length + 1, 0)
  // the header says that the search is not complete, so that the smallest budgets can do without the details
  const hasWarning = warning !== '' && (items.length === 0 || roomWith(header, warning, nothing) >= minItemChars)
  const lines = [header, hasWarning ? warning : '', nothing].filter(line => line)
  const refs: string[] = []
  let room = roomWith(...lines)
  let next = offset
  // items that do not match are on the pages after those that do
  const end = offset < matching ? matching : items.length
  for (; next < end; next++) {
    const { text, refs: itemRefs, shorten } = items[next] as RankedItem
    const isTooLong = text.length > room
    // an item that is longer than a whole answer is cut, otherwise no call would get past it
    if (isTooLong && next > offset) break
    const line = isTooLong ? cutLine(shorten?.(room) ?? text, room) : text
    lines.push(line)
    refs.push(...itemRefs)
    room -= line.length + 1
  }
  const rest = items.length - next
  if (rest > 0) {
    const isMatch = next < matching || !query
    const words = isMatch ? 'more' : items.slice(next).some(({ score }) => score > 0) ? 'that match less' : 'that do not match'
    lines.push(note(`${rest} ${words}`, adviseOption(dialect, 'offset', String(next))))
  }
  return { text: lines.join('\n'), refs, found: items.length, matching, nextOffset: rest > 0 ? next : null }
}

/** What was not searched. A part that names its own next step, as in `(close it first)`, is not reached by scrolling. */
function missingNotes(missing: readonly string[], dialect: Dialect): readonly string[] {
  const advice = advise(dialect, [['scope']], (scope = '') => `scroll, or give a ${scope}`)
  const [advised, others] = [missing.filter(part => part.endsWith(')')), missing.filter(part => !part.endsWith(')'))]
  return [
    ...(others.length > 0 ? [note(`not searched: ${others.join(', ')}`, advice)] : []),
    ...(advised.length > 0 ? [note(`not searched: ${advised.join(', ')}`)] : []),
  ]
}

/** The end of a line from a frame of another origin; '' for the page itself. */
export const fromAttribute = (host: string | undefined, maxChars = 80): string => (host ? ` [from=${quote(host, maxChars)}]` : '')

/** for the last line */
const footerRoom = 60
/** the room in which an item says enough, with its details shortened */
const minItemChars = 100

/** Cuts a line that has quoted parts: a quote that is open at the cut is closed, and no escape or surrogate pair is split. */
function cutLine(line: string, max: number): string {
  if (line.length <= max) return line
  let kept = ''
  let isQuoted = false
  let at = 0
  for (const [unit] of line.matchAll(/\\u[\da-f]{4}|\\?(?:[\ud800-\udbff][\udc00-\udfff]|[\s\S])/g)) {
    at += unit.length
    if (unit === '"') isQuoted = !isQuoted
    const mark = isQuoted ? '…"' : '…'
    if (at + mark.length > max) break
    kept = `${line.slice(0, at)}${mark}`
  }
  return kept
}
