import { rm } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { playDemo, type RunningStudio, startStudio } from '../../../apps/studio/server/index.ts'
import { actionClasses } from '../../../src/contract/approval.ts'
import { sharedBrowser } from '../../support/open-page.ts'
import { dropDatabase, studioDatabase } from '../../support/studio-database.ts'
import { studioFolder } from '../../support/studio-folder.ts'
import { launchPersonsBrowser, studioPageFolder } from '../../support/studio-page.ts'

// A studio that was never used, as `pagehand studio` starts it without a key: the real page, the real server, the built-in rules.

let folder: string
let store: { readonly database?: string }
let studio: RunningStudio
let person: Browser
beforeAll(async () => {
  const [{ chromium }, webFolder] = await Promise.all([sharedBrowser(), studioPageFolder()])
  ;[folder, store] = [await studioFolder(), await studioDatabase()]
  studio = await startStudio({
    dataFolder: folder,
    ...store,
    webFolder,
    version: '0.0.0',
    model: 'rules',
    session: { browser: chromium },
    demoFolder: new URL('../../../examples/shop/', import.meta.url),
  })
  person = await launchPersonsBrowser()
}, 300_000)
afterAll(async () => {
  await person?.close()
  await studio?.close()
  await dropDatabase(store)
  await rm(folder, { recursive: true, force: true })
})

const openWindow = async (link = studio.link, locale = 'en'): Promise<Page> => {
  const window = await person.newContext({ viewport: { width: 1280, height: 800 }, locale, reducedMotion: 'reduce' })
  const page = await window.newPage()
  await page.goto(link)
  await page.locator('#composer').waitFor()
  return page
}
const openSettings = async (locale = 'en'): Promise<Page> => {
  const page = await openWindow(studio.link, locale)
  await page.goto(new URL('#/settings', studio.link).href)
  await page.locator('fieldset').first().waitFor()
  return page
}
const leave = (page: Page) => page.context().close()
const rulesIn = (page: Page, section: string) =>
  page
    .getByRole('region', { name: section })
    .locator('fieldset')
    .evaluateAll(sets => sets.map(set => set.querySelector<HTMLInputElement>('input:checked')?.value))

const defaults = [...Array(3).fill('allow'), ...Array(8).fill('ask')]

test('the settings show the rule of every class of actions, in both languages', async () => {
  expect(defaults).toHaveLength(actionClasses.length)
  for (const [locale, section] of [
    ['en', 'Policy'],
    ['zh-CN', '策略'],
  ] as const) {
    const page = await openSettings(locale)
    expect(await rulesIn(page, section)).toEqual(defaults)
    await leave(page)
  }
})

test('a rule that is changed holds, does not undo a rule that another window changed at the same time, and can be set back', async () => {
  const [page, other] = [await openSettings(), await openSettings()]
  const choose = (window: Page, kind: string, rule: string) =>
    window.getByRole('group', { name: kind }).getByText(rule, { exact: true }).click()
  const changed = async () => {
    const { policy } = await studio.studio.settings()
    return actionClasses.flatMap((name, index) => (policy[name] === defaults[index] ? [] : [`${name}: ${policy[name]}`]))
  }
  await choose(page, 'run JavaScript', 'Deny')
  await expect.poll(changed).toEqual(['eval: deny'])
  // this window does not know the change of the first one
  await choose(other, 'pay', 'Deny')
  await expect.poll(changed).toEqual(['pay: deny', 'eval: deny'])
  await page.reload()
  await page.locator('fieldset').first().waitFor()
  expect(await rulesIn(page, 'Policy')).toEqual([...Array(3).fill('allow'), ...Array(5).fill('ask'), 'deny', 'ask', 'deny'])
  await choose(page, 'run JavaScript', 'Ask')
  await choose(page, 'pay', 'Ask')
  await expect.poll(changed).toEqual([])
  for (const each of [page, other]) await leave(each)
})

test('the model of a new studio is not shown as an error, and can be chosen again after another one', async () => {
  const page = await openSettings()
  const section = page.getByRole('region', { name: 'Model' })
  const field = section.getByRole('combobox', { name: 'Model name' })
  expect(await field.inputValue()).toBe('auto')
  expect(await field.getAttribute('aria-invalid')).toBe('false')
  await section.getByText('“auto” means “rules” at present').waitFor()
  const save = async (name: string) => {
    await field.fill(name)
    await section.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await studio.studio.settings()).model).toBe(name)
  }
  await save('openai/gpt-5.2')
  await save('auto')
  await section.getByText('“auto” means “rules” at present').waitFor()
  await leave(page)
})

test('the link of the demo opens its chat, and a message typed while it waits says what to do first', async () => {
  const lines: string[] = []
  let opened: (link: string) => void = () => {}
  const link = new Promise<string>(resolve => {
    opened = resolve
  })
  const played = playDemo(studio, { say: text => lines.push(text), isAttended: true, onStart: opened })
  const page = await openWindow(await link)
  const allow = page.getByRole('button', { name: 'Allow once' })
  await allow.waitFor()
  const [chat] = await studio.studio.chats()
  expect(page.url()).toBe(new URL(`#/chat/${chat?.id}`, studio.link).href)
  expect(await page.getByRole('button', { name: 'Play the demo' }).count()).toBe(0)

  const composer = page.locator('#composer')
  const note = page.getByText('Answer it, or stop the run, then send your message.')
  expect(await note.count()).toBe(0)
  await composer.fill('What did it cost?')
  await note.waitFor()
  expect(await composer.evaluate(field => document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent)).toContain(
    'The run waits for your answer',
  )
  await composer.press('Enter')
  expect(await composer.inputValue()).toBe('What did it cost?')
  expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)

  await allow.click()
  expect(await played).toBe(true)
  await note.waitFor({ state: 'detached' })
  expect(await composer.inputValue()).toBe('What did it cost?')
  await page.locator('button[aria-label=Send]:enabled').waitFor()
  await leave(page)
})
