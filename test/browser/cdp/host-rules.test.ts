import { expect, test } from 'vitest'
import { openSession, type SessionOptions } from '../../../src/browser.ts'
import type { AnyRun } from '../../../src/contract/run.ts'
import { openFor } from '../../../src/programs/open-session.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { sharedBrowser } from '../../support/open-page.ts'
import { openTestSession } from '../../support/test-session.ts'

const shown = `<title>Never shown</title><h1>Never shown</h1><button>Never shown</button>`

// an upper bound for what hangs
const patiently = { timeout: 30_000 }

/** Requests to localhost are allowed, but no documents: as in a browser that is not ours, a denied document arrives before it is judged. */
const documentsOnly = { allow: ['127.0.0.1'], allowResources: ['localhost'] }

/** Two hosts on this machine: pages at 127.0.0.1 lead to pages at localhost, which are denied. */
async function openHosts(hosts: SessionOptions['hosts'] = documentsOnly, html = shown) {
  let asked = 0
  const denied = await serve((request, response) => {
    if (request.url === '/secret') asked++
    sendHtml(html)(request, response)
  })
  const there = `${denied.other}secret`
  const home = await serve((request, response) => {
    if (request.url === '/moved') return void response.writeHead(302, { location: there }).end()
    sendHtml(`<script>document.title = 'Home'</script><a href="${there}">Link</a><a href="${there}" target=_blank>Tab</a><a href=/moved>Moved</a>
      <form action="${there}" method=post><button>Send</button></form>
      <button onclick="location = '${there}'">Go</button><button onclick="void window.open('${there}')">Open</button>
      <button onclick="setTimeout(() => { location.replace('${there}') }, 20)">Later</button>`)(request, response)
  })
  const session = await openTestSession({}, { hosts, allowEval: true })
  /** every result returned to the caller */
  const results: string[] = []
  const run = async (name: string, args: object = {}) => {
    const run: AnyRun = session.session.run
    const result = await run({ name, ...args })
    results.push(JSON.stringify(result))
    return result
  }
  return {
    ...session,
    run,
    results: () => results.join('\n'),
    home: home.url,
    there,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]()
      await home[Symbol.asyncDispose]()
      await denied[Symbol.asyncDispose]()
    },
  }
}

for (const way of ['Link', 'Moved', 'Send', 'Go', 'Later'])
  test(`a denied host reached by "${way}" is left before any content is exposed (B4, X4-10)`, async () => {
    await using hosts = await openHosts()
    await hosts.run('open', { url: hosts.home })
    await hosts.run('click', { ref: await hosts.ref(way) })
    // repeated looks while the page is being left must never see denied content
    await expect
      .poll(async () => {
        await Promise.all(['snapshot', 'screenshot', 'evaluate', 'tabs', 'wait'].map(name => hosts.run(name, argumentsOf[name])))
        return hosts.session.status().url
      }, patiently)
      .toBe('about:blank')
    expect(hosts.asked()).toBe(1)
    expect(hosts.results()).toContain('which is not allowed; the tab is at about:blank now')
    expect(hosts.results()).not.toContain('Never shown')
  })

const argumentsOf: { readonly [verb: string]: object } = {
  snapshot: { interactiveOnly: false },
  evaluate: { js: 'document.title + document.documentElement.textContent' },
  wait: { load: 'load', timeoutMs: 500 },
}

for (const way of ['Tab', 'Open'])
  test(`a tab that opens a denied host by "${way}" is left before any content is exposed (B4, X4-10)`, async () => {
    await using hosts = await openHosts()
    await hosts.run('open', { url: hosts.home })
    await hosts.run('click', { ref: await hosts.ref(way) })
    await expect
      .poll(async () => {
        await Promise.all([
          hosts.run('tabs', { operation: 'select', tab: 't2' }),
          ...['snapshot', 'tabs', 'evaluate'].map(name => hosts.run(name, argumentsOf[name])),
        ])
        return hosts.session.status().url
      }, patiently)
      .toBe('about:blank')
    expect(hosts.results()).toContain('which is not allowed')
    expect(hosts.results()).not.toContain('Never shown')
  })

test('open, a new tab and a history step refuse a denied host before requesting it (B4)', async () => {
  await using hosts = await openHosts()
  for (const [name, args] of [
    ['open', { url: hosts.there }],
    ['tabs', { operation: 'new', url: hosts.there }],
  ] as const)
    expect(await hosts.run(name, args)).toMatchObject({
      ok: false,
      error: { code: 'url_not_allowed', message: expect.stringContaining('only 127.0.0.1 are allowed') },
    })
  expect(hosts.asked()).toBe(0)

  await hosts.run('open', { url: hosts.home })
  await hosts.run('click', { ref: await hosts.ref('Link') })
  await expect.poll(() => hosts.session.status().url, patiently).toBe('about:blank')
  const before = hosts.asked()
  expect(await hosts.run('back')).toMatchObject({ ok: false, error: { code: 'url_not_allowed' } })
  expect(hosts.asked()).toBe(before)
  // a page can still go back by itself, and is led away again
  await hosts.run('evaluate', { js: 'void history.back()' })
  await expect
    .poll(async () => {
      await hosts.run('snapshot', { interactiveOnly: false })
      return hosts.results().match(/which is not allowed/g)?.length
    }, patiently)
    .toBe(2)
  await hosts.run('snapshot', { interactiveOnly: false })
  expect(hosts.session.status().url).toBe('about:blank')
  expect(hosts.results()).not.toContain('Never shown')
  // the session keeps working
  expect(await hosts.run('open', { url: hosts.home })).toMatchObject({ ok: true, data: { page: { title: 'Home' } } })
})

