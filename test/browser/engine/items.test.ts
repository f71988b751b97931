import { expect, test } from 'vitest'
import { snapshot } from '../../../src/html.ts'
import { openScriptPage } from '../../support/script-page.ts'

const body = (text: string): string[] =>
  text
    .split('\n')
    .slice(1)
    .filter(line => !line.startsWith('…'))

const companies = ['Acme', 'Globex', 'Initech']
const before = (name: string) => `<div class=card><div>${name}</div><div>Makers of ${name}</div><button>Follow</button></div>`
const after = (name: string) => `<div><button>Follow</button><p>${name}</p><p>Makers of ${name}</p></div>`
const linked = (name: string) => `<div class="x ${name}"><button>Follow</button><a href=#${name}>${name}</a></div>`

test.each([
  ['cards with a class', before],
  ['cards of the same structure', after],
  [
    'cards of custom elements',
    (name: string) => `<x-card class=c><b>${name}</b> <span>Makers of ${name}</span><button>Follow</button></x-card>`,
  ],
])('the words and controls of one item stay together: %s', async (_, card) => {
  const html = `<h1>Companies</h1><div>${companies.map(card).join('')}</div>`
  await using page = await openScriptPage(html)
  const tree = body(await page.text())
  const flat = body(await page.text({}, { format: 'flat' }))
  for (const name of companies) {
    const at = tree.findIndex(line => line.includes(name))
    expect(tree[at]).toMatch(new RegExp(`^- item: "${name}( \\|)? Makers of ${name}"$`))
    expect(tree[at + 1]).toMatch(/^ {2}- button "Follow" \[ref=e\d\]$/)
    const inFlat = flat.findIndex(line => line.includes(name))
    expect(flat[inFlat + 1]).toMatch(/^ {2}\[\d\] button "Follow"$/)
  }
  // one line per ref has no place for the item, so each control names it
  expect(body(await page.text({}, { format: 'lines' }))[1]).toMatch(/^@e\d {2}\[button in="Globex.*"\] "Follow"$/)
  expect(body(snapshot(html).snapshotText)[1]).toMatch(/^@e\d {2}\[button in="Globex.*"\] "Follow"$/)
  const all = body(await page.text({ interactiveOnly: false }))
  expect(all.filter(line => line.startsWith('- item'))).toHaveLength(3)
})

test('items of controls alone are kept apart where their names are the same', async () => {
  await using page = await openScriptPage(
    `<div>${companies.map(linked).join('')}</div><ul>${companies.map(name => `<li>${linked(name)}</li>`).join('')}</ul>`,
  )
  const text = await page.text()
  expect(text.match(/^ *- (item|listitem):\n *- button "Follow".*\n *- link/gm)).toHaveLength(6)
})

test('a control never loses its item when the text is cut or continued', async () => {
  const cards = Array.from({ length: 60 }, (_, i) => before(`Company${i}`)).join('')
  await using page = await openScriptPage(`<div>${cards}</div>`)
  for (const format of ['tree', 'flat'] as const)
    for (const maxCharsTotal of [600, 900, 1_500]) {
      const lines = body(await page.text({}, { format, maxCharsTotal }))
      const buttons = lines.flatMap((line, index) => (line.includes('"Follow"') ? index : []))
      expect(buttons.length).toBeGreaterThan(2)
      for (const index of buttons) expect(lines[index - 1]).toContain('Company')
    }
  const first = await page.ref('button "Follow"').catch(() => 'e1')
  const lines = body(await page.text({ after: first }, { maxCharsTotal: 900 }))
  for (const [index, line] of lines.entries()) if (line.includes('"Follow"')) expect(lines[index - 1]).toContain('Company')
})

test('a large section is no item: its texts stay where they are', async () => {
  const section = (name: string) =>
    `<div class=section><h2>${name}</h2>${[1, 2, 3, 4, 5, 6].map(i => `<p>About ${name} ${i}</p><a href=#${name}${i}>${name} ${i}</a>`).join('')}</div>`
  await using page = await openScriptPage(`<main>${section('One')}${section('Two')}</main>`)
  const text = await page.text({ interactiveOnly: false })
  expect(text).toMatch(/"About One 1"\n.*link "One 1".*\n.*"About One 2"/)
})

test('a space stands only where the page shows one', async () => {
  const html = `<main><p><span>#</span><span>101</span> <a href=#>Fix</a></p><p>Ref <b>HR-58213</b>. Done</p>
    <p><b>Bold</b> <i>words</i></p><div>one</div><div>two</div><p>first<br>second</p>
    <ul><li>#<b>101</b> Fix <a href=#x>open</a> now<div>second block</div></li><li>x <a href=#y>y</a></li></ul></main>`
  await using page = await openScriptPage(html)
  const lines = body(await page.text())
  expect(lines).toEqual([
    '- main: "#101"',
    '  - link "Fix" [href="#"] [ref=e1]',
    '  - text "Ref HR-58213. Done"',
    '  - text "Bold words"',
    '  - text "one"',
    '  - text "two"',
    '  - text "first"',
    '  - text "second"',
    '  - list:',
    '    - listitem: "#101 Fix … now | second block"',
    '      - link "open" [href="#x"] [ref=e2]',
    '    - listitem: "x"',
    '      - link "y" [href="#y"] [ref=e3]',
  ])
  expect(body(snapshot(html, { outputFormat: 'tree' }).snapshotText).map(line => line.trim().replace(/ \[ref=e\d\]/, ''))).toEqual(
    lines.map(line => line.trim().replace(/ \[ref=e\d\]/, '')),
  )
})

