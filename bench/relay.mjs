// Clicks and snapshots through the extension and the relay, compared with a launched browser: the same Chromium, in turns. Also the time to
// attach with many tabs open, and the CPU time of an idle extension.
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
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
const attachRounds = 7
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
// the tab that the user lends is the one in front; a session without a lent tab opens its own behind it
const tab = await browser.openTab(server.url)
await browser.lend(tab)
const sessions = {
  launched: await openSession({ launch: { executablePath }, viewport }),
  lent: await openSession({ attach, viewport }),
  own: await openSession({ attach, viewport }),
}
const names = Object.keys(sessions)
const times = Object.fromEntries(names.map(name => [name, { click: [], snapshot: [] }]))
for (const session of Object.values(sessions)) await session.run({ name: 'open', url: server.url })
for (let round = 0; round < rounds; round++)
  for (const name of round % 2 ? names.toReversed() : names) {
    let refs = []
    const snapshot = async () => {
      const result = await sessions[name].run({ name: 'snapshot' })
      refs = Object.keys(result.data?.refs ?? {})
      return result
    }
    times[name].snapshot.push(await timed(snapshot))
    times[name].click.push(await timed(() => sessions[name].run({ name: 'click', ref: refs[round % 100] })))
  }
const ms = value => `${value.toFixed(0)} ms`
const ratio = (before, after) => `${(after / before).toFixed(2)}x`
const rows = ['snapshot', 'click'].map(verb => {
  const [launched, lent, own] = names.map(name => median(times[name][verb]))
  return [verb, ms(launched), ms(lent), ratio(launched, lent), ms(own), ratio(launched, own)]
})
for (const session of Object.values(sessions)) await session.close()

const heap = () => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
const measureStarts = async prepare => {
  const times = []
  const bytes = []
  for (let round = 0; round <= attachRounds; round++) {
    await prepare()
    const before = heap()
    let session
    times.push(
      await timed(async () => {
        session = await openSession({ attach, viewport })
      }),
    )
    bytes.push(heap() - before)
    await session.close()
  }
  // the first one loads code
  return { ms: median(times.slice(1)), kb: median(bytes.slice(1)) / 1e3 }
}
const measureAttach = async () => ({ lent: await measureStarts(() => browser.lend(tab)), own: await measureStarts(() => {}) })
const few = await measureAttach()
for (let at = 0; at < manyTabs; at++) await browser.connection.send('Target.createTarget', { url: `about:blank?${at}`, background: true })
const many = await measureAttach()
const attachRows = [
  ['attach to a lent tab', ms(few.lent.ms), ms(many.lent.ms), ratio(few.lent.ms, many.lent.ms)],
  ['open a tab', ms(few.own.ms), ms(many.own.ms), ratio(few.own.ms, many.own.ms)],
  [
    'heap of relay and session, lent tab',
    `${few.lent.kb.toFixed(0)} kB`,
    `${many.lent.kb.toFixed(0)} kB`,
    ratio(few.lent.kb, many.lent.kb),
  ],
]

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
const idlePercent = (100 * (extensionCpu() - before)) / idleSeconds

const table = (head, lines) =>
  [head, head.map((_, at) => (at ? '---:' : '---')), ...lines].map(cells => `| ${cells.join(' | ')} |`).join('\n')
const text = `# Lent tabs compared with a launched browser

Generated by \`npm run bench:relay -- --write\`; do not edit. The same Chromium, launched, and with the extension and the relay. A page with 200 buttons; snapshots and clicks in turns, ${rounds} times each, medians. A tab that the user lends is in front; a tab that a session opens is behind it, where Chrome draws frames only while a session asks for them.

${table(['', 'launched', 'lent tab', 'ratio', 'own tab in the background', 'ratio'], rows)}

The start of a session over the relay, medians of ${attachRounds}:

${table(['', '2 tabs open', `${manyTabs + 2} tabs open`, 'ratio'], attachRows)}

The extension, connected and idle, used ${idlePercent.toFixed(2)} % of a CPU over ${idleSeconds} s.
`
process.stdout.write(text)
if (process.argv.includes('--write')) writeFileSync(new URL('../docs/bench-relay.md', import.meta.url), text)

await browser[Symbol.asyncDispose]()
await relay.close()
await server[Symbol.asyncDispose]()
