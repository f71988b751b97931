import { openSession } from '../dist/browser.js'
import { median } from './measure.mjs'

const rounds = 9

/** Snapshots in a session: the first one, of the same page again, and after one text has changed. Times on the clock, in ms. */
export async function repeatedOf({ site }, pages) {
  const session = await openSession({ allowEval: true, viewport: { width: 1280, height: 720 } })
  try {
    const results = []
    for (const { name, html } of pages) {
      site.show(html)
      await run('open', { url: site.url })
      const first = await look()
      await look()
      const unchanged = []
      const changed = []
      for (let round = 0; round < rounds; round++) {
        const again = await look()
        if (again.stats.unchanged) unchanged.push(again)
        await run('evaluate', { js: `document.querySelector('li span').firstChild.data = 'ships in ${round + 9} days', 0` })
        changed.push(await look())
        await look()
      }
      const timesOf = looks => ({ ms: median(looks.map(({ ms }) => ms)), scriptMs: median(looks.map(({ stats }) => stats.elapsedMs)) })
      results.push({
        page: name,
        first: timesOf([first]),
        unchanged: timesOf(unchanged),
        changed: timesOf(changed),
        reused: unchanged.length / rounds,
      })
    }
    return results
  } finally {
    await session.close()
  }

  async function run(name, input) {
    const result = await session.run({ name, ...input })
    if (!result.ok) throw new Error(`${name}: ${result.error.message}`)
    return result.data
  }

  async function look() {
    const start = performance.now()
    const { stats } = await run('snapshot')
    return { ms: performance.now() - start, stats }
  }
}
