import { describe, expect, test } from 'vitest'
import { renderSnapshot } from '../../../src/render/text/render.ts'
import { body, page, type Sketch, text } from '../page.ts'

const lines = (nodes: readonly Sketch[], meta = {}) => renderSnapshot(page(nodes, { meta })).text.split('\n').slice(1)

describe('compact (S0-70, S0-83)', () => {
  test('drops structure without a ref, a name or text inside', () => {
    const empty = { role: 'navigation', children: [{ role: 'list', children: [{ role: 'listitem' }] }] }
    expect(lines([empty, { ref: 'e1', role: 'button', name: 'A' }])).toEqual(['- button "A" [ref=e1]'])
    expect(body(renderSnapshot(page([empty]), { compact: false }))).toEqual(['- navigation:', '  - list:', '    - listitem'])
  })

  test('unwraps containers of a single node and keeps rows with several cells', () => {
    const link = (ref: string) => ({ ref, role: 'link', name: ref })
    const cell = (child: Sketch) => ({ role: 'cell', children: [child] })
    expect(lines([{ role: 'list', children: [{ role: 'listitem', children: [{ role: 'generic', children: [link('e1')] }] }] }])).toEqual([
      '- link "e1" [ref=e1]',
    ])
    expect(
      lines([
        {
          role: 'table',
          children: [
            { role: 'row', children: [cell(link('e1')), cell(text('3 €'))] },
            { role: 'row', children: [cell(link('e2')), cell(text('4 €'))] },
          ],
        },
      ]),
    ).toEqual([
      '- table:',
      '  - row:',
      '    - link "e1" [ref=e1]',
      '    - cell: "3 €"',
      '  - row:',
      '    - link "e2" [ref=e2]',
      '    - cell: "4 €"',
    ])
  })

  test('keeps the text of an unwrapped generic element in place', () => {
    const nodes = [
      {
        role: 'main',
        children: [
          { ref: 'e1', role: 'button', name: 'A' },
          { role: 'generic', text: 'after', children: [{ ref: 'e2', role: 'button', name: 'B' }] },
        ],
      },
    ]
    expect(lines(nodes)).toEqual(['- main:', '  - button "A" [ref=e1]', '  - text "after"', '  - button "B" [ref=e2]'])
  })

  test('omits text that repeats the name of its parent', () => {
    const link = {
      ref: 'e1',
      role: 'link',
      name: 'Green tea 3 €',
      text: 'Green tea',
      children: [text('Green'), text('tea'), { role: 'img', name: '3 €' }],
    }
    expect(lines([link])).toEqual(['- link "Green tea 3 €" [ref=e1]'])
  })

  test('keeps text that only resembles a part of a name from another source', () => {
    expect(lines([{ role: 'region', name: 'Top 10 teas', children: [text('10')] }])).toEqual(['- region "Top 10 teas": "10"'])
  })

  test('keeps the texts of separate blocks on separate lines', () => {
    expect(lines([text('$ npm test'), text('ok 1'), { ref: 'e1', role: 'button', name: 'B' }, text('c')])).toEqual([
      '- text "$ npm test"',
      '- text "ok 1"',
      '- button "B" [ref=e1]',
      '- text "c"',
    ])
  })

  const card = (first: number, names: readonly string[]): Sketch => ({
    role: 'item',
    children: names.map((name, index) => ({ ref: `e${first + index}`, role: 'button', name, interactive: true })),
  })

  test('keeps items of controls only if two of them have controls with the same name', () => {
    expect(lines([card(1, ['Follow', 'Acme']), card(3, ['Follow', 'Globex'])])).toEqual([
      '- item:',
      '  - button "Follow" [ref=e1]',
      '  - button "Acme" [ref=e2]',
      '- item:',
      '  - button "Follow" [ref=e3]',
      '  - button "Globex" [ref=e4]',
    ])
    expect(lines([card(1, ['Home', 'Shop']), card(3, ['Press', 'Jobs'])])).toHaveLength(4)
  })

  test('shows an item without controls as text', () => {
    expect(lines([{ role: 'item', text: 'Acme | Steel' }])).toEqual(['- text "Acme | Steel"'])
  })
})

test('an offscreen text next to a visible control keeps its own position mark', () => {
  const nodes = [
    {
      role: 'main',
      children: [
        { ...text('Above'), offset: -300 },
        { ref: 'e1', role: 'button', name: 'A' },
      ],
    },
  ]
  expect(lines(nodes)).toEqual(['- main:', '  - text "Above" [above=300px]', '  - button "A" [in-view] [ref=e1]'])
})

