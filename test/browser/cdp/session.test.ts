import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { launch, openSession } from '../../../src/browser.ts'
import type { AnyRun } from '../../../src/contract/run.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { skipOverRelay } from '../../support/relay-ground.ts'
import { openTestSession } from '../../support/test-session.ts'

test('open returns URL, title, status and ready state (S4-03)', async () => {
  await using session = await openTestSession({ files: { 'a.html': '<title>A page</title><p>a' } })
  const { page: seen, notes } = await session.do('open', { url: `${session.url}a.html` })
  expect(seen).toMatchObject({
    url: `${session.url}a.html`,
    title: 'A page',
    status: 200,
    readyState: 'complete',
    viewport: { width: 1280, height: 720 },
  })
  expect(notes).toBeUndefined()
})

test('the viewport of the launch applies to its sessions unless they set their own (S4-09)', async () => {
  await using chromium = await launch({ viewport: { width: 900, height: 500 } })
  await using wide = await openTestSession({ html: '' }, { browser: chromium })
  await using small = await openTestSession({ html: '' }, { browser: chromium, viewport: { width: 400, height: 300 } })
  expect((await wide.do('open', { url: wide.url })).page.viewport).toEqual({ width: 900, height: 500 })
  expect((await small.do('open', { url: small.url })).page.viewport).toEqual({ width: 400, height: 300 })
})

test('back and forward move through the history and fail with no_history at its end', async () => {
  await using session = await openTestSession({ html: '<title>one', files: { 'two.html': '<title>two' } })
  await session.do('open', { url: `${session.url}two.html` })
  expect((await session.do('back')).page.title).toBe('one')
  expect((await session.do('forward')).page.title).toBe('two')
  expect(await session.fails('forward')).toMatchObject({ code: 'no_history', message: 'There is no page to go forward to.' })
})

test('back and forward work within a document', async () => {
  await using session = await openTestSession({ html: `<title>app</title><script>history.pushState(0, '', '#two')</script>` })
  expect((await session.do('back')).page.url).toBe(session.url)
  expect((await session.do('forward')).page.url).toBe(`${session.url}#two`)
})

test('a URL that differs only in its fragment opens without a load', async () => {
  await using session = await openTestSession({ html: '<p id=a>a' })
  expect((await session.do('open', { url: `${session.url}#a` })).page.url).toBe(`${session.url}#a`)
})

test('reload loads the page again, and close leaves it', async () => {
  let count = 0
  await using server = await serve((request, response) => {
    if (request.url === '/') count++ // not the icon, which some browsers ask for
    sendHtml(`<title>${count}</title>`)(request, response)
  })
  await using session = await openTestSession()
  await session.do('open', { url: server.url })
  expect((await session.do('reload')).page.title).toBe('2')
  expect((await session.do('close')).page.url).toBe('about:blank')
})

test('an HTTP error is a page with its status, and an unreachable server fails with navigation_failed', async () => {
  await using server = await serve((_, response) => {
    response.writeHead(404, { 'content-type': 'text/html' })
    return response.end('<title>Not here</title>')
  })
  await using session = await openTestSession()
  expect((await session.do('open', { url: server.url })).page).toMatchObject({ status: 404, title: 'Not here' })
  expect(await session.fails('open', { url: 'http://127.0.0.1:1/' })).toMatchObject({
    code: 'navigation_failed',
    message: 'The page did not load: net::ERR_UNSAFE_PORT.',
    page: { url: 'http://127.0.0.1:1/' },
  })
  // the browser's error page is not the page that was asked for
  expect(await session.fails('snapshot')).toMatchObject({
    code: 'navigation_failed',
    message: expect.stringMatching(/^The page did not load: net::ERR_\w+\.$/),
    page: { url: 'http://127.0.0.1:1/' },
  })
  // the next page opens normally
  expect((await session.do('open', { url: server.url })).page.status).toBe(404)
})

test('a server that never answers makes open time out, and the session continues (F3)', async () => {
  await using server = await serve(() => {})
  await using session = await openTestSession({ html: '<title>good' }, { deadlines: { open: 1_500 } })
  expect(await session.fails('open', { url: server.url })).toMatchObject({
    code: 'timeout',
    message: expect.stringMatching(/ did not load within \d+ ms\.$/),
  })
  expect((await session.do('open', { url: session.url })).page.title).toBe('good')
})

