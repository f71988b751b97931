import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { timerTracker } from '../../../src/drivers/cdp/script.js'
import { openCdpPage } from '../../support/cdp-page.ts'
import { serve } from '../../support/http-server.ts'

const button = (work: string) => `<button onclick="${work}">Go</button><div id=out></div>`

test('late content is in the effect, whatever chain of causes leads to it (S4-23 S4-40 X2-8 X4-5 C7)', async () => {
  const cases: { readonly [name: string]: string } = {
    fetch: `fetch('data.txt').then(r => r.text()).then(t => out.textContent = t)`,
    xhr: `const x = new XMLHttpRequest(); x.onload = () => { out.textContent = x.responseText }; x.open('GET', 'data.txt'); x.send()`,
    timer: `setTimeout(() => out.textContent = 'late', 400)`,
    'timer, timer': `setTimeout(() => setTimeout(() => out.textContent = 'late', 300), 300)`,
    'timer, fetch, timer': `setTimeout(async () => { const t = await (await fetch('data.txt')).text(); setTimeout(() => out.textContent = t, 300) }, 300)`,
    'xhr, timer': `const x = new XMLHttpRequest(); x.onload = () => setTimeout(() => { out.textContent = 'late' }, 300); x.open('GET', 'data.txt'); x.send()`,
    'frame, timer': `requestAnimationFrame(() => setTimeout(() => out.textContent = 'late', 300))`,
    'idle, timer': `requestIdleCallback(() => setTimeout(() => out.textContent = 'late', 300))`,
    'message, timer': `const c = new MessageChannel(); c.port1.onmessage = () => setTimeout(() => out.textContent = 'late', 300); c.port2.postMessage(0)`,
    'promise, timer': `Promise.resolve().then(async () => { await null; setTimeout(() => out.textContent = 'late', 300) })`,
    script: `const s = document.createElement('script'); s.src = 'late.js'; document.head.append(s)`,
    'transition, then': `out.style.transition = 'opacity .4s'; out.offsetTop; out.style.opacity = '.5'; out.ontransitionend = () => { out.textContent = 'late' }`,
    'lazy list': `const li = document.createElement('p'); li.textContent = '.'; out.append(li); new IntersectionObserver((e, o) => { o.disconnect(); fetch('data.txt').then(r => r.text()).then(t => li.textContent = t) }).observe(li)`,
  }
  const files = { 'data.txt': 'late', 'late.js': `out.textContent = 'late'` }
  for (const [name, work] of Object.entries(cases)) {
    await using page = await openCdpPage(button(work), { files })
    const acted = await page.do('click', { ref: await page.ref('Go') })
    expect([name, acted.effect.changed?.text, acted.settled, acted.pending]).toEqual([
      name,
      name === 'lazy list' ? expect.stringContaining('late') : 'late',
      true,
      undefined,
    ])
  }
})

test('an answer over a WebSocket or from a worker is waited for, and an open socket is reported (S4-23)', async () => {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(sockets, 'listening')
  sockets.on('connection', socket => socket.on('message', message => setTimeout(() => socket.send(`late ${message}`), 500)))
  const url = `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}/live`
  try {
    await using page = await openCdpPage(
      `<button onclick="socket.send('news')">Ask</button><button onclick="worker.postMessage(1)">Work</button><div id=out></div><script>
      socket = new WebSocket('${url}?token=geheim'); socket.onopen = () => { document.title = 'open' }
      socket.onmessage = e => setTimeout(() => { out.textContent = e.data }, 200)
      worker = new Worker('work.js')
      worker.onmessage = e => { out.textContent = e.data }</script>`,
      { files: { 'work.js': `onmessage = () => setTimeout(() => postMessage('late work'), 500)` } },
    )
    await page.do('wait', { text: 'Ask' })
    await expect.poll(() => page.evaluate('socket.readyState')).toBe(1)
    const asked = await page.do('click', { ref: await page.ref('Ask') })
    expect([asked.effect.changed?.text, asked.settled, asked.live]).toEqual(['late news', true, [`WebSocket ${url}`, '1 worker']])
    expect((await page.do('click', { ref: await page.ref('Work') })).effect.changed?.text).toBe('late work')
    await page.evaluate('worker.terminate(), socket.close(), 1')
    await expect.poll(async () => (await page.do('press', { key: 'Shift' })).live).toBeUndefined()
  } finally {
    sockets.close()
  }
})

test('work that outlasts the limits is reported as pending, by name', async () => {
  await using server = await serve((_, response) => void response.writeHead(200, { 'access-control-allow-origin': '*' }).flushHeaders())
  const open = (work: string) => openCdpPage(button(work), { settle: { capMs: 300, networkMs: 500 } })
  await using slow = await open(`fetch('${server.url}slow').then(r => r.text())`)
  expect(await slow.do('click', { ref: await slow.ref('Go') })).toMatchObject({ settled: false, pending: [`fetch ${server.url}slow`] })
  await using timer = await open(`setTimeout(() => out.textContent = 'late', 3000)`)
  const acted = await timer.do('click', { ref: await timer.ref('Go') })
  expect(acted.settled).toBe(false)
  expect(acted.pending?.join()).toMatch(/^timer in \d+ ms$/)
  await using moving = await open(`out.style.transition = 'margin 5s'; out.offsetTop; out.style.margin = '90px'`)
  expect(await moving.do('click', { ref: await moving.ref('Go') })).toMatchObject({ settled: false, pending: ['animation'] })
})

