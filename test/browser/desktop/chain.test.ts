import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserCommandReport, BrowserPlace } from 'pagehand/wire'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { Desktop } from '../../../apps/desktop/main/desktop.ts'
import { handleCalls } from '../../../apps/desktop/main/ipc.ts'
import { type RunningStudio, startStudio } from '../../../apps/studio/server/index.ts'
import { ChromiumTabs } from '../../support/chromium-tabs.ts'
import { PageIpc } from '../../support/desktop-window.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { call, close, refIn, type Turn } from '../../support/scripted-model.ts'
import { dropDatabase, studioDatabase } from '../../support/studio-database.ts'
import { studioModel } from '../../support/studio-model.ts'
import { launchPersonsBrowser, studioPageFolder } from '../../support/studio-page.ts'

const list = `<title>Todos</title><input id=field aria-label="New todo">
<button onclick="const item=document.createElement('li');item.textContent=field.value;todos.append(item)">Add</button><ul id=todos></ul>
<button onclick="fetch('/slow')">Slow</button>`

let folder: string
let store: { readonly database?: string }
let tabs: ChromiumTabs
let person: Browser
let page: Page
let studio: RunningStudio
let desktop: Desktop
let site: Awaited<ReturnType<typeof serve>>
/** requests of the button Slow, which wait for the test */
const slow: ServerResponse[] = []
/** what the browser agent does next */
let script: Turn[] = []
const messages: { readonly id: string; readonly browser?: BrowserPlace }[] = []
const reports: BrowserCommandReport[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pagehand-desktop-test-'))
  store = await studioDatabase()
  const model = studioModel(() => script.shift())
  site = await serve((request, response) => {
    if (request.url === '/slow') slow.push(response)
    else sendHtml(list)(request, response)
  })
  // a server that tried to open a browser would fail
  const session = { launch: { executablePath: '/no/browser' } }
  studio = await startStudio({
    dataFolder: folder,
    ...store,
    webFolder: await studioPageFolder(),
    version: '0.0.0',
    model,
    drive: 'remote',
    session,
  })
  tabs = await ChromiumTabs.start()
  const link = new URL(studio.link)
  desktop = new Desktop({ clientId: 'desktop-1', host: tabs, studio: link, session: async () => ({}) })
  person = await launchPersonsBrowser()
  page = await (await person.newContext({ viewport: { width: 1400, height: 900 }, locale: 'en' })).newPage()
  page.on('request', request => {
    if (request.method() === 'POST' && request.url().includes('tab.reportBrowserCommandResult')) reports.push(request.postDataJSON())
  })
  page.on('websocket', socket => {
    if (!socket.url().endsWith('/api/chat/socket')) return
    socket.on('framesent', ({ payload }) => {
      const frame = JSON.parse(String(payload)) as { readonly type: string; readonly body: (typeof messages)[number] }
      if (frame.type === 'send') messages.push(frame.body)
    })
  })
  const endLiveViews = handleCalls({ ipc: await PageIpc.connect(page, 'desktop-1'), desktop, studio: link })
  page.on('framenavigated', frame => frame === page.mainFrame() && endLiveViews())
  await page.goto(studio.link)
}, 300_000)
afterAll(async () => {
  await desktop?.close()
  await person?.close()
  await studio?.close()
  await tabs?.[Symbol.asyncDispose]()
  await site?.[Symbol.asyncDispose]()
  await dropDatabase(store)
  await rm(folder, { recursive: true, force: true })
})

afterEach(async context => {
  if (context.task.result?.state === 'fail') console.error(await page.locator('body').innerText())
})

const send = async (text: string) => {
  await page.locator('#composer').fill(text)
  await page.locator('#composer').press('Enter')
}
const newChat = () => page.goto(`${new URL(studio.link).origin}/#/`)
const openList = () => call('open-url', { url: site.url })
const viewOf = () => tabs.views.get(messages.at(-1)?.browser?.cdpTargetId ?? '')
const nativeBox = () => page.locator('[data-native-view]').boundingBox()

test('a goal goes from the chat to the model, each command to the page, the app and its debugger, and each result back (S3-06 S3-09..11 S3-33..36 S3-44..46)', async () => {
  let whileWorking: unknown
  script = [
    openList(),
    call('browser-observe', { task: 'add a todo' }),
    async (_, all) => {
      // while the agent works, the panel shows its picture with the target, not the page itself
      await page.locator('canvas[width]').first().waitFor()
      await expect.poll(() => viewOf()?.box).toBe(null)
      whileWorking = await page.locator('[data-native-view]').count()
      return call('browser-act', { action: 'fill', ref: refIn(all, 'textbox "New todo"'), text: 'milk' })
    },
    (_, all) => call('browser-act', { action: 'click', ref: refIn(all, 'button "Add"') }),
    call('browser-snapshot', { interactiveOnly: false }),
    last => close(`The list says ${/milk/.exec(last)?.[0]}.`),
  ]
  await send(`Add milk to the list at ${site.url}`)
  await page.getByText('The list says milk.').last().waitFor()
  expect(whileWorking).toBe(0)

  const [message] = messages
  expect(message?.browser).toMatchObject({ clientId: 'desktop-1', tabId: 't1', cdpTargetId: viewOf()?.targetId })
  expect(reports.length).toBeGreaterThanOrEqual(4)
  for (const { sessionId, clientId, tabId, result } of reports)
    expect({ sessionId, clientId, tabId, ok: result.ok }).toEqual({ sessionId: message?.id, clientId: 'desktop-1', tabId: 't1', ok: true })
  expect(new Set(reports.map(({ commandId }) => commandId)).size).toBe(reports.length)
  expect(viewOf()?.debugger.calls).toContain('Input.dispatchMouseEvent')

  // the run has ended: the page itself is where the panel is, and a person operates it
  await expect.poll(() => viewOf()?.box).not.toBe(null)
  expect(viewOf()?.box).toEqual(await nativeBox())
  await expect.poll(() => page.getByRole('textbox', { name: 'Address' }).inputValue()).toBe(site.url)
})

