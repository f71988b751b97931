// Opens pages that flood the host, and prints how much memory each of them cost as lines of JSON. Run with --expose-gc.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { openSession } from '../../../src/browser.ts'

/** CASES=console runs only the floods whose names match */
const only = new RegExp(process.env.CASES ?? '')
const scale = Number(process.env.SCALE ?? 1)
const large = Math.round(1e8 * scale)
const many = Math.round(20_000 * scale)
/** how long to wait for a flood that cannot say that it is over, because it has used up all connections */
const maxFloodMs = 10_000 * Math.sqrt(scale)

/** scripts by name; each ends with `done()` */
const floods: { readonly [name: string]: string } = {
  'console, one long message': `for (let i = 0; i < 6; i++) console.log('x'.repeat(${large})); done()`,
  'console, messages just below the limit': `for (let i = 0; i < ${300 * scale}; i++) console.log(i + 'x'.repeat(900000)); done()`,
  'console, many messages': `for (let i = 0; i < ${many}; i++) console.log(i, 'x'.repeat(5000), { a: i }); done()`,
  'exceptions, long': `for (let i = 0; i < 4; i++) setTimeout(() => { throw '\\u0001'.repeat(${large / 4}) }); setTimeout(done, 50)`,
  'exceptions, many': `for (let i = 0; i < ${many / 4}; i++) setTimeout(() => { throw new Error('x'.repeat(5000) + i) }); setTimeout(done, 50)`,
  'data URLs': `Promise.all([1, 2, 3, 4].map(i => new Promise(r => { const img = new Image; img.onload = img.onerror = r; img.src = 'data:image/png;base64,' + 'A'.repeat(${large}) + i }))).then(done)`,
  titles: `for (let i = 0; i < 200; i++) document.title = i + 'x'.repeat(${large / 100}); done()`,
  history: `for (let i = 0; i < 150; i++) history.replaceState(0, '', '?' + i + 'x'.repeat(100000)); done()`,
  'WebSocket frames': `const ws = new WebSocket('ws://' + location.host); let n = 0; ws.onmessage = () => { if (++n === 6) done() }`,
  'response headers': `(async () => { for (let i = 0; i < ${Math.round(400 * scale)}; i++) await fetch('/headers?' + i); done() })()`,
  requests: `for (let i = 0; i < ${many}; i++) fetch('/never?' + i + 'x'.repeat(1000)).catch(() => 0); setTimeout(done, 50)`,
  'post data': `Promise.all([1, 2, 3].map(() => fetch('/post', { method: 'POST', body: 'x'.repeat(${large / 4}) }).catch(() => 0))).then(done)`,
  dialogs: `setTimeout(() => { done(); alert('x'.repeat(${large / 4})) })`,
}

let finished = () => {}
const server = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://a').pathname
  if (path === '/done') finished()
  if (path === '/never') return
  if (path === '/headers') for (let i = 0; i < 20; i++) response.setHeader(`x-${i}`, 'y'.repeat(10_000))
  request.resume()
  const script = floods[decodeURIComponent(path.slice(1))] ?? ''
  response.setHeader('content-type', 'text/html')
  response.end(
    `<title>flood</title><button>B</button><script>const done = () => fetch('http://localhost:' + location.port + '/done', { mode: 'no-cors' }); ${script}</script>`,
  )
})
new WebSocketServer({ server }).on('connection', socket => {
  // this server shares the heap that is limited: six strings that wait to be sent would fill it, but one buffer is outside of it
  const frame = Buffer.alloc(large / 4, 'x')
  for (let i = 0; i < 6; i++) socket.send(frame, { binary: false })
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

const uncaught: string[] = []
process.on('uncaughtException', error => uncaught.push(String(error)))
process.on('unhandledRejection', error => uncaught.push(String(error)))

const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20)
async function measure() {
  // garbage may become unreachable only after the next turn
  for (let turn = 0; turn < 3; turn++) {
    globalThis.gc?.()
    await new Promise(setImmediate)
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  return { used: heapUsed + external, rss }
}

const session = await openSession().catch((error: Error): never => {
  console.error(error)
  process.exit(1)
})
await session.run({ name: 'open', url })
await session.run({ name: 'snapshot' })
const base = await measure()
for (const name of Object.keys(floods).filter(each => only.test(each))) {
  let peak = 0
  const startedAt = performance.now()
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 20)
  const done = new Promise<void>(resolve => {
    finished = resolve
  })
  await session.run({ name: 'open', url: url + encodeURIComponent(name) })
  await Promise.race([done, new Promise(resolve => setTimeout(resolve, maxFloodMs).unref())])
  await session.run({ name: 'snapshot' })
  await session.run({ name: 'status' })
  const during = await measure()
  // requests that never end occupy all connections to the server until the page is left
  await session.run({ name: 'close' })
  await session.run({ name: 'open', url })
  clearInterval(sampler)
  const after = await measure()
  const row = {
    name,
    seconds: Math.round((performance.now() - startedAt) / 1000),
    growth: megabytes(Math.max(during.used, after.used) - base.used),
    rssGrowth: megabytes(after.rss - base.rss),
    rssPeak: megabytes(peak - base.rss),
  }
  process.stdout.write(`${JSON.stringify(row)}\n`)
}
await session.close()
process.stdout.write(`${JSON.stringify({ uncaught })}\n`)
process.exit()
