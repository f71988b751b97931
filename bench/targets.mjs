import { perElement, recallInView } from './figures.mjs'
import { count, ms, percent, times } from './print.mjs'

/** What we promise, and whether this run keeps it. A target whose pages were not measured is left out. */
export function judge({ rows, corpus }) {
  const middle = rows.find(({ elements }) => elements >= 20_000 && elements < 100_000)
  const growth = perElement(rows)
  const [at20k, at100k] = [growth[1], growth[2]]
  return [
    middle && atLeast(20, middle.theirs.ms / middle.ours.ms, { what: 'faster than Playwright at 20,000 elements', print: times }),
    middle && atMost(12_000, middle.ours.chars, { what: 'characters at 20,000 elements', print: count }),
    at100k && atMost(1.5, at100k.script / at20k.script, { what: 'time per element, 100,000 against 20,000', print: times }),
    ...(corpus.length > 0 ? ofCorpus(corpus) : []),
  ].filter(Boolean)
}

function ofCorpus(corpus) {
  const slowest = largest(corpus, ({ ours }) => ours.scriptMs)
  const heaviest = largest(corpus, ({ ours }) => ours.jsonBytes)
  return [
    atMost(100, slowest.ours.scriptMs, { what: `ms in the slowest real page, ${slowest.page}`, print: ms }),
    atMost(100_000, heaviest.ours.jsonBytes, { what: `bytes of JSON of the largest real page, ${heaviest.page}`, print: count }),
    atLeast(0.95, recallInView(corpus).ours, { what: 'recall in view, mean of real pages', print: percent }),
  ]
}

const largest = (pages, of) => pages.reduce((most, page) => (of(page) > of(most) ? page : most))
const atLeast = (bound, got, { what, print }) => ({ what, wanted: `>= ${print(bound)}`, got: print(got), ok: got >= bound })
const atMost = (bound, got, { what, print }) => ({ what, wanted: `<= ${print(bound)}`, got: print(got), ok: got <= bound })
