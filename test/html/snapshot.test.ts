import { expect, test } from 'vitest'
import { buildDocument, query, queryRef, snapshot, snapshotDefaults } from '../../src/html.ts'
import { fc, test as property } from '../support/property.ts'

const sample = `<nav><a href="https://gold.test/price">价格</a></nav><button>登录</button>
  <input type="text" name="q" placeholder="搜索"><h1>今日金价</h1><p>Gold is at 900.</p>`
const lines = (text: string) => text.split('\n')

test('the lines read as in the document: ref, bracket, quoted text (S1-03 S1-33 S1-34 S1-35 S1-36 S1-63)', () => {
  expect(lines(snapshot(sample).snapshotText).slice(0, 4)).toEqual([
    '[snapshot] nodes=6 emitted=3 truncated=false',
    '@e1  [link href="https://gold.test/price"] "价格"',
    '@e2  [button] "登录"',
    '@e3  [input name="q" type="text" placeholder="搜索"]',
  ])
})

test('interactiveOnly:false adds headings, paragraphs and list items with refs (S1-06 S1-18 S1-37 S1-45 S1-58 X1-2)', () => {
  const { snapshotText } = snapshot(`${sample}<ul><li>One</li><li>Two</li></ul>`, { interactiveOnly: false })
  expect(snapshotText).toMatch(/@e\d+ {2}\[h1 level=1\] "今日金价"/)
  expect(snapshotText).toMatch(/@e\d+ {2}\[p\] "Gold is at 900\."/)
  expect(snapshotText).toMatch(/@e\d+ {2}\[li\] "One"/)
  expect(snapshot(sample).snapshotText).not.toContain('[h1')
})

test('a result has text, refs and statistics (S1-05 S1-23 S1-24 S1-25 S1-50)', () => {
  const { refs, stats } = snapshot(sample)
  expect(refs.get('e1')).toEqual({
    ref: 'e1',
    tag: 'a',
    role: 'link',
    name: '价格',
    attrs: { href: 'https://gold.test/price' },
    path: 'body>nav>a',
    textSnippet: '价格',
  })
  expect(stats).toEqual({ inputChars: sample.length, nodesVisited: 6, nodesEmitted: 3, truncated: false, reasons: [] })
})

test('the defaults are those of the document (S1-14 S1-15 S1-16 S1-17 S1-18 S1-19 S1-20 S1-21 S1-22 S1-66)', () => {
  expect(snapshotDefaults).toMatchObject({
    maxCharsTotal: 12_000,
    maxNodes: 200,
    maxDepth: 12,
    maxTextPerNode: 200,
    interactiveOnly: true,
    scopeSelector: null,
    dedupeText: true,
  })
  expect([...snapshotDefaults.includeAttrs].sort()).toEqual(['aria-label', 'href', 'name', 'placeholder', 'role', 'type', 'value'])
  expect(snapshot(sample, { outputFormat: 'PLAIN_TEXT_TREE' })).toEqual(snapshot(sample))
})

test('the candidates of the document have refs: a button input select option textarea form [role=button] [onclick] (S1-43 S1-44)', () => {
  const html =
    '<form><a href=#>a</a><button>b</button><input><select><option>o</select><textarea></textarea></form><div role=button>d</div><span onclick="x">s</span>'
  expect([...snapshot(html).refs.values()].map(({ tag }) => tag)).toEqual([
    'form',
    'a',
    'button',
    'input',
    'select',
    'option',
    'textarea',
    'div',
    'span',
  ])
  expect(snapshot(html).snapshotText).toContain('@e6  [option selected] "o"')
})

test('more than ten options stay folded under their select until it is the scope: a list of countries would be the whole page (S1-44)', () => {
  const html = `<select aria-label=Country>${Array.from({ length: 11 }, (_, i) => `<option>Land ${i}`).join('')}</select><a href=#>next</a>`
  expect([...snapshot(html).refs.values()].map(({ tag }) => tag)).toEqual(['select', 'a'])
  expect(snapshot(html).snapshotText).toContain('scope=e1')
  const { snapshotText } = snapshot(html, { scopeSelector: 'e1' })
  expect(snapshotText).toContain('[option selected] "Land 0"')
  expect(snapshotText).toContain('[option] "Land 10"')
})

