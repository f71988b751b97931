import { expect, test } from 'vitest'
import { webTools } from '../../../src/tools.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { noTermination, skipOverRelay } from '../../support/relay-ground.ts'
import { openTestSession } from '../../support/test-session.ts'

const late: readonly [string, string][] = [
  ['fetches after its load', `onload = () => fetch('rows').then(r => r.text()).then(t => { o.textContent = t })`],
  ['fetches in a chain', `onload = () => fetch('rows').then(() => fetch('rows')).then(r => r.text()).then(t => { o.textContent = t })`],
  [
    'uses XMLHttpRequest',
    `const x = new XMLHttpRequest(); x.open('GET', 'rows'); x.onload = () => { o.textContent = x.responseText }; x.send()`,
  ],
  ['redirects to another page', `onload = () => location.replace('next')`],
  ['is rendered by a late script', `document.body.append(Object.assign(document.createElement('script'), { src: 'app.js' }))`],
]

async function site() {
  return serve((request, response) => {
    const name = request.url?.slice(1) ?? ''
    if (name === 'rows') return void setTimeout(() => response.end('the rows'), 300)
    if (name === 'app.js')
      return void setTimeout(() => response.writeHead(200, { 'content-type': 'text/javascript' }).end(`o.textContent = 'the rows'`), 300)
    if (name === 'next') return void sendHtml('<!doctype html><title>Next</title><main>the rows</main>')(request, response)
    const script = late[Number(name)]?.[1] ?? ''
    sendHtml(`<!doctype html><title>Late</title><main id=o>Loading…</main><script>${script}</script>`)(request, response)
  })
}

test.each(late.map(([what], index) => [what, index] as const))(
  'open, reload and back settle on a page that %s (S4-23 S4-40)',
  async (_, index) => {
    await using server = await site()
    await using session = await openTestSession()
    expect(await session.do('open', { url: `${server.url}${index}` })).toMatchObject({ settled: true })
    expect(await session.text({ interactiveOnly: false })).toContain('the rows')
    expect(await session.do('reload')).toMatchObject({ settled: true })
    expect(await session.text({ interactiveOnly: false })).toContain('the rows')
    await session.do('open', { url: `${server.url}empty` })
    await session.do('back')
    expect(await session.text({ interactiveOnly: false })).toContain('the rows')
  },
)

test('an opened page has its own functions back once it has settled, and nothing else (S4-12)', async () => {
  await using session = await openTestSession(
    { html: `<title>x</title><script>tracked = [setTimeout, fetch, WebSocket]; names = Object.getOwnPropertyNames(self).length</script>` },
    { allowEval: true },
  )
  const evaluate = async (js: string) => (await session.do('evaluate', { js })).value
  await expect.poll(() => evaluate('[setTimeout, fetch, WebSocket].every((each, i) => each !== tracked[i])')).toBe('true')
  expect(await evaluate('[...tracked, setTimeout, fetch, WebSocket].every(each => /native code/.test(each))')).toBe('true')
  // `names` itself is counted once it exists, and the name of the tracker is gone
  expect(await evaluate('Object.getOwnPropertyNames(self).length - names')).toBe('0')
})

