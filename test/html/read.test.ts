import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildDocument } from '../../src/html/document.ts'
import { type ReadOptions, read } from '../../src/html/read.ts'
import { snapshot } from '../../src/html/snapshot.ts'
import { isCorpusMissing, readPage } from '../support/corpus.ts'

const markdown = (html: string): string => read(html, { limitChars: 100_000 }).text
const plain = (html: string): string => read(html, { limitChars: 100_000, format: 'text' }).text

function pagesOf(html: string, options: ReadOptions): string[] {
  const document = buildDocument(html)
  const pages: string[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const page = read(document, { ...options, offset })
    expect(page.offset).toBe(offset)
    pages.push(page.text)
    if (page.nextOffset !== null) expect(page.nextOffset).toBeGreaterThan(offset)
    offset = page.nextOffset
  }
  return pages
}

const inline = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('two words', '# no', '- no', '1. no', '```', '😀😀😀', '漢字漢字漢字', '[a](b)', '**', '<br>', '&nbsp;', '|', '\\'),
)
const piece = fc
  .tuple(
    fc.constantFrom('p', 'h2', 'li', 'b', 'i', 'code', 'pre', 'td', 'blockquote', 'a href=x', 'div', 'ul', 'ol', 'table', 'dt', 'dd'),
    inline,
  )
  .map(([tag, text]) => `<${tag}>${text}</${tag.split(' ')[0]}>`)
const pageOf = fc.array(fc.oneof(piece, inline), { maxLength: 25 }).map(parts => parts.join(' '))

