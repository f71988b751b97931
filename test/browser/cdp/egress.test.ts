import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, get } from 'node:http'
import { type AddressInfo, connect, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { findBrowser, openSession } from '../../../src/browser.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { sharedBrowser } from '../../support/open-page.ts'
import { type TestSession, wrapSession } from '../../support/test-session.ts'
import { startUserBrowser } from '../../support/user-browser.ts'

const slowly = { timeout: 90_000 }

/** Ways in which a page sends something to another host. The URL differs by channel, so that the server knows which one it was. */
const channels: { readonly [name: string]: (url: string) => string } = {
  iframe: url => `<iframe src="${url}"></iframe>`,
  object: url => `<object data="${url}" type=text/html></object>`,
  img: url => `<img src="${url}">`,
  'css image': url => `<div style="background: url(${url})">text</div>`,
  stylesheet: url => `<link rel=stylesheet href="${url}">`,
  font: url => `<style>@font-face { font-family: x; src: url(${url}) } p { font-family: x }</style><p>text</p>`,
  script: url => `<script src="${url}"></script>`,
  module: url => `<script type=module>import('${url}')</script>`,
  video: url => `<video src="${url}" preload=auto></video>`,
  fetch: url => `<script>fetch('${url}', { mode: 'no-cors' })</script>`,
  xhr: url => `<script>{ const x = new XMLHttpRequest(); x.open('GET', '${url}'); x.send() }</script>`,
  beacon: url => `<script>navigator.sendBeacon('${url}', 'x')</script>`,
  websocket: url => `<script>new WebSocket('${url.replace('http', 'ws')}')</script>`,
  'event source': url => `<script>new EventSource('${url}')</script>`,
  prefetch: url => `<link rel=prefetch href="${url}">`,
  'preload style': url => `<link rel=preload as=style href="${url}">`,
  'preload script': url => `<link rel=preload as=script href="${url}">`,
  worker: url => `<script>new Worker('/worker.js?' + encodeURIComponent('${url}'))</script>`,
  'shared worker': url => `<script>new SharedWorker('/worker.js?' + encodeURIComponent('${url}'))</script>`,
  'service worker': url => `<script>navigator.serviceWorker.register('/worker.js?' + encodeURIComponent('${url}'))</script>`,
  'pagehide beacon': url => `<script>addEventListener('pagehide', () => navigator.sendBeacon('${url}', 'x'))</script>`,
  'keepalive fetch': url => `<script>addEventListener('pagehide', () => fetch('${url}', { keepalive: true, mode: 'no-cors' }))</script>`,
  'speculation prefetch': url => `<script type=speculationrules>{"prefetch":[{"urls":["${url}"],"eagerness":"immediate"}]}</script>`,
  prerender: url => `<script type=speculationrules>{"prerender":[{"urls":["${url}"],"eagerness":"immediate"}]}</script>`,
  stun: url => `<script>{ const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:' + new URL('${url}').host }] })
    c.createDataChannel('x'); c.createOffer().then(offer => c.setLocalDescription(offer))
    c.onicecandidate = ({ candidate }) => candidate || fetch('/gathered') }</script>`,
  webtransport: url => `<script>new WebTransport('${url.replace('http', 'https')}')</script>`,
}
/** These need a page each. */
const navigations: typeof channels = {
  redirect: () => '', // the server answers with 302
  'meta refresh': url => `<meta http-equiv=refresh content="0;url=${url}">`,
  'script navigation': url => `<script>location = '${url}'</script>`,
  form: url => `<form method=post action="${url}"></form><script>document.forms[0].submit()</script>`,
  popup: url => `<button onclick="void window.open('${url}')">Open</button>`,
  'csp report': () => '<img src=/x.png>',
}

/** A server that records what reaches it: the paths of requests, TCP connections, and UDP packets. */
async function openRecorder() {
  const hits = new Set<string>()
  const server = createServer((request, response) => {
    hits.add(decodeURIComponent((request.url ?? '').slice(1)))
    response.writeHead(204).end()
  })
  server.on('upgrade', (request, socket) => {
    hits.add(decodeURIComponent((request.url ?? '').slice(1)))
    socket.destroy()
  })
  let connections = 0
  server.on('connection', () => connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  // RFC 8489: the magic cookie
  const udp = createSocket('udp4').on('message', packet => hits.add(packet.readUInt32BE(4) === 0x2112a442 ? 'stun' : 'webtransport'))
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')
  return {
    hits,
    connections: () => connections,
    url: (channel: string) => `http://127.0.0.1:${port}/${encodeURIComponent(channel)}`,
    async [Symbol.asyncDispose]() {
      udp.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Serves a page per channel at localhost, where service workers are allowed. */
async function openSource(there: (channel: string) => string) {
  const seen = new Set<string>()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    const channel = decodeURIComponent(url.pathname.slice(1))
    seen.add(channel)
    if (channel === 'redirect') return void response.writeHead(302, { location: there(channel) }).end()
    if (channel === 'worker.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' })
      return void response.end(`fetch(decodeURIComponent(location.search.slice(1)), { mode: 'no-cors' })`)
    }
    const csp = channel === 'csp report' ? { 'content-security-policy': `img-src 'none'; report-uri ${there(channel)}` } : {}
    response.writeHead(200, { 'content-type': 'text/html', ...csp })
    const all = channel === 'all' ? Object.entries(channels) : Object.entries(navigations).filter(([name]) => name === channel)
    response.end(`<!doctype html><title>${channel}</title><body>${all.map(([name, html]) => html(there(name))).join('\n')}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    seen,
    url: (channel: string) => `http://localhost:${port}/${encodeURIComponent(channel)}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Opens every page; `wait` is called after each, while the page is still open. */
async function tryChannels(session: TestSession, url: (channel: string) => string, wait: (channel: string) => Promise<unknown>) {
  for (const channel of ['all', ...Object.keys(navigations)]) {
    await session.session.run({ name: 'open', url: url(channel) })
    if (channel === 'popup') await session.do('click', { ref: await session.ref('Open') })
    await wait(channel)
  }
  await session.do('open', { url: url('end') })
}

const atEnd = ['pagehide beacon', 'keepalive fetch']
const patiently = { timeout: 20_000 }

test('without host rules every channel reaches another host, so that the next tests can fail (TRUST C1)', slowly, async () => {
  await using recorder = await openRecorder()
  await using source = await openSource(recorder.url)
  await using session = wrapSession(await openSession())
  await tryChannels(session, source.url, channel => {
    const expected = channel === 'all' ? Object.keys(channels).filter(name => !atEnd.includes(name)) : [channel]
    return expect.poll(() => expected.filter(name => !recorder.hits.has(name)), patiently).toEqual([])
  })
  await expect.poll(() => atEnd.filter(name => !recorder.hits.has(name)), patiently).toEqual([])
})

for (const mode of ['launched', 'shared'] as const)
  test(
    `with host rules no channel of a ${mode} browser reaches another host, also 2 s after close (TRUST C1)`,
    slowly,
    async ({ task }) => {
      task.meta.tries = Object.keys(channels).length + Object.keys(navigations).length
      await using recorder = await openRecorder()
      await using source = await openSource(recorder.url)
      const hosts = { allow: [`localhost:${source.port}`] }
      const shared = mode === 'shared' ? { browser: (await sharedBrowser()).chromium } : {}
      await using session = wrapSession(await openSession({ hosts, ...shared }))
      expect(session.session.status()).toMatchObject({ mode, checked: 'every request' })
      // the page reports when WebRTC has tried all ways
      await tryChannels(session, source.url, async channel => {
        if (channel === 'all') await expect.poll(() => source.seen.has('gathered'), patiently).toBe(true)
      })
      await session.session.close()
      await sleep(2_000)
      expect([...source.seen]).toEqual(expect.arrayContaining(['all', 'worker.js', 'end', ...Object.keys(navigations)]))
      expect([...recorder.hits]).toEqual([])
      expect(recorder.connections()).toBe(0)
    },
  )

test('with host rules the browser neither connects in advance nor looks up names itself (TRUST C1)', slowly, async ({ task }) => {
  task.meta.tries = 2
  const folder = await mkdtemp(join(tmpdir(), 'pagehand-test-'))
  try {
    for (const ruled of [false, true]) {
      await using recorder = await openRecorder()
      await using server = await serve(
        sendHtml(
          `<title>t</title><link rel=preconnect href="${recorder.url('')}"><link rel=dns-prefetch href="http://looked-up.example/">`,
        ),
      )
      // Chromium's own log of its network: nothing else sees a lookup
      const log = join(folder, `${ruled}.json`)
      const hosts = ruled && { hosts: { allow: [`127.0.0.1:${server.port}`] } }
      await using session = wrapSession(await openSession({ launch: { args: [`--log-net-log=${log}`] }, ...hosts }))
      await session.do('open', { url: server.url })
      const lookups = async () => (await readFile(log, 'utf8')).match(/"dns_query_types":[^}]*looked-up\.example/g)?.length ?? 0
      const seen = async () => [recorder.connections() > 0, (await lookups()) > 0]
      // the headless shell does neither of them, with or without rules
      const isShell = (await findBrowser()).from === '@sparticuz/chromium'
      if (!ruled && !isShell) await expect.poll(seen, patiently).toEqual([true, true])
      if (!ruled) continue
      await sleep(2_000)
      expect(await seen()).toEqual([false, false])
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

const testHosts = '--host-resolver-rules=MAP *.test 127.0.0.1'

test('a name that resolves to this machine is refused with the reason without private hosts (TRUST C1)', async () => {
  await using server = await serve(sendHtml('<title>Inside</title>'))
  await using session = wrapSession(await openSession({ hosts: { private: false }, launch: { args: [testHosts] } }))
  expect(await session.fails('open', { url: `http://inside.test:${server.port}/` })).toMatchObject({
    code: 'url_not_allowed',
    message: expect.stringContaining('it resolves to 127.0.0.1, a private address, and private hosts are blocked'),
  })
})

test('open reports the reason if a redirect leads to a host that is not allowed, or a connection fails', async () => {
  const closed = await serve(() => {})
  await closed[Symbol.asyncDispose]()
  await using server = await serve((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: `http://denied.test:${server.port}/` }).end()
    else response.writeHead(302, { location: `http://a.test:${closed.port}/` }).end()
  })
  await using session = wrapSession(await openSession({ hosts: { allow: ['a.test'] }, launch: { args: [testHosts] } }))
  expect(await session.fails('open', { url: `http://a.test:${server.port}/moved` })).toMatchObject({
    code: 'url_not_allowed',
    message: expect.stringContaining('only a.test are allowed'),
  })
  expect(await session.fails('open', { url: `http://a.test:${server.port}/refused` })).toMatchObject({
    code: 'navigation_failed',
    page: { error: expect.stringContaining('ECONNREFUSED') },
  })
})

test('sessions in one browser have separate rules, and a session without rules has none (TRUST C1)', async () => {
  await using server = await serve(sendHtml('<title>Reached</title>'))
  const { chromium: browser } = await sharedBrowser()
  await using open = wrapSession(await openSession({ browser }))
  await using first = wrapSession(await openSession({ browser, hosts: { allow: ['127.0.0.1'] } }))
  await using second = wrapSession(await openSession({ browser, hosts: { allow: ['localhost'] } }))
  expect(await first.do('open', { url: server.url })).toMatchObject({ page: { title: 'Reached' } })
  expect(await first.fails('open', { url: server.other })).toMatchObject({ code: 'url_not_allowed' })
  expect(await second.do('open', { url: server.other })).toMatchObject({ page: { title: 'Reached' } })
  expect(await second.fails('open', { url: server.url })).toMatchObject({ code: 'url_not_allowed' })
  for (const url of [server.url, server.other]) expect(await open.do('open', { url })).toMatchObject({ page: { title: 'Reached' } })
})

test('a session with host rules does not start in a browser whose WebRTC bypasses proxies (TRUST C1)', async () => {
  const { chromium } = await sharedBrowser()
  const browser = { ...chromium, proxied: false }
  await expect(openSession({ browser, hosts: { private: false } })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('launched with proxied: true'),
  })
})

test.each(['--proxy-server=127.0.0.1:1', '--no-proxy-server', '--proxy-pac-url=data:,', '--proxy-bypass-list=*'])(
  'a session with host rules does not start with %s (TRUST C1)',
  async flag => {
    const opened = openSession({ hosts: { private: false }, launch: { args: [flag] } })
    await expect(opened).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining('use the option proxy') })
  },
)

test('a session with host rules does not start without its proxy (TRUST C1)', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen').mockImplementationOnce(() => {
    throw new Error('no free port')
  })
  try {
    await expect(openSession({ hosts: { private: false } })).rejects.toThrow('no free port')
  } finally {
    listen.mockRestore()
  }
})