test('which elements count is configurable by selectors (S1-46)', () => {
  const html = '<div class=card>Card</div><a href=#>a</a><button class=ad>Ad</button>'
  const { refs } = snapshot(html, { candidates: { include: '.card', exclude: '.ad' } })
  expect([...refs.values()].map(({ tag }) => tag)).toEqual(['div', 'a'])
  expect(snapshot(html, { candidates: { include: ':::' } }).error).toMatchObject({ code: 'invalid_selector' })
})

test('600 KB of HTML give a text within its budget that says what it left out (S1-08 S1-38 S1-40 S1-57 S1-59 S1-62 X1-4)', () => {
  const html = Array.from({ length: 9_000 }, (_, i) => `<p><a href="/item/${i}?ref=list">Item number ${i}</a> some text</p>`).join('')
  expect(html.length).toBeGreaterThan(500_000)
  const { snapshotText, stats } = snapshot(html)
  expect(snapshotText.length).toBeLessThanOrEqual(12_000)
  expect(stats).toMatchObject({ truncated: true, reasons: ['maxNodes'], inputChars: html.length })
  expect(snapshotText).toMatch(/… 8800 more.*after=e200/)
})

test('after goes on where the text ended, and numbers do not depend on limits (S1-60 X1-4)', () => {
  const html = Array.from({ length: 500 }, (_, i) => `<p><a href="/${i}">Link ${i}</a></p>`).join('')
  expect(snapshot(html, { maxNodes: 20 }).snapshotText).toContain('@e20  [link href="/19"] "Link 19"')
  expect(snapshot(html, { maxNodes: 20, after: 'e20' }).snapshotText).toContain('@e21  [link href="/20"] "Link 20"')
  expect(snapshot(html, { scopeSelector: 'p:nth-of-type(100)' }).snapshotText).toContain('@e100  [link href="/99"] "Link 99"')
  expect(snapshot(html, { after: 'e9999' }).error).toMatchObject({ code: 'ref_not_found' })
})

test('single texts and attributes are cut, and the text says so (S1-39 S1-47 S1-48 S1-49)', () => {
  const { snapshotText, stats } = snapshot(`<a href="/${'h'.repeat(5_000)}">${'t '.repeat(3_000)}</a>`)
  expect(Math.max(...lines(snapshotText).map(line => line.length))).toBeLessThan(500)
  expect(stats).toMatchObject({ truncated: true, reasons: ['maxTextPerNode'] })
})

test('scopeSelector takes any CSS selector; a bad one and one that matches nothing are told apart (S1-20)', () => {
  const html = '<ul id=a><li><a href=#>1</a></ul><ul id=b><li class="x y"><a href=#>2</a></ul>'
  expect(snapshot(html, { scopeSelector: 'ul#b > li.x:has(a)' }).snapshotText).toContain('"2"')
  expect(snapshot(html, { scopeSelector: '>>>' })).toMatchObject({
    error: { code: 'invalid_selector' },
    snapshotText: expect.stringContaining('invalid_selector'),
  })
  expect(snapshot(html, { scopeSelector: '#nothing' })).toMatchObject({ error: { code: 'scope_not_found' } })
})

test('maxDepth counts what is printed and loses nothing (X1-3)', () => {
  const deep = `${'<div>'.repeat(40)}<button>deep</button>${'</div>'.repeat(40)}<button>shallow</button>`
  expect(snapshot(deep, { outputFormat: 'tree', maxDepth: 1 }).refs.size).toBe(2)
  expect(snapshot(deep, { outputFormat: 'tree', maxDepth: 1 }).snapshotText).toContain('"deep"')
})

