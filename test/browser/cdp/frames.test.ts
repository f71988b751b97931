import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { type Chromium, type ConnectedBrowser, findBrowser, launch, type SessionOptions } from '../../../src/browser.ts'
import type { SnapshotFormat } from '../../../src/contract/limits.ts'
import { parseCommand } from '../../../src/contract/parse-command.ts'
import type { AnyCommand } from '../../../src/contract/run.ts'
import { createResponder } from '../../../src/tools.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { isOverRelay } from '../../support/relay-ground.ts'
import { openTestSession } from '../../support/test-session.ts'

const browsers: { [kind: string]: Promise<Chromium> } = {}
afterAll(async () => {
  for (const each of Object.values(browsers)) await (await each).close()
})
const kinds = {
  'in the same process': ['--disable-site-isolation-trials'],
  'out of process': ['--site-per-process'],
}
const browserOf = (kind: keyof typeof kinds): Promise<Chromium> => {
  browsers[kind] ??= launch({ args: [...kinds[kind], '--host-resolver-rules=MAP 169.254.169.254 127.0.0.1'] })
  return browsers[kind]
}

/** A browser that is not ours has no proxy, so that only the judgement of its documents keeps a frame from being shown. */
const attachedBrowser = async (kind: keyof typeof kinds): Promise<ConnectedBrowser> => {
  const { connection, product } = await browserOf(kind)
  return { connection, product, endpoint: 'ws://127.0.0.1/', isRelay: false, close() {}, [Symbol.dispose]() {} }
}

/** As if the request of a refused document had not been seen, so that the document is committed. */
function withoutInterception<Browser extends ConnectedBrowser | Chromium>(browser: Browser): Browser {
  const { connection } = browser
  const send: typeof connection.send = (method, params, sessionId) =>
    method === 'Fetch.enable' ? Promise.resolve({} as never) : connection.send(method, params, sessionId)
  return { ...browser, connection: { ...connection, send } }
}

const secret = '<title>Never shown</title><h1>Never shown</h1><button>Never shown</button><input value="Never shown">'
/** every way in which the document could speak */
const secretScript = `<script>
  console.log('Never shown')
  fetch('/never-shown')
  try { open('about:blank').document.write('<title>Never shown</title><h1>Never shown</h1>') } catch {}
  alert('Never shown')
  location = 'data:text/html,<h1>Never shown</h1>'</script>`

