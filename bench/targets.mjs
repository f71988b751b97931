import { count, ms, percent, times } from './print.mjs'
import { meanRecall } from './recall.mjs'

/** The targets and whether this run meets them. Targets whose pages were not measured are omitted. */
export const judge = ({ rows, growth, corpus }) => [...ofSize(rows[1]), ...ofGrowth(growth), ...(corpus.length > 0 ? ofCorpus(corpus) : [])]

const ofSize = ({ ours, theirs }) => [
  atLeast(20, theirs.ms / ours.ms, { what: 'faster than Playwright at 20,000 elements', print: times }),
  atMost(12_000, ours.chars, { what: 'characters at 20,000 elements', print: count }),
]

function ofGrowth([small, middle, large]) {
  if (!large) return []
  return [
    atMost(1.5, large.scriptUs / middle.scriptUs, { what: 'time per element, 100,000 relative to 20,000', print: times }),
    untargeted(large.scriptUs / small.scriptUs, { what: 'time per element, 100,000 relative to 2,000', print: times }),
  ]
}

function ofCorpus(corpus) {
  const slowest = largest(corpus, ({ ours }) => ours.scriptMs)
  const slowestFirst = largest(corpus, ({ ours }) => ours.scriptFirstMs)
  const heaviest = largest(corpus, ({ ours }) => ours.jsonBytes)
  return [
    atMost(100, slowest.ours.scriptMs, { what: `ms in the slowest real page, ${slowest.page}`, print: ms }),
    untargeted(slowestFirst.ours.scriptFirstMs, { what: `ms of the slowest first snapshot, ${slowestFirst.page}`, print: ms }),
    atMost(100_000, heaviest.ours.jsonBytes, { what: `bytes of JSON of the largest real page, ${heaviest.page}`, print: count }),
    atLeast(0.95, meanRecall(corpus, 'inView').ours, { what: 'recall in view, mean of real pages', print: percent }),
  ]
}

const largest = (pages, measure) => pages.reduce((best, page) => (measure(page) > measure(best) ? page : best))
export const atLeast = (bound, got, { what, print }) => ({
  what,
  wanted: `>= ${print(bound)}`,
  got: print(got),
  verdict: got >= bound ? 'ok' : 'MISSED',
})
export const atMost = (bound, got, { what, print }) => ({
  what,
  wanted: `<= ${print(bound)}`,
  got: print(got),
  verdict: got <= bound ? 'ok' : 'MISSED',
})
export const untargeted = (got, { what, print }) => ({ what, wanted: '', got: print(got), verdict: '' })
