import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendHtml, serve } from '../../support/http-server.ts'
import { call, close, refIn, type Turn } from '../../support/scripted-model.ts'
import { chatOf, StudioWindows, send } from '../../support/studio-windows.ts'

// What the questions to the person say, and what becomes of the answers.

const order = `<title>Order</title><form method=post action=/order><input name=item aria-label=Item><button>Place order</button></form>`
let windows: StudioWindows
let shop: Awaited<ReturnType<typeof serve>>
const posts: string[] = []
beforeAll(async () => {
  shop = await serve((request, response) => {
    if (request.method === 'POST') posts.push(String(request.url))
    sendHtml(request.method === 'POST' ? '<title>Thank you</title><h1>Thank you</h1>' : order)(request, response)
  })
  windows = await StudioWindows.open()
}, 300_000)
afterAll(async () => {
  await windows?.close()
  await shop[Symbol.asyncDispose]()
})

const openShop = () => call('open-url', { url: shop.url })
const fill: Turn = (_, all) => call('browser-act', { action: 'fill', ref: refIn(all, 'textbox "Item"'), text: 'tea' })
const place: Turn = (_, all) => call('browser-act', { action: 'click', ref: refIn(all, 'button "Place order"') })
const tell: Turn = (last: string) => close(`Heard: ${/Thank you|approval_stale/.exec(last)?.[0] ?? last}`)

test('a question about another site names its URL, has no empty place and no picture, and the decision says the same', async () => {
  await using other = await serve(sendHtml('<title>Other</title><h1>Elsewhere</h1>'))
  const url = `${other.url.replace('127.0.0.1', 'localhost')}path?a=1`
  windows.script = [call('open-url', { url }), close('Opened.')]
  for (const [locale, headline, nowhere, once] of [
    ['en', `Open ${url} (another site)`, 'No page is open yet', 'Allow once'],
    ['zh-CN', `打开 ${url}（其他站点）`, '尚未打开页面', '仅此一次'],
  ] as const) {
    windows.script = [call('open-url', { url }), close('Opened.')]
    const page = await windows.openWindow('', locale)
    await send(page, 'Look elsewhere')
    await page.getByText(headline, { exact: true }).waitFor()
    await page.getByText(nowhere).waitFor()
    expect(await page.locator('section img').count()).toBe(0)
    await page.getByRole('button', { name: once }).click()
    await page.getByText('Report: Opened.').waitFor()
    expect(await page.locator('p', { hasText: headline }).innerText()).toContain(headline)
    await page.context().close()
  }
})

test('a question about a key names the key and the field', async () => {
  windows.script = [openShop(), (_, all) => call('browser-act', { action: 'press', key: 'Enter', ref: refIn(all, 'textbox "Item"') }), tell]
  const page = await windows.openWindow()
  await send(page, `Order at ${shop.url}`)
  await page.getByText('Press Enter in field “Item”', { exact: true }).waitFor()
  await page.getByText(new URL(shop.url).origin, { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByRole('button', { name: 'Deny the action' }).click()
  await page.getByText('Press Enter in field “Item”').first().waitFor()
  await page.context().close()
})

test('an approval that was not used, because the page had changed, says so', async () => {
  posts.length = 0
  windows.script = [openShop(), place, tell]
  const page = await windows.openWindow()
  await send(page, `Order tea at ${shop.url}`)
  await page.getByRole('heading', { name: 'Allow this action?' }).waitFor()
  const { session } = await windows.running.studio.browserOf(chatOf(page))
  await session.evaluate({ js: "document.querySelector('button').textContent = 'Order 100 pieces'" })
  await page.getByRole('button', { name: 'Allow once' }).click()
  await page.getByText('Report: Heard: approval_stale').waitFor()
  await page.getByText('Allowed, but not done: the page had changed').waitFor()
  expect(await page.getByText('Allowed once by you').count()).toBe(0)
  expect(posts).toEqual([])
  await page.reload()
  await page.getByText('Allowed, but not done: the page had changed').waitFor()
  await page.context().close()
})

test('an approval that was used says only that, also when the run is over', async () => {
  windows.script = [openShop(), place, tell]
  const page = await windows.openWindow()
  await send(page, `Order tea at ${shop.url}`)
  await page.getByRole('button', { name: 'Allow once' }).click()
  await page.getByText('Report: Heard: Thank you').waitFor()
  await page.getByText('Allowed once by you').waitFor()
  expect(await page.getByText('not done').count()).toBe(0)
  await page.context().close()
})

test('a question that was asked before the studio was closed cannot be answered: the run is continued, and asks again', async () => {
  posts.length = 0
  windows.script = [openShop(), fill, place]
  const page = await windows.openWindow()
  await send(page, `Order tea at ${shop.url} after a restart`)
  await page.getByRole('heading', { name: 'Allow this action?' }).waitFor()
  const [asked] = (await windows.running.studio.waiting()).approvals
  const path = `#/chat/${chatOf(page)}`
  await windows.stop()
  await page.context().close()

  windows.script = [call('browser-snapshot', {}), fill, place, tell]
  await windows.start()
  const again = await windows.openWindow(path)
  await again.getByRole('heading', { name: 'This question has expired' }).waitFor()
  await again.getByText('The browser is new, and text that was typed is lost.').waitFor()
  for (const name of ['Allow once', 'For this run', 'Always here', 'Deny'])
    expect(await again.getByRole('button', { name, exact: true }).isDisabled(), name).toBe(true)
  const { studio } = windows.running
  expect((await studio.waiting()).approvals).toEqual([])
  const late = await studio.decide({ id: asked?.id ?? '', approved: true, scope: 'once' })
  expect(late).toMatchObject({ outcome: 'unknown', approval: { state: 'stale', staleBecause: 'browser' } })

  await again.getByRole('button', { name: 'Continue the run' }).click()
  await again.getByRole('heading', { name: 'Allow this action?' }).waitFor()
  expect(posts).toEqual([])
  await again.getByRole('button', { name: 'Allow once' }).click()
  await again.getByText('Report: Heard: Thank you').waitFor()
  expect(posts).toHaveLength(1)
  await again.context().close()
})

test('a link in an answer says where it leads, and more so if its words name another site', async () => {
  windows.script = [close('Read [the terms](https://shop.example/terms) or [bank.example](https://evil.example/?d=1).')]
  const page = await windows.openWindow()
  await send(page, 'Say something with links')
  await page.getByText('(shop.example)').waitFor()
  await page.getByText('leads to evil.example').waitFor()
  const link = page.getByRole('link', { name: 'bank.example' })
  expect(await link.getAttribute('target')).toBe('_blank')
  expect(await link.getAttribute('rel')).toContain('noopener')
  await page.context().close()
})
