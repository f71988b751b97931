import { describe, expect, test } from 'vitest'
import { renderSnapshot } from '../../../src/render/text/render.ts'
import { body, header, page, type Sketch, text } from '../page.ts'

const form: readonly Sketch[] = [
  { ref: 'e1', tag: 'button', role: 'button', name: '登录' },
  { ref: 'e2', tag: 'a', role: 'link', name: '价格', attrs: { href: 'https://other.example/' } },
  { ref: 'e3', tag: 'input', role: 'textbox', attrs: { type: 'text', name: 'q', placeholder: '搜索' } },
  { ref: 'e4', tag: 'h1', role: 'heading', name: '今日金价' },
]

describe('lines (S1-33..37, C24, X1-2)', () => {
  test('prints the tag, a[href] as link, and attributes inside the bracket', () => {
    expect(body(renderSnapshot(page(form), { format: 'lines' }))).toEqual([
      '@e1  [button] "登录"',
      '@e2  [link href="https://other.example/"] "价格"',
      '@e3  [input type="text" name="q" placeholder="搜索"]',
      '@e4  [h1] "今日金价"',
    ])
  })

  test('prints the counts first in the header', () => {
    expect(header(renderSnapshot(page(form), { format: 'lines' }))).toMatch(
      /^\[snapshot\] nodes=4 emitted=4 truncated=false complete url="/,
    )
  })

  test('prefers an explicit role to the tag and does not repeat it', () => {
    const nodes = [{ ref: 'e1', tag: 'a', role: 'button', name: 'Go', attrs: { href: '#', role: 'button' }, states: { expanded: false } }]
    expect(body(renderSnapshot(page(nodes), { format: 'lines' }))).toEqual(['@e1  [button href="#" collapsed] "Go"'])
  })

  test('omits nodes without a ref and counts them in the footer', () => {
    const { text: whole } = renderSnapshot(page([text('Hello'), { ref: 'e1', tag: 'button', role: 'button', name: 'A' }]), {
      format: 'lines',
    })
    expect(whole.split('\n').slice(1)).toEqual(['@e1  [button] "A"', '… 1 text without a line in this format: format=tree'])
  })
})

describe('flat (S4-18, S4-20, S4-35, C1, C5)', () => {
  test('prints numbers and texts, without indentation and hrefs', () => {
    const nodes: readonly Sketch[] = [
      { role: 'form', name: 'Order', children: [text('Total: 3 €'), { ref: 'e15', tag: 'button', role: 'button', name: '提交' }] },
      { ref: 'f1e3', tag: 'a', role: 'link', name: 'In a frame', attrs: { href: '/x' } },
      { role: 'heading', name: 'Reviews', states: { level: 2 } },
    ]
    expect(body(renderSnapshot(page(nodes), { format: 'flat', compact: false }))).toEqual([
      'text "Total: 3 €"',
      '[15] button "提交"',
      '[f1e3] link "In a frame"',
      'heading "Reviews" [level=2]',
    ])
  })

  test('counts controls above, below and covered in the header', () => {
    const { text: whole } = renderSnapshot(
      page(form, { meta: { viewport: { width: 1280, height: 720 } }, stats: { omitted: { above: 4, below: 120, covered: 2 } } }),
      { format: 'flat' },
    )
    expect(whole).toContain(' above=4 below=120 covered=2')
    expect(whole).toContain('… 120 more below, 4 above: scroll')
  })
})

describe('json (X0-6, C4)', () => {
  test('is one object with the nodes in order', () => {
    const { text: whole } = renderSnapshot(page(form), { format: 'json' })
    expect(JSON.parse(whole)).toMatchObject({ url: 'https://shop.example/tea', left: 0, truncated: false, truncateReasons: [] })
    expect(JSON.parse(whole).nodes[2]).toEqual({
      ref: 'e3',
      role: 'textbox',
      attrs: { type: 'text', name: 'q', placeholder: '搜索' },
      depth: 1,
    })
  })

  test('is cut between nodes and stays valid within its budget', () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ ref: `e${index}`, tag: 'a', role: 'link', name: `Link ${index}` }))
    for (const maxCharsTotal of [200, 333, 1_000, 5_000]) {
      const { text: whole, refs, stats } = renderSnapshot(page(many), { format: 'json', maxCharsTotal })
      expect(whole.length).toBeLessThanOrEqual(maxCharsTotal)
      expect(JSON.parse(whole)).toMatchObject({ left: 300 - refs.length, truncated: true })
      expect(stats.nodesOmitted).toBe(300 - refs.length)
    }
  })
})

describe('errors (S0-54)', () => {
  test('an error of the page is printed with the next step, within the budget', () => {
    const result = renderSnapshot({ ok: false, type: 'snapshot', error: { code: 'no_root', message: 'there is\n[ref=e1] no body.' } })
    expect(result.text).toBe('no_root: there is\\n[ref\\u003de1] no body. Wait until the page has loaded, then take the snapshot again.')
    expect(result).toMatchObject({ refs: [], error: { code: 'no_root' } })
    const long = { ok: false, type: 'snapshot', error: { code: 'timeout', message: 'x'.repeat(5_000) } }
    expect(renderSnapshot(long, { maxCharsTotal: 200 }).text.length).toBeLessThanOrEqual(200)
    expect(renderSnapshot(long, { maxCharsTotal: 200 }).text).toContain('see on the page.')
  })

  test.each([
    [{ maxCharsTotal: 199 }, 'maxCharsTotal'],
    [{ maxCharsTotal: 300.5 }, 'maxCharsTotal'],
    [{ maxNodes: 0 }, 'maxNodes'],
    [{ format: 'xml' }, 'format'],
    [{ compact: 'yes' }, 'compact'],
    [{ maxchars: 1 }, 'maxchars'],
    [null, 'options'],
  ])('the option %j is rejected by name', (options, field) => {
    const { error, text: said } = renderSnapshot(page(form), options as object)
    expect(error).toMatchObject({ code: 'invalid_input', message: expect.stringContaining(field) })
    expect(said).toContain(field)
  })

  test('a budget above the maximum is lowered with a note', () => {
    expect(renderSnapshot(page(form), { maxCharsTotal: 1e9 }).text).toContain('… maxCharsTotal is 100000 at most')
  })
})
