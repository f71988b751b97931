// Clicks and snapshots through the extension and the relay, compared with a launched browser: the same Chromium, in turns. Also the time to
// attach with many tabs open, and the CPU time of an idle extension.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { openSession } from '../dist/browser.js'

const root = fileURLToPath(new URL('..', import.meta.url))
// the relay is not exported by the package, and the browser with the extension is part of the tests
await build({
  stdin: {
    contents: `export { findExtensionBrowser, noExtensionBrowser, startExtensionBrowser } from './test/support/extension-browser.ts'
      export { startRelay } from './src/relay/server.ts'
      export { sendHtml, serve } from './test/support/http-server.ts'`,
    resolveDir: root,
  },
  outfile: join(root, 'dist/bench-relay.mjs'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'error',
})
const { findExtensionBrowser, noExtensionBrowser, startExtensionBrowser, startRelay, sendHtml, serve } = await import(
  '../dist/bench-relay.mjs'
)

const executablePath = findExtensionBrowser()
if (executablePath === undefined) {
  console.error(noExtensionBrowser)
  process.exit(1)
}
const rounds = Number(process.env.ROUNDS ?? 30)
const manyTabs = 200
const idleSeconds = 20

const buttons = Array.from({ length: 200 }, (_, at) => `<button onclick="this.dataset.count = +1">Button ${at}</button>`).join('')
const server = await serve(sendHtml(`<title>bench</title>${buttons}`))
const env = { PAGEHAND_HOME: mkdtempSync(join(tmpdir(), 'pagehand-bench-')) }
const relay = await startRelay({ port: 0, env })
const browser = await startExtensionBrowser()
await browser.pair(relay.status().code, relay.port)
const attach = { endpoint: join(env.PAGEHAND_HOME, 'relay'), client: 'bench', env }
const viewport = { width: 1280, height: 720 }

const median = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]
const timed = async work => {
  const start = performance.now()
  const result = await work()
  if (result?.ok === false) throw new Error(result.error.message)
  return performance.now() - start
}
const sessions = {
  launched: await openSession({ launch: { executablePath }, viewport }),
  relay: await openSession({ attach, viewport }),
}
const times = { launched: { click: [], snapshot: [] }, relay: { click: [], snapshot: [] } }
for (const session of Object.values(sessions)) await session.run({ name: 'open', url: server.url })
for (let round = 0; round < rounds; round++)
  for (const name of round % 2 ? ['relay', 'launched'] : ['launched', 'relay']) {
    times[name].snapshot.push(await timed(() => sessions[name].run({ name: 'snapshot' })))
    times[name].click.push(await timed(() => sessions[name].run({ name: 'click', ref: `e${(round % 100) + 1}` })))
  }
for (const verb of ['snapshot', 'click']) {
  const [launched, relayed] = [median(times.launched[verb]), median(times.relay[verb])]
  console.log(`${verb}: launched ${launched.toFixed(1)} ms, relay ${relayed.toFixed(1)} ms, ratio ${(relayed / launched).toFixed(2)}`)
}
for (const session of Object.values(sessions)) await session.close()

const attachTime = () =>
  timed(async () => {
    await (await openSession({ attach, viewport })).close()
  })
const few = median([await attachTime(), await attachTime(), await attachTime()])
for (let at = 0; at < manyTabs; at++) await browser.connection.send('Target.createTarget', { url: `about:blank?${at}`, background: true })
const memory = process.memoryUsage.rss()
const many = median([await attachTime(), await attachTime(), await attachTime()])
console.log(
  `attach: ${few.toFixed(0)} ms, with ${manyTabs} other tabs ${many.toFixed(0)} ms, ratio ${(many / few).toFixed(2)}; the relay grew by ${((process.memoryUsage.rss() - memory) / 2 ** 20).toFixed(1)} MB`,
)

/** CPU seconds of the processes of extensions: proc(5), fields 14 and 15 in ticks of 10 ms */
const extensionCpu = () =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .reduce((sum, pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        if (!command.includes('--extension-process') || !command.includes(executablePath)) return sum
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return sum + (Number(fields[11]) + Number(fields[12])) / 100
      } catch {
        return sum // it has ended
      }
    }, 0)
const before = extensionCpu()
await new Promise(resolve => setTimeout(resolve, idleSeconds * 1_000))
console.log(`idle extension, connected: ${((100 * (extensionCpu() - before)) / idleSeconds).toFixed(2)} % of a CPU over ${idleSeconds} s`)

await browser[Symbol.asyncDispose]()
await relay.close()
await server[Symbol.asyncDispose]()
