import { expect, test } from 'vitest'
import { parseCommand } from '../../../src/contract/parse-command.ts'
import { derivedCommandsLayer } from '../../../src/layers/derived-commands.ts'
import type { RankedResult } from '../../../src/render/rank/ranked.ts'
import { openCdpPage } from '../../support/cdp-page.ts'

const style = '<style>body{margin:0;font:16px/20px sans-serif}p{margin:0 0 20px}</style>'
const paragraphs = (count: number) => Array.from({ length: count }, (_, i) => `<p>Paragraph number ${i + 1}.</p>`).join('')
const bar = (css: string) => `<div style="background:#fff;${css}">We use cookies</div>`

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
  ['a fixed bar at the top', bar('position:fixed;left:0;right:0;top:0;height:120px') + paragraphs(30), 200],
  [
    'a transparent fixed layer with an opaque bar',
    `<div style="position:fixed;inset:0;pointer-events:none"><div style="position:absolute;inset:auto 0 0;height:300px;background:#fff;pointer-events:auto"><button style="width:100%;height:300px">OK</button></div></div>${paragraphs(30)}`,
    0,
  ],
  [
    'a sticky bar at the bottom of a scroll container',
    `<main id=scroller style="height:600px;overflow:auto;border:1px solid"><div>${paragraphs(30)}</div>${bar('position:sticky;bottom:10px;height:80px')}</main>`,
    100,
  ],
  ['a sticky bar at the top', bar('position:sticky;top:0;height:80px') + paragraphs(30), 200],
  [
    'a bar beside the scroll container',
    `<main id=scroller style="height:700px;overflow:auto">${paragraphs(30)}</main>${bar('position:absolute;left:0;right:0;top:400px;height:300px')}`,
    0,
  ],
])('read and extract include what is under %s only at this scroll position', async (_, html, scroll) => {
  await using page = await openCdpPage(style + html)
  await page.evaluate(`(document.querySelector('#scroller') ?? document.scrollingElement).scrollTop = ${scroll}`)
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
])('a text that no scrolling shows, under %s, is counted and not read (TRUST A3)', async (_, html) => {
  await using page = await openCdpPage(`${style}<main>${html}</main>`)
  const { text } = await page.session.read()
  expect(text).not.toContain('IGNORE')
  expect(text).toMatch(/^… not read: 1 text that something else covers \(close it first\)/m)
  const passages = await extract(page, 'IGNORE')
  expect(passages).not.toContain('IGNORE')
  expect(passages).toMatch(/^… not searched: 1 text that something else covers \(close it first\)/m)
})
