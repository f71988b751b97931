import { expect, test } from 'vitest'
import { openCdpPage } from '../../support/cdp-page.ts'
import { hidden, shown, type Technique } from '../../support/concealed-texts.ts'
import { openScriptPage } from '../../support/script-page.ts'

const css = `<style>body{margin:8px;font:16px/20px sans-serif;color:#111;background:#fff} p,h2{margin:0;font-size:16px} .row{height:40px}</style>`
const rows = [
  ...Object.entries(hidden).map(each => ['HID', ...each] as const),
  ...Object.entries(shown).map(each => ['SEEN', ...each] as const),
]
const wordOf = (index: number) => `word${String(index).padStart(3, '0')} of a sentence`
const rowsPerPage = 15
const pages = Array.from({ length: Math.ceil(rows.length / rowsPerPage) }, (_, page) =>
  rows.slice(page * rowsPerPage, (page + 1) * rowsPerPage).map((row, i) => [page * rowsPerPage + i, row] as const),
)

const pageOf = (page: (typeof pages)[number], before: string) =>
  `<!doctype html><title>t</title>${css}<main>${before}${page.map(([index, [, , html]]) => `<div class=row>${(html as Technique)(wordOf(index))}</div>`).join('')}</main>`

/** Which techniques are misjudged, if `read` returns the text of a page. */
async function misjudged(before: string, read: (html: string) => Promise<string>): Promise<string[]> {
  const wrong: string[] = []
  for (const page of pages) {
    const text = await read(pageOf(page, before))
    for (const [index, [kind, name]] of page)
      if (text.includes(wordOf(index)) !== (kind === 'SEEN')) wrong.push(`${kind === 'SEEN' ? 'missing' : 'read'}: ${name}`)
  }
  return wrong
}

const inSession = async (html: string) => {
  await using page = await openCdpPage(html)
  return await page.text({ interactiveOnly: false })
}
const inScript = async (html: string) => {
  await using page = await openScriptPage(html)
  return await page.text({ interactiveOnly: false }, { maxCharsTotal: 50_000, maxNodes: 500 })
}

/** What styles do not tell, and what only the pixels of texts in view do. */
const needPixels = [
  'filter: of an svg filter that draws nothing',
  'mask that begins after the text',
  'mask of no size',
  'mask of an empty image',
  'color of a dark gradient',
  'color of an image',
  'color of a dark image',
  'svg gradient in white',
].map(name => `read: ${name}`)
/** A layer of the color of the text behind it is not looked for. */
const notFound = ['read: color of an image element']

test('a session reads what people can see, and not what they cannot (TRUST A3)', async () => {
  expect(await misjudged('', inSession)).toEqual(notFound)
})

test('the script, which has no pixels, reads everything that people can see (TRUST A3)', async () => {
  expect((await misjudged('', inScript)).sort()).toEqual([...needPixels, ...notFound].sort())
})

test('a session judges texts below the fold by the same rules as the script (TRUST A3)', async () => {
  expect((await misjudged('<div style="height:3000px"></div>', inSession)).sort()).toEqual([...needPixels, ...notFound].sort())
})
