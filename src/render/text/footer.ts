import type { SnapshotFormat } from '../../contract/limits.ts'
import type { OmittedCounts, SnapshotMeta, TruncateReason } from '../../contract/snapshot.ts'

/** What is not in the text. */
export interface Missing {
  readonly format: SnapshotFormat
  readonly meta: SnapshotMeta
  readonly reasons: readonly TruncateReason[]
  /** rows that were left out although they are in view, or where nothing is known about the view */
  readonly here: number
  /** rows left out by the renderer and elements left out by the page, by where they are */
  readonly places: OmittedCounts
  /** the ref after which what is missing goes on; '' when there is none */
  readonly after: string
  /** why the page itself stopped looking */
  readonly stopped: TruncateReason | undefined
  /** what the lines do not tell, in words */
  readonly shed: string
  /** texts in the snapshot for which this format has no line */
  readonly unspoken: number
  /** a select whose options have no lines; '' when there is none */
  readonly select: string
  readonly lowered: readonly string[]
}

/** One line for each kind of thing that is missing, with the call that shows it; what matters most comes first. */
export function footer(missing: Missing): readonly string[] {
  const { format, meta, places, shed, unspoken, select, lowered } = missing
  const behind = meta.dialog ? `behind the dialog ${meta.dialog}` : 'in a part of the page that takes no input now'
  return [
    ...more(missing),
    ...note(places.inert, `${places.inert} ${behind}`),
    ...note(places.covered, `${places.covered} covered by something else: close or scroll away what covers them`),
    ...note(places.text, `${many(places.text, 'text')} or pictures not shown: interactiveOnly=false`),
    ...note(unspoken, `${many(unspoken, 'text')} without a line in this format: format=tree`),
    ...note(shed, format === 'flat' ? `left out for space: ${shed}` : `left out for space: ${shed}: scope=<ref> shows them`),
    ...note(places.beside, `${places.beside} beside the viewport: scroll sideways`),
    ...note(places.frames, `what is in ${many(places.frames, 'frame')} of other origins cannot be read here`),
    ...note(select, `the options of a select are listed by its ref: scope=${select}`),
    ...lowered.map(said => `… ${said}`),
  ]
}

const many = (count = 0, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`
const note = (when: number | string | undefined, says: string): string[] => (when ? [`… ${says}`] : [])

function more(missing: Missing): string[] {
  const { format, meta, reasons, after, stopped } = missing
  // without a viewport nothing is above or below it
  const { above = 0, below = 0 } = meta.viewport ? missing.places : {}
  const here = missing.here + (meta.viewport ? 0 : (missing.places.above ?? 0) + (missing.places.below ?? 0))
  const parts = [
    ...(here ? [meta.viewport ? `${here} more in view` : `${here} more`] : []),
    ...(below ? [here ? `${below} below` : `${below} more below`] : []),
    ...(above ? [here || below ? `${above} above` : `${above} more above`] : []),
  ]
  if (parts.length === 0 && stopped) parts.push(`the page goes on (${stopped})`)
  if (parts.length === 0) return []
  // a walk that stopped stops again at the same place, wherever it is told to begin
  const goesOn = stopped !== 'maxVisits' && stopped !== 'maxTime'
  // who reads the flat format of a screen looks at one after the other
  const go = (format !== 'flat' || !meta.viewport) && after && (here || below || (stopped && goesOn)) ? `after=${after}` : ''
  const scroll = above || below ? (go ? ', or scroll' : below ? 'scroll' : 'scroll up') : ''
  const otherwise =
    go || scroll
      ? ''
      : stopped && !goesOn
        ? `scope, or a larger ${limitOf[stopped]}`
        : reasons.includes('maxCharsTotal')
          ? 'a larger maxCharsTotal'
          : 'a larger maxNodes'
  return [`… ${parts.join(', ')}: ${go}${scroll}${otherwise}`]
}

const limitOf = { maxVisits: 'maxVisits', maxTime: 'maxTimeMs' } as const

/** As many notes as fit; at least the bare fact that there is more. */
export function fitting(notes: readonly string[], room: number, left: { after: string; nodesLeft: number }): readonly string[] {
  const kept: string[] = []
  let used = 0
  for (const said of notes) {
    if (used + said.length + 1 > room) continue
    kept.push(said)
    used += said.length + 1
  }
  return kept.length > 0 || notes.length === 0 || room === 0 ? kept : [bareNote(left)]
}

const bareNote = ({ after, nodesLeft }: { after: string; nodesLeft: number }): string =>
  nodesLeft > 0 ? `… ${nodesLeft} more${after && `: after=${after}`}` : '… more: a larger maxCharsTotal'