/** A page at 127.0.0.1 with frames; those at localhost are denied, those at ok.localhost are not. */
async function openFrames(html: (hosts: { denied: string; ok: string; port: number }) => string, options: SessionOptions) {
  const requests: string[] = []
  const server = await serve((request, response) => {
    const { host = '' } = request.headers
    const path = request.url ?? ''
    requests.push(`${host.split(':')[0]}${path}`)
    const hosts = { denied: `http://localhost:${server.port}`, ok: `http://ok.localhost:${server.port}`, port: server.port }
    if (path === '/moved') return void response.writeHead(302, { location: `${hosts.denied}/secret` }).end()
    if (host.startsWith('127.')) return sendHtml(html(hosts))(request, response)
    if (host.startsWith('ok.'))
      return sendHtml(`<p>Fine</p><button>Fine</button><iframe srcdoc="<button>Inner</button>"></iframe>`)(request, response)
    sendHtml(path === '/secret' ? secret + secretScript : secret)(request, response)
  })
  const session = await openTestSession({}, { hosts: { deny: ['localhost'] }, ...options })
  await session.do('open', { url: server.url })
  return {
    ...session,
    url: server.url,
    requests: () => requests,
    /** the text and the JSON of a snapshot */
    async read() {
      const data = await session.do('snapshot', { interactiveOnly: false })
      return { json: JSON.stringify(data), text: await session.text({ interactiveOnly: false }) }
    },
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

for (const kind of Object.keys(kinds) as (keyof typeof kinds)[])
  describe(`a frame at a denied host, ${kind}`, () => {
    const routes: { [route: string]: (hosts: { denied: string; ok: string; port: number }) => string } = {
      directly: ({ denied }) => `<iframe src="${denied}/secret"></iframe>`,
      'by a redirect': ({ ok }) => `<iframe src="${ok}/moved"></iframe>`,
      'inside srcdoc': ({ denied }) => `<iframe srcdoc="<p>Outer</p><iframe src='${denied}/secret'></iframe>"></iframe>`,
      'inside blob:': ({ denied }) =>
        `<iframe id=f></iframe><script>f.src = URL.createObjectURL(new Blob(['<p>Outer</p><iframe src="${denied}/secret"></iframe>'], { type: 'text/html' }))</script>`,
      'inside data:': ({ denied }) => `<iframe src="data:text/html,<iframe src='${denied}/secret'></iframe>"></iframe>`,
      'inside about:blank': ({ denied }) =>
        `<iframe id=f></iframe><script>f.contentDocument.body.innerHTML = '<iframe src="${denied}/secret"></iframe>'</script>`,
      'by an object element': ({ denied }) => `<object data="${denied}/secret" type=text/html></object>`,
      later: ({ ok, denied }) =>
        `<iframe id=f src="${ok}/"></iframe><script>f.onload = () => { f.onload = null; f.src = '${denied}/secret' }</script>`,
      'at a metadata address': ({ port }) => `<iframe src="http://169.254.169.254:${port}/secret"></iframe>`,
    }
    for (const [route, html] of Object.entries(routes))
      test(`reached ${route}, is neither requested nor shown (B4, A2)`, async () => {
        await using page = await openFrames(hosts => `<h1>Top</h1>${html(hosts)}`, { browser: await attachedBrowser(kind) })
        if (route !== 'by an object element')
          await expect.poll(async () => (await page.read()).text).toContain('[unreachable="not allowed"]')
        const { text, json } = await page.read()
        expect(text).toContain('Top')
        expect(json).not.toContain('Never shown')
        expect(await page.fails('wait', { text: 'Never shown', timeoutMs: 300 })).toMatchObject({ code: 'timeout' })
        expect(page.requests()).not.toContain('localhost/secret')
        expect(page.requests()).not.toContain('169.254.169.254/secret')
      })

    for (const [route, html] of Object.entries(routes))
      test(`reached ${route}, is blank and unreadable if it was committed all the same (B4)`, async () => {
        const browser = withoutInterception(await attachedBrowser(kind))
        await using page = await openFrames(hosts => `<h1>Top</h1>${html(hosts)}`, { browser })
        const seen: string[] = []
        // read from the first moment on
        await expect
          .poll(async () => {
            const { json } = await page.read()
            seen.push(json)
            return (
              page.requests().some(each => each.endsWith('/secret')) && (route === 'by an object element' || json.includes('not allowed'))
            )
          })
          .toBe(true)
        seen.push((await page.read()).json)
        const { tabs } = await page.do('tabs')
        for (const { tab } of tabs) {
          await page.do('tabs', { operation: 'select', tab })
          seen.push(JSON.stringify([await page.session.run({ name: 'snapshot', interactiveOnly: false }), page.session.status()]))
          seen.push(JSON.stringify([tabs, page.session.console(), page.session.requests().map(({ url }) => url)]))
        }
        await page.do('tabs', { operation: 'select', tab: 't1' })
        expect(seen.join()).not.toMatch(/Never shown|never-shown/)
        expect(await page.fails('wait', { text: 'Never shown', timeoutMs: 300 })).toMatchObject({ code: 'timeout' })
        expect(await page.fails('wait', { selector: 'input', timeoutMs: 300 })).toMatchObject({ code: 'timeout' })
      })

    test('and one at an allowed host that alternate are distinguished in every read (B4)', async () => {
      const browser = withoutInterception(await attachedBrowser(kind))
      await using page = await openFrames(
        ({ ok, denied }) =>
          `<h1>Top</h1><iframe id=f></iframe><script>let n = 0; f.onload = () => { f.src = n++ % 2 ? '${ok}/?' + n : '${denied}/?' + n }; f.src = '${ok}/'</script>`,
        { browser },
      )
      const results: string[] = []
      const looks = ['snapshot', 'screenshot', 'wait', 'tabs', 'status'] as const
      await expect
        .poll(async () => {
          const args = { wait: { selector: 'input', timeoutMs: 0 }, snapshot: { interactiveOnly: false } } as {
            [name: string]: object
          }
          for (const name of looks) results.push(JSON.stringify(await page.session.run({ name, ...args[name] } as never)))
          return page.requests().filter(each => each.startsWith('localhost/')).length
        })
        .toBeGreaterThan(5)
      expect(results.join()).not.toContain('Never shown')
      expect(results.join()).not.toContain('"met":true')
    })
  })

test('a page with denied frames keeps its history (B4)', async () => {
  await using page = await openFrames(({ denied }) => `<title>Top</title><iframe src="${denied}/secret"></iframe>`, {
    browser: await attachedBrowser('out of process'),
  })
  await page.do('open', { url: `${page.url}2` })
  expect((await page.do('back')).page.url).toBe(page.url)
})

test('files outside the allowed folders are not shown in frames (B4)', async ({ task }) => {
  task.meta.tries = 4
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pagehand-test-')))
  try {
    await mkdir(join(root, 'project'))
    await mkdir(join(root, 'elsewhere'))
    await writeFile(join(root, 'elsewhere/secret.txt'), 'Never shown')
    await writeFile(join(root, 'project/inside.html'), '<button>Inside</button>')
    const outside = pathToFileURL(join(root, 'elsewhere')).href
    await writeFile(
      join(root, 'project/evil.html'),
      `<h1>Top</h1><iframe src="${outside}/secret.txt"></iframe><iframe src="${outside}/"></iframe><iframe src="inside.html"></iframe>`,
    )
    for (const chromium of [await browserOf('out of process'), withoutInterception(await browserOf('out of process'))]) {
      await using session = await openTestSession({}, { browser: chromium, fileRoots: [join(root, 'project')] })
      await session.do('open', { url: pathToFileURL(join(root, 'project/evil.html')).href })
      const text = await session.text({ interactiveOnly: false })
      expect(text.match(/unreachable="not allowed"/g)).toHaveLength(2)
      expect(text).toContain('Inside')
      expect(text).not.toMatch(/Never shown|secret\.txt/)
    }
  } finally {
    await rm(root, { recursive: true })
  }
})

test('frames of another origin name their host in every format, and in observe and extract (A2)', async () => {
  await using page = await openFrames(
    ({ ok, denied }) =>
      `<h1>Top</h1><p>Own text</p><iframe srcdoc="<button>Own</button>"></iframe><iframe src="${ok}/"></iframe><iframe src="${denied}/"></iframe>`,
    { browser: await attachedBrowser('out of process') },
  )
  const { port } = new URL(page.url)
  const from = `from="ok.localhost:${port}"`
  const respond = createResponder(page.session.run)
  const answer = async (command: AnyCommand, format: SnapshotFormat = 'tree') => {
    const parsed = parseCommand(command)
    if (!parsed.ok) throw new Error(parsed.error.message)
    return (await respond(parsed.value, { format })).text
  }
  const denied = `from="localhost:${port}"`
  for (const format of ['tree', 'flat', 'lines'] as const) {
    const text = await answer({ name: 'snapshot', interactiveOnly: false }, format)
    const frames = text.split('\n').filter(line => line.includes('iframe'))
    expect(frames.map(line => /from="[^"]*"/.exec(line)?.[0])).toEqual([undefined, from, from, denied])
    expect(frames.at(-1)).toContain('unreachable="not allowed"')
    expect(frames.at(-1)).not.toMatch(/ref=|@e/)
  }
  expect(await answer({ name: 'snapshot' }, 'json')).toContain(`"from":"ok.localhost:${port}"`)

  const observed = (await answer({ name: 'observe' })).split('\n').filter(line => line.includes('button'))
  expect(observed.map(line => [/"(\w+)"/.exec(line)?.[1], line.includes(from)])).toEqual([
    ['Own', false],
    ['Fine', true],
    ['Inner', true],
  ])
  const extracted = (await answer({ name: 'extract' })).split('\n')
  expect(extracted.find(line => line.includes('Own text'))).not.toContain('from=')
  expect(extracted.find(line => line.includes('Fine'))).toContain(from)

  // parts of a frame name it too
  for (const part of ['scope', 'after']) expect(await answer({ name: 'snapshot', [part]: await page.ref('Fine') })).toContain(from)
})

const pdf = `%PDF-1.1
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 144]>>endobj
trailer<</Root 1 0 R/Size 4>>`
// the headless shell has no viewer
const hasViewer = isOverRelay || (await findBrowser()).from !== '@sparticuz/chromium'

test.runIf(hasViewer)('a snapshot says that a frame shows a PDF, and nothing if the frame is refused', async () => {
  await using server = await serve((request, response) => {
    if (request.url === '/a.pdf') return void response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf)
    sendHtml(`<h1>Top</h1><iframe src="http://${request.url === '/denied' ? 'localhost' : '127.0.0.1'}:${server.port}/a.pdf"></iframe>`)(
      request,
      response,
    )
  })
  await using session = await openTestSession({}, { hosts: { deny: ['localhost'] } })
  for (const [path, notes] of Object.entries({
    '': ['1 frame shows a PDF: a snapshot does not contain it, a screenshot shows it.'],
    denied: undefined,
  })) {
    await session.do('open', { url: server.url + path })
    await expect.poll(async () => (await session.do('snapshot', { interactiveOnly: false })).notes).toEqual(notes)
  }
})