test('a dialog of a denied page is never reported, and the session continues (B2, B4)', async () => {
  await using hosts = await openHosts(documentsOnly, `${shown}<script>alert('Never shown'); alert('Never shown')</script>`)
  await hosts.run('open', { url: hosts.home })
  await hosts.run('click', { ref: await hosts.ref('Link') })
  await hosts.run('snapshot', argumentsOf.snapshot)
  await hosts.run('tabs')
  expect(await hosts.run('open', { url: hosts.home })).toMatchObject({ ok: true, data: { page: { title: 'Home' } } })
  expect(hosts.results()).not.toContain('Never shown')
})

/** A session that begins to leave a denied page only when its script runs, as on a busy machine, and a server with such a page. */
async function openSlowly(script: string) {
  let begin = () => {}
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  const denied = await serve((request, response) => {
    if (request.url === '/begun') begin()
    sendHtml(`${shown}<script>${script}</script>`)(request, response)
  })
  const { chromium } = await sharedBrowser()
  const connection: typeof chromium.connection = {
    ...chromium.connection,
    async send(method, params, sessionId) {
      if (method === 'Emulation.setScriptExecutionDisabled') await begun
      return chromium.connection.send(method, params, sessionId)
    },
  }
  const session = await openTestSession(
    { html: '<title>Home' },
    { allowEval: true, hosts: documentsOnly, browser: { ...chromium, connection } },
  )
  return {
    ...session,
    goThere: () => session.session.run({ name: 'evaluate', js: `void (location = ${JSON.stringify(denied.other)})` }),
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]()
      await denied[Symbol.asyncDispose]()
    },
  }
}

test('the console and the requests of a denied page are not returned (B4)', async () => {
  await using slow = await openSlowly(`console.log('Never shown'); setTimeout(() => { throw 'Never shown' }); fetch('/begun')`)
  await slow.goThere()
  const seen: string[] = []
  const look = () => seen.push(JSON.stringify([slow.session.console(), slow.session.requests()]))
  await expect
    .poll(() => {
      look()
      return slow.session.status().url
    }, patiently)
    .toBe('about:blank')
  look()
  expect(seen.join()).not.toMatch(/Never shown|begun/)
})

test('a denied page is left even if its script opens a dialog at the same time (B2, B4)', async () => {
  await using slow = await openSlowly(
    `fetch('/begun'); for (const end = performance.now() + 500; performance.now() < end; ); alert('Never shown')`,
  )
  await slow.goThere()
  await expect.poll(() => slow.session.status().url, patiently).toBe('about:blank')
  expect((await slow.do('tabs')).tabs).toMatchObject([{ tab: 't1', url: 'about:blank' }])
  expect((await slow.do('open', { url: slow.url })).page.title).toBe('Home')
})

test('a page opened while a denied page is being left loads normally and runs its scripts', async () => {
  await using hosts = await openHosts()
  const home = { ok: true, data: { page: { url: hosts.home, title: 'Home' } } }
  for (let times = 1; times <= 5; times++) {
    expect(await hosts.run('open', { url: hosts.home })).toMatchObject(home)
    await hosts.run('evaluate', { js: `void (location = ${JSON.stringify(hosts.there)})` })
    await expect.poll(() => hosts.session.status().url, { ...patiently, interval: 1 }).not.toBe(hosts.home)
  }
  expect(await hosts.run('open', { url: hosts.home })).toMatchObject(home)
})

test('open fails with url_not_allowed when it is redirected to a denied host (B4)', async () => {
  await using hosts = await openHosts({ allow: ['127.0.0.1'] })
  expect(await hosts.run('open', { url: `${hosts.home}moved` })).toMatchObject({
    ok: false,
    error: { code: 'url_not_allowed', message: expect.stringContaining('only 127.0.0.1 are allowed') },
  })
})

test('pages of the local host open by default, and are refused with private: false (X4-10)', async () => {
  await using server = await serve(sendHtml('<title>Mine</title>'))
  await using open = await openTestSession()
  expect(await open.do('open', { url: server.url })).toMatchObject({ page: { title: 'Mine' } })
  expect(await open.fails('open', { url: 'http://169.254.169.254/' })).toMatchObject({ code: 'url_not_allowed' })
  await using closed = await openTestSession({}, { hosts: { private: false } })
  for (const url of [server.url, server.other, `http://[::ffff:127.0.0.1]:${server.port}/`])
    expect(await closed.fails('open', { url })).toMatchObject({ code: 'url_not_allowed' })
})

test('opening for a program passes the host rules to the session, and status reports them', async () => {
  await using server = await serve(sendHtml('<title>Mine</title>'))
  const opened = await openFor('test')({ hosts: { deny: ['localhost'] } })
  if (!opened.ok) throw new Error(opened.error.message)
  const { run, close } = opened.data
  try {
    expect(await run({ name: 'open', url: server.other })).toMatchObject({ ok: false, error: { code: 'url_not_allowed' } })
    expect(await run({ name: 'open', url: server.url })).toMatchObject({ ok: true })
    expect(await run({ name: 'status' })).toMatchObject({ data: { hosts: { deny: ['localhost'] } } })
  } finally {
    await close()
  }
})

test('a session with invalid host rules fails to open (TRUST C2)', async () => {
  const hosts = { allow: [] } as const
  await expect(openSession({ hosts, launch: { executablePath: '/nowhere' } })).rejects.toMatchObject({ code: 'invalid_input' })
})
