import type { Failure } from '../../contract/failures.ts'
import { renderDefaults } from '../../contract/limits.ts'
import { redactedAgain } from '../../contract/redacted-again.ts'
import { parseSnapshot } from '../decode/snapshot.ts'
import { note, plainRefs, type RefStyle } from '../text/dialect.ts'
import { renderFailure } from '../text/failure.ts'
import { isFailure, resolveOptions } from '../text/options.ts'
import { quote } from '../text/quote.ts'
import { type Comparison, compareSnapshots } from './compare.ts'
import { coverLine, type DiffEntry, type DiffKind, type DiffRemark, diffKinds, entryLine, orderLine, remarkLine } from './entries.ts'
import type { OrderChange } from './order.ts'

/**
 * Options of `diffSnapshots`.
 *
 * @example
 * AgentBrowser.diffSnapshots(before, after, { maxCharsTotal: 500 })
 */
export interface DiffOptions {
  /** A hard limit: the text is never longer. @default 1500 */
  readonly maxCharsTotal?: number
}

/**
 * The difference between two snapshots.
 *
 * @example
 * const { text, appeared }: SnapshotDiff = AgentBrowser.diffSnapshots(before, after)
 */
export interface SnapshotDiff {
  /** for a model, within the budget */
  readonly text: string
  /** all differences, including those for which the text has no room */
  readonly entries: readonly DiffEntry[]
  /** refs that only the later snapshot has */
  readonly appeared: readonly string[]
  /** refs that only the earlier snapshot has */
  readonly vanished: readonly string[]
  readonly changed: readonly string[]
  /** the text omits entries */
  readonly truncated: boolean
  readonly error?: Failure
}

export const diffDefaults = { maxCharsTotal: 1_500 } as const

/**
 * Compares two snapshots (JSON or parsed). Elements are matched by ref and texts by their content. Never throws.
 *
 * @example
 * const { text } = AgentBrowser.diffSnapshots(before, after)
 * // [diff] url="https://shop.example/" changed=1
 * // ~ textbox "Email" [ref=e4] value: "" → "a@b.c"
 */
export function diffSnapshots(before: unknown, after: unknown, options: DiffOptions = {}): SnapshotDiff {
  const resolved = resolveOptions({ ...diffDefaults, ...options })
  if (isFailure(resolved)) return failureResult(resolved, renderDefaults.maxCharsTotal)
  const { maxCharsTotal } = resolved
  const [old, now] = [parseSnapshot(redactedAgain(before)), parseSnapshot(redactedAgain(after))]
  if (!old.ok) return failureResult(old.error, maxCharsTotal)
  if (!now.ok) return failureResult(now.error, maxCharsTotal)
  const comparison = compareSnapshots(old, now)
  const fitted = fitDiff(comparison, maxCharsTotal)
  const refsOf = (kind: DiffKind) => comparison.entries.flatMap(entry => (entry.kind === kind ? (entry.ref ?? []) : []))
  return {
    text: [headerOf(comparison, maxCharsTotal), ...diffLines(fitted)].join('\n'),
    entries: comparison.entries,
    appeared: refsOf('appeared'),
    vanished: refsOf('vanished'),
    changed: refsOf('changed'),
    truncated: fitted.truncated,
  }
}

function failureResult(error: Failure, maxChars: number): SnapshotDiff {
  return { text: renderFailure(error, { maxChars }), entries: [], appeared: [], vanished: [], changed: [], truncated: false, error }
}

/** The entries for which a budget has room. */
export interface FittedDiff {
  readonly entries: readonly DiffEntry[]
  /** how many elements are covered now, or no longer, if they are too many for a line each */
  readonly covers?: { readonly gained?: number; readonly lost?: number }
  readonly remark?: DiffRemark
  readonly reordered?: OrderChange
  /** how many entries of each kind are omitted */
  readonly omitted: { readonly [kind in DiffKind]: number }
  readonly truncated: boolean
}

const footerRoom = 110
const maxCoverLines = 2

/** Selects entries in their order; one that is too long is skipped. The header counts, even if the caller does not print it. */
export function fitDiff(comparison: Comparison, maxChars: number, refs: RefStyle = plainRefs): FittedDiff {
  const { remark, reordered } = comparison
  const remarks = { ...(remark && { remark }), ...(reordered && { reordered }) }
  const none = { changed: 0, appeared: 0, vanished: 0 }
  const { entries, covers } = foldCovers(comparison.entries)
  const complete: FittedDiff = { entries, covers, ...remarks, omitted: none, truncated: false }
  const header = headerOf(comparison, maxChars)
  if ([header, ...diffLines(complete, refs)].join('\n').length <= maxChars) return complete
  const omitted = { ...none }
  let used = header.length + footerRoom + (reordered ? orderLine(reordered, refs).length + 1 : 0)
  let omittedLevel = Number.POSITIVE_INFINITY
  const shown = entries.filter(entry => {
    const { level = 0, kind } = entry
    const cost = entryLine(entry, refs).length + 1
    // what is inside an omitted element would seem to be inside another one
    const fits = level <= omittedLevel && used + cost <= maxChars
    if (fits) {
      used += cost
      omittedLevel = Number.POSITIVE_INFINITY
    } else {
      omittedLevel = Math.min(omittedLevel, level)
      omitted[kind]++
    }
    return fits
  })
  return { entries: shown, covers, ...remarks, omitted, truncated: true }
}

/** A menu that opens covers much of a page, which is not what the next action is about. */
function foldCovers(entries: readonly DiffEntry[]): Required<Pick<FittedDiff, 'entries' | 'covers'>> {
  const countOf = (cover: 'gained' | 'lost') => entries.filter(entry => entry.cover === cover).length
  const [gained, lost] = [countOf('gained'), countOf('lost')]
  const covers = { ...(gained > maxCoverLines && { gained }), ...(lost > maxCoverLines && { lost }) }
  return { entries: entries.filter(({ cover }) => !cover || covers[cover] === undefined), covers }
}

/** The lines below the header. */
export function diffLines(diff: FittedDiff, refs: RefStyle = plainRefs): readonly string[] {
  const { entries, covers = {}, remark, reordered, omitted, truncated } = diff
  const counts = diffKinds.flatMap(kind => (omitted[kind] > 0 ? `${omitted[kind]} ${kind}` : []))
  return [
    ...entries.map(entry => entryLine(entry, refs)),
    ...(covers.gained ? [coverLine('gained', covers.gained)] : []),
    ...(covers.lost ? [coverLine('lost', covers.lost)] : []),
    ...(reordered ? [orderLine(reordered, refs)] : []),
    ...(remark ? [remarkLine(remark, refs)] : []),
    ...(truncated ? [note(['more', ...(counts.length > 0 ? [counts.join(', ')] : [])].join(': '), 'take a snapshot')] : []),
  ]
}

function headerOf({ before: { meta: old }, after: { meta: now }, entries, reordered }: Comparison, maxChars: number): string {
  const maxText = Math.min(200, Math.floor(maxChars / 16))
  const change = (word: string, was: string, is: string) => (was === is ? '' : ` ${word}=${quote(was, maxText)} → ${quote(is, maxText)}`)
  const url = change('url', old.url, now.url) || ` url=${quote(now.url, maxText)}`
  const title = maxChars < 400 ? '' : change('title', old.title, now.title)
  const counts = diffKinds.flatMap(kind => {
    const count = entries.filter(entry => entry.kind === kind).length
    return count > 0 ? `${kind}=${count}` : []
  })
  return `[diff]${url}${title} ${counts.join(' ') || (reordered ? 'order changed' : 'no change')}`
}
