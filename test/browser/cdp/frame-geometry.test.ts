import { expect, test } from 'vitest'
import { openCdpPage } from '../../support/cdp-page.ts'
import { openScriptPage } from '../../support/script-page.ts'

const names = ['top-left', 'top-right', 'middle', 'bottom-left', 'bottom-right']
const places = ['left:2px;top:2px', 'right:2px;top:2px', 'left:120px;top:60px', 'left:2px;bottom:2px', 'right:2px;bottom:2px']

/** Small buttons at the edges, each of which reports what reached it. */
const inner = `<!doctype html><style>body{margin:0;overflow:hidden} button{position:absolute;width:26px;height:18px;padding:0;font-size:6px}</style>
  ${names.map((name, i) => `<button style="${places[i]}" aria-label="${name}"></button>`).join('')}
  <script>
    const tell = kind => event => top.postMessage(kind + ' ' + (event.target.ariaLabel ?? 'nothing') + ' ' + event.isTrusted +
      ' ' + (document.elementFromPoint(event.clientX, event.clientY) === event.target), '*')
    for (const type of ['click', 'mouseover']) addEventListener(type, tell(type), true)
  </script>`

/** The style of the frame, and of the element around it. */
const kinds: Readonly<Record<string, readonly [frame: string, around?: string]>> = {
  plain: [''],
  padding: ['padding:13px 7px 3px 29px'],
  border: ['border:11px solid;border-left-width:31px'],
  'padding and border': ['padding:17px;border:9px solid'],
  'box-sizing': ['padding:17px;border:9px solid;box-sizing:border-box'],
  'scaled down': ['transform:scale(.6)'],
  'scaled up': ['transform:scale(1.4) translate(20px,30px)'],
  'scale property': ['scale:.7;padding:20px'],
  rotated: ['transform:rotate(20deg);padding:10px'],
  'rotate property': ['rotate:-35deg;border:14px solid'],
  'upside down': ['rotate:180deg'],
  mirrored: ['transform:scaleX(-1)'],
  skewed: ['transform:skew(15deg,10deg)'],
  'in a scaled element': ['padding:9px', 'transform:scale(.75);transform-origin:0 0'],
  'in a rotated element': ['transform:scale(1.2)', 'transform:rotate(12deg);transform-origin:0 0'],
  zoomed: ['zoom:1.5;padding:6px'],
  'in a zoomed element': ['padding:6px;border:4px solid', 'zoom:.8'],
  'with a child that moves it': ['translate:40px 20px;padding:5px'],
}

const frame = (src: string, [style, around = '']: readonly [string, string?]) =>
  `<div style="${around}"><iframe style="display:block;width:260px;height:140px;margin:60px 0 0 80px;border:0;${style}" src="${src}"></iframe></div>`

const pages = { 'inner.html': inner }
const outer = (content: string) => `<!doctype html><title>t</title><style>body{margin:0}</style>${content}
  <script>window.heard = []; addEventListener('message', event => heard.push(event.data))</script>`

/** Writes the frames when the page runs, because only then its host is known: 127.0.0.1 and localhost take turns. */
const crossOrigin = (html: string) =>
  `<script>document.write(${JSON.stringify(html).replaceAll('</', '<\\/')}.replaceAll('HOST', (location.hostname === 'localhost' ?
    location.origin.replace('localhost', '127.0.0.1') : location.origin.replace('127.0.0.1', 'localhost')) +
    location.pathname.replace(/[^/]*$/, '')))</script>`

type Page = Awaited<ReturnType<typeof openCdpPage>>

/** Which of the buttons did not receive the action themselves. */
async function missesOf(page: Page, verb: 'click' | 'hover'): Promise<string[]> {
  const misses: string[] = []
  await expect.poll(async () => (await page.nodes()).filter(node => names.includes(node.name ?? '')).length).toBe(names.length)
  for (const name of names) {
    await page.evaluate('heard.length = 0')
    const result = await page.session.run({ name: verb, ref: await page.ref(`button "${name}"`) } as never)
    const type = verb === 'click' ? 'click' : 'mouseover'
    const heard = async () => (await page.evaluate<string[]>('heard')).filter(each => each.startsWith(type))
    if (result.ok) await expect.poll(heard).not.toEqual([])
    const last = (await heard()).pop()
    if (last !== `${type} ${name} true true`) misses.push(`${name}: ${result.ok ? last : result.error.code}`)
  }
  return misses
}

const origins = ['same origin', 'another origin'] as const
const cases = origins.flatMap(origin => Object.keys(kinds).map(kind => [origin, kind] as const))

test.each(cases)('a click reaches the elements of a frame of %s: %s', async (origin, kind) => {
  const style = kinds[kind] as readonly [string, string?]
  const html = origin === 'same origin' ? frame('inner.html', style) : crossOrigin(frame('HOSTinner.html', style))
  await using page = await openCdpPage(outer(html), { files: pages })
  expect(await missesOf(page, 'click')).toEqual([])
})

test.each(origins)('a click and the pointer reach the elements of frames inside moved frames of %s', async origin => {
  const middle = (src: string) =>
    `<!doctype html><style>body{margin:0}</style><iframe style="width:260px;height:140px;border:6px solid;padding:9px;rotate:10deg" src="${src}"></iframe>`
  const isSame = origin === 'same origin'
  const style = ['width:420px;height:320px;transform:scale(.8) rotate(-15deg);padding:12px;border:5px solid'] as const
  const html = isSame ? frame('middle.html', style) : crossOrigin(frame('HOSTmiddle.html', style))
  const inside = isSame ? middle('inner.html') : crossOrigin(middle('HOSTinner.html'))
  await using page = await openCdpPage(outer(html), { files: { ...pages, 'middle.html': inside } })
  expect(await missesOf(page, 'click')).toEqual([])
  expect(await missesOf(page, 'hover')).toEqual([])
})

test.each(origins)('a click reaches the elements of a moved frame of %s in a page that is zoomed', async origin => {
  const style = ['padding:9px;rotate:10deg'] as const
  const html = origin === 'same origin' ? frame('inner.html', style) : crossOrigin(frame('HOSTinner.html', style))
  await using page = await openCdpPage(outer(`<style>html{zoom:1.3}</style>${html}`), { files: pages })
  expect(await missesOf(page, 'click')).toEqual([])
})

test.each(Object.keys(kinds))('a click by the script has coordinates inside the element of a frame: %s', async kind => {
  const style = kinds[kind] as readonly [string, string?]
  await using page = await openScriptPage(outer(frame('inner.html', style)), { files: pages })
  const misses: string[] = []
  for (const name of names) {
    await page.evaluate('heard.length = 0')
    const result = await page.act(await page.ref(`button "${name}"`), 'click')
    const clicks = () => page.evaluate<string[]>('heard.filter(each => each.startsWith("click"))')
    if (result.ok) await expect.poll(clicks).not.toEqual([])
    const [heard] = await clicks()
    if (!result.ok || heard !== `click ${name} false true`) misses.push(`${name}: ${result.ok ? heard : result.error.code}`)
  }
  expect(misses).toEqual([])
})
