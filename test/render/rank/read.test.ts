import { expect, test } from 'vitest'
import type { Snapshot } from '../../../src/contract/snapshot.ts'
import { htmlDriver } from '../../../src/html.ts'
import { derivedCommandsLayer } from '../../../src/layers/derived-commands.ts'
import { parseSnapshot } from '../../../src/render/decode/snapshot.ts'
import { extract } from '../../../src/render/rank/extract.ts'
import { observe } from '../../../src/render/rank/observe.ts'
import type { RankedResult } from '../../../src/render/rank/ranked.ts'
import { readPage } from '../../../src/render/rank/read.ts'
import { createMethods, type Result } from '../../../src/tools.ts'
import { page, type Sketch, text } from '../page.ts'

const read = (html: string, options = {}) => createMethods(htmlDriver(html)).read(options)
const body = ({ text }: { text: string }) => text.split('\n').slice(1)

test('read writes headings, paragraphs with links, lists and tables as Markdown', async () => {
  const html = `<title>Tea</title><h1>Tea</h1><p>Orders above <b>60</b> are <a href=/free>delivered free</a>.</p>
    <ul><li>Iron <a href=/iron>More</a></li><li>Glass</li></ul><table><tr><th>Country<th>Days<tr><td>Japan<td>9</table>`
  const { text, refs, nextOffset } = await read(html)
  expect(text.split('\n')[0]).toMatch(/^\[read\] title="Tea" chars=\d+$/)
  const [heading, paragraph, ...rest] = body({ text })
  expect(heading).toBe('# Tea')
  expect(paragraph).toMatch(/^Orders above 60 are \[delivered free\]\(@e\d+\)\.$/)
  expect(rest).toEqual([expect.stringMatching(/^- Iron \[More\]\(@e\d+\)$/), '- Glass', '| Country | Days |', '| Japan | 9 |'])
  expect(refs).toHaveLength(2)
  expect(nextOffset).toBeNull()
})

test('read prints lists, tables, links and pictures that are alone in a cell, each in the place of its cell', async () => {
  const rows = [
    '<th>Genres<td><ul><li>Folk</li><li>Rock, <a href=/b>blues</a></li></ul>',
    '<th>Years<td><table><tr><td>1962<td>First<tr><td>1963<td>Second</table>',
    '<td><a href=/x>One</a><td><td><a href=/y>Two</a>',
    '<td><img alt=Flag><td><p>First words</p><p>Other words</p><td><button>Buy</button><td>Last',
  ]
  const { text, refs } = await read(`<table>${rows.map(row => `<tr>${row}</tr>`).join('')}</table>`)
  expect(body({ text }).map(line => line.replace(/@\w+/g, '@'))).toEqual([
    '| Genres | Folk<br>Rock, [blues](@) |',
    '| Years | 1962 First<br>1963 Second |',
    '| [One](@) |  | [Two](@) |',
    '| ![Flag] | First words<br>Other words | [Buy](@) | Last |',
  ])
  expect(refs).toHaveLength(4)
})

test('read writes a page that is laid out by a table line by line', async () => {
  const news = Array.from({ length: 20 }, (_, n) => `<tr><td>${n + 1}.<td>Some news about subject ${n + 1} of today</tr>`).join('')
  const html = `<table><tr><td>Menu<br>Contact<td><h1>Today</h1><p>First words</p><tr><td>Old news<td><table>${news}</table></table>
    <table><tr><td><button>Buy</button><td><button>Sell</button><tr><td><h2>Basic</h2><td><h2>Large</h2></table>`
  const lines = body(await read(html))
  expect(lines.slice(0, 6)).toEqual([
    'Menu',
    'Contact',
    '# Today',
    'First words',
    'Old news',
    '| 1. | Some news about subject 1 of today |',
  ])
  expect(lines.slice(-3)).toEqual([
    '| 20. | Some news about subject 20 of today |',
    expect.stringMatching(/^\| \[Buy\]\(@e\d+\) \| \[Sell\]\(@e\d+\) \|$/),
    '| Basic | Large |',
  ])
})

test('text of the page is not taken for structure, a link or a note', async () => {
  const { text, refs } = await read(
    '<p># Heading</p><p>… 5 characters more: offset=0</p><p>[Pay](@e1)</p><p>[read] url="x"</p><p>a\u202eb</p>',
  )
  expect(body({ text })).toEqual(['\\# Heading', '\\… 5 characters more: offset=0', '[Pay]\\(@e1)', '\\[read] url="x"', 'a\\u202eb'])
  expect(refs).toEqual([])
})

