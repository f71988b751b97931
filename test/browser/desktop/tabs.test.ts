import type { AnyCommand, Result } from 'pagehand/tools'
import type { BrowserPlace, DesktopCommand } from 'pagehand/wire'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { Desktop } from '../../../apps/desktop/main/desktop.ts'
import { ChromiumTabs } from '../../support/chromium-tabs.ts'
import { sendHtml, serve } from '../../support/http-server.ts'

const page = `<title>Counter</title><button onclick="document.title='clicked '+ ++count">Add</button><script>let count=0</script>
<button onclick="window.open('/popup')">Window</button><button onclick="for(let i=0;i<9;i++)window.open('/popup')">Windows</button>
<button onclick="window.open(studio)">Studio</button><script>const studio=new URLSearchParams(location.search).get('studio')</script>
<button onclick="document.cookie='a=1'">Cookie</button>`

let tabs: ChromiumTabs
let site: Awaited<ReturnType<typeof serve>>
let desktop: Desktop
/** another origin, which --site-per-process puts in another process */
let otherSite: string
beforeAll(async () => {
  tabs = await ChromiumTabs.start()
  site = await serve(sendHtml(page))
  otherSite = site.url.replace('127.0.0.1', 'localhost')
})
afterAll(async () => {
  await tabs[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})
beforeEach(() => {
  desktop = new Desktop({
    clientId: 'app-1',
    host: tabs,
    studio: new URL('http://127.0.0.1:9/'),
    session: async () => ({ allowEval: true }),
  })
})
afterEach(async () => {
  await desktop.close()
  await expect.poll(() => tabs.views.size).toBe(0)
})

let lastId = 0
const toCommand = (place: BrowserPlace, command: AnyCommand): DesktopCommand => ({
  sessionId: 'chat',
  commandId: `c${++lastId}`,
  ...place,
  command,
})
const runAt = (place: BrowserPlace, command: AnyCommand) => desktop.runBrowserCommand(withoutClient(toCommand(place, command)))
/** the wire names the client in the report only */
const withoutClient = ({ clientId: _, ...command }: DesktopCommand & { clientId?: string }): DesktopCommand => command

interface Data {
  readonly page?: { readonly title: string; readonly url: string }
  readonly notes?: readonly string[]
  readonly tree?: Node
  readonly value?: string
}
interface Node {
  readonly name?: string
  readonly ref?: string
  readonly children?: readonly Node[]
}
const dataOf = (result: Result): Data => {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`)
  return result.data as Data
}
const codeOf = (result: Result) => (result.ok ? 'ok' : result.error.code)
const refOf = async (place: BrowserPlace, name: string): Promise<string> => {
  const find = (node: Node): string | undefined => (node.name === name ? node.ref : node.children?.map(find).find(Boolean))
  return find(dataOf(await runAt(place, { name: 'snapshot' })).tree ?? {}) ?? 'none'
}
const click = async (place: BrowserPlace, name: string) => runAt(place, { name: 'click', ref: await refOf(place, name) })
const titleIn = async (place: BrowserPlace) => dataOf(await runAt(place, { name: 'evaluate', js: 'document.title' })).value

test('a chat has its own tab, whose commands go through the debugger of its view (S3-01 S3-10)', async () => {
  const place = await desktop.openBrowser('chat')
  expect(place).toMatchObject({ clientId: 'app-1', tabId: 't1' })
  const view = tabs.views.get(place.cdpTargetId)
  expect(dataOf(await runAt(place, { name: 'open', url: site.url })).page?.title).toBe('Counter')
  expect(dataOf(await click(place, 'Add')).page?.title).toBe('clicked 1')
  expect(view?.debugger.calls).toContain('Input.dispatchMouseEvent')
  expect(await desktop.openBrowser('chat')).toEqual(place)
})

test('a command is carried out once, however often it arrives, and only by the tab that all its ids name (X3-7 X3-8)', async ({ task }) => {
  const place = await desktop.openBrowser('chat')
  await runAt(place, { name: 'open', url: site.url })
  const ref = await refOf(place, 'Add')
  const command = withoutClient(toCommand(place, { name: 'click', ref }))
  const results = await Promise.all([desktop.runBrowserCommand(command), desktop.runBrowserCommand({ ...command })])
  results.push(await desktop.runBrowserCommand(command))
  expect(results.map(codeOf)).toEqual(['ok', 'ok', 'ok'])
  // another command cannot use the id of one that was carried out
  expect(codeOf(await desktop.runBrowserCommand({ ...command, command: { name: 'reload' } }))).toBe('invalid_input')
  const wrong = [{ sessionId: 'other' }, { viewKey: 'other' }, { tabId: 't9' }, { cdpTargetId: 'other' }]
  task.meta.tries = wrong.length
  for (const change of wrong)
    expect(codeOf(await desktop.runBrowserCommand({ ...command, commandId: `wrong ${Object.keys(change)}`, ...change }))).toBe(
      'target_closed',
    )
  expect(await titleIn(place)).toBe('"clicked 1"')
})

test('when DevTools takes the place of the debugger, the command fails, is not repeated, and the next one attaches again', async () => {
  const place = await desktop.openBrowser('chat')
  const view = tabs.views.get(place.cdpTargetId)
  await runAt(place, { name: 'open', url: site.url })
  const waiting = withoutClient(toCommand(place, { name: 'wait', text: 'never', timeoutMs: 30_000 }))
  const pending = desktop.runBrowserCommand(waiting)
  const before = view?.debugger.calls.length ?? 0
  await expect.poll(() => view?.debugger.calls.length).toBeGreaterThan(before)
  view?.debugger.end('replaced_with_devtools')
  expect(codeOf(await pending)).toBe('target_closed')
  const seen = dataOf(await runAt(place, { name: 'snapshot' }))
  expect(seen.notes).toContainEqual(expect.stringContaining('older refs are gone'))
  expect(codeOf(await desktop.runBrowserCommand(waiting))).toBe('target_closed')
  expect(dataOf(await click(place, 'Add'))).toMatchObject({ page: { title: 'clicked 1' } })
})

test('a page that crashes is reported once, and open brings the tab back', async () => {
  const place = await desktop.openBrowser('chat')
  await runAt(place, { name: 'open', url: site.url })
  tabs.views
    .get(place.cdpTargetId)
    ?.debugger.sendCommand('Page.crash')
    .catch(() => {}) // a crashed page does not answer
  await expect.poll(async () => codeOf(await runAt(place, { name: 'snapshot' }))).toBe('page_crashed')
  expect(dataOf(await runAt(place, { name: 'open', url: site.url })).page?.title).toBe('Counter')
})

test('a page that goes to another site, in another process, stays in its tab', async () => {
  const place = await desktop.openBrowser('chat')
  await runAt(place, { name: 'open', url: site.url })
  await runAt(place, { name: 'open', url: otherSite })
  expect(dataOf(await click(place, 'Add')).page).toMatchObject({ title: 'clicked 1', url: otherSite })
  expect(dataOf(await runAt(place, { name: 'back' })).page?.url).toBe(site.url)
  expect((await desktop.openBrowser('chat')).cdpTargetId).toBe(place.cdpTargetId)
})

test('a window that a page opens becomes a tab: in the background of an agent, in front of a person (S3-52)', async () => {
  const place = await desktop.openBrowser('chat')
  const { tabs: chat, shared } = await desktop.browser('chat')
  await runAt(place, { name: 'open', url: site.url })
  const clicked = dataOf(await click(place, 'Window'))
  await expect.poll(() => chat.views.map(view => view.url())).toEqual([site.url, `${site.url}popup`])
  expect(chat.selected?.id).toBe('t1')
  const selected = dataOf(await runAt(place, { name: 'tabs', operation: 'select', tab: 't2' }))
  expect([...(clicked.notes ?? []), ...(selected.notes ?? [])]).toEqual(['Tab t2 opened. It is not in front; select it to go on there.'])
  // the run has selected the tab, so its next commands go there
  expect(dataOf(await click(place, 'Add')).page).toMatchObject({ title: 'clicked 1', url: `${site.url}popup` })
  shared.setAgentWorking(false)
  await (await chat.selected?.session())?.evaluate({ js: 'void open("/popup?person")' })
  await expect.poll(() => chat.selected?.view.url()).toBe(`${site.url}popup?person`)
})

test('pages can neither open the studio as a window nor flood the app with windows (TRUST B4)', async () => {
  await using forbidden = await serve(sendHtml('<title>studio</title>'))
  const guarded = new Desktop({ clientId: 'app-2', host: tabs, studio: new URL(forbidden.url), session: async () => ({}) })
  const { clientId: _, ...place } = await guarded.openBrowser('chat')
  const run = (command: AnyCommand) => guarded.runBrowserCommand({ sessionId: 'chat', commandId: `g${++lastId}`, ...place, command })
  const refIn = async (name: string) => {
    const find = (node: Node): string | undefined => (node.name === name ? node.ref : node.children?.map(find).find(Boolean))
    return find(dataOf(await run({ name: 'snapshot' })).tree ?? {})
  }
  expect(codeOf(await run({ name: 'open', url: forbidden.url }))).toBe('url_not_allowed')
  expect(codeOf(await run({ name: 'open', url: forbidden.url.replace('127.0.0.1', 'localhost') }))).toBe('url_not_allowed')
  await run({ name: 'open', url: `${site.url}?studio=${encodeURIComponent(forbidden.url)}` })
  await run({ name: 'click', ref: await refIn('Studio') })
  await run({ name: 'click', ref: await refIn('Windows') })
  await expect.poll(async () => (await guarded.browser('chat')).tabs.views.length).toBe(6)
  const urls = (await guarded.browser('chat')).tabs.views.map(view => view.url())
  expect(urls.filter(url => url.startsWith(forbidden.url))).toEqual([])
  await guarded.close()
})

test('each chat has its own cookies, and a closed browser leaves no page and no connection behind', async () => {
  const place = await desktop.openBrowser('chat')
  await runAt(place, { name: 'open', url: site.url })
  await click(place, 'Cookie')
  const { clientId: _, ...other } = await desktop.openBrowser('other')
  const run = (command: AnyCommand) => desktop.runBrowserCommand({ sessionId: 'other', commandId: `o${++lastId}`, ...other, command })
  await run({ name: 'open', url: site.url })
  expect(await run({ name: 'evaluate', js: 'document.cookie' })).toMatchObject({ ok: true, data: { value: '""' } })
  expect(await runAt(place, { name: 'evaluate', js: 'document.cookie' })).toMatchObject({ ok: true, data: { value: '"a=1"' } })
  const views = [...tabs.views.values()]
  await desktop.closeBrowser('other')
  expect(codeOf(await run({ name: 'snapshot' }))).toBe('target_closed')
  await desktop.close()
  await expect.poll(() => tabs.views.size).toBe(0)
  expect(views.map(view => view.debugger.listenerCount('message'))).toEqual([0, 0])
  await expect(desktop.openBrowser('chat')).rejects.toThrow('closing')
})

test('a wait ends at once when its tab is closed', async () => {
  const place = await desktop.openBrowser('chat')
  await runAt(place, { name: 'open', url: site.url })
  const waiting = runAt(place, { name: 'wait', text: 'never', timeoutMs: 60_000 })
  const view = tabs.views.get(place.cdpTargetId)
  const before = view?.debugger.calls.length ?? 0
  await expect.poll(() => view?.debugger.calls.length).toBeGreaterThan(before)
  view?.close()
  expect(codeOf(await waiting)).toBe('target_closed')
  expect(codeOf(await runAt(place, { name: 'snapshot' }))).toBe('target_closed')
})

test('commands of the agent wait while a person has the page, and the next result says so (S3-54)', async () => {
  const place = await desktop.openBrowser('chat')
  await runAt(place, { name: 'open', url: site.url })
  const ref = await refOf(place, 'Add')
  const { shared } = await desktop.browser('chat')
  const viewer = () => {}
  shared.addViewer(viewer)
  expect(shared.take(viewer)).toBe(true)
  let isDone = false
  const clicked = runAt(place, { name: 'click', ref }).finally(() => {
    isDone = true
  })
  await shared.session.live().key({ kind: 'down', key: 'a', code: 'KeyA', modifiers: 0 })
  expect(await tabs.views.get(place.cdpTargetId)?.debugger.sendCommand('Runtime.evaluate', { expression: 'document.title' })).toMatchObject(
    {
      result: { value: 'Counter' },
    },
  )
  expect(isDone).toBe(false)
  shared.give(viewer)
  const data = dataOf(await clicked)
  expect(data.page?.title).toBe('clicked 1')
  expect(data.notes).toContainEqual(expect.stringContaining('A person operated the page'))
  shared.removeViewer(viewer)
})

test('when a run ends, a command that is still being carried out is stopped', async () => {
  const place = await desktop.openBrowser('chat')
  await runAt(place, { name: 'open', url: site.url })
  const pending = runAt(place, { name: 'wait', text: 'never', timeoutMs: 50_000 })
  const { shared } = await desktop.browser('chat')
  await expect.poll(() => shared.controller).toBe('agent')
  await desktop.setAgentWorking('chat', false)
  expect(codeOf(await pending)).toBe('aborted')
  expect(shared.controller).toBe('nobody')
})

test('the tab in front is shown where the panel is, all others keep working out of sight', async () => {
  const place = await desktop.openBrowser('chat')
  const box = { x: 600, y: 100, width: 700, height: 500 }
  await desktop.placeBrowser('chat', box)
  const first = tabs.views.get(place.cdpTargetId)
  expect(first?.box).toEqual(box)
  await runAt(place, { name: 'tabs', operation: 'new', url: site.url })
  const second = [...tabs.views.values()].find(view => view !== first)
  await expect.poll(() => [first?.box, second?.box]).toEqual([null, box])
  await desktop.placeBrowser('chat', null)
  expect([first?.box, second?.box]).toEqual([null, null])
  expect(await titleIn(place)).toBe('"Counter"')
})
