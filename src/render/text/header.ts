import type { OmittedCounts, SnapshotMeta, TruncateReason } from '../../contract/snapshot.ts'
import { quote } from './quote.ts'

/** The facts about a rendering that its header states. */
export interface HeaderData {
  readonly meta: SnapshotMeta
  readonly nodes: number
  readonly emitted: number
  readonly nodesOmitted: number
  readonly omitted: OmittedCounts
  readonly truncated: boolean
  readonly reasons: readonly TruncateReason[]
  /** nothing is missing: nothing was cut, folded, shortened or omitted by the page */
  readonly complete: boolean
  readonly maxCharsTotal: number
}

/** The fields of the header. A title of 5 MB or a long URL takes only a small share of the budget. */
export function headerFields(header: HeaderData) {
  const { meta, maxCharsTotal } = header
  const isRoomy = maxCharsTotal >= roomyBudget
  return {
    // a string of HTML has no URL
    address: [...(meta.url ? [`url=${shortUrl(header)}`] : []), ...(meta.title || meta.url ? [`title=${shortTitle(header)}`] : [])],
    viewport: isRoomy ? viewportFields(header) : [],
    state: [
      ...(meta.readyState === 'loading' ? ['loading'] : []),
      ...(meta.scripts === 'stopped' ? ['scripts=stopped'] : []),
      ...(meta.integrity === 'tampered' ? ['integrity=tampered'] : []),
    ],
    counts: [`nodes=${header.nodes}`, `emitted=${header.emitted}`, `truncated=${header.truncated}`],
    reasons: header.reasons.length > 0 ? [`truncateReasons=${shortReasons(header)}`] : [],
    complete: header.complete ? ['complete'] : [],
    places: isRoomy ? placeFields(header) : [],
    tools:
      isRoomy && meta.tools?.length ? [`pageTools=${quote(meta.tools.join(', '), Math.min(200, Math.floor(maxCharsTotal / 16)))}`] : [],
  }
}

export const shortUrl = ({ meta, maxCharsTotal }: HeaderData): string => quote(meta.url, Math.min(300, Math.floor(maxCharsTotal / 16)))
export const shortTitle = ({ meta, maxCharsTotal }: HeaderData): string => quote(meta.title, Math.min(150, Math.floor(maxCharsTotal / 20)))
export const shortReasons = ({ reasons, maxCharsTotal }: HeaderData): string =>
  JSON.stringify(maxCharsTotal >= roomyBudget ? reasons : reasons.slice(0, 1))

/** below this budget the header states only the most important facts */
export const roomyBudget = 600

function viewportFields({ meta: { viewport, scroll, dialog, scope, after } }: HeaderData): string[] {
  return [
    ...(viewport ? [`viewport=${viewport.width}x${viewport.height}`] : []),
    ...(scroll ? [`scroll=${scroll.y}/${scroll.height}`] : []),
    ...(scope ? [`scope=${quote(scope, 30)}`] : []),
    ...(after ? [`after=${after}`] : []),
    ...(dialog ? [`dialog=${dialog}`] : []),
  ]
}

const placeFields = ({ omitted: { above = 0, below = 0, covered = 0, inert = 0 } }: HeaderData): string[] => [
  `above=${above}`,
  `below=${below}`,
  `covered=${covered + inert}`,
]
