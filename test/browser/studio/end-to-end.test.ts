import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type RunningStudio, startStudio } from '../../../apps/studio/server/index.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { sharedBrowser } from '../../support/open-page.ts'
import { call, close, refIn, type Turn } from '../../support/scripted-model.ts'
import { dropDatabase, studioDatabase } from '../../support/studio-database.ts'
import { studioFolder } from '../../support/studio-folder.ts'
import { studioModel } from '../../support/studio-model.ts'
import { launchPersonsBrowser, studioPageFolder } from '../../support/studio-page.ts'

// The real page in a real browser, the real server, and a real browser of the agent; only the model is scripted.

const list = `<title>Todos</title><style>body{margin:0;background:#fff}input,button{position:absolute;top:40px;height:40px}input{left:40px;width:300px}button{left:360px;width:120px}ul{margin-top:120px}</style>
<input id=field aria-label="New todo"><button type=button onclick="const item=document.createElement('li');item.textContent=field.value;todos.append(item);document.title=todos.children.length+' todos'">Add</button><ul id=todos></ul><p style="height:3000px">tall</p>`
const order = `<title>Order</title><form method=post action=/order><input name=item aria-label=Item value=tea><button>Place order</button></form>`

let folder: string
let store: { readonly database?: string }
let webFolder: string
let studio: RunningStudio
let person: Browser
let site: Awaited<ReturnType<typeof serve>>
let shop: Awaited<ReturnType<typeof serve>>
const posts: string[] = []
/** what the browser agent does next */
let script: Turn[] = []
/** a turn that waits until the test lets it go on */
const held = (turn: Turn) => {
  let release = () => {}
  let isReached = false
  const wait = new Promise<void>(resolve => {
    release = resolve
  })
  const heldTurn: Turn = async (...given) => {
    isReached = true
    await wait
    return typeof turn === 'function' ? turn(...given) : turn
  }
  return { turn: heldTurn, release, isReached: () => isReached }
}

const start = async () => {
  const { chromium } = await sharedBrowser()
  studio = await startStudio({
    dataFolder: folder,
    ...store,
    webFolder,
    version: '0.0.0',
    model: studioModel(() => script.shift()),
    session: { browser: chromium, allowEval: true },
  })
}
beforeAll(async () => {
  ;[folder, webFolder, store] = [await studioFolder(), await studioPageFolder(), await studioDatabase()]
  site = await serve(sendHtml(list))
  shop = await serve((request, response) => {
    if (request.method === 'POST') posts.push(String(request.url))
    sendHtml(request.method === 'POST' ? '<title>Thank you</title><h1>Thank you</h1>' : order)(request, response)
  })
  person = await launchPersonsBrowser()
  await start()
}, 300_000)
afterAll(async () => {
  await person?.close()
  await studio?.close()
  await site[Symbol.asyncDispose]()
  await shop[Symbol.asyncDispose]()
  await dropDatabase(store)
  await rm(folder, { recursive: true, force: true })
})

const openWindow = async (path = '', locale = 'en'): Promise<Page> => {
  const window = await person.newContext({ viewport: { width: 1280, height: 800 }, locale, reducedMotion: 'reduce' })
  const page = await window.newPage()
  await page.goto(studio.link)
  await page.locator('#composer').waitFor()
  if (path) await page.goto(new URL(path, studio.link).href)
  return page
}
const send = async (page: Page, text: string) => {
  await page.locator('#composer').fill(text)
  await page.locator('#composer').press('Enter')
}
const chatOf = (page: Page): string => /#\/chat\/([\w-]+)/.exec(page.url())?.[1] ?? ''
const sessionOf = async (page: Page) => {
  const browser = await studio.studio.browserOf(chatOf(page))
  if (!browser) throw new Error('the chat has no browser')
  return browser.session
}
const leave = (page: Page) => page.context().close()