test.each([
  ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><text y="20">Words</text></svg>'],
  ['text/xml', '<?xml version="1.0"?><note>Words</note>'],
  ['text/plain', 'Words'],
  ['application/json', '{"a":1}'],
  ['image/png', Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')],
])('a document of type %s opens and settles', async (type, body) => {
  await using server = await serve((_, response) => response.writeHead(200, { 'content-type': type }).end(body))
  await using session = await openTestSession()
  expect(await session.do('open', { url: server.url })).toMatchObject({ settled: true, page: { status: 200 } })
})

test('open returns a page that does not settle, with its pending requests (S4-40)', async () => {
  await using server = await serve((request, response) => {
    if (request.url === '/never') return
    sendHtml(`<!doctype html><title>Slow</title><p>Loading…</p><script>onload = () => fetch('never')</script>`)(request, response)
  })
  await using session = await openTestSession({}, { settle: { capMs: 300, networkMs: 300 } })
  const { execute } = webTools(session.session.run)
  const { text } = await execute('web_open', { url: server.url })
  expect(text).toMatch(/^ok: open\n[\s\S]*still going on: fetch http:\/\/127\.0\.0\.1:\d+\/never/)
})

test('open returns a page that shows a dialog during load, and reports the dialog (B2)', async () => {
  await using session = await openTestSession({
    files: { 'ask.html': `<title>Ask</title><script>onload = () => fetch('?').then(() => confirm('Go on?'))</script>` },
  })
  expect(await session.do('open', { url: `${session.url}ask.html` })).toMatchObject({
    settled: false,
    pending: ['dialog'],
    notes: [expect.stringContaining('Go on?')],
  })
})

test('open returns a page that hangs after load, which can still be read (B3)', async context => {
  skipOverRelay(context, noTermination)
  await using session = await openTestSession(
    { files: { 'hang.html': '<title>Hang</title><p>Words</p><script>onload = () => fetch("?").then(() => { for (;;); })</script>' } },
    { patienceMs: 500 },
  )
  expect(await session.do('open', { url: `${session.url}hang.html` })).toMatchObject({ settled: false, pending: ['scripts'] })
  expect(await session.text({ interactiveOnly: false })).toContain('Words')
})

test('open fails for a page that redirects to a denied host after load', async () => {
  await using other = await serve(sendHtml('<title>Elsewhere</title>secret'))
  await using session = await openTestSession(
    {
      files: {
        'lure.html': `<title>Lure</title><script>onload = () => { location.href = '${other.other}' }</script>`,
      },
    },
    { hosts: { deny: ['localhost'] } },
  )
  const url = `${session.url}lure.html`
  const result = await session.session.run({ name: 'open', url })
  expect(JSON.stringify(result)).not.toContain('secret')
  expect(JSON.stringify(result)).toContain('localhost')
})

test('after open has given up on a server that does not answer, the page is readable again (F3)', async () => {
  await using silent = await serve(() => {})
  await using session = await openTestSession({ html: '<title>Before</title>' }, { deadlines: { open: 500 } })
  expect(await session.fails('open', { url: silent.url })).toMatchObject({ code: 'timeout' })
  expect((await session.do('snapshot')).meta.title).toBe('Before')
})

test('while a navigation waits for its server, the answer says so, a screenshot works, and another page opens in the same tab', async () => {
  await using server = await serve((request, response) => {
    if (request.url !== '/slow') sendHtml('<title>Old</title><a href=/slow>Slow</a><p>Words</p>')(request, response)
  })
  await using session = await openTestSession({}, { patienceMs: 500, settle: { capMs: 300, networkMs: 800 } })
  await session.do('open', { url: server.url })
  const clicked = await session.do('click', { ref: await session.ref('Slow') })
  expect(clicked).toMatchObject({ settled: false, pending: ['navigation', `document ${server.url}slow`], page: { url: server.url } })
  expect(await session.fails('snapshot')).toMatchObject({
    code: 'timeout',
    page: { url: `${server.url}slow` },
  })
  expect((await session.do('screenshot')).base64.length).toBeGreaterThan(100)
  const opened = await session.do('open', { url: `${server.url}other` })
  expect([opened.page.title, opened.notes]).toEqual(['Old', undefined])
  expect(await session.text()).toContain('Words')
})

test('reload waits for a server that takes longer than a page may take to unload', async () => {
  let delayMs = 0
  await using server = await serve(
    (request, response) => void setTimeout(() => sendHtml(`<title>${request.url}`)(request, response), delayMs),
  )
  await using session = await openTestSession()
  await session.do('open', { url: server.url })
  delayMs = 6_000
  expect((await session.do('reload')).page.title).toBe('/')
})

test('back and forward settle, whether or not the browser keeps pages in its back/forward cache', async () => {
  await using server = await serve((request, response) => sendHtml(`<title>${request.url}</title><p>Words`)(request, response))
  await using session = await openTestSession()
  for (const path of ['a', 'b']) await session.do('open', { url: server.url + path })
  for (const [verb, title] of [
    ['back', '/a'],
    ['forward', '/b'],
  ] as const)
    expect(await session.do(verb)).toMatchObject({ settled: true, page: { title, readyState: 'complete' } })
})

for (const [what, repeat] of [
  ['never end', '() => {}'],
  ['never end and are repeated', 'send'],
] as const)
  test(`a page whose requests to its own host ${what} can be left for another page of that host (B3, F3)`, async () => {
    let requests = 0
    await using server = await serve((request, response) => {
      if (request.url?.startsWith('/never')) return void requests++
      const script = `for (let n = 0; n < 8; n++) { const send = () => fetch('/never?' + n).catch(${repeat}); send() }`
      sendHtml(request.url === '/next' ? '<title>Next</title>' : `<title>Busy</title><script>${script}</script>`)(request, response)
    })
    await using session = await openTestSession({}, { settle: { capMs: 100, networkMs: 100 } })
    await session.do('open', { url: server.url })
    // all connections to the host are in use
    await expect.poll(() => requests).toBeGreaterThanOrEqual(6)
    expect((await session.do('open', { url: `${server.url}next` })).page.title).toBe('Next')
  })

test('an action that leads to a page that does not load says so, with the error and the URL', async () => {
  await using session = await openTestSession({ files: { 'a.html': '<a href="http://127.0.0.1:1/gone">Leave</a>' } })
  await session.do('open', { url: `${session.url}a.html` })
  const { notes } = await session.do('click', { ref: await session.ref('Leave') })
  expect(notes?.join()).toMatch(
    /The page did not load: net::ERR_\w+\. The action led to "http:\/\/127\.0\.0\.1:1\/gone"; go back or open another URL\./,
  )
})