test('what lies over the panel is not hidden by the page: the picture takes its place', async () => {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').waitFor()
  await expect.poll(() => viewOf()?.box).toBe(null)
  await page.keyboard.press('Escape')
  await expect.poll(async () => viewOf()?.box ?? 'hidden').toEqual(await nativeBox())
})

test('a click that was under way when the page was reloaded happens once, and its result reaches the model (X3-8)', async () => {
  await newChat()
  const before = reports.length
  let answer = ''
  script = [
    openList(),
    (_, all) => call('browser-act', { action: 'click', ref: refIn(all, 'button "Slow"') }),
    last => {
      answer = last
      return close('Clicked slowly.')
    },
  ]
  await send(`Click the slow button at ${site.url}`)
  await expect.poll(() => slow.length).toBe(1)
  await page.reload()
  await page.getByText(`Click the slow button at ${site.url}`).last().waitFor()
  slow[0]?.end('done')
  await page.getByText('Clicked slowly.').last().waitFor()
  expect(slow).toHaveLength(1)
  expect(answer).not.toMatch(/timeout|outcome_unknown|failed/)
  const ids = reports.slice(before).map(({ commandId }) => commandId)
  expect(new Set(ids).size).toBe(ids.length)
})

test('stop ends the command in the app too, so that the next run does not wait for it (S3-04 S3-49)', async () => {
  await newChat()
  let isWaiting = false
  script = [
    openList(),
    () => {
      isWaiting = true
      return call('browser-wait', { textIncludes: 'never', timeoutMs: 50_000 })
    },
  ]
  await send(`Wait for ever at ${site.url}`)
  await expect.poll(() => isWaiting).toBe(true)
  const before = viewOf()?.debugger.calls.length
  await expect.poll(() => viewOf()?.debugger.calls.length).toBeGreaterThan(before ?? 0)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect.poll(async () => (await desktop.browser(messages.at(-1)?.id ?? '')).shared.controller).toBe('nobody')
  script = [call('browser-snapshot'), last => close(`I saw ${/textbox "New todo"/.exec(last)?.[0]}.`)]
  await expect.poll(() => page.locator('#composer').isEnabled()).toBe(true)
  await send('And what do you see?')
  await page.getByText('I saw textbox "New todo".').last().waitFor()
})

test('a person takes over the page itself while the agent waits, types and pastes in it, and hands back (S3-54)', async () => {
  await newChat()
  let isReached = false
  let release = () => {}
  const wait = new Promise<void>(resolve => {
    release = resolve
  })
  script = [
    openList(),
    async () => {
      isReached = true
      await wait
      return call('browser-snapshot', { interactiveOnly: false })
    },
    last => close(`Heard: ${/operated the page/.exec(last)?.[0]}, ${/bread and butter/.exec(last)?.[0]}.`),
  ]
  await send(`Help me at ${site.url}`)
  await expect.poll(() => isReached).toBe(true)
  await page.locator('canvas[width]').first().waitFor()
  await page.getByRole('button', { name: 'Take over' }).click()
  // the page itself takes the place of its picture
  await expect.poll(async () => viewOf()?.box ?? 'hidden').toEqual(await nativeBox())
  const before = reports.length
  release()
  const view = viewOf()
  await view?.debugger.sendCommand('Runtime.evaluate', { expression: "document.querySelector('input').focus()" })
  await view?.debugger.sendCommand('Input.insertText', { text: 'bread and butter' })
  await view?.debugger.sendCommand('Runtime.evaluate', { expression: "document.querySelector('button').click()" })
  const { shared } = await desktop.browser(messages.at(-1)?.id ?? '')
  expect(shared.controller).toBe('person')
  expect(reports).toHaveLength(before)
  await page.getByRole('button', { name: 'Hand back' }).click()
  await page.getByText('Heard: operated the page, bread and butter.').last().waitFor()
  expect(reports.length).toBeGreaterThan(before)
})

test('a window without the app learns that the browser is elsewhere, and its messages are refused with the reason', async () => {
  const other = await (await person.newContext({ viewport: { width: 1400, height: 900 }, locale: 'en' })).newPage()
  await other.goto(studio.link)
  await other.getByText('The pages of this chat are in the desktop app.').waitFor()
  await other.locator('#composer').fill('Do something')
  await other.locator('#composer').press('Enter')
  await other.getByText('the browser of this studio is the desktop app').waitFor()
  await other.context().close()
})