test('a connection that breaks during the response is reported instead of hanging', async () => {
  await using server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '1000' })
    response.write('<title>half</title><button>there</button>', () => response.destroy())
  })
  await using session = await openTestSession()
  const result = await session.session.run({ name: 'open', url: server.url })
  if (result.ok) expect(result.data).toMatchObject({ notes: [expect.stringContaining('The connection broke')] })
  else expect(result.error.code).toBe('navigation_failed')
})

test('a page that does not finish loading is usable, with a note', async () => {
  await using server = await serve((request, response) => {
    if (request.url === '/slow.png') return
    sendHtml('<title>t</title><button>usable</button><img src=/slow.png>')(request, response)
  })
  await using session = await openTestSession({}, { loadMs: 300 })
  const { page: seen, notes } = await session.do('open', { url: server.url })
  expect(seen.readyState).toBe('interactive')
  expect(notes?.[0]).toContain('not finished loading')
  expect(await session.text()).toContain('usable')
})

test('invalid arguments are rejected by name, without an exception', async () => {
  await using session = await openTestSession()
  expect(await session.fails('open', { url: 5 })).toMatchObject({ code: 'invalid_url', field: 'url' })
  expect(await session.fails('open', { url: 'about:blank', more: 1 })).toMatchObject({ code: 'invalid_input' })
  expect(await session.fails('query', { ref: 'nonsense', kind: 'text' })).toMatchObject({ code: 'invalid_ref' })
  const run: AnyRun = session.session.run
  expect(await run({ name: 'toString' })).toMatchObject({ ok: false, error: { code: 'unsupported_action' } })
  expect(await run({ name: 'hasOwnProperty' })).toMatchObject({ ok: false, error: { code: 'unsupported_action' } })
})

test('open and new tabs refuse forbidden URLs before anything happens (B4)', async () => {
  await using session = await openTestSession({ html: '<title>still here' })
  for (const url of [
    'javascript:alert(1)',
    'view-source:http://a/',
    'chrome://crash',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:http://a/1',
  ])
    for (const [name, args] of [
      ['open', { url }],
      ['tabs', { operation: 'new', url }],
    ] as const)
      expect(await session.fails(name, args), `${name} ${url}`).toMatchObject({ code: 'url_not_allowed' })
  expect(await session.fails('open', { url: 'localhost:80' })).toMatchObject({ code: 'invalid_url' })
  expect(session.session.status()).toMatchObject({ url: session.url, tabs: 1 })
})

test('a page that navigates to a forbidden URL is replaced by an empty tab (B4)', async () => {
  await using session = await openTestSession({
    html: `<title>t</title><button>Go</button><script>
      const url = URL.createObjectURL(new Blob(['<title>blob</title><button>secret</button>'], { type: 'text/html' }))
      document.querySelector('button').onclick = () => { location = url }
    </script>`,
  })
  // the click fails if the page has left before it is answered
  await session.session.run({ name: 'click', ref: await session.ref('Go') })
  await expect.poll(() => session.session.status().url).toBe('about:blank')
  expect(await session.text()).not.toContain('secret')
})

