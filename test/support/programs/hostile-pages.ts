// Runs random hostile pages through a session, and prints one line of JSON per page: SEED=1 PAGES=200 node hostile-pages.js
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { launch, openSession } from '../../../src/browser.ts'
import { hostilePage } from '../hostile-page.ts'

const seed = Number(process.env.SEED ?? 1)
const pages = Number(process.env.PAGES ?? 12)
const from = Number(process.env.FROM ?? 0)
/** one browser for so many pages */
const batch = 20

/** SECOND=400 shortens all deadlines: many pages use all of the time */
const second = Number(process.env.SECOND ?? 1_000)
const deadlines = { open: 3 * second, snapshot: 2 * second, click: 2 * second, wait: 1.5 * second, back: 2 * second, close: 2 * second }
/** the promise: an answer comes at most this long after its deadline */
const graceMs = 2_000

const uncaught: string[] = []
process.on('uncaughtException', error => uncaught.push(error.stack ?? String(error)))
process.on('unhandledRejection', error => uncaught.push((error as Error)?.stack ?? String(error)))

/** without a browser there is nothing to try, and the handlers above would keep the process alive; the last row printed names the page */
function endWith(error: Error): never {
  console.error(error)
  process.exit(1)
}

const print = (row: object) => process.stdout.write(`${JSON.stringify(row)}\n`)

function answer(path: string, response: ServerResponse): void {
  const [, kind = '', number = '0'] = path.split('/')
  if (kind === 'never') return void response.writeHead(200, { 'content-type': 'text/html' }).write('<p>never')
  if (kind === 'silent') return
  if (kind === 'loop') return void response.writeHead(302, { location: `/loop/${Number(number) + 1}` }).end()
  if (kind === 'download')
    return void response.writeHead(200, { 'content-disposition': `attachment; filename="../${number}.bin"` }).end('x'.repeat(10_000))
  if (kind === 'worker.js')
    return void response.writeHead(200, { 'content-type': 'text/javascript' }).end('onfetch = e => e.respondWith(new Promise(() => {}))')
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(kind === 'page' ? hostilePage(seed, Number(number)).html : '<title>frame</title><button>In a frame</button>')
}

const server = createServer((request, response) => answer(new URL(request.url ?? '/', 'http://a').pathname, response))
await once(server.listen(0, '127.0.0.1'), 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

/** the time that this process itself could not run in, because the machine is busy: no answer can be sooner */
const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()

for (let first = from; first < from + pages; first += batch) {
  await using browser = await launch().catch(endWith)
  print({ pid: browser.pid })
  for (let number = first; number < Math.min(first + batch, from + pages); number++) {
    const session = await openSession({
      browser,
      deadlines,
      patienceMs: second / 2,
      loadMs: second,
      settle: { capMs: 300, networkMs: 300 },
    }).catch(endWith)
    const late: string[] = []
    const codes: string[] = []
    let ref = 'e1'
    for (const command of [
      { name: 'open', url: `${url}plain` },
      { name: 'open', url: `${url}page/${number}` },
      { name: 'snapshot' },
      { name: 'click' },
      { name: 'wait', text: 'never shown', timeoutMs: second / 2 },
      { name: 'back' },
      { name: 'close' },
    ] as const) {
      delay.reset()
      const startedAt = performance.now()
      const result = await session.run(command.name === 'click' ? { ...command, ref } : command)
      const ms = performance.now() - startedAt
      if (ms > deadlines[command.name] + graceMs + delay.max / 1e6) late.push(`${command.name} ${Math.round(ms)} ms`)
      codes.push(`${command.name}:${result.ok ? 'ok' : result.error.code}`)
      if (command.name === 'snapshot' && result.ok) ref = Object.keys((result.data as { refs?: object }).refs ?? {}).at(-1) ?? ref
    }
    await session.close()
    print({ page: number, features: hostilePage(seed, number).features, late, codes })
  }
}
server.closeAllConnections()
server.close()
print({ uncaught })
process.exit()