test('a session connects through the proxy of the user, with and without host rules', async () => {
  await using server = await serve(sendHtml('<title>Behind the proxy</title>'))
  const asked: string[] = []
  const upstream = createServer((request, response) => {
    asked.push(`${request.headers['proxy-authorization']} ${request.url}`)
    const { pathname, host } = new URL(request.url ?? '')
    get({ port: server.port, host: '127.0.0.1', path: pathname, headers: { host } }, answer => {
      response.writeHead(answer.statusCode ?? 0, { 'content-type': 'text/html' })
      answer.pipe(response)
    })
  })
  upstream.on('connect', (request, client) => {
    asked.push(`${request.headers['proxy-authorization']} ${request.url}`)
    client.write('HTTP/1.1 200 OK\r\n\r\n')
    client.pipe(connect(server.port, '127.0.0.1')).pipe(client)
    client.on('error', () => {})
  })
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const proxy = { server: `http://me:secret@127.0.0.1:${(upstream.address() as AddressInfo).port}` }
  const { chromium: browser } = await sharedBrowser()
  try {
    await using free = wrapSession(await openSession({ browser, proxy }))
    expect(await free.do('open', { url: 'http://site.test/' })).toMatchObject({ page: { title: 'Behind the proxy' } })
    expect(JSON.stringify(free.session.status())).not.toContain('secret')
    await using ruled = wrapSession(await openSession({ proxy, hosts: { allow: ['site.test'] }, launch: { args: [testHosts] } }))
    expect(await ruled.do('open', { url: 'http://site.test/' })).toMatchObject({ page: { title: 'Behind the proxy' } })
    const login = `Basic ${Buffer.from('me:secret').toString('base64')}`
    // icons are requested too
    expect(new Set(asked.filter(each => !each.endsWith('.ico')))).toEqual(new Set([`${login} http://site.test/`, `${login} 127.0.0.1:80`]))
  } finally {
    upstream.closeAllConnections()
    upstream.close()
  }
})

test('in a browser that is not ours, status says that only documents are checked (TRUST C1)', async () => {
  await using user = await startUserBrowser()
  await using session = wrapSession(await openSession({ profile: 'chrome', attach: { port: user.port }, hosts: { private: false } }))
  expect(session.session.status()).toMatchObject({ mode: 'attached', checked: 'documents only: the browser is not ours' })
  await expect(openSession({ profile: 'chrome', proxy: { server: 'http://127.0.0.1:1' } })).rejects.toMatchObject({ code: 'invalid_input' })
})