test.each([
  ['the hidden attribute', '<a href=# hidden>x</a>'],
  ['an inline style', '<a href=# style="color:red; display : none">x</a>'],
  ['inline visibility', '<div style="visibility:hidden"><a href=#>x</a></div>'],
  ['aria-hidden', '<div aria-hidden=true><a href=#>x</a></div>'],
  ['template', '<template><a href=#>x</a></template>'],
  ['noscript', '<noscript><a href=#>x</a><style>a{display:none}</style></noscript>'],
  ['a closed dialog', '<dialog><a href=#>x</a></dialog>'],
  ['closed details', '<details><summary>s</summary><a href=#>x</a></details>'],
  ['type=hidden', '<input type=hidden name=x value=x>'],
  ['content-visibility', '<div style="content-visibility:hidden">y <a href=#>x</a></div>'],
  ['a rule with a descendant and a child', '<style>nav .m > a { display: none }</style><nav><p class=m><a href=#>x</a></p></nav>'],
  ['a rule of a style block', '<style>/* a */ .gone, .other { color: red; display: none }</style><a class="big gone" href=#>x</a>'],
])('what is hidden by %s is not told (X1-7)', (_, html) => {
  expect([...snapshot(html, { interactiveOnly: false }).refs.values()].filter(({ name }) => name === 'x' || name === 'hidden')).toEqual([])
})

test.each([
  ['a media query', '<style>@media print { a { display: none } }</style>'],
  ['a rule that is taken back for some screens', '<style>.m{display:none}@media (min-width:9px){.m{display:block}}</style>'],
  ['a rule that a later one takes back', '<style>.m{display:none}.m{display:block}</style>'],
  ['a selector that needs a browser', '<style>a:hover, nav a, a + b, b > a { display: none }</style>'],
  ['a style block inside noscript', '<noscript><style>a{display:none}</style></noscript>'],
])('%s hides nothing', (_, style) => {
  expect(snapshot(`${style}<a class=m href=#>x</a>`).refs.size).toBe(1)
})

test('names, values and states come from the markup', () => {
  const html = `<label for=m>Mail</label><input id=m value="a@b.c" required><label><input type=checkbox checked> Yes</label>
    <select aria-label=Size><option>S<option selected>M</select><fieldset disabled><legend>L</legend><button>b</button></fieldset><textarea aria-label=Note>hi</textarea>`
  const text = snapshot(html, { outputFormat: 'tree' }).snapshotText
  for (const line of [
    '- textbox "Mail" [value="a@b.c"] [required]',
    '- checkbox "Yes" [checked]',
    '- combobox "Size" [value="M"] [options=2]',
    '- button "b" [disabled]',
    '- textbox "Note" [value="hi"]',
  ])
    expect(text).toContain(line)
})

test('query gives text, attributes as JSON and markup, each within its limit and marked (S1-07 S1-26 S1-27 S1-32 S1-64 X1-6)', () => {
  const document = buildDocument('<a href="/x" title="t" class="c">Hello <b>big</b> world</a>')
  snapshot(document)
  expect(query(document, 'e1', 'TEXT')).toEqual({ ref: 'e1', kind: 'TEXT', value: 'Hello big world', truncated: false })
  expect(query(document, '@e1', 'attrs').value).toBe('{"href":"/x","title":"t","class":"c"}')
  expect(query(document, 'e1', 'outerHTML')).toMatchObject({
    kind: 'OUTER_HTML',
    value: '<a href="/x" title="t" class="c">Hello <b>big</b> world</a>',
  })
  expect(query(document, 'e1', 'OUTER_HTML', 10)).toMatchObject({ value: '<a href="…', truncated: true })
  expect(JSON.parse(query(document, 'e1', 'ATTR', 24).value)).toEqual({ href: '/x' })
  expect(query(document, 'e2', 'text').error).toMatchObject({ code: 'ref_not_found' })
  expect(query(document, 'x', 'text').error).toMatchObject({ code: 'invalid_ref' })
  expect(query(document, 'e1', 'soul').error).toMatchObject({ code: 'unsupported_query' })
})

test('no query gives more than 100,000 characters, whatever it is asked for (X0-7 S1-54)', () => {
  const html = `<form>${'<p>text</p>'.repeat(50_000)}</form>`
  expect(queryRef(html, 'e1', 'OUTER_HTML', 1e9).value).toHaveLength(100_000)
})

