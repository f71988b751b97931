import { rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import type { ApprovalPart, BrowserEventPart, Chat, LiveServerMessage, RunDetail, SubAgentRunPart, WaitingList } from 'pagehand/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { studioRouter } from '../../../apps/studio/server/http/router.ts'
import { type RunningStudio, startStudio } from '../../../apps/studio/server/index.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { sharedBrowser } from '../../support/open-page.ts'
import { call, close, refIn, type Turn } from '../../support/scripted-model.ts'
import { dropDatabase, studioDatabase } from '../../support/studio-database.ts'
import { studioFolder } from '../../support/studio-folder.ts'
import { studioModel } from '../../support/studio-model.ts'

const list = `<title>Todos</title><input id=field aria-label="New todo"><button type=button onclick="const item=document.createElement('li');item.textContent=field.value;todos.append(item);document.title=todos.children.length+' todos'">Add</button><ul id=todos></ul>`

let folder: string
let store: { readonly database?: string }
let studio: RunningStudio
let site: Awaited<ReturnType<typeof serve>>
let base: string
let cookie: string
/** what the model says in the next run */
let script: Turn[] = []
const model = studioModel(() => script.shift())

beforeAll(async () => {
  ;[folder, store] = [await studioFolder(), await studioDatabase()]
  site = await serve(sendHtml(list))
  const { chromium } = await sharedBrowser()
  studio = await startStudio({ dataFolder: folder, ...store, webFolder: folder, version: '0.0.0', model, session: { browser: chromium } })
  const { origin, hash } = new URL(studio.link)
  base = origin
  const answer = await post('/api/auth', { token: hash.replace('#token=', '') }, { cookie: '' })
  cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
})
afterAll(async () => {
  await studio.close()
  await site[Symbol.asyncDispose]()
  await dropDatabase(store)
  await rm(folder, { recursive: true, force: true })
})

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(base + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', cookie, origin: base, ...headers },
  })

async function query<T>(path: string, input?: unknown): Promise<T> {
  const search = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
  const answer = await fetch(`${base}/api/trpc/${path}${search}`, { headers: { cookie } })
  return ((await answer.json()) as { result: { data: T } }).result.data
}
const mutate = async <T>(path: string, input: unknown): Promise<T> =>
  ((await (await post(`/api/trpc/${path}`, input)).json()) as { result: { data: T } }).result.data

interface Chunk {
  readonly type: string
  readonly data?: unknown
}

/** The chunks of a stream of server-sent events, as they come. */
async function* read(answer: Response): AsyncGenerator<Chunk> {
  let rest = ''
  for await (const bytes of answer.body as unknown as AsyncIterable<Uint8Array>) {
    rest += new TextDecoder().decode(bytes)
    const lines = rest.split('\n\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: {')) yield JSON.parse(line.slice(6)) as Chunk
  }
}

async function newChat(): Promise<string> {
  return (await mutate<{ id: string }>('chat.create', {})).id
}
const say = (chat: string, text: string, id = `u-${chat}`) =>
  post('/api/chat', { id: chat, message: { id, role: 'user', parts: [{ type: 'text', text }] } })

const openList = () => call('open-url', { url: site.url })
const fill: Turn = (_, all) => call('browser-act', { action: 'fill', ref: refIn(all, 'textbox "New todo"'), text: 'milk' })
const add: Turn = (_, all) => call('browser-act', { action: 'click', ref: refIn(all, 'button "Add"') })

