import { describe, expect, test } from 'vitest'
import type { SnapshotFormat } from '../../../src/contract/limits.ts'
import { renderSnapshot } from '../../../src/render/text/render.ts'
import { body, header, notes, page, type Sketch, text } from '../page.ts'

const link = (index: number, more: Partial<Sketch> = {}): Sketch => ({
  ref: `e${index}`,
  tag: 'a',
  role: 'link',
  name: `Link ${index}`,
  ...more,
})
const links = (many: number, more: (index: number) => Partial<Sketch> = () => ({})) =>
  Array.from({ length: many }, (_, index) => link(index + 1, more(index + 1)))
const nested = (levels: number, inner: Sketch): Sketch =>
  levels === 0 ? inner : { role: 'group', name: `level ${levels}`, children: [nested(levels - 1, inner)] }
const viewport = { viewport: { width: 1280, height: 720 } }

describe('maxCharsTotal (S0-66, S0-69, S1-38, X0-25)', () => {
  test('cuts at a line end, and the footer counts the rest with the call that shows it', () => {
    const result = renderSnapshot(page(links(150)), { maxCharsTotal: 1_000 })
    expect(result.text.length).toBeLessThanOrEqual(1_000)
    expect(result.text.length).toBeGreaterThan(900)
    expect(result).toMatchObject({ truncated: true, truncateReasons: ['maxCharsTotal'] })
    expect(body(result).every(line => /^- link "Link \d+" \[ref=e\d+\]$/.test(line))).toBe(true)
    expect(notes(result)).toEqual([`… ${150 - result.refs.length} more: after=${result.refs[result.refs.length - 1]}`])
    expect(header(result)).toContain('truncated=true truncateReasons=["maxCharsTotal"]')
  })

  test('limits a title of 5 MB and attributes of 20 MB to their share (TRUST A6)', () => {
    const nodes = [link(1, { attrs: { href: `https://x.example/${'a'.repeat(20_000_000)}` } }), link(2)]
    for (const format of ['tree', 'lines', 'flat', 'json'] as SnapshotFormat[]) {
      const result = renderSnapshot(page(nodes, { meta: { title: 'T'.repeat(5_000_000), url: 'u'.repeat(5_000_000) } }), {
        format,
        maxCharsTotal: 900,
      })
      expect(result.text.length).toBeLessThanOrEqual(900)
      expect(result.refs).toEqual(['e1', 'e2'])
    }
  })

  test('shows at least one ref under the smallest budget', () => {
    expect(renderSnapshot(page(links(150)), { maxCharsTotal: 200 }).refs.length).toBeGreaterThan(0)
  })

  test('keeps the refs of 180 links in view with long hrefs under the default budget', () => {
    const nodes = links(180, index => ({
      name: `A headline about something of some length, ${index}`,
      attrs: { href: `https://shop.example/${'path/'.repeat(12)}${index}?utm=${'x'.repeat(40)}` },
    }))
    const result = renderSnapshot(
      page([...nodes, ...links(300).map((node, index) => ({ ...node, ref: `e${index + 900}`, offset: 900 + index }))], {
        meta: viewport,
      }),
    )
    expect(nodes.every(({ ref }) => result.refs.includes(ref ?? ''))).toBe(true)
    expect(notes(result).join()).toContain('left out for space: hrefs')
    expect(notes(result).join()).toContain('scope=<ref>')
  })

  test('drops hrefs before nodes', () => {
    const nodes = links(40, index => ({
      name: `${index} ${'name '.repeat(30)}`,
      attrs: { href: `https://shop.example/${'p/'.repeat(60)}` },
    }))
    const shown = [12_000, 8_000, 4_500, 3_200].map(maxCharsTotal => renderSnapshot(page(nodes), { maxCharsTotal }))
    expect(shown.map(({ refs }) => refs.length)).toEqual([40, 40, 40, 40])
    expect(shown.map(({ text: said }) => said.includes('href='))).toEqual([true, false, false, false])
  })
})

