import { expect, test } from 'vitest'
import { buildDocument, query, read, type SnapshotOptions, snapshot, snapshotDefaults } from '../../src/html.ts'
import { fc, test as property } from '../support/property.ts'

const sample = `<nav><a href="https://gold.test/price">价格</a></nav><button>登录</button>
  <input type="text" name="q" placeholder="搜索"><h1>今日金价</h1><p>Gold is at 900.</p>`
const lines = (text: string) => text.split('\n')

test('a line has a ref, tag and attributes in brackets, and quoted text (S1-03 S1-33 S1-34 S1-35 S1-36 S1-63)', () => {
  expect(lines(snapshot(sample).snapshotText).slice(0, 4)).toEqual([
    '[snapshot] nodes=6 emitted=3 truncated=false',
    '@e1  [link href="https://gold.test/price"] "价格"',
    '@e2  [button] "登录"',
    '@e3  [input type="text" name="q" placeholder="搜索"]',
  ])
})

test('the whole text of an element is on its line, with or without dedupeText (S1-22 S1-43 S1-47)', () => {
  const told = (html: string, dedupeText = true) => lines(snapshot(html, { interactiveOnly: false, dedupeText }).snapshotText).slice(1)
  expect(told('<p>See <a href=/x>this</a> for details.</p>')).toEqual(['@e1  [p] "See … for details."', '@e2  [link href="/x"] "this"'])
  expect(told('<p>Words</p>', false)).toEqual(['@e1  [p] "Words"'])
})

test('a line keeps the type of an input under the tightest budget (S1-36 S1-39)', () => {
  const boxes = Array.from({ length: 60 }, (_, i) => `<label><input type=checkbox name=n${i}>Choice number ${i}</label>`).join('')
  const [, first] = lines(snapshot(boxes, { maxCharsTotal: 400 }).snapshotText)
  expect(first).toBe('@e1  [input type="checkbox"] "Choice number 0"')
})

test('omitted nodes are reported with a call that shows them (S1-40)', () => {
  const links = Array.from({ length: 300 }, (_, i) => `<a href=/p${i}>Link number ${i}</a>`).join(' ')
  const last = (html: string, options: object) => lines(snapshot(html, options).snapshotText).at(-1)
  expect(last(links, { outputFormat: 'flat', maxCharsTotal: 1_500 })).toBe('… 250 more: after=e50')
  const deep = `<ul>${'<li>x<ul><li><a href=#>y</a><ul><li>deep</li></ul></li></ul></li>'.repeat(4)}</ul>`
  expect(last(deep, { outputFormat: 'tree', maxDepth: 2, interactiveOnly: false })).toBe('  - listitem [ref=e25]: "deep"')
  expect(last(`<a href=#>${'word '.repeat(100)}</a>`, { maxCharsTotal: 200 })).toBe('… more: a larger maxCharsTotal')
})

