import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeServerOptions, startFakeServer } from '../../../apps/studio/web/dev/fake-server.ts'
import { launchPersonsBrowser, studioPageFolder } from '../../support/studio-page.ts'

let webFolder: string
let browser: Browser
beforeAll(async () => {
  webFolder = await studioPageFolder()
  browser = await launchPersonsBrowser()
}, 300_000)
afterAll(() => browser?.close())

type FakeServer = Awaited<ReturnType<typeof startFakeServer>>
interface Opened {
  readonly server: FakeServer
  readonly page: Page
  /** errors in the console, such as violations of the content security policy, and requests to other hosts */
  readonly problems: string[]
}

const open = async (path: string, options: FakeServerOptions = {}, context: BrowserContextOptions = {}): Promise<Opened> => {
  const server = await startFakeServer({ webFolder, stepMs: 5, ...options })
  const window = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en', reducedMotion: 'reduce', ...context })
  const page = await window.newPage()
  const problems: string[] = []
  page.on(
    'console',
    message => message.type() === 'error' && !message.text().includes('Failed to load resource') && problems.push(message.text()),
  )
  page.on('pageerror', error => problems.push(String(error)))
  page.on(
    'request',
    request => !request.url().startsWith(server.url) && !/^(data|blob):/.test(request.url()) && problems.push(request.url()),
  )
  await page.goto(server.url + path)
  return { server, page, problems }
}
const close = async ({ page, server }: Opened) => {
  await page.context().close()
  await server.close()
}
const send = async (page: Page, text: string) => {
  await page.locator('#composer').fill(text)
  await page.locator('#composer').press('Enter')
}
const picture = (page: Page) => page.locator('canvas[width="1280"]')

test('a goal is sent, its steps are shown, an approval is asked and allowed, and the answer comes', async () => {
  const opened = await open('#/', { empty: true })
  const { page, server, problems } = opened
  await send(page, 'Buy a mug')
  await page.getByRole('heading', { name: 'Allow this action?' }).waitFor()
  await picture(page).waitFor()
  expect(page.url()).toContain('#/chat/c-1')
  expect(await page.getByText('Fill in the form').count()).toBe(1)
  await page.getByRole('button', { name: 'Allow once' }).click()
  await page.getByText('is confirmed').waitFor()
  expect(server.studio.chats[0]?.state).toBe('idle')
  expect(problems).toEqual([])
  await close(opened)
})

test('a question shows what will be sent, as a table of field and value', async () => {
  const opened = await open('#/chat/c-wait')
  const { page } = opened
  const table = page.getByRole('table', { name: 'What will be sent' })
  await table.waitFor()
  expect(await table.getByRole('row').allInnerTexts()).toContain('Street\t12 Analytical Street')
  await page.getByText('2 hidden fields').waitFor()
  await page.getByText('https://shop.example/orders', { exact: true }).waitFor()
  await close(opened)
})

test('an action is denied with a reason, and the agent learns about it', async () => {
  const opened = await open('#/', { empty: true })
  const { page, server } = opened
  await send(page, 'Buy a mug')
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByLabel('Reason for the agent').fill('too expensive')
  await page.getByRole('button', { name: 'Deny the action' }).click()
  await page.getByText('nothing was bought').waitFor()
  const [approval] = server.studio.parts('data-approval')
  expect(approval).toMatchObject({ data: { state: 'denied', decision: { reason: 'too expensive' } } })
  await close(opened)
})

test('stop ends the run on the server, also from another window', async () => {
  const opened = await open('#/', { empty: true, stepMs: 60_000 })
  const { page, server } = opened
  await send(page, 'Buy a mug')
  await page.getByText('shop.example').first().waitFor()
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByRole('button', { name: 'Stop', exact: true }).click()
  for (const each of [page, other]) await each.getByText('Stopped by you', { exact: true }).first().waitFor()
  expect(server.studio.chats[0]?.state).toBe('idle')
  await close(opened)
})

test('a stream that is cut is resumed without repeating a step', async () => {
  const opened = await open('#/', { empty: true })
  const { page, server } = opened
  await send(page, 'Buy a mug')
  await page.getByRole('heading', { name: 'Allow this action?' }).waitFor()
  server.dropConnections()
  await expect.poll(() => page.getByText('Live', { exact: true }).count()).toBe(1)
  await page.getByRole('button', { name: 'Allow once' }).click()
  await page.getByText('is confirmed').waitFor()
  expect(await page.getByText('is confirmed').count()).toBe(1)
  expect(server.studio.sent).toHaveLength(1)
  await close(opened)
})