describe('maxNodes (S0-67)', () => {
  test('counts the lines of nodes, including structure', () => {
    const result = renderSnapshot(page([{ role: 'main', children: links(50) }]), { maxNodes: 10 })
    expect(body(result)).toHaveLength(10)
    expect(result).toMatchObject({ truncateReasons: ['maxNodes'], stats: { nodesRendered: 10, nodesOmitted: 41 } })
    expect(notes(result)).toEqual(['… 41 more: after=e9'])
  })
})

describe('maxDepth (S0-68, X0-3)', () => {
  test('moves a button at level 13 up to level 12 and leaves shallow ones alone (X0-3)', () => {
    const result = renderSnapshot(
      page([nested(12, { ref: 'e1', role: 'button', name: 'Deep' }), { ref: 'e2', role: 'button', name: 'Shallow' }]),
    )
    expect(result.refs).toEqual(['e1', 'e2'])
    expect(body(result)).toContain(`${'  '.repeat(11)}- button "Deep" [ref=e1]`)
    expect(result).toMatchObject({ truncated: true, truncateReasons: ['maxDepth'] })
  })

  test('counts printed levels only', () => {
    const wrapped = Array.from({ length: 30 }).reduce<Sketch>(inner => ({ role: 'generic', children: [inner] }), {
      ref: 'e1',
      role: 'button',
      name: 'Deep',
    })
    expect(renderSnapshot(page([wrapped]))).toMatchObject({ refs: ['e1'], truncated: false })
  })
})

describe('maxTextPerNode (S1-39)', () => {
  test('cuts long names with an ellipsis and reports the reason', () => {
    const result = renderSnapshot(page([link(1, { name: 'n'.repeat(300) })]))
    expect(body(result)).toEqual([`- link "${'n'.repeat(199)}…" [ref=e1]`])
    expect(result.truncateReasons).toEqual(['maxTextPerNode'])
  })

  test('does not mistake an ellipsis of the page for a cut', () => {
    expect(renderSnapshot(page([link(1, { name: 'Load more…' })])).truncated).toBe(false)
  })
})

describe('priority', () => {
  test('prefers the topmost dialog, then controls in view, then near ones, then covered ones', () => {
    const nodes = [
      ...links(30, index => ({ states: { covered: 'dialog' }, name: `Covered ${index}` })),
      ...links(30).map((node, index) => ({ ...node, ref: `e${100 + index}`, offset: 5_000 - index, name: `Far ${index}` })),
      ...links(30).map((node, index) => ({ ...node, ref: `e${200 + index}`, name: `Near ${index}` })),
      { ref: 'e300', role: 'dialog', name: 'Cookies', children: links(5).map((node, index) => ({ ...node, ref: `e${301 + index}` })) },
    ]
    const kept = (maxNodes: number) => renderSnapshot(page(nodes, { meta: { ...viewport, dialog: 'e300' } }), { maxNodes, compact: false })
    expect(kept(6).refs).toEqual(['e300', 'e301', 'e302', 'e303', 'e304', 'e305'])
    expect(kept(36).refs).toContain('e229')
    expect(kept(36).refs).not.toContain('e129')
    expect(kept(37).refs).toContain('e129')
    expect(kept(66).refs).not.toContain('e1')
    expect(notes(kept(36))).toEqual(['… 30 more below: scroll', '… 30 covered by something else: close or scroll away what covers them'])
  })

  test('puts cells without content last', () => {
    const cells = Array.from({ length: 20 }, (_, index) => ({ ref: `e${100 + index}`, role: 'cell' }))
    expect(renderSnapshot(page([...cells, ...links(5)]), { maxNodes: 6 }).refs).toEqual(['e100', 'e1', 'e2', 'e3', 'e4', 'e5'])
  })

  test('prints lines in document order, with their containers', () => {
    const nodes = [
      { role: 'navigation', name: 'Far', children: [link(1, { offset: -900 }), link(2, { offset: -900 })] },
      { role: 'main', children: [link(3), link(4)] },
    ]
    expect(body(renderSnapshot(page(nodes), { maxNodes: 3 }))).toEqual([
      '- main:',
      '  - link "Link 3" [ref=e3]',
      '  - link "Link 4" [ref=e4]',
    ])
  })

  test('marks a wide gap where it is', () => {
    const nodes = [link(1), ...links(20).map((node, index) => ({ ...node, ref: `e${50 + index}`, offset: 5_000 })), link(2)]
    expect(renderSnapshot(page(nodes), { maxNodes: 2, compact: false }).text).toContain('[ref=e1]\n… 20 more: after=e1\n- link "Link 2"')
  })
})