test('files are opened only below fileRoots, after resolving symlinks (B4)', async context => {
  skipOverRelay(context, 'the relay opens no local files in the browser of the user')
  const folder = await mkdtemp(join(tmpdir(), 'pagehand-files-'))
  try {
    await mkdir(join(folder, 'in'))
    await writeFile(join(folder, 'in', 'page.html'), '<title>inside</title>')
    await writeFile(join(folder, 'secret.html'), '<title>secret</title>')
    await symlink(join(folder, 'secret.html'), join(folder, 'in', 'link.html'))
    await using session = await openTestSession({}, { fileRoots: [join(folder, 'in')] })
    const open = (name: string) => session.session.run({ name: 'open', url: pathToFileURL(join(folder, name)).href })
    expect(await open('in/page.html')).toMatchObject({ ok: true, data: { page: { title: 'inside' } } })
    expect(await open('secret.html')).toMatchObject({ ok: false, error: { code: 'url_not_allowed' } })
    expect(await open('in/link.html')).toMatchObject({ ok: false, error: { code: 'url_not_allowed' } })
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a file that redirects to a file outside of fileRoots is left (B4)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pagehand-files-'))
  try {
    await mkdir(join(folder, 'in'))
    await writeFile(join(folder, 'in', 'page.html'), `<meta http-equiv=refresh content="0;url=../secret.html">`)
    await writeFile(join(folder, 'secret.html'), '<title>t</title><button>secret</button>')
    await using session = await openTestSession({}, { fileRoots: [join(folder, 'in')] })
    await session.session.run({ name: 'open', url: pathToFileURL(join(folder, 'in/page.html')).href })
    await expect.poll(() => session.session.status().url).toBe('about:blank')
    expect(await session.text()).not.toContain('secret')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('durations in messages are whole milliseconds', async () => {
  await using server = await serve((request, response) => {
    if (request.url !== '/slow.png') sendHtml('<img src=/slow.png>')(request, response)
  })
  await using session = await openTestSession({}, { allowEval: true, deadlines: { open: 3_999, evaluate: 999 } })
  const { notes } = await session.do('open', { url: server.url })
  expect(notes?.[0]).toMatch(/ not finished loading after \d+ ms;/)
  expect(await session.fails('evaluate', { js: 'new Promise(() => {})' })).toMatchObject({
    message: expect.stringMatching(/ within \d+ ms[.;]/),
  })
})

test('evaluate is disabled by default, and its result is cut (E1)', async () => {
  await using closed = await openTestSession({ html: '<p>' })
  expect(await closed.fails('evaluate', { js: '1' })).toMatchObject({ code: 'disabled' })
  await using session = await openTestSession({ html: '<p>' }, { allowEval: true })
  expect(await session.do('evaluate', { js: '({a: [1, "x"]})' })).toMatchObject({ value: '{"a":[1,"x"]}', truncated: false })
  expect(await session.do('evaluate', { js: 'Promise.resolve(7)' })).toMatchObject({ value: '7' })
  expect(await session.do('evaluate', { js: '"x".repeat(100000)', limitChars: 50 })).toMatchObject({
    truncated: true,
    value: expect.stringMatching(/^.{50}$/),
  })
  expect(await session.fails('evaluate', { js: 'missing.thing' })).toMatchObject({
    code: 'invalid_input',
    page: { error: expect.stringContaining('missing is not defined') },
  })
})

test('console messages, page errors and requests are kept, limited in number and length', async () => {
  await using session = await openTestSession({
    html: `<title>t</title><script>
      for (let i = 0; i < 300; i++) console.log('line ' + i)
      console.error('x'.repeat(10000))
      fetch('missing.json')
      setTimeout(() => { throw new Error('thrown') })
    </script>`,
  })
  await expect
    .poll(() =>
      session.session
        .console()
        .map(line => line.text)
        .join(),
    )
    .toContain('thrown')
  const lines = session.session.console()
  expect(lines.length).toBeLessThanOrEqual(200)
  expect(Math.max(...lines.map(line => line.text.length))).toBeLessThanOrEqual(500)
  await expect.poll(() => session.session.requests().find(request => request.url.endsWith('missing.json'))?.status).toBe(404)
  expect(session.session.requests()[0]).toMatchObject({ method: 'GET', type: 'Document', status: 200 })
})

test('workers of a page run, also those of a frame of another site', async () => {
  const html = `<script>new Worker('worker.js').onmessage = ({ data }) => { document.body.textContent = data }</script><body>none`
  await using server = await serve((request, response) => {
    const isScript = request.url === '/worker.js'
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
    response.end(isScript ? `postMessage('from a worker')` : html)
  })
  await using session = await openTestSession()
  for (const url of [server.url, server.other]) {
    await session.do('open', { url })
    expect(await session.do('wait', { text: 'from a worker' })).toMatchObject({ met: true })
  }
  await using outer = await openTestSession({ html: `<iframe src="${server.other}"></iframe>` })
  await expect.poll(() => outer.text({ interactiveOnly: false })).toContain('from a worker')
})

test.each([
  ['a misspelled rule', { host: { allow: ['example.com'] } }, '"host" is not an option of openSession; there are profile,'],
  ['a viewport that is not a size', { viewport: 'large' }, 'viewport must be { width, height } in whole pixels.'],
])('openSession refuses %s before it starts a browser', async (_, options, message) => {
  await expect(openSession(options as object)).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining(message) })
})