describe('pages of text', () => {
  test('pages concatenate to the whole text, and none exceeds its limit', () => {
    fc.assert(
      fc.property(
        pageOf,
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom('markdown' as const, 'text' as const),
        (html, limitChars, format) => {
          const whole = read(html, { limitChars: 100_000, format })
          const pages = pagesOf(html, { limitChars, format })
          expect(pages.join('')).toBe(whole.text)
          expect(whole.totalChars).toBe(whole.text.length)
          for (const page of pages) expect(page.length).toBeLessThanOrEqual(limitChars)
          // a surrogate pair does not fit into one character
          if (limitChars > 1) for (const page of pages) expect(page).not.toMatch(/\p{Cs}/u)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('a page ends at a line break in its last third', () => {
    expect(pagesOf(`<p>${'a'.repeat(16)}<p>bbbb bbbb`, { limitChars: 20 })).toEqual([`${'a'.repeat(16)}\n\n`, 'bbbb bbbb'])
  })

  test('a page without such a line break ends between two words', () => {
    expect(pagesOf('<p>one two three four', { limitChars: 9 })).toEqual(['one two ', 'three ', 'four'])
  })

  test('a page does not start with a character that would become Markdown structure', () => {
    for (const page of pagesOf('<p>some words # of a heading - and > more 1. things', { limitChars: 13 }))
      expect(page).not.toMatch(/^(#|-|>|\d\.) /)
  })

  test('an offset beyond the end returns an empty last page', () => {
    expect(read('<p>short', { offset: 999 })).toMatchObject({ text: '', offset: 5, nextOffset: null, totalChars: 5, truncated: false })
  })

  test('the first page reports that there is more', () => {
    expect(read('<title>T</title><p>one two', { limitChars: 4 })).toMatchObject({
      text: 'one ',
      nextOffset: 4,
      truncated: true,
      title: 'T',
    })
  })

  test('text beyond two million characters is cut and marked as truncated', () => {
    const page = read(`<p>${'word '.repeat(500_000)}`, { offset: 1_999_000 })
    expect(page.totalChars).toBeLessThanOrEqual(2_000_000)
    expect(page).toMatchObject({ nextOffset: null, truncated: true })
  })
})

describe('Markdown', () => {
  const cases: { readonly [title: string]: readonly [html: string, text: string] } = {
    'headings keep their level': ['<h1>A</h1><h3>B <em>c</em></h3><div role=heading aria-level=2>D</div>', '# A\n\n### B *c*\n\n## D'],
    'paragraphs and line breaks are separated': ['<p>a<br>b</p>c<div>d</div>', 'a  \nb\n\nc\n\nd'],
    'white space is moved out of emphasis': ['<p>a<b> b </b>c <i></i>d<strong>e</strong><strong>f</strong>', 'a **b** c d**ef**'],
    'emphasis around blocks is repeated in each of them': ['<b><p>a</p><p>b</p></b>', '**a**\n\n**b**'],
    'inline code uses a delimiter longer than its backticks': ['<p><code>a`b</code> <code>`</code>', '``a`b`` `` ` ``'],
    'text with a line through it is marked': ['<p>Now <s>$30</s> <del>$25</del> $20', 'Now ~~$30~~ ~~$25~~ $20'],
    'a button is read if it is the title of a part': [
      '<h2><button>A</button></h2><p>a</p><button aria-expanded=true>B</button><p>b</p><button aria-expanded=false aria-haspopup=true>C</button><button>D</button>',
      '## A\n\na\n\nB\n\nb',
    ],
    'preformatted text uses a fence longer than its own': [
      '<pre class="language-js">\n```\n  <b>x</b>\n# y</pre>',
      '````js\n```\n  x\n# y\n````',
    ],
    'quotes are prefixed with >': ['<blockquote><p>a</p><blockquote>b</blockquote></blockquote>c', '> a\n>\n> > b\n\nc'],
    'lists are nested and numbered': [
      '<p>x</p><ol start=9><li>a<ul><li>b</li><li><p>c</p><p>d</p></li></ul></li><li>e</li></ol>y',
      'x\n\n9. a\n   - b\n   - c\n\n     d\n10. e\n\ny',
    ],
    'an empty list item is omitted': ['<ul><li></li><li>a</li></ul>', '- a'],
    'the first row of a table becomes its header': [
      '<table><tr><th>A<th>B|C</tr><tr><td>1<br>2<td><p>3</p></tr></table>',
      '| A | B\\|C |\n| --- | --- |\n| 1<br>2 | 3 |',
    ],
    'a cell that spans rows is repeated in each of them, and other cells stay in their columns': [
      '<table><tr><th>Day<th>Hour<th>Room<tr><td rowspan=2>Monday<td>8<td>1<tr><td>9<td rowspan=2>2<tr><td colspan=2>Tuesday</table>',
      '| Day | Hour | Room |\n| --- | --- | --- |\n| Monday | 8 | 1 |\n| Monday | 9 | 2 |\n| Tuesday |  | 2 |',
    ],
    'a span ends with its group of rows, and a long text is not repeated': [
      `<main><table><thead><tr><th rowspan=9>A<th>B<tbody><tr><td rowspan=2>${'x'.repeat(101)}<td>1<tr><td>2</table>`,
      `| A | B |\n| --- | --- |\n| ${'x'.repeat(101)} | 1 |\n|  | 2 |`,
    ],
    'two header rows become one': [
      '<table><tr><th rowspan=2>Item<th colspan=2>Price<th rowspan=2>Stock<tr><th>Net<th>Gross<tr><td>Tea<td>1<td>2<td>7</table>',
      '| Item | Price Net | Price Gross | Stock |\n| --- | --- | --- | --- |\n| Tea | 1 | 2 | 7 |',
    ],
    'a table nested in a data cell is flattened': [
      '<table><tr><th>A<th>B<tr><td><table><tr><td>x<td>y</table><td>z</table>',
      '| A | B |\n| --- | --- |\n| x y | z |',
    ],
    'a table with one column becomes paragraphs': ['<table><tr><td>a<tr><td>b</table>', 'a\n\nb'],
    'a layout table becomes paragraphs': ['<table><tr><td><h2>a</h2><td><p>b</p><p>c</p></table>', '## a\n\nb\n\nc'],
    'images need alt text and a URL': [
      '<p><img src=a.png alt="A [b]"><img src=b.png><img alt=c src="data:image/png;base64,xx">',
      '![A \\[b\\]](a.png)',
    ],
    'terms and definitions are distinguished': ['<dl><dt>a</dt><dd>b</dd><dd>c</dd></dl>', '**a**\n: b\n: c'],
    'a figure keeps its caption': ['<figure><img src=a.png alt=A><figcaption>cap</figcaption></figure>', '![A](a.png)\n\n*cap*'],
    'hr becomes a thematic break': ['a<hr>b', 'a\n\n---\n\nb'],
    'closed details show only their summary': ['<details><summary>s</summary>text<p>more</details>', 's'],
    'form controls are omitted': ['<p>a <input value=b><select><option>c</select><textarea>d</textarea><button>e</button> f', 'a f'],
    'a link around blocks is repeated in each of them': ['<a href=x><h3>T</h3><p>u</p></a>', '### [T](@e1)\n\n[u](@e1)'],
  }
  for (const [title, [html, text]] of Object.entries(cases)) test(title, () => expect(markdown(html)).toBe(text))

  test('format text has no markup', () => {
    expect(plain('<h2>A*</h2><p><b>b</b> <a href=x>c</a><br>d<pre>e\n  f</pre><table><tr><th>1<th>2</table>')).toBe(
      'A*\n\nb c\nd\n\ne\n  f\n\n1\t2',
    )
  })
})

describe('links', () => {
  test('a link carries the ref of the snapshot', () => {
    const html = '<nav><a href=/n>n</a></nav><main><button>x</button><p><a href="/a">One</a> and <a href="/b">Two</a></main>'
    const document = buildDocument(html)
    const page = read(document)
    const shown = snapshot(html, { maxNodes: 100 }).refs
    expect(page.text).toBe('[One](@e3) and [Two](@e4)')
    for (const [ref, href] of Object.entries(page.links)) expect(shown[ref]).toMatchObject({ tag: 'a', attrs: { href } })
    expect(JSON.parse(JSON.stringify(page)).links).toEqual(page.links)
    expect(Object.entries(page.links)).toEqual([
      ['e3', '/a'],
      ['e4', '/b'],
    ])
  })

  test('a URL of the page cannot imitate a ref', () => {
    expect(markdown('<p><img alt=a src="@e1"> <img alt=b src="x) [y](@e1">')).toBe('![a](%40e1) ![b](x%29%20%5By%5D%28@e1)')
  })
})

describe('page text stays text', () => {
  const structureAtStart = /^\s*(#{1,6}(\s|$)|>|[-+*](\s|$)|\d+[.)](\s|$)|\||```|~~~|=+\s*$|[-:|\s]+$|(?:[-*_]\s*){3,}$)/
  const structures = [
    '# a',
    '###### a',
    '> a',
    '- a',
    '+ a',
    '* a',
    '1. a',
    '12) a',
    '| a | b |',
    '```',
    '~~~',
    '===',
    '---',
    '* * *',
    '--- | ---',
  ]
  for (const text of structures)
    test(`${text} at the start of a line is escaped`, () => {
      for (const html of [`<p>${text}</p>`, `<p>x<br>${text}</p>`, `<ul><li>${text}</ul>`, `<blockquote>${text}</blockquote>`])
        for (const line of markdown(html).split('\n')) expect(line.replace(/^(- |> )/, '')).not.toMatch(structureAtStart)
    })

  test('brackets, stars, backticks and tags in text are escaped where they would be markup', () => {
    expect(markdown('<p>[a](b) [1] *c* 2 * 3 _d_ e_f `g` \\* &lt;b&gt; &amp;amp; [ref=e1]')).toBe(
      '[a\\](b) [1] \\*c\\* 2 * 3 \\_d\\_ e_f \\`g\\` \\\\\\* \\<b> \\&amp; \\[ref=e1\\]',
    )
  })

  test('link text cannot end the link, and text before it cannot turn it into an image', () => {
    expect(markdown('<p>wow!<a href=x>a](@e9) [b</a>')).toBe('wow\\![a\\](@e9) \\[b](@e1)')
  })

  test('text split over elements does not form a link', () => {
    expect(markdown('<p><span>[a]</span><span>(b)</span>')).toBe('[a\\](b)')
  })

  test('no text forms a heading, a link, a list, a quote, a table or a fence', () => {
    const signs = fc.string({
      unit: fc.constantFrom(...'#>-+*_=|~`[]()!\\\\1. :ab', '&lt;', '<br>', '<b>', '</b>', '<i>', '</i>', '<span>'),
      maxLength: 30,
    })
    fc.assert(
      fc.property(signs, text => {
        const written = markdown(`<p>${text}</p>`)
        expect(written).not.toMatch(/(?<!\\)(?:\\\\)*\]\(/)
        expect(written.replace(/\\[^\n]/g, '')).not.toContain('`')
        for (const line of written.split('\n')) expect(line).not.toMatch(structureAtStart)
      }),
      { numRuns: 2_000 },
    )
  })

  test('invisible characters are removed', () => {
    expect(markdown('<p>a\u202eb\u200bc\u0007d\ud800e\u{e0041}f\u00adg 😀')).toBe('abcdefg 😀')
  })

  test('preformatted text cannot close its fence', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('`', '~', '\n', 'a', '#') }), text => {
        const lines = markdown(`<pre>x${text}y</pre>`).split('\n')
        const fence = lines[0] ?? ''
        expect(lines.slice(1, -1).some(line => line.startsWith(fence))).toBe(false)
      }),
    )
  })
})

describe('content selection', () => {
  test('hidden text is omitted', () => {
    expect(
      markdown(
        '<style>.x{display:none}</style><p hidden>a</p><p style="display:none">b</p><p class=x>c</p><template>d</template><script>e</script><noscript>f</noscript>' +
          '<p aria-hidden=true>h</p><div style="content-visibility:hidden">i</div><details><summary></summary>j</details>g',
      ),
    ).toBe('g')
  })

  test('main is read without its surroundings', () => {
    expect(markdown('<header>Menu</header><main><nav>inner</nav><p>Text</p></main><footer>foot</footer>')).toBe('Text')
  })

  test('a single article is read', () => {
    expect(markdown('<div>Menu</div><article><h1>T</h1><p>Some text of it</p></article>')).toBe('# T\n\nSome text of it')
  })

  test('without landmarks, the element with the most text outside links is read', () => {
    const text = 'A sentence that is long enough to count as a paragraph of text.'
    const html = `<div class=menu>${'<a href=x>link</a> '.repeat(30)}</div><div id=c><h2>T</h2><p>${text}</p><p>${text}</p></div><div class=sidebar>${text}</div>`
    expect(markdown(html)).toBe(`## T\n\n${text}\n\n${text}`)
  })

  test('an empty main falls back to the body', () => {
    expect(markdown('<main></main><div>Everything is out here.</div>')).toBe('Everything is out here.')
  })
})

describe('invalid input', () => {
  test('an invalid call returns an error', () => {
    const wrong: [unknown, unknown][] = [
      [null, {}],
      [{}, {}],
      [{ tree: null }, {}],
      ['a', 7],
      ['a', { limitChars: 0 }],
      ['a', { limitChars: 100_001 }],
      ['a', { limitChars: 1.5 }],
      ['a', { offset: -1 }],
      ['a', { offset: '1' }],
      ['a', { format: 'html' }],
      ['a', { limit: 1 }],
    ]
    for (const [page, options] of wrong)
      expect(read(page as string, options as ReadOptions)).toMatchObject({ text: '', nextOffset: null, error: { code: 'invalid_input' } })
  })
})

describe.skipIf(isCorpusMissing('reading real pages'))('real pages', () => {
  const pages: { readonly [page: string]: readonly [says: string, not: RegExp] } = {
    'nymag-article': ['In *Why We’re Polarized*, Ezra Klein sets out to answer a simple', /cookie|subscribe|sign in/i],
    'wikipedia-bob-dylan': ['is an American singer-songwriter, author, and painter', /cookie|Main page|Log in|Jump to/i],
    'stardew-wiki': ['## ', /cookie|Log in|Create account/i],
  }
  for (const [page, [says, not]] of Object.entries(pages))
    test(`${page} starts with its article text`, () => {
      const { text } = read(readPage(`pages/${page}.html`))
      expect(text).toContain(says)
      expect(text).not.toMatch(not)
    })
})