test('names and values of controls are not taken for a link or a checkbox', async () => {
  const { text, refs } = await read(
    '<p>[x] [ ] done</p><button>[Pay](@e9)</button><input aria-label="a](@e8)" value="](@e7)"><input type=checkbox aria-label="[x] b">',
  )
  const lines = refs.reduce((all, ref) => all.replace(`@${ref}`, '@'), text).split('\n')
  expect(lines.slice(1)).toEqual(['\\[x] \\[ ] done', '[[Pay]\\(@e9)](@)', '[a]\\(@e8)](@): ]\\(@e7)', '[ ] [\\[x] b](@)'])
  expect(refs).toHaveLength(3)
})

const withoutRefs = (result: { text: string }) => body(result).map(line => line.replace(/\(@\w+/g, '(@'))

test('read prints buttons and fields where they are in a sentence, a list, a table or a heading', async () => {
  const html = `<p>Press <button>Start</button> to begin. Only <select><option>1<option selected>2</select> left. Name: <input value=Bob></p>
    <h2>Chapter <button>Edit</button></h2><h2>Other <a href=/o>words</a> after</h2>
    <ul><li>Milk <button>Delete</button></li><li><input type=checkbox checked> Bread</li><li onclick=1>Eggs</li></ul>
    <table><tr><th>Item<th>Count<tr><td>Tea<td><input value=3></table>`
  expect(withoutRefs(await read(html))).toEqual([
    'Press [Start](@) to begin. Only [2](@) left. Name: [Bob](@)',
    '## Chapter [Edit](@)',
    '## Other [words](@) after',
    '- Milk [Delete](@)',
    '- [x](@) Bread',
    '- [Eggs](@)',
    '| Item | Count |',
    '| Tea | [3](@) |',
  ])
})

test('read prints the name and the value of a field, its placeholder if it is empty, and no secret', async () => {
  const html = `<label>E-mail <input value=bob@example.com></label><label>Password <input type=password value=s3cret></label>
    <input type=password value=s3cret><label>Date <input placeholder=DD.MM.YYYY></label><input placeholder=Search><input><input placeholder=****>
    <label>Size <select><option>S<option selected>M</select></label><p>Name: <input aria-label=Name value=Bob></p>
    <label>Colors <select multiple><option selected>Red<option>Blue</select></label>`
  const { text } = await read(html)
  expect(withoutRefs({ text })).toEqual([
    '[E-mail](@): bob@example.com',
    '[Password](@)',
    '[Date](@) (DD.MM.YYYY)',
    '[Search](@)',
    '[Size](@): M',
    'Name: [Bob](@)',
    '[Colors](@)',
    '[x] [Red](@)',
    '[ ] [Blue](@)',
  ])
})

test('read prints the texts of controls in other controls once, each with the ref of its own control', async () => {
  const html = `<div onclick=1><h3>Teapot</h3><p>Some <a href=/x>words</a></p><button>Like</button></div>
    <a href=/r>Cup $7 <button>Add</button></a><div role=button tabindex=0>Folder <button>Delete</button></div>
    <ul role=tree><li role=treeitem tabindex=0>Docs<ul role=group><li role=treeitem tabindex=0>File</li></ul></li></ul>
    <a href=/p aria-label="Product page"><h3>Kettle</h3></a><button><svg></svg></button>`
  const { text, refs } = await read(html)
  expect(withoutRefs({ text })).toEqual([
    '### [Teapot](@)',
    'Some [words](@)',
    '[Like](@)',
    '[Cup $7](@) [Add](@)',
    '[Folder](@) [Delete](@)',
    '[Docs](@) [File](@)',
    '[Kettle](@)',
  ])
  expect(new Set(refs).size).toBe(10)
})

/** A page in parts, as a driver gives them that has room for `size` nodes. */
function inParts(nodes: readonly Sketch[], size: number) {
  return async (command: { readonly after?: string }): Promise<Result<Snapshot>> => {
    const start = command.after === undefined ? 0 : nodes.findIndex(({ ref }) => ref === command.after) + 1
    const isCut = start + size < nodes.length
    return {
      ok: true,
      data: page(nodes.slice(start, start + size), { stats: { truncateReasons: isCut ? ['maxNodes'] : [], truncated: isCut } }),
    }
  }
}
const line = (n: number): readonly Sketch[] => [{ role: 'paragraph', ref: `e${n}`, children: [text(`Line ${n}`)] }, text(`Between ${n}`)]

test('read continues after the last element of each part, and prints nothing twice', async () => {
  const nodes = Array.from({ length: 80 }, (_, n) => line(n)).flat()
  for (const size of [2, 8, 9, 33, 100]) {
    const { text: all } = await createMethods(inParts(nodes, size) as never).read({ maxChars: 100_000 })
    const expected = size * 48 < nodes.length ? nodes.length : Number.POSITIVE_INFINITY
    const lines = body({ text: all }).filter(each => !each.startsWith('…'))
    expect(lines).toEqual(
      nodes.map((_, i) => (i % 2 ? `Between ${(i - 1) / 2}` : `Line ${i / 2}`)).slice(0, Math.min(lines.length, expected)),
    )
    if (size >= 8) expect(lines).toHaveLength(nodes.length)
    else expect(all).toContain('… not read: the end of the page')
  }
})

test('observe with a task searches every part of a long page, and without one the first part', async () => {
  const button = (name: string, ref: string): Sketch => ({ tag: 'button', role: 'button', name, ref, interactive: true })
  const nodes = [...Array.from({ length: 60 }, (_, n) => button(`Topic ${n}`, `e${n}`)), button('Place order', 'e99')]
  const run = derivedCommandsLayer()(inParts(nodes, 10) as never)
  const search = async (task: string) => {
    const result = await run({ name: 'observe', task, offset: 0, maxChars: 4_000 })
    return result.ok ? (result.data as RankedResult) : undefined
  }
  expect(await search('place the order')).toMatchObject({ refs: ['e99'], found: 61, matching: 1 })
  expect((await search(''))?.text).toContain('… not searched: parts of a long page that are far from the viewport')
})

test('observe lists the button of a form whose fields match the task', () => {
  const field: Sketch = { tag: 'input', role: 'textbox', name: 'Full name', ref: 'e2', interactive: true }
  const button = (name: string, ref: string): Sketch => ({ tag: 'button', role: 'button', name, ref, interactive: true })
  const form: Sketch = { tag: 'form', role: 'form', ref: 'e1', children: [field, button('Go ahead', 'e3')] }
  const snapshot = parseSnapshot(page([button('Help', 'e9'), form]))
  if (!snapshot.ok) throw new Error()
  expect(observe(snapshot, { task: 'full name Ada Lovelace' }).refs).toEqual(['e2', 'e3'])
})

test('extract gives a definition with its terms', async () => {
  const html = '<h1>Account</h1><dl><dt>Balance<dt>Saldo<dd>$1,204.50<dt>Owner<dd>Ada<dd>Bob</dl><dl><dt>Alone</dl>'
  const result = await htmlDriver(html)({ name: 'snapshot', interactiveOnly: false })
  const snapshot = parseSnapshot(result.ok ? result.data : result.error)
  if (!snapshot.ok) throw new Error()
  const lines = extract(snapshot, { query: 'balance' }).text.split('\n').slice(1)
  expect(lines[0]).toMatch(/^- definition under "Balance, Saldo" .*"\$1,204.50"$/)
  const all = extract(snapshot, {}).text.replace(/ \[ref=\w+\]/g, '')
  expect(all).toContain('- definition under "Owner": "Ada"\n- definition under "Owner": "Bob"\n- term under "Account": "Alone"')
})

test('observe stops before matches that have only a common word in common with the task', () => {
  const button = (name: string, ref: string): Sketch => ({ tag: 'button', role: 'button', name, ref, interactive: true })
  const rows = Array.from({ length: 30 }, (_, n) => button(`Open order ${n}`, `e${n + 10}`))
  const snapshot = parseSnapshot(page([button('Cancel invoice 77', 'e1'), ...rows]))
  if (!snapshot.ok) throw new Error()
  const { refs, text: answer, matching } = observe(snapshot, { task: 'open the page to cancel invoice 77' })
  expect(refs).toEqual(['e1'])
  expect(matching).toBe(1)
  expect(answer).toContain('… 30 that match less: offset=1')
})

test('read and extract say which controls something else covers', () => {
  const covered = { covered: 'div' }
  const parsed = parseSnapshot(
    page([
      {
        tag: 'p',
        role: 'paragraph',
        children: [text('See'), { tag: 'a', role: 'link', name: 'terms', ref: 'e1', interactive: true, states: covered }],
      },
      { tag: 'input', role: 'textbox', name: 'City', value: 'Rome', ref: 'e2', interactive: true, states: covered },
      { tag: 'button', role: 'button', name: 'Buy', ref: 'e3', interactive: true, states: covered },
      { tag: 'button', role: 'button', name: 'Help', ref: 'e4', interactive: true },
    ]),
  )
  if (!parsed.ok) throw new Error('no snapshot')
  expect(readPage(parsed).text.split('\n').slice(1)).toEqual([
    'See [terms](@e1) (covered)',
    '[City](@e2) (covered): Rome',
    '[Buy](@e3) (covered) [Help](@e4)',
  ])
  expect(extract(parsed, {}).text.split('\n').slice(1)).toEqual([
    '- paragraph: "See terms (covered)"',
    '- textbox [ref=e2]: "City: Rome (covered)"',
    '- button [ref=e3]: "Buy (covered)"',
    '- button [ref=e4]: "Help"',
  ])
})