test('answers and questions are shown also if the server cannot send the rest of the page', async () => {
  const opened = await open('#/', { empty: true })
  const { page } = opened
  await page.locator('#composer').waitFor()
  await page.route('**/assets/*.js', route => route.abort())
  await send(page, 'Buy a mug')
  await page.getByRole('button', { name: 'Allow once' }).click()
  await page.getByText('is confirmed').waitFor()
  await close(opened)
})

test('a screen that could not be loaded is loaded when the person tries again', async () => {
  const opened = await open('#/', { empty: true })
  const { page } = opened
  await page.locator('#composer').waitFor()
  await page.route('**/assets/*.js', route => route.abort())
  await page.evaluate(() => {
    location.hash = '#/settings'
  })
  await page.getByText('This part of the page failed').waitFor()
  await page.unroute('**/assets/*.js')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await close(opened)
})

test('a reload in the middle of an approval shows the same question', async () => {
  const opened = await open('#/', { empty: true })
  const { page } = opened
  await send(page, 'Buy a mug')
  await page.getByRole('heading', { name: 'Allow this action?' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Allow once' }).click()
  await page.getByText('is confirmed').waitFor()
  await close(opened)
})

test('the badge says that the connection is gone while it is', async () => {
  const opened = await open('#/chat/c-wait')
  const { page, server } = opened
  await page.getByText('Live', { exact: true }).waitFor()
  await server.close()
  await page.getByText('Reconnecting').waitFor()
  await page.getByText('The studio server does not answer').waitFor()
  await page.context().close()
})

test('a person takes over: clicks, keys, text of input methods and pastes arrive at the right place', async () => {
  const opened = await open('#/chat/c-wait')
  const { page, server, problems } = opened
  await picture(page).waitFor()
  await page.getByRole('button', { name: 'Take over' }).click()
  const input = page.locator('textarea[data-page-input]')
  const box = await input.boundingBox()
  if (box === null) throw new Error('the picture has no box')
  // a quarter of the picture, whatever its scale and letterboxing
  await page.mouse.click(box.x + box.width / 4, box.y + box.height / 4)
  await page.keyboard.press('Shift+A')
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('Input.imeSetComposition', { text: 'nihao', selectionStart: 5, selectionEnd: 5 })
  await protocol.send('Input.insertText', { text: '你好' })
  await input.evaluate(element => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'pasted')
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await page.mouse.wheel(0, 120)
  const received = () => server.studio.received
  await expect.poll(() => received().some(message => message.type === 'mouse' && message.kind === 'wheel')).toBe(true)
  const down = received().find(message => message.type === 'mouse' && message.kind === 'down')
  if (down?.type !== 'mouse') throw new Error('no press arrived')
  expect(Math.abs(down.x - 320)).toBeLessThanOrEqual(1)
  expect(Math.abs(down.y - 200)).toBeLessThanOrEqual(1)
  expect(received()).toContainEqual({ type: 'key', kind: 'down', key: 'A', code: 'KeyA', modifiers: 8 })
  expect(
    received()
      .filter(message => message.type === 'text')
      .map(message => message.text),
  ).toEqual(['你好', 'pasted'])
  await page.keyboard.press('Shift+Escape')
  await page.keyboard.press('Enter')
  await expect.poll(() => received().some(message => message.type === 'give')).toBe(true)
  expect(problems).toEqual([])
  await close(opened)
})

test('a picked element goes into the message as a marker with its ref and a picture', async () => {
  const opened = await open('#/chat/c-done')
  const { page, server } = opened
  await picture(page).waitFor()
  await page.getByRole('button', { name: 'Pick an element' }).click()
  const layer = page.locator('button[data-page-input]')
  const box = await layer.boundingBox()
  if (box === null) throw new Error('the picture has no box')
  // the middle of the first "Add to cart" of the generated picture
  await layer.click({ position: { x: (130 / 1280) * box.width, y: (440 / 800) * box.height } })
  // the message gets the focus after a pick
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('composer')
  await page.getByLabel('Note for marker 1').fill('this one')
  await page.locator('#composer').press('End')
  await page.locator('#composer').pressSequentially('please')
  await page.locator('#composer').press('Enter')
  await expect.poll(() => server.studio.sent.length).toBe(1)
  const [text, crop] = server.studio.sent[0]?.parts ?? []
  expect(text).toMatchObject({ type: 'text', text: expect.stringContaining('[1] please\n\n[1] button "Add to cart" (ref e22)') })
  expect(text).toMatchObject({ text: expect.stringContaining(': this one') })
  expect(crop).toMatchObject({ type: 'file', mediaType: 'image/png' })
  await close(opened)
})

for (const [name, path, words] of [
  ['an approval', '#/chat/c-wait', 'The run waits for your answer to its question.'],
  ['a hand-off', '#/chat/c-hand', 'The run waits for you. Let it continue'],
  ['a run that was interrupted', '#/chat/c-int', 'The run waits for you. Let it continue'],
] as const) {
  test(`a message typed during ${name} is kept and not sent, and the page says why`, async () => {
    const opened = await open(path)
    const { page, server, problems } = opened
    const composer = page.locator('#composer')
    await composer.fill('Take the red one')
    await page.getByRole('status').getByText(words).waitFor()
    await composer.press('Enter')
    expect(await composer.inputValue()).toBe('Take the red one')
    await composer.fill('')
    await page.getByText(words).waitFor({ state: 'detached' })
    expect(server.studio.sent).toEqual([])
    expect(problems).toEqual([])
    await close(opened)
  })
}

test('the token is exchanged once and removed from the address; without it the page says how to get a link; a link may name a screen', async () => {
  const opened = await open('#/', { locked: true })
  await opened.page.getByRole('heading', { name: 'This window needs a link' }).waitFor()
  await opened.page.goto('about:blank')
  await opened.page.goto(`${opened.server.url}#token=fake`)
  await opened.page.locator('#composer').waitFor()
  expect(opened.page.url()).toBe(`${opened.server.url}#/`)
  await opened.page.goto('about:blank')
  await opened.page.goto(`${opened.server.url}#token=fake/settings`)
  await opened.page.getByRole('heading', { name: 'Settings' }).waitFor()
  expect(opened.page.url()).toBe(`${opened.server.url}#/settings`)
  await close(opened)
})

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const screens: { readonly [name: string]: { path: string; ready: (page: Page) => Promise<unknown>; options?: FakeServerOptions } } = {
  empty: { path: '#/', options: { empty: true }, ready: page => page.getByRole('button', { name: 'Play the demo' }).waitFor() },
  chat: { path: '#/chat/c-done', ready: page => page.locator('table').waitFor() },
  approval: { path: '#/chat/c-wait', ready: page => page.getByRole('button', { name: 'Allow once' }).waitFor() },
  handoff: { path: '#/chat/c-hand', ready: page => page.getByRole('button', { name: 'Done, continue' }).waitFor() },
  interrupted: { path: '#/chat/c-int', ready: page => page.getByRole('button', { name: 'Continue the run' }).waitFor() },
  limit: { path: '#/chat/c-limit', ready: page => page.getByText('reached its limit of steps').waitFor() },
  runs: { path: '#/runs', ready: page => page.locator('li a').first().waitFor() },
  replay: { path: '#/runs/r-done', ready: page => page.getByRole('slider').waitFor() },
  settings: { path: '#/settings', ready: page => page.locator('fieldset').first().waitFor() },
  locked: {
    path: '#/',
    options: { locked: true },
    ready: page => page.getByRole('heading', { name: 'This window needs a link' }).waitFor(),
  },
  palette: {
    path: '#/chat/c-done',
    ready: async page => {
      await page.locator('table').waitFor()
      await page.keyboard.press('Control+k')
      await page.locator('[cmdk-item]').first().waitFor()
    },
  },
  waiting: {
    path: '#/chat/c-done',
    ready: async page => {
      await page.getByRole('button', { name: /^Waiting for you: \d/ }).click()
      await page.getByRole('heading', { name: 'Waiting for you' }).waitFor()
    },
  },
}

for (const [name, { path, options, ready }] of Object.entries(screens)) {
  test(`axe finds no serious issue on the screen ${name}, light and dark, wide and narrow, and nothing lies outside of the window`, async () => {
    const opened = await open(path, options)
    await ready(opened.page)
    // through the protocol, since the policy of the page allows no script that is added to it
    await opened.page.evaluate(axe)
    for (const width of [1280, 390]) {
      await opened.page.setViewportSize({ width, height: 844 })
      for (const colorScheme of ['light', 'dark'] as const) {
        await opened.page.emulateMedia({ colorScheme })
        await opened.page.locator(`html[data-theme=${colorScheme}]`).waitFor()
        expect(await seriousIssues(opened.page), `${name} ${colorScheme} ${width}`).toEqual([])
      }
      expect(await overflow(opened.page), `${name} ${width}`).toEqual({ x: 0, y: 0, pictures: [] })
    }
    await close(opened)
  })
}

/** How far the page itself could be scrolled, and the pictures that are larger than their place. */
const overflow = (page: Page) =>
  page.evaluate(() => ({
    x: document.body.scrollWidth - innerWidth,
    y: document.body.scrollHeight - innerHeight,
    pictures: [...document.querySelectorAll('img')]
      .filter(image => {
        const [box, place] = [image.getBoundingClientRect(), image.parentElement?.getBoundingClientRect()]
        return place !== undefined && (box.right > place.right + 1 || box.bottom > place.bottom + 1)
      })
      .map(image => image.src),
  }))

const seriousIssues = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }).axe.run()
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html.slice(0, 160)).join(' | ')}`)
  })

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}