test('a message begins a run whose steps are streamed, shown and kept (S3-11 S3-41 S3-44 S3-45 S3-46)', async () => {
  script = [openList(), call('browser-observe', { task: 'add a todo' }), fill, add, close('Milk is on the list.', ['1 todos'])]
  const chat = await newChat()
  const chunks: Chunk[] = []
  for await (const chunk of read(await say(chat, `Add milk to the list at ${site.url}`))) chunks.push(chunk)
  const run = chunks.filter(({ type }) => type === 'data-sub-agent-run').at(-1)?.data as SubAgentRunPart
  expect(run).toMatchObject({
    goal: `Add milk to the list at ${site.url}`,
    state: 'ended',
    stopReason: 'closed',
    summary: 'Milk is on the list.',
  })
  expect(run.usage.steps).toBe(5)

  const { messages, title } = await query<Chat>('chat.get', { id: chat })
  expect(title).toBe(`Add milk to the list at ${site.url}`)
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(messages[1]?.parts.at(-1)).toMatchObject({ type: 'text', text: 'Report: Milk is on the list.' })

  const detail = await query<RunDetail>('run.get', { id: run.runId })
  const steps = detail.events.map(({ tool, verb, state }: BrowserEventPart) => `${tool} ${verb} ${state}`)
  expect(steps.slice(0, 4)).toEqual([
    'open-url open done',
    'browser-observe observe done',
    'browser-act fill done',
    'browser-act click done',
  ])
  expect(detail.events[1]?.text).toContain('button "Add"')
  const picture = await fetch(`${base}/api/runs/${run.runId}/files/${detail.events[0]?.frame}`, { headers: { cookie } })
  expect(picture.headers.get('content-type')).toBe('image/png')
  const replay = await (await fetch(`${base}/api/runs/${run.runId}/replay.html`, { headers: { cookie } })).text()
  expect(replay).toContain('data:image/png;base64,')
  expect((await query<{ id: string }[]>('run.list', { search: 'milk' })).map(({ id }) => id)).toContain(run.runId)
})

test('a connection that is lost does not end the run, and the next one gets all of it without repeating an action (X3-8)', async () => {
  let proceed = () => {}
  const held = new Promise<void>(resolve => {
    proceed = resolve
  })
  script = [
    openList(),
    fill,
    add,
    async () => {
      await held
      return close('Done.')
    },
  ]
  const chat = await newChat()
  const first = await say(chat, `Add milk at ${site.url}`)
  for await (const { type, data } of read(first))
    if (type === 'data-browser-event' && (data as BrowserEventPart).step === 3 && (data as BrowserEventPart).state === 'done') break
  const resumed = await fetch(`${base}/api/chat/${chat}/stream`, { headers: { cookie } })
  proceed()
  const chunks: Chunk[] = []
  for await (const chunk of read(resumed)) chunks.push(chunk)
  const steps = chunks.filter(({ type }) => type === 'data-browser-event').map(({ data }) => (data as BrowserEventPart).step)
  expect(new Set(steps)).toEqual(new Set([1, 2, 3, 4]))
  const browser = await studio.studio.browserOf(chat)
  expect((await browser?.session.snapshot())?.text).toContain('1 todos')
  expect((await fetch(`${base}/api/chat/${chat}/stream`, { headers: { cookie } })).status).toBe(204)
})

test('stop ends the run from any window, and all windows and the store say so (S3-04 S3-43 S3-49)', async () => {
  script = [openList(), call('browser-wait', { textIncludes: 'never', timeoutMs: 60_000 })]
  const chat = await newChat()
  const [here, there] = [
    await say(chat, `Wait for ever at ${site.url}`),
    await fetch(`${base}/api/chat/${chat}/stream`, { headers: { cookie } }),
  ]
  const other = (async () => {
    const types: string[] = []
    for await (const { type } of read(there)) types.push(type)
    return types
  })()
  const types: string[] = []
  for await (const { type, data } of read(here)) {
    types.push(type)
    if (type === 'data-browser-event' && (data as BrowserEventPart).step === 2) await mutate('run.stop', { chatId: chat })
  }
  expect(types).toContain('data-manual-stop')
  expect(await other).toContain('data-manual-stop')
  const { messages, state } = await query<Chat>('chat.get', { id: chat })
  expect(state).toBe('idle')
  expect(messages.at(-1)?.parts).toContainEqual(
    expect.objectContaining({ type: 'data-sub-agent-run', data: expect.objectContaining({ state: 'ended', stopReason: 'aborted' }) }),
  )

  // the chat goes on, and the model knows what became of its task
  script = [close('Went on.')]
  const before = model.prompts.length
  const answer = await (await say(chat, 'Go on', `u2-${chat}`)).text()
  expect(answer).toContain('Report: Went on.')
  expect(model.prompts[before]).toContain('The user stopped this task before it was done.')
})