test('CSS decides what is a block: a span may be one, a div may be none', async () => {
  await using page = await openScriptPage(
    '<main><p><span style="display:block">Total</span><span style="display:block">$5</span></p><div style="display:inline">run</div><div style="display:inline">ning</div></main>',
  )
  expect(body(await page.text())).toEqual(['- main: "Total"', '  - text "$5"', '  - text "running"'])
})

test('the cells of a row are joined in the order of their header, with a place for cells that are empty or have only controls', async () => {
  await using page = await openScriptPage(
    `<table><tr><th>Name<th>Stock<th>Price<th>Act</tr><tr><td>Tea<td><td>$3<td><button>Buy</button></tr>
    <tr><td><a href=#>Milk</a><td>12<td>$2<td><button>Buy</button></tr></table>`,
  )
  expect(body(await page.text())).toEqual([
    '- table:',
    '  - row: "Name | Stock | Price | Act"',
    '  - row: "Tea | | $3"',
    '    - button "Buy" [ref=e1]',
    '  - row: "| 12 | $2"',
    '    - link "Milk" [href="#"] [ref=e2]',
    '    - button "Buy" [ref=e3]',
  ])
})

test('a row or item with a single control keeps its selected and current state', async () => {
  await using page = await openScriptPage(`<table role=grid><tr aria-selected=true><td><button>One</button></td></tr>
    <tr aria-selected=false><td><button>Two</button></td></tr></table>
    <ul><li aria-current=step><a href=#a>Pay</a></li><li><a href=#b>Send</a></li></ul>`)
  const text = await page.text()
  expect(text).toMatch(/row \[selected\]:\n\s+- button "One"/)
  expect(text).toMatch(/listitem \[current=step\]:\n\s+- link "Pay"/)
  expect(text).not.toMatch(/- (row|listitem)[^[]*\n\s+- (button "Two"|link "Send")/)
})

test('line breaks that a page draws separate lines, in preformatted text and nowhere else', async () => {
  const html = `<main><pre>$ npm test\n\n  ok <b>1</b>\n<i>ok</i> 2\n</pre><p>wrapped\n  source</p></main>`
  await using page = await openScriptPage(`${html}<p style="white-space:pre-line">one\ntwo</p>`)
  expect(body(await page.text())).toEqual(['- main: "$ npm test | ok 1 | ok 2"', '  - text "wrapped source"', '- text "one | two"'])
  expect(snapshot(html, { outputFormat: 'tree' }).snapshotText).toContain('"$ npm test | ok 1 | ok 2"')
})

test('text with a line through it is marked, by its tag or its style, also around other elements', async () => {
  const html = `<main><p>Now <s>$30</s> $20, <del><b>was</b> 3</del></p>
    <ul><li><a href=/tea>Tea</a> <span style="text-decoration: line-through"> 5 EUR </span> 4 EUR</li><li><a href=/pot>Pot</a> 9 EUR</li></ul></main>`
  await using page = await openScriptPage(`<style>.done { text-decoration: line-through }</style>${html}<p class=done>Call Ann</p>`)
  const text = await page.text()
  expect(text).toContain('"Now ~~$30~~ $20, ~~was~~ ~~3~~"')
  expect(text).toContain('listitem: "~~5 EUR~~ 4 EUR"')
  expect(text).toContain('listitem: "9 EUR"')
  expect(text).toContain('text "~~Call Ann~~"')
  expect(snapshot(html, { outputFormat: 'tree' }).snapshotText).toContain('"Now ~~$30~~ $20, ~~was~~ ~~3~~"')
})

test('with all texts, an empty cell has a line, so that the next cell is not taken for it', async () => {
  await using page = await openScriptPage('<table><tr><th>Name<th>Stock<th>Price</tr><tr><td>Tea<td><td>$3</tr></table>')
  const cells = (await page.text({ interactiveOnly: false })).match(/- cell.*/g)?.map(line => line.replace(/ \[ref=e\d+\]/, ''))
  expect(cells).toEqual(['- cell: "Tea"', '- cell', '- cell: "$3"'])
})

test('generated text is part of texts, headings and items, glyphs of icon fonts are not', async () => {
  await using page = await openScriptPage(`<style>h2 { counter-increment: s } h2::before { content: "Step " counter(s) ": " }
    .eur::before { content: "€" } .off::after { content: " (sold out)" } .icon::before { content: "\\e001" } .bin::before { content: "🗑" }</style>
    <main><h2>Pay</h2><p class=eur>12.50</p><p class=icon>Plain</p><ul><li class=off>Tulip <a href=/t>more</a></li>
    <li class=off><span class=eur>3</span> Rose</li></ul><span class=bin onclick=1></span></main>`)
  const text = await page.text()
  for (const words of ['heading "Step 1: Pay"', 'text "€12.50"', 'text "Plain"', '"€3 Rose (sold out)"']) expect(text).toContain(words)
  expect(text).toMatch(/generic.*: "🗑"/)
})

test('an answer to a comment has a line of its own, and its words are not those of the comment', async () => {
  const comment = (name: string, answers = '') =>
    `<div class=comment><b>${name}</b><p>Body of ${name}.</p><button>Reply</button><div class=children>${answers}</div></div>`
  await using page = await openScriptPage(`<div>${comment('ann', comment('kim'))}${comment('bob')}</div>`)
  expect(body(await page.text()).map(line => line.replace(/ \[ref=\w+\]/, ''))).toEqual([
    '- item: "ann | Body of ann."',
    '  - button "Reply"',
    '  - item: "kim | Body of kim."',
    '    - button "Reply"',
    '- item: "bob | Body of bob."',
    '  - button "Reply"',
  ])
})