describe('the footer', () => {
  test('passes on what the page left out, with the call that shows it', () => {
    const left = { above: 4, below: 120, text: 54, inert: 12, covered: 3, beside: 2, frames: 1 }
    const nodes = [{ ref: 'e7', role: 'dialog', name: 'D', children: [link(88)] }]
    const result = renderSnapshot(
      page(nodes, { meta: { ...viewport, dialog: 'e7' }, stats: { truncated: true, truncateReasons: ['maxNodes'], omitted: left } }),
    )
    expect(notes(result)).toEqual([
      '… 120 more below, 4 above: after=e88, or scroll',
      '… 12 behind the dialog e7',
      '… 3 covered by something else: close or scroll away what covers them',
      '… 54 texts or pictures not shown: interactiveOnly=false',
      '… 2 beside the viewport: scroll sideways',
      '… what is in 1 frame of other origins cannot be read here',
    ])
    expect(result.truncateReasons).toEqual(['maxNodes'])
  })

  test('counts one thing as one', () => {
    const stats = { truncated: true, truncateReasons: [], omitted: { text: 1, covered: 1 } }
    expect(notes(renderSnapshot(page([link(5)], { meta: viewport, stats })))).toEqual([
      '… 1 covered by something else: close or scroll away what covers it',
      '… 1 text or picture not shown: interactiveOnly=false',
    ])
  })

  test('says when the traversal of the page stopped early', () => {
    expect(notes(renderSnapshot(page([link(5)], { stats: { truncated: true, truncateReasons: ['maxTime'] } })))).toEqual([
      '… the page goes on (maxTime): scope, or a larger maxTimeMs',
    ])
  })

  test('merges the reasons of page and renderer in contract order (C9, X1-5)', () => {
    const stats = { truncated: true, truncateReasons: ['maxTime', 'maxNodes'] as const }
    expect(renderSnapshot(page(links(50), { stats }), { maxNodes: 5, maxCharsTotal: 400 }).truncateReasons).toEqual(['maxNodes', 'maxTime'])
  })
})

test('100,000 nodes are rendered within the budget (TRUST A6)', () => {
  const nodes = Array.from({ length: 1_000 }, (_, row) => ({
    role: 'row',
    children: [...Array.from({ length: 49 }, (_, cell) => ({ role: 'cell', children: [link(row * 49 + cell + 1)] })), text('x')],
  }))
  const result = renderSnapshot(page(nodes), { maxCharsTotal: 12_000 })
  expect(result.text.length).toBeLessThanOrEqual(12_000)
  expect(result.stats.nodesRendered).toBe(200)
}, 20_000)

test('the default limit of 200 nodes does not apply to what is in view, and a limit of the caller does (S1-15)', () => {
  const refs = (offset: number | undefined, options = {}) =>
    renderSnapshot(
      page(
        links(300, () => (offset ? { offset } : {})),
        { meta: viewport },
      ),
      { compact: false, ...options },
    ).refs.length
  expect(refs(undefined)).toBe(300)
  expect(refs(900)).toBe(200)
  expect(refs(undefined, { maxNodes: 200 })).toBe(200)
})