test('a run asks before it sends a form; allowed or denied in another window, it goes on (S3-05 S3-20 S3-48)', async () => {
  const form = `<title>Order</title><form method=post action=/order><input name=item aria-label=Item value=tea><button>Place order</button></form>`
  const posts: string[] = []
  await using shop = await serve((request, response) => {
    if (request.method === 'POST') posts.push(String(request.url))
    sendHtml(request.method === 'POST' ? '<title>Thank you</title><h1>Thank you</h1>' : form)(request, response)
  })
  for (const approved of [false, true]) {
    const place: Turn = (_, all) => call('browser-act', { action: 'click', ref: refIn(all, 'button "Place order"') })
    script = [call('open-url', { url: shop.url }), place, (last: string) => close(`the answer was: ${last.slice(0, 300)}`)]
    const chat = await newChat()
    const states: string[] = []
    for await (const { type, data } of read(await say(chat, `Order tea at ${shop.url}`))) {
      if (type !== 'data-approval') continue
      const approval = data as ApprovalPart
      states.push(approval.state)
      if (approval.state !== 'pending') continue
      expect(approval).toMatchObject({ action: 'click button "Place order"', classes: ['submit', 'pay'], origin: new URL(shop.url).origin })
      expect((await query<WaitingList>('waiting')).approvals.map(({ id }) => id)).toEqual([approval.id])
      const picture = await fetch(base + (approval.picture ?? ''), { headers: { cookie } })
      expect(picture.headers.get('content-type')).toBe('image/png')
      const decide = () => mutate<{ outcome: string }>('approval.decide', { id: approval.id, approved, scope: 'once', reason: 'not today' })
      expect(posts).toHaveLength(0)
      expect((await decide()).outcome).toBe('decided')
      expect((await decide()).outcome).toBe('already_decided')
    }
    expect(states).toEqual(['pending', approved ? 'approved' : 'denied'])
    expect(posts).toHaveLength(approved ? 1 : 0)
    const { messages } = await query<Chat>('chat.get', { id: chat })
    expect(JSON.stringify(messages.at(-1))).toContain(approved ? 'Thank you' : 'not today')
  }
})

test('of two messages that come at once, one begins a run and the other is refused', async () => {
  const chat = await newChat()
  script = [close('One.'), close('Two.')]
  const answers = await Promise.all([say(chat, 'First'), say(chat, 'Second')])
  expect(answers.map(({ status: code }) => code).sort()).toEqual([200, 409])
  for (const answer of answers) if (answer.ok) for await (const _ of read(answer));
  script = []
})

test('a plan is approved once, and what it covers needs no further question', async () => {
  const posts: string[] = []
  await using shop = await serve((request, response) => {
    if (request.method === 'POST') posts.push(String(request.url))
    sendHtml('<title>Order</title><form method=post action=/order><button>Place order</button></form>')(request, response)
  })
  const place: Turn = (_, all) => call('browser-act', { action: 'click', ref: refIn(all, 'button "Place order"') })
  script = [call('open-url', { url: shop.url }), place, close('Ordered.')]
  const chat = await newChat()
  const asked: string[] = []
  for await (const { type, data } of read(await say(chat, `Order tea at ${shop.url} with a plan`))) {
    if (type !== 'data-approval' || (data as ApprovalPart).state !== 'pending') continue
    const { id, kind, action } = data as ApprovalPart
    asked.push(kind)
    expect(action).toContain('Open the shop\nPlace the order')
    expect(posts).toHaveLength(0)
    await mutate('approval.decide', { id, approved: true, scope: 'run' })
  }
  expect(asked).toEqual(['plan'])
  expect(posts).toHaveLength(1)
})

test('a second message during a run is refused with the reason', async () => {
  script = [openList(), call('browser-wait', { textIncludes: 'never', timeoutMs: 60_000 })]
  const chat = await newChat()
  const first = await say(chat, `Wait at ${site.url}`)
  const second = await say(chat, 'And another thing')
  expect(second.status).toBe(409)
  expect(await second.json()).toEqual({ error: { code: 'busy', message: expect.stringContaining('under way') } })
  await mutate('run.stop', { chatId: chat })
  for await (const _ of read(first));
})

