import { rm } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningStudio, startStudio } from '../../../apps/studio/server/index.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { sharedBrowser } from '../../support/open-page.ts'
import { call, close, refIn, scriptedModel } from '../../support/scripted-model.ts'
import { dropDatabase, studioDatabase } from '../../support/studio-database.ts'
import { studioFolder } from '../../support/studio-folder.ts'
import { launchPersonsBrowser, studioPageFolder } from '../../support/studio-page.ts'

// Over HTTP/1.1, a browser opens six connections to a host, for all windows of a profile together.

let folder: string
let store: { readonly database?: string }
let studio: RunningStudio
let person: Browser
let shop: Awaited<ReturnType<typeof serve>>
const posts: string[] = []

/** In each chat: opens the shop, places an order, and repeats what came of it. Then it waits until it is stopped. */
const model = scriptedModel([
  async (last, all, { tools, prompt }) => {
    if (tools?.some(({ name }) => name === 'sub-agent')) return prompt.at(-1)?.role === 'tool' ? 'Done.' : call('sub-agent', { task: last })
    if (/Thank you/.test(last)) return call('browser-wait', { textIncludes: 'never', timeoutMs: 60_000 })
    if (/Place order/.test(last)) return call('browser-act', { action: 'click', ref: refIn(all, 'button "Place order"') })
    return prompt.some(({ role }) => role === 'tool') ? close(`Heard: ${last}`) : call('open-url', { url: shop.url })
  },
])

beforeAll(async () => {
  const [webFolder, { chromium }] = [await studioPageFolder(), await sharedBrowser()]
  ;[folder, store] = [await studioFolder(), await studioDatabase()]
  shop = await serve((request, response) => {
    if (request.method === 'POST') posts.push(String(request.url))
    const order = '<title>Order</title><form method=post><button>Place order</button></form>'
    sendHtml(request.method === 'POST' ? '<title>Thank you</title><h1>Thank you</h1>' : order)(request, response)
  })
  studio = await startStudio({ dataFolder: folder, ...store, webFolder, version: '0.0.0', model, session: { browser: chromium } })
  person = await launchPersonsBrowser()
}, 300_000)
afterAll(async () => {
  await person?.close()
  await studio?.close()
  await shop[Symbol.asyncDispose]()
  await dropDatabase(store)
  await rm(folder, { recursive: true, force: true })
})

test('in eight windows of one browser, each with a chat that waits for an approval, every answer and stop arrives, and a ninth window loads', async () => {
  const profile = await person.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en', reducedMotion: 'reduce' })
  const pages: Page[] = []
  for (let i = 0; i < 8; i++) {
    const page = await profile.newPage()
    await page.goto(studio.link)
    await page.locator('#composer').fill(`Order tea at ${shop.url}`)
    await page.locator('#composer').press('Enter')
    await page.getByRole('heading', { name: 'Allow this action?' }).waitFor()
    pages.push(page)
  }
  await pages[7]?.getByRole('button', { name: 'Waiting for you: 8' }).waitFor()
  const ninth = await profile.newPage()
  await ninth.goto(studio.link)
  await ninth.getByRole('button', { name: 'Waiting for you: 8' }).waitFor()

  for (const page of pages) await page.getByRole('button', { name: 'Allow once' }).click()
  for (const page of pages) await page.getByText('Allowed once by you').first().waitFor()
  await expect.poll(() => posts.length).toBe(8)
  for (const page of pages) await page.getByText('Wait', { exact: true }).first().waitFor()
  for (const page of pages) await page.getByRole('button', { name: 'Stop', exact: true }).click()
  for (const page of pages) await page.getByText('Stopped by you', { exact: true }).first().waitFor()
  expect(new Set((await studio.studio.chats()).map(({ state }) => state))).toEqual(new Set(['idle']))
  await profile.close()
}, 240_000)