test('background work is not waited for: intervals, pollers, spinners', async () => {
  await using page = await openCdpPage(`${button(`out.textContent = 'done'`)}<p id=clock></p>
    <style>@keyframes spin { to { rotate: 360deg } } i { display: inline-block; animation: spin 1s infinite }</style><i>o</i>
    <script>setInterval(() => { clock.textContent = Math.random() }, 20); (function poll() { setTimeout(poll, 50) })(); (function draw() { requestAnimationFrame(draw) })()</script>`)
  expect(await page.do('click', { ref: await page.ref('Go') })).toMatchObject({
    settled: true,
    effect: { changed: { added: expect.any(Number) } },
  })
})

test('a page that polls from its start is not waited for', async () => {
  await using page = await openCdpPage('<a href="next.html">Go</a>', {
    files: { 'next.html': `<title>next</title><script>(function poll() { setTimeout(poll, 50) })(); setInterval(() => {}, 30)</script>` },
  })
  expect(await page.do('click', { ref: await page.ref('Go') })).toMatchObject({ settled: true, page: { title: 'next' } })
})

test('a timer that rearms itself forever is not waited for', async () => {
  await using page = await openCdpPage(button(`(function tick() { setTimeout(tick, 20) })()`))
  expect(await page.do('click', { ref: await page.ref('Go') })).toMatchObject({ settled: true })
})

test('idle reports that a timer ran between two calls', async () => {
  await using page = await openCdpPage('<p>x</p>')
  const expression = `(async () => {
    const watch = (${timerTracker}).call(window, true)
    const ran = new Promise(setTimeout)
    await ran
    const waited = [(await watch.idle(0)).waited, (await watch.idle(0)).waited]
    watch.end()
    return waited.join()
  })()`
  expect(await page.evaluate(expression)).toBe('true,false')
})

test('the page has its original functions back after the action', async () => {
  await using page = await openCdpPage(`${button('out.textContent = setTimeout.toString()')}`)
  await page.evaluate(
    'mine = [setTimeout, fetch, XMLHttpRequest.prototype.send, MessagePort.prototype.postMessage, requestAnimationFrame, clearTimeout], 0',
  )
  const names = await page.evaluate('Object.getOwnPropertyNames(window).length')
  await page.do('click', { ref: await page.ref('Go') })
  expect(
    await page.evaluate(
      '[setTimeout, fetch, XMLHttpRequest.prototype.send, MessagePort.prototype.postMessage, requestAnimationFrame, clearTimeout].every((f, i) => f === mine[i])',
    ),
  ).toBe(true)
  expect(await page.evaluate('out.textContent')).toContain('[native code]')
  expect(await page.evaluate('Object.getOwnPropertyNames(window).length')).toBe(names)
})

test('click waits for the page that a link, a form or a script leads to, and reports pushState', async () => {
  const files = {
    'next.html': `<title>next</title><div id=out></div><script>setTimeout(() => { out.textContent = 'hydrated' }, 200)</script>`,
  }
  for (const html of [
    '<a href="next.html">Go</a>',
    '<form action="next.html"><button>Go</button></form>',
    `<button onclick="location.href='next.html'">Go</button>`,
    `<button onclick="setTimeout(() => { location.href = 'next.html' }, 200)">Go</button>`,
  ]) {
    await using page = await openCdpPage(html, { files })
    const acted = await page.do('click', { ref: await page.ref('Go') })
    expect([html, acted.effect.url?.replace('?', ''), acted.page.title]).toEqual([html, `${page.url}next.html`, 'next'])
    expect(acted.settled).toBe(true)
  }
  await using page = await openCdpPage(button(`history.pushState(0, '', '?two'); setTimeout(() => out.textContent = 'late', 100)`))
  expect((await page.do('click', { ref: await page.ref('Go') })).effect).toMatchObject({
    url: `${page.url}?two`,
    changed: { text: 'late' },
  })
})

test('click waits for content that the next page fetches after its load', async () => {
  const files = {
    'app.html': `<title>app</title><div id=root>loading</div><script src="app.js" defer></script>`,
    'app.js': `fetch('data.txt').then(r => r.text()).then(t => setTimeout(() => { root.textContent = t }, 200))`,
    'data.txt': 'hydrated',
  }
  await using page = await openCdpPage('<a href="app.html">Go</a>', { files })
  const acted = await page.do('click', { ref: await page.ref('Go') })
  expect([await page.evaluate('root.textContent'), acted.settled]).toEqual(['hydrated', true])
})

