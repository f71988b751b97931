// Takes screenshots of every screen of the studio against its fake server: light and dark, desktop and phone, English and Chinese.
//   node scripts/studio-screens.mjs [folder] [--only=text]
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { loadFakeStudio } from './fake-studio.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const words = process.argv.slice(2)
const only = words.find(word => word.startsWith('--only='))?.slice('--only='.length)
const folder = words.find(word => !word.startsWith('--')) ?? join(root, 'dist/studio-screens')
mkdirSync(folder, { recursive: true })

const { startFakeServer, findBrowser } = await loadFakeStudio()
const { executablePath, libraryPath, fontsFile } = await findBrowser()
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu'],
  env: {
    ...process.env,
    ...(libraryPath === undefined ? {} : { LD_LIBRARY_PATH: libraryPath }),
    ...(fontsFile === undefined ? {} : { FONTCONFIG_FILE: fontsFile }),
  },
})

/** pictures of the example shop in some states, and its buttons as refs */
const shopPictures = async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.setContent(readFileSync(join(root, 'examples/shop/index.html'), 'utf8'))
  const list = []
  for (const top of [0, 300, 700]) {
    await page.evaluate(y => scrollTo({ top: y, behavior: 'instant' }), top)
    list.push(await page.screenshot({ type: 'jpeg', quality: 80 }))
  }
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  const refs = await page.evaluate(() =>
    [...document.querySelectorAll('a, button, input, select')]
      .map((element, index) => ({ element, index, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && box.top >= 0 && box.bottom < 800 && box.right < 1280)
      .map(({ element, index, box }) => ({
        ref: `e${index + 1}`,
        role: { A: 'link', BUTTON: 'button', INPUT: 'textbox', SELECT: 'combobox' }[element.tagName],
        name: (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 40),
        box: { x: box.x, y: box.y, width: box.width, height: box.height },
      })),
  )
  await page.close()
  return { mime: 'image/jpeg', list: [list[0]], refs }
}

const webFolder = join(root, 'dist/studio/web')
const pictures = await shopPictures()
const server = await startFakeServer({ webFolder, pictures })
const empty = await startFakeServer({ webFolder, pictures, empty: true })
const locked = await startFakeServer({ webFolder, locked: true })

const picture = page => page.locator('canvas[width="1280"]').waitFor()
/** the browser panel is a tab on a narrow screen */
const showBrowser = async page => {
  const tab = page.getByRole('tab').nth(1)
  if (await tab.isVisible()) await tab.click()
  await picture(page)
}
const screens = [
  { name: 'empty', at: empty, path: '#/' },
  { name: 'chat-done', at: server, path: '#/chat/c-done' },
  {
    name: 'chat-steps',
    at: server,
    path: '#/chat/c-done',
    act: page => page.locator('main section header button[aria-expanded=false]').click(),
  },
  { name: 'chat-limit', at: server, path: '#/chat/c-limit' },
  { name: 'approval', at: server, path: '#/chat/c-wait', act: async page => (page.viewportSize().width > 800 ? picture(page) : undefined) },
  { name: 'files', at: server, path: '#/chat/c-files' },
  {
    name: 'attached',
    at: server,
    path: '#/chat/c-done',
    act: page => page.locator('input[type=file]').setInputFiles({ name: 'visitors.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b') }),
  },
  { name: 'handoff', at: server, path: '#/chat/c-hand' },
  { name: 'interrupted', at: server, path: '#/chat/c-int' },
  {
    name: 'take-over',
    at: server,
    path: '#/chat/c-wait',
    act: async page => {
      await showBrowser(page)
      await page.locator('footer button').click()
      await page.locator('textarea[data-page-input]').waitFor()
    },
  },
  {
    name: 'pick',
    at: server,
    path: '#/chat/c-wait',
    act: async page => {
      await showBrowser(page)
      await page.locator('[role=toolbar] button').last().click()
      const layer = page.locator('button[data-page-input]')
      await layer.press('ArrowRight')
      await page.waitForTimeout(300)
      for (let index = 0; index < 4; index++) await layer.press('ArrowRight')
    },
  },
  {
    name: 'picked',
    at: server,
    path: '#/chat/c-wait',
    act: async page => {
      await showBrowser(page)
      await page.locator('[role=toolbar] button').last().click()
      const layer = page.locator('button[data-page-input]')
      await layer.press('ArrowRight')
      await page.waitForTimeout(300)
      for (let index = 0; index < 4; index++) await layer.press('ArrowRight')
      await layer.press('Enter')
      await page.locator('img[src^="data:image/"]').waitFor()
    },
  },
  { name: 'waiting', at: server, path: '#/chat/c-done', act: page => page.locator('header button[aria-haspopup=dialog]').last().click() },
  { name: 'chats', at: server, path: '#/chat/c-done', act: page => page.locator('header button[aria-haspopup=dialog]').first().click() },
  {
    name: 'palette',
    at: server,
    path: '#/chat/c-done',
    act: async page => {
      await page.keyboard.press('Control+k')
      await page.locator('[cmdk-list]').waitFor()
    },
  },
  { name: 'runs', at: server, path: '#/runs', act: page => page.locator('li a').first().waitFor() },
  { name: 'runs-empty', at: empty, path: '#/runs' },
  { name: 'replay', at: server, path: '#/runs/r-done', act: page => page.locator('ol li button').nth(3).click() },
  { name: 'settings', at: server, path: '#/settings', act: page => page.locator('fieldset').first().waitFor() },
  {
    name: 'settings-end',
    at: server,
    path: '#/settings',
    act: async page => {
      await page.locator('fieldset').first().waitFor()
      await page.locator('dl').last().scrollIntoViewIfNeeded()
    },
  },
  { name: 'need-link', at: locked, path: '#/', act: page => page.locator('h1').waitFor() },
]

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } }
for (const [size, viewport] of Object.entries(sizes)) {
  for (const theme of ['light', 'dark']) {
    for (const language of ['en', 'zh-CN']) {
      const context = await browser.newContext({ viewport, locale: language, colorScheme: theme, reducedMotion: 'reduce' })
      for (const { name, at, path, act } of screens) {
        const file = `${name}.${size}.${theme}.${language}`
        if (only !== undefined && !new RegExp(only).test(file)) continue
        const page = await context.newPage()
        page.on('console', message => (message.type() === 'error' ? console.log(`${file}: ${message.text()}`) : undefined))
        page.on('pageerror', error => console.log(`${file}: ${error.stack}`))
        await page.goto(at.url + path)
        await page.waitForLoadState('networkidle').catch(() => {})
        if (name !== 'need-link') await page.locator('main[aria-busy]').waitFor({ state: 'detached' })
        try {
          await act?.(page)
        } catch (error) {
          console.log(`${file}: ${error.message}`)
        }
        await page.waitForTimeout(250)
        await page.screenshot({ path: join(folder, `${file}.png`) })
        await page.close()
      }
      await context.close()
    }
  }
}
await browser.close()
for (const each of [server, empty, locked]) await each.close()
