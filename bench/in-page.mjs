import { AgentBrowser } from '../dist/index.js'
import { inTab, open } from './browser.mjs'
import { median } from './measure.mjs'
import { playwrightEngine } from './playwright-engine.mjs'

const rounds = 5
const script = AgentBrowser.getScript()
const engine = playwrightEngine()

/** both end with the JSON that leaves the page */
const expressions = {
  ours: `__agentBrowser.call('snapshot', [{ markDom: false }]).length`,
  theirs: `JSON.stringify(playwrightEngine.ariaSnapshotJSON(document.body, { mode: 'ai' })).length`,
}

/**
 * CPU time of the main thread for a snapshot, by our script and by the one that Playwright injects, in ms. Other processes hardly disturb
 * it, unlike the time on the clock.
 */
export async function measureInPage({ browser, site }, { html }) {
  const first = {}
  for (const who of Object.keys(expressions)) first[who] = await inFreshTab(measure => measure(who))
  const warm = { ours: [], theirs: [] }
  await inFreshTab(async measure => {
    for (let round = 0; round < rounds; round++)
      // the order alternates, because the second runs with the garbage of the first
      for (const who of round % 2 ? ['theirs', 'ours'] : ['ours', 'theirs']) warm[who].push(await measure(who))
  })
  return { first, warm: { ours: median(warm.ours), theirs: median(warm.theirs) } }

  function inFreshTab(work) {
    return inTab(browser, script, async page => {
      await open(page, site, html)
      const session = await page.context().newCDPSession(page)
      await session.send('Runtime.evaluate', { expression: `${engine}; 0` })
      await session.send('Performance.enable', { timeDomain: 'threadTicks' })
      const taskMs = async () =>
        1_000 * (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value
      return work(async who => {
        const before = await taskMs()
        const { exceptionDetails } = await session.send('Runtime.evaluate', { expression: expressions[who] })
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
        return (await taskMs()) - before
      })
    })
  }
}
