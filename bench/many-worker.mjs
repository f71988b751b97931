// `node bench/many-worker.mjs 50 http://127.0.0.1:1234/`: opens 50 sessions in one browser and prints the figures as JSON.
// It is a separate process because its memory is one of the figures.
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { launch, openSession } from '../dist/browser.js'
import { isBrowser, leftOf, markName, processesOf } from './processes.mjs'

const [count, url] = [Number(process.argv[2]), process.argv[3]]

const start = performance.now()
const browser = await launch()
const launched = performance.now() - start
const sessions = []
const opened = []
const snapshots = []
for (let at = 0; at < count; at++)
  opened.push(
    await timed(async () => {
      const session = await openSession({ browser })
      sessions.push(session)
      assertOk(await session.run({ name: 'open', url }))
    }),
  )
for (const session of sessions) snapshots.push(await timed(async () => assertOk(await session.run({ name: 'snapshot' }))))
const atOnce = await timed(() => Promise.all(sessions.map(async session => assertOk(await session.run({ name: 'snapshot' })))))

const bytes = process.memoryUsage.rss()
const running = processesOf(process.env[markName]).filter(isBrowser)
const closed = await timed(() => Promise.all(sessions.map(session => session.close())))
const { targetInfos } = await browser.connection.send('Target.getTargets')
const { browserContextIds } = await browser.connection.send('Target.getBrowserContexts')
await browser.close()
const left = await leftOf(running)

process.stdout.write(
  JSON.stringify({
    count,
    launched,
    opened,
    snapshots,
    atOnce,
    closed,
    bytes,
    processes: running.length,
    left: {
      pages: targetInfos.filter(({ type, browserContextId }) => type === 'page' && browserContextIds.includes(browserContextId)).length,
      contexts: browserContextIds.length,
      processes: left.length,
      // the private folder of the user stays, and is empty
      files: readdirSync(tmpdir(), { recursive: true }).filter(name => !/^pagehand-[^/]+$/.test(name)).length,
    },
  }),
)

async function timed(work) {
  const from = performance.now()
  await work()
  return performance.now() - from
}

function assertOk(result) {
  if (!result.ok) throw new Error(result.error.message)
}