/** A window that shows the browser of a chat, always ready for the next picture. */
async function openLive(chat: string) {
  const socket = new WebSocket(`${base.replace('http', 'ws')}/api/live/${chat}`, { headers: { cookie, origin: base } })
  const messages: LiveServerMessage[] = []
  socket.on('message', data => {
    const message = JSON.parse(String(data)) as LiveServerMessage
    messages.push(message)
    if (message.type === 'frame') socket.send(JSON.stringify({ type: 'ack', seq: message.seq }))
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const last = <T extends LiveServerMessage['type']>(type: T) =>
    messages.filter((each): each is Extract<LiveServerMessage, { type: T }> => each.type === type).at(-1)
  return { last, send: (message: object) => socket.send(JSON.stringify(message)), close: () => socket.close() }
}

test('a person takes over, and the agent waits until the page is handed back (S3-54)', async () => {
  const chat = await newChat()
  const browser = await studio.studio.browserOf(chat)
  await browser?.session.open(site.url)
  const live = await openLive(chat)
  const rival = await openLive(chat)
  await expect.poll(() => live.last('page')?.title).toBe('Todos')
  await expect.poll(() => live.last('frame')?.width).toBeGreaterThan(0)
  live.send({ type: 'take' })
  await expect.poll(() => live.last('controller')).toMatchObject({ controller: 'person', you: true, viewers: 2 })
  rival.send({ type: 'take' })
  await expect.poll(() => rival.last('refused')).toMatchObject({ what: 'take', problem: { code: 'taken' } })

  script = [call('browser-observe', { task: 'add a todo' }), fill, add, close('Done.')]
  const running = say(chat, `Add milk at ${site.url}`).then(async answer => {
    const chunks: Chunk[] = []
    for await (const chunk of read(answer)) chunks.push(chunk)
    return chunks
  })
  await expect.poll(async () => (await query<Chat>('chat.get', { id: chat })).state).toBe('running')
  live.send({ type: 'refs' })
  await expect.poll(() => live.last('refs')?.refs.map(({ name }) => name)).toEqual(['New todo', 'Add'])
  const box = live.last('refs')?.refs[0]?.box ?? { x: 0, y: 0, width: 0, height: 0 }
  for (const kind of ['down', 'up']) live.send({ type: 'mouse', kind, x: box.x + 5, y: box.y + 5, modifiers: 0 })
  live.send({ type: 'text', text: '面包' })
  live.send({ type: 'pick', requestId: 'p1', x: box.x + 5, y: box.y + 5 })
  await expect.poll(() => live.last('picked')).toMatchObject({ requestId: 'p1', picked: { name: 'New todo', role: 'textbox' } })
  live.send({ type: 'give' })
  const chunks = await running
  expect((await browser?.session.snapshot())?.text).toContain('1 todos')
  const texts = chunks.flatMap(({ data }) => (data as BrowserEventPart | undefined)?.text ?? [])
  expect(texts.join('\n')).toContain('A person operated the page in between')
  live.close()
  rival.close()
})

test('while the agent works, input of a window that has not taken over is refused', async () => {
  script = [openList(), call('browser-wait', { textIncludes: 'never', timeoutMs: 60_000 })]
  const chat = await newChat()
  const running = say(chat, `Wait at ${site.url}`)
  const live = await openLive(chat)
  await expect.poll(() => live.last('controller')?.controller).toBe('agent')
  live.send({ type: 'text', text: 'x' })
  await expect.poll(() => live.last('refused')).toMatchObject({ what: 'text', problem: { code: 'agent_works' } })
  await mutate('run.stop', { chatId: chat })
  for await (const _ of read(await running));
  live.close()
})

/** every procedure of the router, and every other route */
const routes: readonly (readonly [method: string, path: string])[] = [
  ...Object.entries(studioRouter._def.procedures as unknown as { [path: string]: { _def: { type: string } } }).map(
    ([path, { _def }]) => [_def.type === 'query' ? 'GET' : 'POST', `/api/trpc/${path}`] as const,
  ),
  ['POST', '/api/chat'],
  ['GET', '/api/chat/x/stream'],
  ['GET', '/api/runs/x/files/events.jsonl'],
  ['GET', '/api/runs/x/replay.html'],
]

/** `fetch` does not let a caller choose Host or Origin. */
const status = (
  method: string,
  path: string,
  headers: Record<string, string>,
  body = method === 'POST' ? '{}' : undefined,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(base)
    const sent = httpRequest({ host: '127.0.0.1', port, method, path, headers }, answer => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end(body)
  })

test('every route refuses a wrong host, a wrong origin, and a request without the cookie (D1)', async ({ task }) => {
  const host = new URL(base).host
  const json = { 'content-type': 'application/json' }
  const wrong: [Record<string, string>, number][] = [
    [{ ...json, host, origin: base }, 401],
    [{ ...json, host, origin: base, cookie: `${cookie.split('=')[0]}=guessed` }, 401],
    [{ ...json, host: 'evil.example', cookie }, 403],
    [{ ...json, host: `evil.example:${new URL(base).port}`, cookie }, 403],
    ...['http://evil.example', 'null', 'http://localhost:1', 'file://', 'chrome-extension://abc', base.replace('http:', 'https:')].map(
      (origin): [Record<string, string>, number] => [{ ...json, host, origin, cookie }, 403],
    ),
    ...['cross-site', 'same-site'].map((site): [Record<string, string>, number] => [
      { ...json, host, origin: base, cookie, 'sec-fetch-site': site },
      403,
    ]),
  ]
  expect(routes.length).toBeGreaterThan(20)
  let tries = 0
  for (const [method, path] of routes)
    for (const [headers, expected] of wrong) {
      tries++
      expect([method, path, headers.origin, headers.host, await status(method, path, headers)]).toEqual([
        method,
        path,
        headers.origin,
        headers.host,
        expected,
      ])
    }
  task.meta.tries = tries
  expect(await status('POST', '/api/chat', { host, origin: base, cookie, 'content-type': 'text/plain' })).toBe(415)
  expect(await status('GET', '/', { host: 'evil.example' })).toBe(403)
  // a browser always names the origin of a request that changes something
  for (const [method, path] of routes) if (method === 'POST') expect(await status(method, path, { ...json, host, cookie })).toBe(403)
})

test('a wrong token gives no cookie, and guessing is slowed down (D1)', async () => {
  const wrong = await post('/api/auth', { token: 'guessed' }, { cookie: '' })
  expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null])
  const statuses = new Set<number>()
  for (let i = 0; i < 25; i++) statuses.add((await post('/api/auth', { token: `guess ${i}` }, { cookie: '' })).status)
  expect(statuses).toEqual(new Set([401, 429]))
  // whoever has the link gets in all the same
  expect((await post('/api/auth', { token: new URL(studio.link).hash.replace('#token=', '') }, { cookie: '' })).status).toBe(200)
})

