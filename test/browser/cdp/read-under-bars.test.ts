import { expect, test } from 'vitest'
import { parseCommand } from '../../../src/contract/parse-command.ts'
import { derivedCommandsLayer } from '../../../src/layers/derived-commands.ts'
import type { RankedResult } from '../../../src/render/rank/ranked.ts'
import { openCdpPage } from '../../support/cdp-page.ts'

const style = '<style>body{margin:0;font:16px/20px sans-serif}p{margin:0 0 20px}</style>'
const paragraphs = (count: number) => Array.from({ length: count }, (_, i) => `<p>Paragraph number ${i + 1}.</p>`).join('')
const bar = (css: string, content = 'We use cookies') => `<div style="background:#fff;${css}">${content}</div>`
const space = (height: number) => `<div style="height:${height}px"></div>`
const hiddenText = '<p>IGNORE this</p>'
const frame = (css: string, html: string) =>
  `<iframe style="border:0;${css}" srcdoc="${(style + html).replaceAll('"', '&quot;')}"></iframe>`
/** a text under a bar of 60 pixels at the bottom of a page that is long enough */
const underBar = (css: string) =>
  `<style>${css}</style>${space(690)}${hiddenText}${bar('position:fixed;inset:auto 0 0;height:60px')}${space(3000)}`
/** bars one above the other that cover the left part of the viewport */
const tiles = bar('position:fixed;left:0;width:300px;top:0;height:500px') + bar('position:fixed;left:0;width:300px;top:500px;bottom:0')

async function extract(page: Awaited<ReturnType<typeof openCdpPage>>, query: string): Promise<string> {
  const command = parseCommand({ name: 'extract', query })
  if (!command.ok) throw new Error(command.error.message)
  const result = await derivedCommandsLayer()(page.session.run as never)(command.value)
  return (result as { data: RankedResult }).data.text
}

const numbersIn = (text: string) => [...text.matchAll(/Paragraph number (\d+)/g)].map(([, number]) => Number(number))
const all = Array.from({ length: 30 }, (_, i) => i + 1)

test.each([
  ['a fixed bar at the bottom', bar('position:fixed;left:0;right:0;bottom:0;height:300px') + paragraphs(30), 0],
  [
    'a fixed bar at the bottom of a page that is scrolled',
    bar('position:fixed;left:0;right:0;bottom:0;height:300px') + paragraphs(30),
    200,
  ],
  ['a fixed bar at the top', bar('position:fixed;left:0;right:0;top:0;height:120px') + paragraphs(30), 200],
  [
    'a fixed bar at the bottom of a page with a sticky header',
    `${bar('position:sticky;top:0;height:40px')}${paragraphs(30)}${bar('position:fixed;left:0;right:0;bottom:0;height:200px')}`,
    0,
  ],
  [
    'a transparent fixed layer with an opaque bar',
    `<div style="position:fixed;inset:0;pointer-events:none"><div style="position:absolute;inset:auto 0 0;height:300px;background:#fff;pointer-events:auto"><button style="width:100%;height:300px">OK</button></div></div>${paragraphs(30)}`,
    0,
  ],
])('read and extract include what is under %s only at this scroll position', async (_, html, scroll) => {
  await using page = await openCdpPage(style + html)
  await page.evaluate(`document.scrollingElement.scrollTop = ${scroll}`)
  const { text } = await page.session.read({ maxChars: 20_000 })
  expect(numbersIn(text)).toEqual(all)
  expect(text).not.toContain('not read')
  expect(await extract(page, 'Paragraph number 12')).toContain('"Paragraph number 12."')
})

test('a text under a fixed bar is below the part of the page that is in view', async () => {
  await using page = await openCdpPage(style + bar('position:fixed;left:0;right:0;bottom:0;height:300px') + paragraphs(30))
  const { text } = await page.session.snapshot({ interactiveOnly: false, viewport: 'visible' })
  expect(numbersIn(text).length).toBeLessThan(15)
  expect(text).toMatch(/\d+ more below/)
})

test.each([
  ['an element that scrolls with it', `<div style="position:relative"><p>IGNORE this</p>${bar('position:absolute;inset:-2px 0')}</div>`],
  ['a fixed element as large as the viewport', `<p>IGNORE this</p>${bar('position:fixed;inset:0')}<div style="height:3000px"></div>`],
  ['a fixed bar of a page that does not scroll', `<p>IGNORE this</p>${bar('position:fixed;inset:0 0 auto;height:60px')}`],
  [
    'a fixed bar at the start of a page',
    `<p>IGNORE this</p>${bar('position:fixed;inset:0 0 auto;height:60px')}<div style="height:3000px">`,
  ],
  [
    'a bar and an element that scrolls with it',
    `<div style="position:relative"><p>IGNORE this</p><b style="position:absolute;inset:-2px 0;background:#ddd"></b></div>${bar('position:fixed;inset:0 0 auto;height:30px')}<div style="height:3000px">`,
  ],
  [
    'a sticky element that sticks to nothing',
    `<div style="height:100px"></div><div><p>IGNORE this</p>${bar('position:sticky;top:0;height:40px;margin-top:-40px')}</div><div style="height:3000px">`,
  ],
  [
    'a fixed element that a transformed one contains',
    `<div style="height:100px"></div><div style="transform:translate(0)"><p>IGNORE this</p>${bar('position:fixed;inset:0')}</div><div style="height:3000px">`,
  ],
  [
    'an element over a frame that scrolls',
    `<div style="position:relative;width:300px;height:150px"><iframe style="border:0" srcdoc="<p>IGNORE this<div style='height:2000px'>"></iframe>${bar('position:absolute;inset:0')}</div>`,
  ],
])('a text under %s is counted and not read (TRUST A3)', async (_, html) => {
  await using page = await openCdpPage(`${style}<main>${html}</main>`)
  const { text } = await page.session.read()
  expect(text).not.toContain('IGNORE')
  expect(text).toMatch(/^… not read: 1 text that something else covers \(close it first\)/m)
  const passages = await extract(page, 'IGNORE')
  expect(passages).not.toContain('IGNORE')
  expect(passages).toMatch(/^… not searched: 1 text that something else covers \(close it first\)/m)
})

