import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffSnapshots } from '../../../src/render/diff/diff.ts'
import { snapshots } from '../arbitrary.ts'
import { page, type Sketch, text } from '../page.ts'

const email = (value: string): Sketch => ({ ref: 'e4', tag: 'input', role: 'textbox', name: 'Email', value })
const before = page([
  email(''),
  { ref: 'e3', tag: 'a', role: 'link', name: 'Old' },
  text('Please sign in'),
  { ref: 'e5', tag: 'button', role: 'button', name: 'Menu', states: { expanded: false } },
])
const after = page(
  [
    email('a@b.c'),
    { ref: 'e9', tag: 'button', role: 'button', name: 'Save' },
    text('Welcome'),
    { ref: 'e5', tag: 'button', role: 'button', name: 'Menu', states: { expanded: true } },
  ],
  { meta: { url: 'https://shop.example/tea#in' } },
)

describe('diffSnapshots', () => {
  test('ignores text that scrolled out of view', () => {
    const link: Sketch = { ref: 'e1', tag: 'a', role: 'link', name: 'Home' }
    const diff = diffSnapshots(page([text('Free delivery'), link]), page([{ ...text('Free delivery'), offset: -800 }, link]))
    expect(diff.text).toMatch(/no change$/)
  })

  const card: Sketch = { tag: 'div', role: 'generic', ref: 'e2', text: 'Write docs', interactive: true }
  const other: Sketch = { tag: 'div', role: 'generic', ref: 'e3', text: 'Fix bug', interactive: true }
  const column = (ref: string, children: readonly Sketch[]): Sketch => ({
    tag: 'div',
    role: children.length > 0 ? 'item' : 'generic',
    ref,
    children,
  })

  test('a card that was dragged to another column is reported with its new place', () => {
    const diff = diffSnapshots(page([column('e1', [card, other]), column('e4', [])]), page([column('e1', [other]), column('e4', [card])]))
    expect(diff.text.split('\n').slice(1)).toEqual(['~ generic [ref=e2]: "Write docs" moved into e4'])
  })

  test('an element is not reported as moved because the container around it has a ref in only one of the snapshots', () => {
    const plain = { tag: 'div', role: 'region', children: [card, other] }
    const withRef = { ...plain, ref: 'e9' }
    for (const [one, two] of [
      [plain, withRef],
      [withRef, plain],
      [withRef, { ...plain, ref: 'e8' }],
    ] as const)
      expect(diffSnapshots(page([one]), page([two])).text).not.toContain('moved')
  })

  const items = (names: readonly string[]): readonly Sketch[] =>
    names.map(name => ({ ref: `e${name.charCodeAt(0)}`, tag: 'button', role: 'button', name, interactive: true }))
  const list = (names: string, ref?: string): Sketch => ({ ...(ref && { ref }), tag: 'ul', role: 'list', children: items([...names]) })
  const linesOf = (one: readonly Sketch[], two: readonly Sketch[]) => diffSnapshots(page(one), page(two)).text.split('\n').slice(1)

  test('elements in another order are one line, which names their container if there is one with a ref', () => {
    expect(linesOf([list('ABCD', 'e1')], [list('BCDA', 'e1')])).toEqual(['… order changed in e1, 1 moved: take a snapshot'])
    expect(linesOf([list('ABCD')], [list('DCBA')])).toEqual(['… order changed, 3 moved: take a snapshot'])
    expect(linesOf([list('AB', 'e1'), list('CD', 'e2')], [list('BA', 'e1'), list('DC', 'e2')])).toEqual([
      '… order changed, 2 moved: take a snapshot',
    ])
    expect(linesOf([text('One'), text('Two'), ...items(['A'])], [...items(['A']), text('One'), text('Two')])).toHaveLength(1)
    const rows = [list('AB', 'e1'), list('CD', 'e2'), list('EF', 'e3')]
    expect(linesOf(rows, [...rows].reverse())).toEqual(['… order changed, 2 moved: take a snapshot'])
    expect(diffSnapshots(page([list('AB')]), page([list('BA')])).text).toMatch(/ order changed\n/)
  })

  test('elements that appear, vanish or have namesakes do not change the order of the others', () => {
    expect(linesOf([list('ABCD', 'e1')], [list('AXCDY', 'e1')]).join()).not.toContain('order')
    expect(linesOf([text('Sold'), ...items(['A']), text('Sold')], [text('Sold'), text('Sold'), ...items(['A'])])).toEqual([])
  })

  test('a container that gets or loses its own words changes: it neither appears nor vanishes', () => {
    const frame = (name: string, words: string): Sketch => ({
      tag: 'iframe',
      role: 'iframe',
      ref: 'e2',
      ...(words && { text: words }),
      children: [{ tag: 'button', role: 'button', name, ref: `f${words.length}e1`, interactive: true }],
    })
    const diff = (one: Sketch, other: Sketch) =>
      diffSnapshots(page([one]), page([other]))
        .text.split('\n')
        .slice(1)
    expect(diff(frame('Old', 'b text'), frame('New', ''))).toEqual([
      '+ button "New" [ref=f0e1]',
      '~ iframe [ref=e2] text: "b text" → ""',
      'gone: button "Old" [ref=f6e1]',
    ])
    expect(diff(frame('New', ''), frame('Old', 'b text'))).toContain('~ iframe [ref=e2] text: "" → "b text"')
  })

  test('states that replace each other are one change, and other states are gained or lost', () => {
    const menu = (states: NonNullable<Sketch['states']>): Sketch => ({
      ref: 'e5',
      tag: 'button',
      role: 'button',
      name: 'Menu',
      states,
      new: true,
    })
    const change = (was: NonNullable<Sketch['states']>, is: NonNullable<Sketch['states']>) =>
      diffSnapshots(page([menu(was)]), page([menu(is)])).text.split('\n')[1]
    expect(change({ checked: true }, { checked: false, focused: true })).toBe('~ button "Menu" [ref=e5] no longer [checked], now [focused]')
    expect(change({ expanded: false }, { expanded: true, focused: true })).toBe(
      '~ button "Menu" [ref=e5] [collapsed] → [expanded], now [focused]',
    )
    expect(change({ checked: 'mixed' }, { checked: true })).toBe('~ button "Menu" [ref=e5] [checked=mixed] → [checked]')
  })

  test('lists appeared, changed and vanished nodes, elements by ref and texts by content', () => {
    expect(diffSnapshots(JSON.stringify(before), after)).toEqual({
      text: [
        '[diff] url="https://shop.example/tea" → "https://shop.example/tea#in" appeared=2 changed=2 vanished=2',
        '+ button "Save" [ref=e9]',
        '+ text "Welcome"',
        '~ textbox "Email" [ref=e4] value: "" → "a@b.c"',
        '~ button "Menu" [ref=e5] [collapsed] → [expanded]',
        'gone: link "Old" [ref=e3]',
        'gone: text "Please sign in"',
      ].join('\n'),
      entries: [
        { kind: 'appeared', ref: 'e9', label: 'button "Save"', detail: '' },
        { kind: 'appeared', label: 'text "Welcome"', detail: '' },
        { kind: 'changed', ref: 'e4', label: 'textbox "Email"', detail: ' value: "" → "a@b.c"' },
        { kind: 'changed', ref: 'e5', label: 'button "Menu"', detail: ' [collapsed] → [expanded]' },
        { kind: 'vanished', ref: 'e3', label: 'link "Old"', detail: '' },
        { kind: 'vanished', label: 'text "Please sign in"', detail: '' },
      ],
      appeared: ['e9'],
      vanished: ['e3'],
      changed: ['e4', 'e5'],
      truncated: false,
    })
  })

  test('shows controls with duplicate names with their row or item', () => {
    const row = (file: string, ref: string): Sketch => ({
      tag: 'li',
      role: 'listitem',
      text: file,
      children: [{ ref, tag: 'button', role: 'button', name: 'Delete', interactive: true }],
    })
    const other: Sketch = { ref: 'e1', tag: 'button', role: 'button', name: 'Upload', interactive: true }
    const was = page([other, row('report.pdf', 'e2'), row('salary.xlsx', 'e3')])
    const is = page([other, row('temp.txt', 'e4'), row('report.pdf', 'e5'), row('salary.xlsx', 'e6')])
    expect(diffSnapshots(was, is).text.split('\n').slice(1)).toEqual([
      '+ listitem: "temp.txt"',
      '+   button "Delete" [ref=e4]',
      '+ button "Delete" [ref=e5] in "report.pdf"',
      '+ button "Delete" [ref=e6] in "salary.xlsx"',
      'gone: button "Delete" [ref=e2] in "report.pdf"',
      'gone: button "Delete" [ref=e3] in "salary.xlsx"',
    ])
    const checked = (states: object): Sketch => ({
      tag: 'tr',
      role: 'row',
      children: [
        { tag: 'td', role: 'cell', text: 'Ann' },
        { ref: 'e8', tag: 'input', role: 'checkbox', name: 'Paid', interactive: true, states },
        { ref: 'e9', tag: 'input', role: 'checkbox', name: 'Paid', interactive: true },
      ],
    })
    expect(diffSnapshots(page([checked({ checked: false })]), page([checked({ checked: true })])).text).toContain(
      '~ checkbox "Paid" [ref=e8] in "Ann" now [checked]',
    )
  })

  test('a part of the page that gains or loses its ref has not changed', () => {
    const link = (name: string, ref: string): Sketch => ({ ref, tag: 'a', role: 'link', name, interactive: true })
    const links = (count: number) => Array.from({ length: count }, (_, index) => link(`Link ${index}`, `e${index + 10}`))
    const parts = (count: number, hasRef: boolean) => {
      const ref = (name: string) => hasRef && { ref: name }
      return page([
        { ...ref('e1'), tag: 'main', role: 'main', children: [{ ...ref('e2'), tag: 'table', role: 'table', children: links(count) }] },
        { ...ref('e3'), tag: 'section', role: 'region', name: 'News', children: [link('More', 'e4'), link('All', 'e5')] },
      ])
    }
    const shrunk = diffSnapshots(parts(4, true), parts(3, false))
    expect(shrunk.text.split('\n').slice(1)).toEqual(['gone: link "Link 3" [ref=e13]'])
    expect(diffSnapshots(parts(3, false), parts(3, true)).text).toMatch(/no change$/)
  })

  test('a text that is written on another line is still there', () => {
    const item = (children: readonly Sketch[]): Sketch => ({ tag: 'li', role: 'listitem', children })
    const more: Sketch = { ref: 'e1', tag: 'a', role: 'link', name: 'More', interactive: true }
    const was = page([item([text('Tea'), more]), text('End')])
    expect(
      diffSnapshots(was, page([text('Tea'), text('End')]))
        .text.split('\n')
        .slice(1),
    ).toEqual(['gone: link "More" [ref=e1]'])
    expect(diffSnapshots(was, page([item([text('Tea'), more]), text('End'), text('End')])).text).toContain('+ text "End"')
    const alert: Sketch = { tag: 'div', role: 'alert', text: 'End' }
    expect(diffSnapshots(was, page([item([text('Tea'), more]), alert])).text).toContain('+ alert: "End"')
  })

  test('elements that are only covered now are one line below what appeared', () => {
    const links = (states: object): Sketch[] =>
      Array.from({ length: 9 }, (_, index) => ({ ref: `e${index + 1}`, tag: 'a', role: 'link', name: `Link ${index}`, states }))
    const option: Sketch = { ref: 'e20', tag: 'div', role: 'option', name: 'Berlin', interactive: true }
    const open = diffSnapshots(page(links({})), page([...links({ covered: 'listbox' }), option]))
    expect(open.text.split('\n').slice(1)).toEqual(['+ option "Berlin" [ref=e20]', '… 9 now covered'])
    expect(open.changed).toHaveLength(9)
    expect(diffSnapshots(page(links({ covered: 'listbox' })), page(links({}))).text).toMatch(/\n… 9 no longer covered$/)
  })

  const row = (words: string): Sketch => ({ tag: 'tr', role: 'row', text: words })
  const link: Sketch = { ref: 'e1', tag: 'a', role: 'link', name: 'Home', interactive: true }
  const withCovered = (children: readonly Sketch[], coveredText: number) =>
    page([link, ...children], { stats: { omitted: { covered: coveredText, coveredText } } })

  test('texts that are only covered now have not vanished, and have not appeared when they are shown again', () => {
    const table: Sketch = { tag: 'table', role: 'table', name: 'Cities', children: [row('Oslo | 700000'), row('Bergen | 290000')] }
    const open = withCovered([table], 0)
    const covered = withCovered([], 2)
    expect(diffSnapshots(open, covered).text.split('\n').slice(1)).toEqual(['… 2 texts now covered'])
    expect(diffSnapshots(open, covered)).toMatchObject({ vanished: [], entries: [] })
    expect(diffSnapshots(covered, open).text.split('\n').slice(1)).toEqual(['… 2 texts no longer covered'])
  })

  test('texts count as covered only if the later snapshot counts as many more of them, and a control or message never does', () => {
    const rows = [row('Oslo'), row('Bergen')]
    expect(diffSnapshots(withCovered(rows, 3), withCovered([], 3)).text).toContain('gone: row: "Oslo"')
    expect(diffSnapshots(withCovered(rows, 0), withCovered([], 1)).text).toContain('gone: row: "Bergen"')
    const alert: Sketch = { tag: 'div', role: 'alert', text: 'Saved' }
    expect(diffSnapshots(withCovered([alert], 0), withCovered([], 1)).text).toContain('gone: alert: "Saved"')
    const button: Sketch = { ref: 'e9', tag: 'button', role: 'button', name: 'Save', interactive: true }
    expect(diffSnapshots(withCovered([...rows, button], 0), withCovered([], 2)).vanished).toEqual(['e9'])
  })

  test('missing elements are behind a dialog only as far as the snapshot has counted them there', () => {
    const buttons = (count: number, first = 1): Sketch[] =>
      Array.from({ length: count }, (_, index) => ({
        ref: `e${index + first}`,
        tag: 'button',
        role: 'button',
        name: `B${index + first}`,
        interactive: true,
      }))
    const dialog = (ref: string, inert: number) =>
      page([{ ref, tag: 'dialog', role: 'dialog', name: ref, children: buttons(2, Number(ref.slice(1)) + 1) }], {
        meta: { dialog: ref },
        stats: { omitted: { inert } },
      })
    const plain = page(buttons(10))
    expect(diffSnapshots(plain, dialog('e50', 10)).text).toContain('… 10 behind the dialog e50 now')
    expect(diffSnapshots(plain, dialog('e50', 4)).text).toContain('… 10 behind the dialog e50 or gone')
    const next = diffSnapshots(dialog('e50', 10), dialog('e60', 10))
    expect(next.text).not.toContain('behind')
    expect(next.vanished).toEqual(['e50', 'e51', 'e52'])
  })

  test('reports no change, and ignores scrolling', () => {
    expect(diffSnapshots(before, before).text).toBe('[diff] url="https://shop.example/tea" no change')
    expect(diffSnapshots(page([{ ...email('a'), offset: 100 }]), page([email('a')])).changed).toEqual([])
  })

  test('treats the same ref on another tag as another element', () => {
    const other = page([{ ref: 'e4', tag: 'button', role: 'button', name: 'Email' }])
    expect(diffSnapshots(page([email('')]), other)).toMatchObject({ appeared: ['e4'], vanished: ['e4'], changed: [] })
  })

  test('notes that nodes missing from a truncated snapshot may still be there', () => {
    const cut = page([], { stats: { truncated: true, truncateReasons: ['maxNodes'] } })
    expect(diffSnapshots(before, cut).text).toContain('may still be there')
  })

  test('returns an error for input that is not a snapshot', () => {
    expect(diffSnapshots('{', before)).toMatchObject({ error: { code: 'invalid_json' }, appeared: [] })
    expect(diffSnapshots(before, before, { maxCharsTotal: 5 })).toMatchObject({ error: { code: 'invalid_input' } })
  })

  test('an entry says whether the focus is all that changed', () => {
    const field = (value: string, focused: boolean): Sketch => ({ ...email(value), ...(focused && { states: { focused: true } }) })
    const focusOf = (was: Sketch, is: Sketch) => diffSnapshots(page([was]), page([is])).entries.map(({ focus }) => focus)
    expect(focusOf(field('', false), field('', true))).toEqual(['gained'])
    expect(focusOf(field('', true), field('', false))).toEqual(['lost'])
    expect(focusOf(field('', true), field('a', false))).toEqual([undefined])
  })

  test('keeps its budget for any two pages and says when there is more', () => {
    fc.assert(
      fc.property(snapshots, snapshots, fc.integer({ min: 200, max: 2_000 }), (one, other, maxCharsTotal) => {
        const { text: said, truncated } = diffSnapshots(one, other, { maxCharsTotal })
        expect(said.length).toBeLessThanOrEqual(maxCharsTotal)
        expect(said.includes('\n… more: ')).toBe(truncated)
      }),
      { numRuns: 500 },
    )
  })
})
