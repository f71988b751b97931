import type { SnapshotFormat } from '../../contract/limits.ts'
import type { OmittedCounts, SnapshotMeta, TruncateReason } from '../../contract/snapshot.ts'
import { advise, adviseLarger, adviseOption, type Dialect, note } from './dialect.ts'

/** The content of the page that is not in the text. */
export interface OmittedContent {
  readonly format: SnapshotFormat
  readonly meta: SnapshotMeta
  readonly reasons: readonly TruncateReason[]
  /** omitted rows that are in view, or whose position is unknown */
  readonly here: number
  /** rows omitted by the renderer and elements omitted by the page, by position */
  readonly places: OmittedCounts
  /** the text is part of an answer about an action, and a snapshot shows more */
  readonly summary: boolean
  /** the ref after which the omitted content begins, or '' */
  readonly after: string
  /** the limit at which the page stopped collecting */
  readonly stopped: TruncateReason | undefined
  /** the details that the lines omit, in words */
  readonly shed: string
  /** texts in the snapshot that have no line in this format */
  readonly unprinted: number
  /** it shows an element whose content is drawn and cannot be read */
  readonly drawn: boolean
  /** the ref of a select whose options have no lines, or '' */
  readonly select: string
  /** options that were lowered to their maximum, in words */
  readonly lowered: readonly string[]
}

/** One line for each kind of omitted content, with the call that shows it; the most important comes first. */
export function footerNotes(omitted: OmittedContent, dialect: Dialect): readonly string[] {
  const { format, meta, places, shed, unprinted, drawn, select, lowered } = omitted
  const behind = meta.dialog ? `behind the dialog ${dialect.refs.ref(meta.dialog)}` : 'in a part of the page that takes no input now'
  const scopeAdvice = format === 'flat' ? '' : advise(dialect, [['scope', '<ref>']], (scope = '') => `${scope} shows them`)
  return [
    ...moreNote(omitted, dialect),
    ...(places.inert ? [note(`${places.inert} ${behind}`)] : []),
    ...(places.covered
      ? [note(`${places.covered} covered by something else`, `close or scroll away what covers ${places.covered === 1 ? 'it' : 'them'}`)]
      : []),
    ...(places.concealed ? [note(`${places.concealed} clipped or transparent now`, 'open or scroll to what contains them')] : []),
    ...(places.text
      ? [note(`${plural(places.text, 'text', 'picture')} not shown`, adviseOption(dialect, 'interactiveOnly', 'false'))]
      : []),
    ...(unprinted ? [note(`${plural(unprinted, 'text')} without a line in this format`, adviseOption(dialect, 'format', 'tree'))] : []),
    ...(shed ? [note(`left out for space: ${shed}`, scopeAdvice)] : []),
    ...(places.beside ? [note(`${places.beside} beside the viewport`, 'scroll sideways')] : []),
    ...(places.frames ? [note(`what is in ${plural(places.frames, 'frame')} of other origins cannot be read here`)] : []),
    ...(drawn ? [note('a canvas, video or embedded document is drawn and not read', 'take a screenshot of its ref')] : []),
    ...(select ? [note('the options of a select are listed by its ref', adviseOption(dialect, 'scope', select))] : []),
    ...lowered.map(change => note(change)),
  ]
}

const plural = (count: number, ...things: readonly string[]): string =>
  `${count} ${things.map(thing => thing + (count === 1 ? '' : 's')).join(' or ')}`

function moreNote(omitted: OmittedContent, dialect: Dialect): string[] {
  const counts = countByPlace(omitted)
  const { here, above, below } = counts
  const parts = [
    ...(here ? [omitted.meta.viewport ? `${here} more in view` : `${here} more`] : []),
    ...(below ? [here ? `${below} below` : `${below} more below`] : []),
    ...(above ? [here || below ? `${above} above` : `${above} more above`] : []),
  ]
  if (parts.length === 0 && omitted.stopped) parts.push(`the page goes on (${omitted.stopped})`)
  return parts.length === 0 ? [] : [note(parts.join(', '), adviseMore(omitted, counts, dialect))]
}

interface PlaceCounts {
  readonly here: number
  readonly above: number
  readonly below: number
}

/** Without a viewport nothing is above or below it. */
function countByPlace({ meta, here, places: { above = 0, below = 0 } }: OmittedContent): PlaceCounts {
  return meta.viewport ? { here, above, below } : { here: here + above + below, above: 0, below: 0 }
}

function adviseMore(
  { format, meta, reasons, after, stopped, summary }: OmittedContent,
  { here, above, below }: PlaceCounts,
  dialect: Dialect,
): string {
  const canScroll = above > 0 || below > 0
  if (summary) return here > 0 || !canScroll ? 'take a snapshot' : 'take a snapshot, or scroll'
  // a walk that hit one of these limits hits it again at the same place, wherever it begins
  const walkLimit = stopped === 'maxVisits' ? 'maxVisits' : stopped === 'maxTime' ? 'maxTimeMs' : undefined
  const continues = here > 0 || below > 0 || (stopped !== undefined && !walkLimit)
  // readers of the flat format go through the page screen by screen
  if (after && continues && (format !== 'flat' || !meta.viewport))
    return advise(dialect, [['after', after]], (option = '') => (canScroll ? `${option}, or scroll` : option))
  if (canScroll) return below > 0 ? 'scroll' : 'scroll up'
  if (walkLimit) return advise(dialect, [['scope'], [walkLimit]], (scope, limit) => `${scope}, or a larger ${limit}`)
  return adviseLarger(dialect, reasons.includes('maxCharsTotal') ? 'maxChars' : 'maxNodes')
}

/** As many notes as fit; at least the fact that there is more, unless there is no room at all. */
export function fitNotes(
  notes: readonly string[],
  room: number,
  { after, nodesOmitted, dialect }: { after: string; nodesOmitted: number; dialect: Dialect },
): readonly string[] {
  const kept: string[] = []
  let used = 0
  for (const each of notes) {
    if (used + each.length + 1 > room) continue
    kept.push(each)
    used += each.length + 1
  }
  if (kept.length > 0 || notes.length === 0 || room === 0) return kept
  if (nodesOmitted === 0) return [note('more', adviseLarger(dialect, 'maxChars'))]
  return [note(`${nodesOmitted} more`, after && adviseOption(dialect, 'after', after))]
}