const openList = () => call('open-url', { url: site.url })
const fill: Turn = (_, all) => call('browser-act', { action: 'fill', ref: refIn(all, 'textbox "New todo"'), text: 'milk' })
const add: Turn = (_, all) => call('browser-act', { action: 'click', ref: refIn(all, 'button "Add"') })
const place: Turn = (_, all) => call('browser-act', { action: 'click', ref: refIn(all, 'button "Place order"') })
const openShop = () => call('open-url', { url: shop.url })
/** repeats the word that matters in the last answer */
const tell: Turn = (last: string) => close(`Heard: ${/Thank you|too expensive|approval_stale|operated the page/.exec(last)?.[0] ?? last}`)

test('a message opens the page in the panel; the agent looks, types, clicks, scrolls and waits, and the answer comes (S3-44 S3-45 S3-46 S3-47)', async () => {
  script = [
    openList(),
    call('browser-observe', { task: 'add a todo' }),
    fill,
    add,
    call('browser-act', { action: 'scroll', direction: 'down' }),
    call('browser-wait', { textIncludes: 'milk' }),
    call('browser-wait', { load: 'load' }),
    call('browser-wait', { timeout: 50 }),
    close('Milk is on the list.'),
  ]
  const page = await openWindow()
  await send(page, `Add milk to the list at ${site.url}`)
  await page.getByText('Report: Milk is on the list.').waitFor()
  expect(await page.getByRole('textbox', { name: 'Address' }).inputValue()).toBe(site.url)
  await page.locator('canvas[width="1280"]').waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByText('Only this window sees this · stays on this machine').waitFor()
  const session = await sessionOf(page)
  expect((await session.snapshot()).text).toContain('1 todos')
  const runs = await studio.studio.runs({ search: 'Add milk to the list' })
  const detail = await studio.studio.run(runs[0]?.id ?? '')
  expect(detail?.events.map(({ verb, state }) => `${verb} ${state}`)).toEqual([
    'open done',
    'observe done',
    'fill done',
    'click done',
    'scroll done',
    'wait done',
    'wait done',
    'wait done',
    'finish done',
  ])

  // the run can be scrubbed, and saved as one file that needs no network (S3-54)
  await page.goto(new URL(`#/runs/${runs[0]?.id}`, studio.link).href)
  const slider = page.getByRole('slider')
  await slider.waitFor()
  await slider.press('Home')
  for (let i = 0; i < 3; i++) await slider.press('ArrowRight')
  await page.getByText('Step 4 of 9').waitFor()
  await page.locator('main img').first().waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Save as one HTML file' }).click()])
  const offline = await person.newContext({ offline: true })
  const saved = await offline.newPage()
  const problems: string[] = []
  saved.on('request', request => !/^(file|data):/.test(request.url()) && problems.push(request.url()))
  saved.on('pageerror', error => problems.push(String(error)))
  const file = join(folder, 'saved.html')
  await download.saveAs(file)
  await saved.goto(pathToFileURL(file).href)
  await saved.getByRole('slider').press('ArrowRight')
  await saved.getByText('Step 2 of 9').waitFor()
  expect(await saved.locator('img').evaluate(image => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
  await saved.getByRole('button', { name: 'Click button “Add”' }).click()
  expect(await saved.locator('pre').innerText()).toContain('new text: "milk"')
  expect(problems).toEqual([])
  await offline.close()
  await leave(page)
})

afterEach(async context => {
  if (context.task.result?.state !== 'fail') return
  for (const window of person.contexts()) for (const page of window.pages()) console.error(await page.locator('body').innerText())
  for (const window of person.contexts()) await window.close()
})

test('the picture of a step shows the page after it, however fast the steps follow each other (S3-54)', async () => {
  const button = (colour: string) => `<button onclick="document.body.style.background='${colour}'">${colour}</button>`
  await using colours = await serve(sendHtml(`<title>Colours</title><body style="background:blue">${button('green')}${button('red')}`))
  const click =
    (colour: string): Turn =>
    (_, all) =>
      call('browser-act', { action: 'click', ref: refIn(all, `button "${colour}"`) })
  script = [call('open-url', { url: colours.url }), click('green'), click('red'), call('browser-snapshot'), close('Red now.')]
  const page = await openWindow()
  await send(page, `Make it red at ${colours.url}`)
  await page.getByText('Report: Red now.').waitFor()
  const [run] = await studio.studio.runs({ search: 'Make it red' })
  const { events } = (await studio.studio.run(run?.id ?? '')) ?? { events: [] }
  const shown = await page.evaluate(
    files =>
      Promise.all(
        files.map(async file => {
          const picture = await createImageBitmap(await (await fetch(file)).blob())
          const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
          context?.drawImage(picture, 0, 0)
          const [r = 0, g = 0, b = 0] = context?.getImageData(picture.width / 2, picture.height / 2, 1, 1).data ?? []
          return r > 200 ? 'red' : g > 90 ? 'green' : b > 200 ? 'blue' : [r, g, b].join()
        }),
      ),
    events.map(({ frame }) => `/api/runs/${run?.id}/files/${frame}`),
  )
  expect(events.map(({ verb }, index) => `${verb} ${shown[index]}`)).toEqual([
    'open blue',
    'click green',
    'click red',
    'snapshot red',
    'finish red',
  ])
  await leave(page)
})

test('an approval is allowed in one window, denied in another, and the run goes on both times (S3-48)', async () => {
  for (const answer of ['allow', 'deny'] as const) {
    posts.length = 0
    script = [openShop(), place, tell]
    const page = await openWindow()
    await send(page, `Order tea at ${shop.url}`)
    await page.getByRole('heading', { name: 'Allow this action?' }).waitFor()
    expect(posts).toEqual([])
    const other = await openWindow()
    await other.getByRole('button', { name: /Waiting for you: 1/ }).click()
    await other.getByRole('button', { name: /Place order/ }).click()
    if (answer === 'allow') await other.getByRole('button', { name: 'Allow once' }).click()
    else {
      await other.getByRole('button', { name: 'Deny' }).click()
      await other.getByLabel('Reason for the agent').fill('too expensive')
      await other.getByRole('button', { name: 'Deny the action' }).click()
    }
    for (const each of [page, other])
      await each.getByText(answer === 'allow' ? 'Report: Heard: Thank you' : 'Report: Heard: too expensive').waitFor()
    expect(posts).toHaveLength(answer === 'allow' ? 1 : 0)
    await leave(page)
    await leave(other)
  }
})

test('an approval for a button that has changed in between is not used', async () => {
  posts.length = 0
  script = [openShop(), place, tell]
  const page = await openWindow()
  await send(page, `Order tea at ${shop.url}`)
  await page.getByRole('heading', { name: 'Allow this action?' }).waitFor()
  const session = await sessionOf(page)
  await session.evaluate({ js: "document.querySelector('button').textContent = 'Order 100 pieces'" })
  await page.getByRole('button', { name: 'Allow once' }).click()
  await page.getByText('Report: Heard: approval_stale').waitFor()
  expect(posts).toEqual([])
  await leave(page)
})

test('a window in Chinese shows steps, reasons, rules, failures and the saved run in Chinese', async () => {
  script = [
    openShop(),
    call('browser-observe', { task: 'order tea' }),
    (_, all) => call('browser-act', { action: 'fill', ref: refIn(all, 'textbox "Item"'), text: 'tea' }),
    call('browser-act', { action: 'click', ref: 'e999' }),
    place,
    call('browser-wait', { textIncludes: 'never', timeoutMs: 60_000 }),
  ]
  const page = await openWindow('', 'zh-CN')
  await send(page, `订购茶叶：${shop.url}`)
  await page.getByText('它提交表单。 从文字看，它会付款或下单。').waitFor()
  await page.getByText(`此站点始终（每次运行）：在 ${new URL(shop.url).origin} 上提交表单、付款`).waitFor()
  for (const words of ['点击 按钮 “Place order”', '现在为“tea”', '元素已不存在。']) await page.getByText(words).first().waitFor()
  await page
    .getByText(/^读取了 [\d,]+ 个字符$/)
    .first()
    .waitFor()
  const denied = posts.length
  await page.getByRole('button', { name: '拒绝', exact: true }).click()
  await page.getByRole('button', { name: '拒绝此操作' }).click()
  await page.getByText('你拒绝了此操作，操作没有执行。').waitFor()
  await page.getByRole('button', { name: '停止', exact: true }).click()
  await page.getByText('运行已被停止。').waitFor()
  expect(posts).toHaveLength(denied)
  // of the words in Latin letters, all are those of the page, the user or the product
  const ours = /\b(the|it|is|was|page|form|field|allow|denied|value|effect|ok|run|step)\b/i
  const shown = (await page.locator('main').innerText()).split('\n').filter(line => ours.test(line))
  expect(shown).toEqual([])

  const [run] = await studio.studio.runs({ search: '订购茶叶' })
  const saved = await studio.studio.replayFile(run?.id ?? '', 'zh-CN')
  expect(saved).toContain('<html lang="zh-CN">')
  expect(saved).toContain('点击 按钮 “Place order”')
  await leave(page)
})

test('stop in one window ends the run in both and on the server (S3-49)', async () => {
  script = [openList(), call('browser-wait', { textIncludes: 'never', timeoutMs: 60_000 })]
  const page = await openWindow()
  await send(page, `Wait at ${site.url}`)
  await page.getByText('Wait', { exact: true }).first().waitFor()
  await expect.poll(() => chatOf(page)).not.toBe('')
  const other = await openWindow(`#/chat/${chatOf(page)}`)
  await other.getByRole('button', { name: 'Stop', exact: true }).click()
  for (const each of [page, other]) await each.getByText('Stopped by you', { exact: true }).first().waitFor()
  await expect.poll(async () => (await studio.studio.chat(chatOf(page)))?.state).toBe('idle')
  expect((await studio.studio.runs({ search: `Wait at ${site.url}` }))[0]).toMatchObject({ state: 'ended', stopReason: 'aborted' })
  await leave(page)
  await leave(other)
})

test('a stream that is cut, and a page that is reloaded, show the run again without repeating a click (X3-8)', async () => {
  const last = held(close('Done once.'))
  script = [openList(), fill, add, last.turn]
  const page = await openWindow()
  await send(page, `Add milk once at ${site.url}`)
  await page.getByText('button “Add”').first().waitFor()
  await expect.poll(async () => (await (await sessionOf(page)).snapshot()).text).toContain('1 todos')
  studio.disconnect()
  await page.getByText('Live', { exact: true }).waitFor()
  await page.reload()
  await page.getByText('button “Add”').first().waitFor()
  studio.disconnect()
  last.release()
  await page.getByText('Report: Done once.').waitFor()
  expect(await page.getByText('Report: Done once.').count()).toBe(1)
  expect((await (await sessionOf(page)).snapshot()).text).toContain('1 todos')
  await leave(page)
})

test('after a restart in the middle of a run the person continues it, and nothing is done twice', async () => {
  const never = held(close('never'))
  script = [openList(), fill, add, never.turn]
  const page = await openWindow()
  await send(page, `Add milk at ${site.url} and be interrupted`)
  await expect.poll(async () => (chatOf(page) ? (await (await sessionOf(page)).snapshot()).text : '')).toContain('1 todos')
  const path = `#/chat/${chatOf(page)}`
  await studio.close()
  await leave(page)
  let told = ''
  script = [
    (last: string) => {
      told = last
      return call('browser-snapshot', {})
    },
    close('Went on.'),
  ]
  await start()
  const again = await openWindow(path)
  await again.getByRole('button', { name: 'Continue the run' }).click()
  await again.getByText('Report: Went on.').waitFor()
  expect(told).toContain('interrupted')
  const [run] = await studio.studio.runs({ search: 'be interrupted' })
  expect(run).toMatchObject({ state: 'ended', stopReason: 'closed' })
  await leave(again)
})

test('a run that was interrupted can be stopped instead', async () => {
  const never = held(close('never'))
  script = [openList(), never.turn]
  const page = await openWindow()
  await send(page, `Wait at ${site.url} and be stopped`)
  await page.getByText(/^Open/).first().waitFor()
  const path = `#/chat/${chatOf(page)}`
  await studio.close()
  await leave(page)
  await start()
  const again = await openWindow(path)
  await again.getByRole('button', { name: 'Continue the run' }).waitFor()
  await again.getByRole('button', { name: 'Stop', exact: true }).click()
  await again.getByText('Stopped by you', { exact: true }).first().waitFor()
  expect((await studio.studio.runs({ search: 'and be stopped' }))[0]).toMatchObject({ state: 'ended', stopReason: 'aborted' })
  await leave(again)
})

test('a person takes over, types, composes and pastes in the picture, picks an element, and hands back to the agent (S3-54)', async () => {
  const next = held(call('browser-snapshot', {}))
  script = [openList(), next.turn, tell]
  const page = await openWindow()
  await send(page, `Help me at ${site.url}`)
  await page.locator('canvas[width="1280"]').waitFor()
  await expect.poll(next.isReached).toBe(true)
  await page.getByRole('button', { name: 'Take over' }).click()
  const input = page.locator('textarea[data-page-input]')
  const box = await input.boundingBox()
  if (!box) throw new Error('the picture has no box')
  const at = (x: number, y: number) => [box.x + (x / 1280) * box.width, box.y + (y / 800) * box.height] as const
  await page.mouse.click(...at(150, 60))
  await page.keyboard.type('bread ')
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('Input.imeSetComposition', { text: 'mianbao', selectionStart: 7, selectionEnd: 7 })
  await protocol.send('Input.insertText', { text: '面包' })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(() => navigator.clipboard.writeText(' and butter'))
  await page.keyboard.press('ControlOrMeta+V')
  await page.mouse.click(...at(420, 60))
  const session = await sessionOf(page)
  await expect.poll(async () => (await session.evaluate({ js: 'todos.innerText' })).value).toContain('bread 面包 and butter')
  await page.mouse.move(...at(600, 400))
  await page.mouse.wheel(0, 400)
  await expect.poll(async () => Number((await session.evaluate({ js: 'scrollY' })).value)).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Hand back' }).click()
  next.release()
  await page.getByText('Report: Heard: operated the page').waitFor()

  await session.evaluate({ js: 'scrollTo(0, 0)' })
  await page.getByRole('button', { name: 'Pick an element' }).click()
  const layer = page.locator('button[data-page-input]')
  const picture = await layer.boundingBox()
  await layer.click({ position: { x: (420 / 1280) * (picture?.width ?? 0), y: (60 / 800) * (picture?.height ?? 0) } })
  await page.getByLabel('Note for marker 1').fill('this one')
  script = [tell]
  await page.locator('#composer').press('End')
  await page.locator('#composer').pressSequentially('please')
  await page.locator('#composer').press('Enter')
  await expect
    .poll(async () =>
      JSON.stringify((await studio.studio.chat(chatOf(page)))?.messages.filter(({ role }) => role === 'user').at(-1)?.parts),
    )
    .toMatch(/\[1\] please\\n\\n\[1\] button \\"Add\\" \(ref e\d+\) at .*: this one.*image\/png.*;base64,iVBORw0KGgo/)
  await leave(page)
})