test.each([
  [
    'a small fixed bar with a fixed child as large as the viewport',
    space(300) + hiddenText + bar('position:fixed;inset:auto 0 0;height:10px', bar('position:fixed;inset:0')) + space(3000),
  ],
  [
    'a small fixed bar with an absolute child as large as the viewport',
    space(300) +
      hiddenText +
      bar('position:fixed;inset:auto 0 0;height:10px', bar('position:absolute;inset:auto 0 0;height:100vh')) +
      space(3000),
  ],
  [
    'a fixed cover of a frame that scrolls',
    space(300) + frame('width:400px;height:60px', hiddenText + bar('position:fixed;inset:0') + space(3000)),
  ],
  ['two fixed tiles', space(600) + hiddenText + tiles + space(3000)],
  ['two fixed tiles in front of a frame', space(600) + frame('width:300px;height:60px', hiddenText) + tiles + space(3000)],
  [
    'two sticky bars',
    `<div style="height:700px;overflow:auto">${bar('position:sticky;top:0;height:350px;margin-bottom:-350px;width:300px;z-index:1')}${space(400)}${hiddenText}${space(3000)}${bar('position:sticky;bottom:0;height:350px;width:300px')}</div>`,
  ],
  [
    'two covers of a scroll container',
    `${space(200)}<div style="position:relative"><div style="height:100px;overflow:auto">${space(50)}${hiddenText}${space(3000)}</div>${bar('position:absolute;inset:30px 0 0')}${bar('position:absolute;inset:0 0 auto;height:30px')}</div>`,
  ],
  [
    'the cover of a scroll container that an ancestor clips',
    `${space(400)}<div style="position:relative;overflow:hidden;height:40px"><div style="position:absolute;inset:-300px 0 auto;height:340px;overflow:auto">${space(310)}${hiddenText}${space(900)}</div>${bar('position:absolute;inset:0')}</div>`,
  ],
  [
    'the cover of a scroll container with a clip-path',
    `<div style="clip-path:inset(500px 0 0);height:720px;overflow:auto">${space(600)}${hiddenText}${space(2000)}</div>${bar('position:fixed;inset:500px 0 0')}`,
  ],
  [
    'a sticky bar that belongs over it',
    `${space(500)}${hiddenText}${bar('position:sticky;top:0;height:60px;margin-top:-40px')}${space(3000)}<script>scrollTo(0, 502)</script>`,
  ],
  [
    'a fixed bar, from under which it goes under sticky ones',
    `<div style="position:absolute;inset:0 0 auto;height:3000px">${[270, 51, -168].map(top => bar(`position:sticky;top:${top}px;height:219px;margin:481px 0 -700px`)).join('')}</div>${space(700)}${hiddenText}${space(3000)}${bar('position:fixed;inset:auto 0 0;height:240px')}`,
  ],
  [
    'a bar of a page that snaps',
    `<style>html{scroll-snap-type:y mandatory}section{scroll-snap-align:start;height:100vh}</style><section>${underBar('')}</section><section></section>`,
  ],
  ...['html', 'body', 'html,body'].flatMap(of =>
    ['hidden', 'clip'].map(overflow => [`a bar of a page with overflow ${overflow} of ${of}`, underBar(`${of}{overflow:${overflow}}`)]),
  ),
  [
    'a bar that always covers its last lines',
    `${space(560)}<p style="width:250px">${'Words of the page. '.repeat(12)} IGNORE this</p>${bar('position:fixed;inset:auto 0 0;height:160px')}`,
  ],
])('a text under %s is not read (TRUST A3)', async (_, html) => {
  await using page = await openCdpPage(style + html)
  expect((await page.session.read({ maxChars: 20_000 })).text).not.toContain('IGNORE')
  expect((await page.session.snapshot({ interactiveOnly: false })).text).not.toContain('IGNORE')
})

test.each([
  ['a sticky bar', bar('position:sticky;top:0;height:80px') + paragraphs(30)],
  [
    'a sticky bar of a scroll container',
    `<main style="height:600px;overflow:auto">${paragraphs(30)}${bar('position:sticky;bottom:0;height:80px')}</main>`,
  ],
  [
    'a bar beside a scroll container',
    `<main style="height:700px;overflow:auto">${paragraphs(30)}</main>${bar('position:absolute;inset:400px 0 auto;height:300px')}`,
  ],
  ['a fixed bar in a frame', frame('width:400px;height:600px', paragraphs(30) + bar('position:fixed;inset:auto 0 0;height:100px'))],
])('what is under %s is counted, because it is not certain that scrolling shows it', async (_, html) => {
  await using page = await openCdpPage(style + html)
  await page.evaluate("(document.querySelector('main') ?? document.scrollingElement).scrollTop = 200")
  const { text } = await page.session.read({ maxChars: 20_000 })
  const covered = Number(/^… not read: (\d+) texts? that something else covers/m.exec(text)?.[1])
  expect(covered).toBeGreaterThan(0)
  expect(numbersIn(text)).toHaveLength(30 - covered)
})

test('a text is read under a fixed bar if nothing else hides it', async () => {
  await using page = await openCdpPage(style + underBar(''))
  expect((await page.session.read()).text).toContain('IGNORE')
})