test('a heading around a single link of the same name becomes that link with the heading level', () => {
  const heading = (name: string) => ({ role: 'heading', name, states: { level: 3 }, children: [{ ref: 'e1', role: 'link', name: 'News' }] })
  expect(lines([heading('News')])).toEqual(['- link "News" [level=3] [ref=e1]'])
  expect(lines([heading('Old News')])).toEqual(['- heading "Old News" [level=3]:', '  - link "News" [ref=e1]'])
})

test('the new mark is omitted when most of the page is new', () => {
  const button = (ref: string, isNew: boolean): Sketch => ({ ref, role: 'button', name: ref, ...(isNew && { new: true }) })
  expect(lines([button('e1', false), button('e2', false), button('e3', true)])[2]).toBe('- button "e3" [new] [ref=e3]')
  expect(lines([button('e1', true), button('e2', true), button('e3', false)]).join()).not.toContain('new')
})

describe('folding', () => {
  const items = (many: number, off: number | undefined, first = 10): Sketch[] =>
    Array.from({ length: many }, (_, index) => ({
      role: 'listitem',
      children: [
        { ref: `e${first + index}`, role: 'link', name: `Item ${index}`, ...(off && { offset: off + index }) },
        { ...text('3 €'), ...(off && { offset: off + index }) },
      ],
    }))

  test('keeps three of many similar siblings outside the viewport, with a call that shows the others', () => {
    const result = renderSnapshot(
      page([
        { role: 'main', children: [{ ref: 'e9', role: 'list', children: items(99, 700) }] },
        { ref: 'e1', role: 'button', name: 'A' },
      ]),
    )
    expect(result.text).toContain('\n    … 96 more like these: scope=e9\n')
    expect(result.refs).toEqual(['e9', 'e10', 'e11', 'e12', 'e1'])
    expect(result).toMatchObject({ truncated: false, stats: { nodesFolded: 288, nodesOmitted: 0 } })
    expect(result.text).not.toContain(' complete')
  })

  test('continues after the last shown sibling if the container has no ref', () => {
    expect(
      renderSnapshot(
        page([
          { role: 'list', children: items(20, 700) },
          { ref: 'e1', role: 'button', name: 'A' },
        ]),
      ).text,
    ).toContain('  … 17 more like these: after=e12')
  })

  test('leaves nodes in view, short runs and requested nodes unfolded', () => {
    const list = (children: Sketch[]) => [
      { ref: 'e9', role: 'list', children },
      { ref: 'e1', role: 'button', name: 'A' },
    ]
    expect(renderSnapshot(page(list(items(50, undefined)))).refs).toHaveLength(52)
    expect(renderSnapshot(page(list(items(8, 700)))).refs).toHaveLength(10)
    expect(renderSnapshot(page(list(items(50, 700)), { meta: { scope: 'e9' } })).refs).toHaveLength(52)
    expect(renderSnapshot(page(list(items(50, 700)), { meta: { after: 'e2' } })).refs).toHaveLength(52)
  })

  test('shows value and count of a select with more than ten options, and the options of a shorter one (S1-44)', () => {
    const option = (name: string, selected: boolean) => ({ tag: 'option', role: 'option', name, states: { selected } })
    const few = [option('S', false), option('M', true)]
    const many = Array.from({ length: 9 }, (_, i) => option(`${i}`, false))
    const select = { ref: 'e1', tag: 'select', role: 'combobox', name: 'Size', children: [...few, ...many] }
    expect(lines([select, { ref: 'e2', role: 'button', name: 'A' }])).toEqual([
      '- combobox "Size" [value="M"] [options=11] [ref=e1]',
      '- button "A" [ref=e2]',
      '… the options of a select are listed by its ref: scope=e1',
    ])
    expect(
      lines([
        { ...select, children: few },
        { ref: 'e2', role: 'button', name: 'A' },
      ]).slice(0, 3),
    ).toEqual(['- combobox "Size" [ref=e1]:', '  - option "S"', '  - option "M" [selected]'])
    expect(lines([select], { scope: 'e1' }).slice(0, 3)).toEqual([
      '- combobox "Size" [ref=e1]:',
      '  - option "S"',
      '  - option "M" [selected]',
    ])
  })
})