test('queryRef takes the options of the snapshot that gave the ref (S1-29 X1-1 C23)', () => {
  const html = '<h1>Title</h1><a href="/x">Link</a>'
  expect(queryRef(html, 'e1', 'TEXT').value).toBe('Link')
  expect(queryRef(html, 'e1', 'TEXT', 4_000, { interactiveOnly: false }).value).toBe('Title')
})

test('secrets are redacted in snapshot, attributes and markup', () => {
  const html =
    '<form><input type=password value=SENTINEL><input name=otp value=SENTINEL><input type=hidden name=csrf value=SENTINEL><textarea autocomplete=one-time-code>SENTINEL</textarea></form>'
  const document = buildDocument(html)
  const said = [
    snapshot(document).snapshotText,
    JSON.stringify([...snapshot(document).refs]),
    ...['e1', 'e2', 'e3', 'e4'].flatMap(ref => [query(document, ref, 'ATTR').value, query(document, ref, 'OUTER_HTML').value]),
  ]
  expect(said.join('\n')).not.toContain('SENTINEL')
})

test('a bad option is refused by name, and so is a page that is no string', () => {
  expect(snapshot('<a href=#>x</a>', { maxNodez: 1 } as never).error).toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('maxNodez'),
  })
  expect(snapshot('<a href=#>x</a>', { maxCharsTotal: 10 }).error).toMatchObject({ code: 'invalid_input' })
  expect(snapshot(42 as never).error).toMatchObject({ code: 'invalid_input' })
})

const hostile: [string, string][] = [
  ['nothing', ''],
  ['no HTML', 'just words & some < signs >'],
  ['binary', Array.from({ length: 2_000 }, (_, i) => String.fromCharCode(i % 256)).join('')],
  ['lone surrogates', '<a href=#>\ud800x\udfff</a>'.repeat(20)],
  ['100,000 nested elements', `${'<div>'.repeat(100_000)}<a href=#>deep</a>`],
  ['100,000 nested links', '<a href=#><b>'.repeat(50_000)],
  ['a million attributes', `<a href=# ${Array.from({ length: 1_000_000 }, (_, i) => `a${i}`).join(' ')}>x</a>`],
  ['50,000 labels in each other', `${'<label>'.repeat(50_000)}<input>`],
  ['20,000 cells and a comment', `<table><tr><!-- -->${'<th>x'.repeat(20_000)}</table>`],
  ['20,000 checked radios', `<form>${'<input type=radio name=g checked>'.repeat(20_000)}</form>`],
  ['2,000 rules for 20,000 elements', `<style>${'.a .b.c{display:none}'.repeat(2_000)}</style>${'<p class="a b">x'.repeat(20_000)}`],
  ['a style sheet that never ends', `<style>${'@media{'.repeat(50_000)}</style><a href=#>x</a>`],
  ['600 KB in one line', `<p>${'word '.repeat(120_000)}<a href=#>x</a>`],
]

test.each(hostile)('%s gives an answer within the budget (S1-12 S1-62 X1-8)', (_, html) => {
  for (const options of [{}, { interactiveOnly: false }]) {
    const { snapshotText, error } = snapshot(html, options)
    expect(error).toBeUndefined()
    expect(snapshotText.length).toBeLessThanOrEqual(12_000)
    expect(snapshotText).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
  }
})

property(
  'the same input and options give the same refs and the same text, byte for byte (S1-60)',
  [
    fc.array(
      fc.constantFrom(
        '<a href=#>',
        '</a>',
        '<p>',
        '<table>',
        '<td>',
        'text',
        '<input>',
        '<ul><li>',
        '</ul>',
        '<b>',
        '<!--',
        '-->',
        '<button>',
        '</button>',
        '<svg>',
        '</p>',
      ),
      { maxLength: 60 },
    ),
    fc.boolean(),
  ],
  (parts, interactiveOnly) => {
    const html = parts.join('')
    const [one, other] = [snapshot(html, { interactiveOnly }), snapshot(html, { interactiveOnly })]
    expect(other).toEqual(one)
    expect(one.snapshotText.length).toBeLessThanOrEqual(12_000)
  },
)
