import { count, ms, percent, times } from './print.mjs'
import { meanRecall } from './recall.mjs'

/** The targets and whether this run meets them. Targets whose pages were not measured are omitted. */
export const judge = ({ rows, growth, corpus, repeated }) => [
  ...ofSize(rows[1]),
  ...ofGrowth(growth),
  ...ofRepeated(repeated[1]),
  ...(corpus.length > 0 ? ofCorpus(corpus) : []),
]

export const ratioOf = ({ ours, theirs }) => theirs / ours

const ofSize = ({ ours, theirs, inPage }) => [
  atLeast(12, ratioOf(inPage.first), { what: 'in the page, faster than Playwright at 20,000 elements, first snapshot', print: times }),
  atLeast(12, ratioOf(inPage.warm), { what: 'the same, repeated', print: times }),
  untargeted(theirs.ms / ours.ms, { what: 'the same, as a host sees it', print: times }),
  atMost(12_000, ours.chars, { what: 'characters at 20,000 elements', print: count }),
]

function ofGrowth([small, middle, large]) {
  if (!large) return []
  return [
    atMost(1.5, large.scriptUs / middle.scriptUs, { what: 'time per element, 100,000 relative to 20,000', print: times }),
    untargeted(large.scriptUs / small.scriptUs, { what: 'time per element, 100,000 relative to 2,000', print: times }),
  ]
}

const ofRepeated = ({ unchanged, first }) => [
  atMost(5, unchanged.scriptMs, { what: 'ms in the page, unchanged page of 20,000 elements', print: ms }),
  untargeted(unchanged.ms, { what: 'ms as a host sees it', print: ms }),
  untargeted(first.ms / unchanged.ms, { what: 'faster than the first snapshot', print: times }),
]

function ofCorpus(corpus) {
  const slowest = largest(corpus, ({ ours }) => ours.scriptMs)
  const slowestFirst = largest(corpus, ({ ours }) => ours.scriptFirstMs)
  const heaviest = largest(corpus, ({ ours }) => ours.jsonBytes)
  const ratios = [...corpus.map(({ inPage }) => ratioOf(inPage.warm))].sort((one, other) => one - other)
  const firstRatios = [...corpus.map(({ inPage }) => ratioOf(inPage.first))].sort((one, other) => one - other)
  const slowerThanTheirs = largest(corpus, ({ inPage }) => -Math.min(ratioOf(inPage.warm), ratioOf(inPage.first)))
  const least = Math.min(ratioOf(slowerThanTheirs.inPage.warm), ratioOf(slowerThanTheirs.inPage.first))
  return [
    atLeast(3, ratios[ratios.length >> 1], { what: 'in the page, faster than Playwright, median of real pages', print: times }),
    atLeast(3, firstRatios[firstRatios.length >> 1], { what: 'the same, first snapshot', print: times }),
    atLeast(1, least, { what: `the same, least of all pages, ${slowerThanTheirs.page}`, print: times }),
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