test('interactiveOnly: false adds headings, text, list items and sections with refs (S1-06 S1-18 S1-37 S1-45 S1-58 X1-2)', () => {
  const html = `${sample}<ul><li>One</li><li>Two</li></ul><article>News<h6>Small</h6></article><section aria-label=Prices>900</section>`
  const { snapshotText } = snapshot(html, { interactiveOnly: false })
  const readable = /\[(h[1-6]|p|li|article|section)\b/
  for (const line of [
    /@e\d+ {2}\[h1\] "今日金价"/,
    /@e\d+ {2}\[p\] "Gold is at 900\."/,
    /@e\d+ {2}\[li\] "One"/,
    /@e\d+ {2}\[article\] "News"/,
    /@e\d+ {2}\[h6\] "Small"/,
    /@e\d+ {2}\[section\] "Prices": "900"/,
  ])
    expect(snapshotText).toMatch(line)
  expect(snapshot(html).snapshotText).not.toMatch(readable)
  expect(Object.values(snapshot(html).refs).map(({ tag }) => tag)).toEqual(['a', 'button', 'input'])
})

test('a tree line has a role, a name and a ref, which is accepted in every printed form (S1-04 S1-67 C1)', () => {
  const document = buildDocument(sample)
  expect(lines(snapshot(document, { outputFormat: 'tree' }).snapshotText)).toContain('- button "登录" [ref=e2]')
  for (const ref of ['e2', '@e2', 'ref=e2', '[ref=e2]', '2', '[2]'])
    expect(query(document, ref, 'TEXT')).toMatchObject({ ref: 'e2', value: '登录' })
})

test('a result has text, refs and statistics (S1-05 S1-23 S1-24 S1-25 S1-50)', () => {
  const { refs, stats } = snapshot(sample)
  expect(refs.e1).toEqual({
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

test('an error result has statistics (S1-50)', () => {
  expect(snapshot(sample, { scopeSelector: '#none' }).stats).toEqual({
    inputChars: sample.length,
    nodesVisited: 0,
    nodesEmitted: 0,
    truncated: false,
    reasons: [],
  })
})

test('snapshot takes a string, or a parsed document with its own options (S1-28 S1-30 S1-31)', () => {
  expect(snapshot(buildDocument(sample))).toEqual(snapshot(sample))
  const document = buildDocument(sample, { outputFormat: 'tree', maxNodes: 1 })
  expect(snapshot(document)).toEqual(snapshot(sample, { outputFormat: 'tree', maxNodes: 1 }))
  expect(snapshot(document).snapshotText).not.toBe(snapshot(sample).snapshotText)
  // options of the call override those of the document
  expect(snapshot(document, { maxNodes: 200 })).toEqual(snapshot(sample, { outputFormat: 'tree' }))
})

test('repeated, scoped and full snapshots of a document keep every ref (S1-30 S1-60)', () => {
  const document = buildDocument('<nav><a href=/1>One</a></nav><main><h1>Title</h1><a href=/2>Two</a><button>Three</button></main>')
  const first = snapshot(document)
  const part = snapshot(document, { scopeSelector: 'main' })
  snapshot(document, { interactiveOnly: false })
  expect(Object.values(part.refs).filter(({ tag }) => tag !== 'main')).toEqual([first.refs.e2, first.refs.e3])
  expect(snapshot(document)).toEqual(first)
})

test('the defaults are the documented ones (S1-14 S1-15 S1-16 S1-17 S1-18 S1-19 S1-20 S1-21 S1-22 S1-66)', () => {
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
  const page = `${'<div><ul><li>'.repeat(20)}${'<p><a href=/x title=t>Link</a> words</p>'.repeat(400)}<p>${'long '.repeat(90)}</p>`
  expect(snapshot(page)).toEqual(snapshot(page, snapshotDefaults))
})

test('includeAttrs is a list or a set of attribute names (S1-19 S1-24 S1-48)', () => {
  const html = '<a href=/x title=t id=i rel=r>Link</a>'
  const attrs = (options: SnapshotOptions) => snapshot(html, options).refs.e1?.attrs
  expect(attrs({})).toEqual({ href: '/x' })
  expect(attrs({ includeAttrs: ['title', 'rel'] })).toEqual({ title: 't', rel: 'r' })
  expect(attrs({ includeAttrs: new Set(['title']) })).toEqual({ title: 't' })
  expect(snapshot(html, { includeAttrs: ['title'] }).snapshotText).toContain('@e1  [a title="t"] "Link"')
  // an iterator would be empty at the second use
  expect(snapshot(html, { includeAttrs: new Set(['title']).values() as never }).error).toMatchObject({ code: 'invalid_input' })
})

test('dedupeText omits text that repeats the name of its parent (S1-22)', () => {
  const html = '<article aria-label="Gold price">Gold price<a href=#>Buy</a></article>'
  const told = (dedupeText: boolean) =>
    lines(snapshot(html, { interactiveOnly: false, outputFormat: 'tree', dedupeText }).snapshotText).slice(1)
  expect(told(true)).toEqual(['- article "Gold price" [ref=e1]:', '  - link "Buy" [href="#"] [ref=e2]'])
  expect(told(false)).toEqual(['- article "Gold price" [ref=e1]:', '  - text "Gold price"', '  - link "Buy" [href="#"] [ref=e2]'])
})

test('interactive elements have refs: links, buttons, fields, options, forms, [role=button], [onclick] (S1-43 S1-44)', () => {
  const html =
    '<form><a href=#>a</a><button>b</button><input><select><option>o</select><textarea></textarea></form><div role=button>d</div><span onclick="x">s</span>'
  expect(Object.values(snapshot(html).refs).map(({ tag }) => tag)).toEqual([
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

test('more than ten options stay collapsed until their select is the scope (S1-44)', () => {
  const html = `<select aria-label=Country>${Array.from({ length: 11 }, (_, i) => `<option>Land ${i}`).join('')}</select><a href=#>next</a>`
  expect(Object.values(snapshot(html).refs).map(({ tag }) => tag)).toEqual(['select', 'a'])
  expect(snapshot(html).snapshotText).toContain('scope=e1')
  const { snapshotText } = snapshot(html, { scopeSelector: 'e1' })
  expect(snapshotText).toContain('[option selected] "Land 0"')
  expect(snapshotText).toContain('[option] "Land 10"')
})

/** nested elements, closed in any order; every link is named by its position in the source */
const nested = fc
  .array(fc.constantFrom('<div>', '</div>', '<ul><li>', '</ul>', '<section>', '</section>', '<p>', '<b>', '</b>', 'words', '<a>'), {
    maxLength: 80,
  })
  .map(parts => parts.map((part, at) => (part === '<a>' ? `<a href=/${at}>${at}</a>` : part)).join(''))

property('refs are numbered in document order, whatever the nesting (S1-42 S1-43)', [nested], html => {
  const { refs } = snapshot(html, { maxNodes: 1_000, maxCharsTotal: 100_000 })
  expect(Object.keys(refs)).toEqual(Object.keys(refs).map((_, at) => `e${at + 1}`))
  expect(Object.values(refs).map(({ attrs }) => attrs.href)).toEqual(html.match(/\/\d+(?=>)/g) ?? [])
})

test('malformed markup becomes the tree that the HTML standard prescribes (S1-12 S1-41)', () => {
  // the adoption agency, foster parenting, and an end tag that nothing opened: https://html.spec.whatwg.org/multipage/parsing.html#an-introduction-to-error-handling-and-strange-cases-in-the-parser
  const markup = (html: string) => {
    const document = buildDocument(`<form>${html}`)
    return query(document, 'e1', 'OUTER_HTML').value.slice('<form>'.length, -'</form>'.length)
  }
  expect(markup('<p>1<b>2<i>3</b>4</i>5</p>')).toBe('<p>1<b>2<i>3</i></b><i>4</i>5</p>')
  expect(markup('<b>1<p>2</b>3</p>')).toBe('<b>1</b><p><b>2</b>3</p>')
  expect(markup('<table><b><tr><td>a</td></tr>b</table>c')).toBe('<b></b><b>b</b><table><tbody><tr><td>a</td></tr></tbody></table><b>c</b>')
  expect(markup('<a href=1>x<a href=2>y</a></p>')).toBe('<a href="1">x</a><a href="2">y</a><p></p>')
})

test('candidates adds and excludes elements by selector (S1-46)', () => {
  const html = '<div class=card>Card</div><a href=#>a</a><button class=ad>Ad</button>'
  const { refs } = snapshot(html, { candidates: { include: '.card', exclude: '.ad' } })
  expect(Object.values(refs).map(({ tag }) => tag)).toEqual(['div', 'a'])
  expect(snapshot(html, { candidates: { include: ':::' } }).error).toMatchObject({ code: 'invalid_selector' })
})

test('600 KB of HTML yield a text within budget that counts the omitted nodes (S1-08 S1-38 S1-40 S1-57 S1-59 S1-62 X1-4)', () => {
  const html = Array.from({ length: 9_000 }, (_, i) => `<p><a href="/item/${i}?ref=list">Item number ${i}</a> some text</p>`).join('')
  expect(html.length).toBeGreaterThan(500_000)
  const { snapshotText, stats } = snapshot(html)
  expect(snapshotText.length).toBeLessThanOrEqual(12_000)
  expect(stats).toMatchObject({ truncated: true, reasons: ['maxNodes'], inputChars: html.length })
  expect(snapshotText).toMatch(/… 8800 more.*after=e200/)
})

test('after continues where the text ended, and refs do not depend on limits (S1-60 X1-4)', () => {
  const html = Array.from({ length: 500 }, (_, i) => `<p><a href="/${i}">Link ${i}</a></p>`).join('')
  expect(snapshot(html, { maxNodes: 20 }).snapshotText).toContain('@e20  [link href="/19"] "Link 19"')
  expect(snapshot(html, { maxNodes: 20, after: 'e20' }).snapshotText).toContain('@e21  [link href="/20"] "Link 20"')
  expect(snapshot(html, { scopeSelector: 'p:nth-of-type(100)' }).snapshotText).toContain('@e100  [link href="/99"] "Link 99"')
  expect(snapshot(html, { after: 'e9999' }).error).toMatchObject({ code: 'ref_not_found' })
})

test('following after yields every element once, in order (X1-4)', () => {
  const html = Array.from({ length: 333 }, (_, i) => `<div><p><a href="/${i}">Link number ${i}</a> text</p></div>`).join('')
  const document = buildDocument(html, { maxCharsTotal: 1_500 })
  const refs: string[] = []
  for (let after: string | undefined; ; ) {
    const { snapshotText, error } = snapshot(document, after ? { after } : {})
    expect(error).toBeUndefined()
    expect(snapshotText.length).toBeLessThanOrEqual(1_500)
    refs.push(...[...snapshotText.matchAll(/^@(e\d+) /gm)].map(([, ref]) => ref as string))
    const next = /… (\d+) more.*after=(e\d+)/.exec(snapshotText)
    if (!next) break
    // omitted nodes are counted
    expect(refs.length + Number(next[1])).toBe(333)
    expect(refs.at(-1)).toBe(next[2])
    after = next[2]
  }
  expect(refs).toEqual(Array.from({ length: 333 }, (_, i) => `e${i + 1}`))
})

test.each<[reason: string, html: string, options: SnapshotOptions]>([
  ['maxCharsTotal', '<p><a href=/some/where>Link</a></p>'.repeat(100), { maxCharsTotal: 400 }],
  ['maxNodes', '<p><a href=/some/where>Link</a></p>'.repeat(100), { maxNodes: 10 }],
  ['maxDepth', '<ul><li>a<ul><li>b<a href=#>x</a></ul></ul>', { maxDepth: 1, interactiveOnly: false }],
  ['maxTextPerNode', `<button>${'word '.repeat(50)}</button>`, { maxTextPerNode: 20 }],
])('an exceeded budget is reported by name: %s (S1-08 S1-16 S1-17 S1-40 S1-49 S1-59)', (reason, html, options) => {
  const roomy = { maxCharsTotal: 100_000, maxNodes: 10_000, maxDepth: 1_000, maxTextPerNode: 1_000, outputFormat: 'tree' } as const
  expect(snapshot(html, { ...roomy, interactiveOnly: options.interactiveOnly ?? true }).stats).toMatchObject({
    truncated: false,
    reasons: [],
  })
  const { snapshotText, stats } = snapshot(html, { ...roomy, ...options })
  expect(stats).toMatchObject({ truncated: true, reasons: [reason] })
  expect(lines(snapshotText)[0]).toContain(`truncated=true truncateReasons=["${reason}"]`)
})

property(
  'truncation reasons are unique and in a fixed order (X1-5)',
  [fc.integer({ min: 200, max: 3_000 }), fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 30 })],
  (maxCharsTotal, maxNodes, maxDepth, maxTextPerNode) => {
    const html = `<ul><li>a<ul><li>b<ul><li>${'<p>some words <a href=/x>and a link to it</a></p>'.repeat(50)}</ul></ul></ul>`
    const { reasons, truncated } = snapshot(html, { maxCharsTotal, maxNodes, maxDepth, maxTextPerNode, interactiveOnly: false }).stats
    const order = ['maxCharsTotal', 'maxNodes', 'maxDepth', 'maxTextPerNode']
    expect(reasons).toEqual(order.filter(reason => (reasons as readonly string[]).includes(reason)))
    expect(truncated).toBe(reasons.length > 0)
  },
  60,
)

test('long texts and attributes are cut and reported (S1-39 S1-47 S1-48 S1-49)', () => {
  const { snapshotText, stats } = snapshot(`<a href="/${'h'.repeat(5_000)}">${'t '.repeat(3_000)}</a>`)
  expect(Math.max(...lines(snapshotText).map(line => line.length))).toBeLessThan(500)
  expect(stats).toMatchObject({ truncated: true, reasons: ['maxTextPerNode'] })
})

test('scopeSelector takes any CSS selector, with different errors for invalid and unmatched ones (S1-20)', () => {
  const html = '<ul id=a><li><a href=#>1</a></ul><ul id=b><li class="x y"><a href=#>2</a></ul>'
  expect(snapshot(html, { scopeSelector: 'ul#b > li.x:has(a)' }).snapshotText).toContain('"2"')
  expect(snapshot(html, { scopeSelector: '>>>' })).toMatchObject({
    error: { code: 'invalid_selector' },
    snapshotText: expect.stringContaining('invalid_selector'),
  })
  expect(snapshot(html, { scopeSelector: '#nothing' })).toMatchObject({ error: { code: 'scope_not_found' } })
})

test('maxDepth counts printed levels and loses no control (X1-3)', () => {
  const deep = `${'<div>'.repeat(40)}<button>deep</button>${'</div>'.repeat(40)}<button>shallow</button>`
  expect(Object.keys(snapshot(deep, { outputFormat: 'tree', maxDepth: 1 }).refs)).toHaveLength(2)
  expect(snapshot(deep, { outputFormat: 'tree', maxDepth: 1 }).snapshotText).toContain('"deep"')
})

const formats = ['lines', 'tree', 'flat', 'json'] as const

test.each([
  ['the hidden attribute', '<p hidden>SECRET</p>'],
  ['an inline style', '<p style="color:red; display : none">SECRET</p>'],
  ['inline visibility', '<div style="visibility:hidden"><a href=#>SECRET</a></div>'],
  ['aria-hidden', '<div aria-hidden=true><a href=#>SECRET</a> SECRET</div>'],
  ['template', '<template><a href=#>SECRET</a></template>'],
  ['script', '<script>SECRET</script>'],
  ['style', '<style>SECRET</style>'],
  ['noscript', '<p>a</p><noscript><a href=#>SECRET</a> SECRET</noscript>'],
  ['noscript in the head', '<noscript><p>SECRET</p></noscript>'],
  ['a closed dialog', '<dialog><a href=#>SECRET</a></dialog>'],
  ['closed details', '<details><summary>s</summary><a href=#>SECRET</a></details>'],
  ['type=hidden', '<input type=hidden name=SECRET value=SECRET>'],
  ['content-visibility', '<div style="content-visibility:hidden">SECRET <a href=#>SECRET</a></div>'],
  ['a rule with a descendant and a child', '<style>nav .m > a { display: none }</style><nav><p class=m><a href=#>SECRET</a></p></nav>'],
  ['a rule with an escaped class', '<style>.lg\\:gone { display: none }</style><p class="lg:gone">SECRET</p>'],
  ['a rule of a style block', '<style>/* a */ .gone, .other { color: red; display: none }</style><p class="big gone">SECRET</p>'],
])('content hidden by %s is left out of snapshots and read (X1-7)', (_, html) => {
  const page = `${html}<main><p>Seen</p><button>Seen</button></main>`
  for (const interactiveOnly of [true, false])
    for (const outputFormat of formats) {
      const { snapshotText, refs } = snapshot(page, { interactiveOnly, outputFormat })
      expect(snapshotText).toContain('Seen')
      expect(snapshotText).not.toContain('SECRET')
      expect(JSON.stringify(refs)).not.toContain('SECRET')
    }
  // all of it, not only the content of main
  expect(read(`<div>${html}</div>`).text).not.toContain('SECRET')
})

test.each([
  ['an image in noscript', '<noscript><img src=count.png></noscript>'],
  ['a frame in noscript', '<noscript><iframe src=/count></iframe></noscript>'],
  ['a byte order mark', '\ufeff'],
])('%s before the title does not end the head', (_, before) => {
  const html = `${before.startsWith('\ufeff') ? before : ''}<!doctype html><head>${before.replace('\ufeff', '')}<title>Lamps</title><style>.x{display:none}</style></head><a href=# class=x>x</a><a href=#>y</a>`
  expect(snapshot(html).snapshotText).toBe('[snapshot] nodes=1 emitted=1 truncated=false complete title="Lamps"\n@e1  [link href="#"] "y"')
})

test.each([
  ['a media query', '<style>@media print { a { display: none } }</style>'],
  ['a rule overridden by a media query', '<style>.m{display:none}@media (min-width:9px){.m{display:block}}</style>'],
  ['a rule overridden by a later one', '<style>.m{display:none}.m{display:block}</style>'],
  ['a selector that needs a browser', '<style>a:hover, nav a, a + b, b > a { display: none }</style>'],
  ['a rule with an invalid selector', '<style>a, % { display: none }</style>'],
  ['a style block inside noscript', '<noscript><style>a{display:none}</style></noscript>'],
])('%s hides nothing', (_, style) => {
  expect(Object.keys(snapshot(`${style}<a class=m href=#>x</a>`).refs)).toHaveLength(1)
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

test('hidden labels, hidden owners and text in closed details are no part of names', () => {
  const html = `<label for=a hidden>Phone</label><input id=a><label for=b style="display:none">Old</label><label for=b>City</label><input id=b>
    <a href=#1><i hidden aria-owns=one>x</i> <b id=one>One</b></a><button aria-owns=two>Buy</button><button aria-owns=two>Sell</button>
    <p id=two>two</p><a href=#2 aria-labelledby=more></a><details id=more><summary>More</summary>Terms</details>`
  const { refs } = snapshot(html)
  expect(Object.values(refs).map(({ tag, name = '' }) => `${tag} ${name}`)).toEqual([
    'input ',
    'input City',
    'a One',
    'button Buy two',
    'button Sell',
    'a More',
    'summary More',
  ])
})

test('an invalid option is rejected by name, and so is a page that is not a string', () => {
  expect(snapshot('<a href=#>x</a>', { maxNodez: 1 } as never).error).toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('maxNodez'),
  })
  expect(snapshot('<a href=#>x</a>', { maxCharsTotal: 10 }).error).toMatchObject({ code: 'invalid_input' })
  expect(snapshot(42 as never).error).toMatchObject({ code: 'invalid_input' })
})

property(
  'equal input and options yield equal refs and text (S1-60)',
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

test('attributes that are named like properties of objects mean nothing, and those in upper case mean what they say', () => {
  const { snapshotText } = snapshot(
    '<div constructor __proto__ toString valueOf><p HIDDEN><button>Gone</button></p><span ROLE=button ARIA-LABEL=Save hasOwnProperty>x</span></div>',
  )
  expect(snapshotText).toContain('[button] "Save"')
  expect(snapshotText).not.toContain('Gone')
})

const awaitsScript: readonly (readonly [style: string, root?: string, body?: string])[] = [
  ['body{display:none!important}'],
  ['body { visibility: hidden }'],
  ['html{visibility:hidden}'],
  ['html,body{display:none}'],
  ['html.async-hide{visibility:hidden!important}', 'class=async-hide'],
  ['.js body{display:none}', 'class=js'],
  ['#page{display:none}', '', 'id=page'],
  ['body{content-visibility:hidden}'],
  ['body{opacity:0}'],
  [
    'body{-webkit-animation:-amp-start 8s steps(1,end) 0s 1 normal both}@keyframes -amp-start{from{visibility:hidden}to{visibility:visible}}',
  ],
  ['', 'style="visibility:hidden"', 'style="display:none"'],
  ['', 'hidden', 'hidden'],
]

test.each(awaitsScript)('a style that hides the page until a script runs hides nothing: %s', (style, root = '', body = '') => {
  const html = `<html ${root}><head><style>${style} .gone{display:none}</style></head><body ${body}><main><h1>News</h1><p>Shown words</p>
    <div class=gone>Gone words</div><p hidden>Gone words</p><button>Buy</button></main></body></html>`
  const { snapshotText } = snapshot(html, { interactiveOnly: false })
  for (const text of [snapshotText, read(html).text]) {
    expect(text).toContain('Shown words')
    expect(text).not.toContain('Gone words')
  }
  expect(snapshotText).toContain('[button] "Buy"')
})

test.each(['main{display:none}', '#root{visibility:hidden}', 'body > div{visibility:hidden}'])(
  'a style that hides an element inside the body still hides it: %s',
  style => {
    const html = `<style>${style}</style><div id=root><main>Gone words<button>Gone words</button></main></div>`
    expect(snapshot(html, { interactiveOnly: false }).snapshotText).not.toContain('Gone words')
    expect(read(html).text).not.toContain('Gone words')
  },
)