test('malformed requests are refused, and a rule that is not understood is not stored (D1, TRUST C2)', async ({ task }) => {
  const host = new URL(base).host
  task.meta.tries = 10
  for (const body of ['null', '[]', '5', '"x"', '{"token":{}}', '{', ''])
    expect([401, 429], body).toContain(await status('POST', '/api/auth', { host, origin: base, 'content-type': 'application/json' }, body))
  for (const path of ['/%E0%A4%A', '/api/runs/x/files/%E0%A4%A', '/assets/%00.js'])
    expect(await status('GET', path, { host, cookie }), path).toBe(404)
  for (const change of [{ policy: { everything: 'allow' } }, { allowedHosts: ['shop.example/path'] }]) {
    const answer = await post('/api/trpc/settings.set', change)
    expect([answer.status, (await answer.text()).includes('server.ts')]).toEqual([400, false])
  }
  expect(await query('settings.get')).toMatchObject({ policy: {}, allowedHosts: [] })
})

test('the live view refuses a socket of another page, or without the cookie (D1)', async () => {
  const chat = await newChat()
  const url = `${base.replace('http', 'ws')}/api/live/${chat}`
  for (const headers of [{ origin: base }, { cookie }, { cookie, origin: 'http://evil.example' }] as Record<string, string>[])
    await expect(
      new Promise((resolve, reject) => new WebSocket(url, { headers }).once('open', resolve).once('error', reject)),
    ).rejects.toThrow('403')
})

test('no page of the studio runs an inline script, loads from elsewhere, or can be framed', async () => {
  const { headers } = await fetch(base)
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain(`connect-src 'self' ws://${new URL(base).host};`)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('a body that is too large is refused', async () => {
  const chat = await newChat()
  expect((await say(chat, 'x'.repeat(4_100_000))).status).toBe(413)
})

test('files outside of the folder of a run are not served', async () => {
  for (const path of ['/api/runs/../files/x', '/api/runs/..%2f..%2fetc/files/passwd', '/api/runs/x/files/..%2f..%2fdatabase%2flock'])
    expect(await status('GET', path, { host: new URL(base).host, cookie })).toBe(404)
})
