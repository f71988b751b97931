import { AgentBrowser } from '../dist/index.js'

/** Measures our snapshot and Playwright's alternately on one open page, so that noise affects both; also returns the refs that each shows. */
export async function measure(page) {
  const first = { ours: await ours(page), theirs: await theirs(page) }
  const warm = []
  const deadline = performance.now() + patienceMs
  while (warm.length < leastRounds || (warm.length < mostRounds && performance.now() < deadline))
    warm.push(await inTurns(page, warm.length))
  return {
    figures: { ours: oursOf(first, warm), theirs: theirsOf(first, warm), rounds: warm.map(timesOf) },
    shown: shownBy(warm.at(-1)),
  }
}

/** Playwright's text has no limit. A model is assumed to read as much of it as our default budget. */
export const cutAt = 12_000

/** Cheap rounds are repeated more often. */
export const [leastRounds, mostRounds, patienceMs] = [3, 9, 20_000]

/** Our snapshot: evaluated in the page, rendered here. */
export async function ours(page) {
  const { ms, value } = await timed(async () => {
    const json = await page.evaluate(AgentBrowser.snapshotJs())
    return { json, rendered: AgentBrowser.renderSnapshot(json) }
  })
  const { stats } = JSON.parse(value.json)
  return { ms, stats, ...value }
}

async function theirs(page) {
  const { ms, value } = await timed(() => page.ariaSnapshot({ mode: 'ai', timeout: 0 }))
  return { ms, text: value }
}

async function timed(work) {
  const start = performance.now()
  const value = await work()
  return { ms: performance.now() - start, value }
}

// the order alternates, because the second runs with the garbage of the first
async function inTurns(page, round) {
  if (round % 2) return { theirs: await theirs(page), ours: await ours(page) }
  return { ours: await ours(page), theirs: await theirs(page) }
}

function oursOf(first, warm) {
  const { json, rendered, stats } = warm.at(-1).ours
  return {
    firstMs: first.ours.ms,
    ms: median(warm.map(({ ours }) => ours.ms)),
    scriptFirstMs: first.ours.stats.elapsedMs,
    scriptMs: median(warm.map(({ ours }) => ours.stats.elapsedMs)),
    chars: rendered.text.length,
    refs: rendered.refs.length,
    jsonBytes: Buffer.byteLength(json),
    stoppedBy: stats.truncateReasons.filter(reason => reason === 'maxTime' || reason === 'maxVisits'),
  }
}

function theirsOf(first, warm) {
  const { text } = warm.at(-1).theirs
  return { firstMs: first.theirs.ms, ms: median(warm.map(({ theirs }) => theirs.ms)), chars: text.length, refs: refsIn(text).length }
}

const timesOf = ({ ours, theirs }) => ({ oursMs: ours.ms, scriptMs: ours.stats.elapsedMs, theirsMs: theirs.ms })

const shownBy = ({ ours, theirs }) => ({ ours: ours.rendered.refs, theirs: refsIn(theirs.text.slice(0, cutAt)) })

const refsIn = text => Array.from(text.matchAll(/\[ref=(\w+)\]/g), ([, ref]) => ref)

export const median = numbers => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]