test("click waits for a timer of the next page's first script and leaves no global there", async () => {
  const files = {
    'app.html': `<title>app</title><script>setTimeout(() => { root.textContent = 'here' }, 300)</script><div id=root>loading</div>`,
  }
  await using page = await openCdpPage('<a href="app.html">Go</a>', { files })
  const names = await page.evaluate<number>('Object.getOwnPropertyNames(self).length')
  const acted = await page.do('click', { ref: await page.ref('Go') })
  expect([await page.evaluate('root.textContent'), acted.settled]).toEqual(['here', true])
  // the original function is back, and there is no additional global
  await expect.poll(() => page.evaluate('Object.getOwnPropertyNames(self).length')).toBeLessThanOrEqual(names + 1)
})

test('open and reload wait for content that a timer adds right after the load, and name a timer that is due later', async () => {
  await using page = await openCdpPage(
    `<div id=out>loading</div><script>saved = setTimeout; onload = () => setTimeout(() => { out.textContent = 'here' }, 400)</script>`,
    { files: { 'slow.html': '<script>setTimeout(() => {}, 4000)</script>' } },
  )
  expect(await page.evaluate('out.textContent')).toBe('here')
  expect(await page.do('reload')).toMatchObject({ settled: true })
  expect(await page.evaluate('out.textContent')).toBe('here')
  // a reference that the page saved works for the rest of its life
  expect(await page.evaluate('new Promise(done => saved(done, 1, "called"))')).toBe('called')
  const opened = await page.do('open', { url: `${page.url}slow.html` })
  expect([opened.settled, opened.pending?.join()]).toEqual([false, expect.stringMatching(/^timer in \d+ ms$/)])
})

test('click waits for the first message of a worker or an event stream that it starts', async () => {
  await using server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'access-control-allow-origin': '*' })
    setTimeout(() => response.write('data: event\n\n'), 300)
  })
  const files = { 'worker.js': `setTimeout(() => postMessage('worker'), 300)` }
  for (const start of [`new Worker('worker.js')`, `new EventSource('${server.url}')`]) {
    await using page = await openCdpPage(button(`(${start}).onmessage = e => { out.textContent = e.data }`), { files })
    const acted = await page.do('click', { ref: await page.ref('Go') })
    expect([acted.effect.changed?.text, acted.pending]).toEqual([start.includes('Worker') ? 'worker' : 'event', undefined])
  }
})

test('the script of a worker has loaded once the worker runs, or has failed', async () => {
  const files = { 'worker.js': 'onmessage = () => {}', 'page.html': `<script>new Worker('worker.js'); new Worker('missing.js')</script>` }
  await using page = await openCdpPage('', { files })
  expect(await page.do('open', { url: `${page.url}page.html` })).toMatchObject({ settled: true, live: [expect.stringMatching(/worker/)] })
})

test('a navigation without a document is not waited for', async () => {
  await using server = await serve((_, response) => void response.writeHead(204).end())
  await using page = await openCdpPage(`<a href="${server.url}">Go</a>`)
  expect(await page.do('click', { ref: await page.ref('Go') })).toMatchObject({ settled: true })
})

test('a dialog ends the wait at once and is reported, and the page continues when it is answered', async () => {
  await using page = await openCdpPage(`<button onclick="document.title = confirm('Sure?')">Go</button>`)
  const ref = await page.ref('Go')
  const acted = await page.do('click', { ref })
  expect(acted).toMatchObject({ trusted: true, settled: false, pending: ['dialog'], effect: { dialog: 'confirm "Sure?"' } })
  await page.do('dialog', { accept: true })
  expect(await page.evaluate('document.title')).toBe('true')
  // the next action works normally
  await page.evaluate('document.querySelector("button").onclick = () => { document.title = "again" }')
  expect(await page.do('click', { ref })).toMatchObject({ settled: true })
  await using typed = await openCdpPage(`<input aria-label=Name onkeydown="if (event.key === 'b') alert('no b')">`)
  await typed.do('type', { ref: await typed.ref('Name'), text: 'abcdef' })
  await typed.do('dialog', { accept: true })
  // the rest of the text is not typed after the dialog
  expect(await typed.evaluate('document.querySelector("input").value')).not.toContain('c')
})

test('an aborted type stops typing', async () => {
  await using page = await openCdpPage(`<input id=i aria-label=Name oninput="console.log(this.value)">`)
  const stop = new AbortController()
  const ref = await page.ref('Name')
  const failing = page.fails('type', { ref, text: 'x'.repeat(4000) }, stop.signal)
  await expect.poll(() => page.session.console().map(line => line.text)).toContain('x')
  stop.abort()
  expect((await failing).code).toBe('aborted')
  const [length, later] = await page.evaluate<[number, number]>(
    'new Promise(done => { const { length } = i.value; setTimeout(() => done([length, i.value.length]), 300) })',
  )
  expect(length).toBeLessThan(4000)
  expect(later).toBe(length)
})
