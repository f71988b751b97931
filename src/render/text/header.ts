import type { Facts } from './facts.ts'
import { quote } from './quote.ts'

/** The fields of the header; a title of 5 MB, or a url, takes only a small share of the budget. */
export function headerFields(facts: Facts) {
  const { meta, maxCharsTotal } = facts
  const roomy = maxCharsTotal >= spacious
  return {
    // a string of HTML has no address
    address: [...(meta.url ? [`url=${shortUrl(facts)}`] : []), ...(meta.title || meta.url ? [`title=${shortTitle(facts)}`] : [])],
    view: roomy ? viewOf(facts) : [],
    state: [
      ...(meta.readyState === 'loading' ? ['loading'] : []),
      ...(meta.scripts === 'stopped' ? ['scripts=stopped'] : []),
      ...(meta.integrity === 'tampered' ? ['integrity=tampered'] : []),
    ],
    counts: [`nodes=${facts.nodes}`, `emitted=${facts.emitted}`, `truncated=${facts.truncated}`],
    reasons: facts.reasons.length > 0 ? [`truncateReasons=${shortReasons(facts)}`] : [],
    complete: facts.complete ? ['complete'] : [],
    places: roomy ? placesOf(facts) : [],
  }
}

export const shortUrl = ({ meta, maxCharsTotal }: Facts): string => quote(meta.url, Math.min(300, Math.floor(maxCharsTotal / 16)))
export const shortTitle = ({ meta, maxCharsTotal }: Facts): string => quote(meta.title, Math.min(150, Math.floor(maxCharsTotal / 20)))
export const shortReasons = ({ reasons, maxCharsTotal }: Facts): string =>
  JSON.stringify(maxCharsTotal >= spacious ? reasons : reasons.slice(0, 1))

/** from here on there is room for more than the bare facts */
export const spacious = 600

export function viewOf({ meta: { viewport, scroll, dialog, scope, after } }: Facts): string[] {
  return [
    ...(viewport ? [`viewport=${viewport.width}x${viewport.height}`] : []),
    ...(scroll ? [`scroll=${scroll.y}/${scroll.height}`] : []),
    ...(scope ? [`scope=${quote(scope, 30)}`] : []),
    ...(after ? [`after=${after}`] : []),
    ...(dialog ? [`dialog=${dialog}`] : []),
  ]
}

const placesOf = ({ places: { above = 0, below = 0, covered = 0, inert = 0 } }: Facts): string[] => [
  `above=${above}`,
  `below=${below}`,
  `covered=${covered + inert}`,
]
