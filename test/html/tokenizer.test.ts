import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5'
import { expect, test } from 'vitest'
import { parsePage } from '../../src/html/tokenizer.ts'
import { malformed } from '../support/malformed-markup.ts'

const tags =
  'html head title body frameset frame noframes noscript div p b i a table caption colgroup col tr td th select option button form ' +
  'textarea pre listing script style template svg math mi foreignObject desc iframe xmp plaintext my-element'
const pieces = [
  ...tags.split(' ').flatMap(tag => [`<${tag}>`, `</${tag}>`, `<${tag} `]),
  ...[
    '<',
    '</',
    '>',
    '/>',
    '=',
    '"',
    "'",
    '-',
    '--',
    '<!--',
    '-->',
    '--!>',
    '<!',
    '<?',
    '<![CDATA[',
    ']]>',
    '<!doctype html>',
    '<script><!--',
  ],
  ...[' ', '\n', '\r', '\r\n', '\t', '\f', '\0', 'a', 'B', 'one two', 'é', '😀', '\ud83d', '12'],
  ...['&', '&amp;', '&amp', '&notit;', '&#x41;', '&#0;', '&nbsp;'],
  ...[' checked', ' data-x="1"', ' href="?a=1&amp;b=2&c"', " title='a b'", ' x=y', ' ID="é"', ' __proto__="1"', ' xlink:href="#"'],
  ...['<A HREF="q" Class=\'z\'>', '<body class="1" ID=2>', '<x_y:z>', '<divé>'],
]

test('the tree of any markup is that of parse5', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), parts => expectSameTree(parts.join(''))),
    { numRuns: 3_000 },
  )
})

test.each(Object.entries(malformed))('%s: the tree is that of parse5', (_, html) => {
  expectSameTree(html)
})

function expectSameTree(html: string): void {
  expect(nodesOf(parsePage(html, { scriptingEnabled: true, treeAdapter: defaultTreeAdapter }))).toEqual(nodesOf(parse(html)))
}

/** Everything in the tree as a flat list, because some of the markup is nested too deeply for recursion. */
function nodesOf(document: DefaultTreeAdapterTypes.Document): unknown[] {
  const nodes: unknown[] = []
  const stack: (DefaultTreeAdapterTypes.Node | null)[] = [document]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node === null) {
      nodes.push('end')
      continue
    }
    const { childNodes = [], content, parentNode, ...fields } = node as DefaultTreeAdapterTypes.Template
    nodes.push(fields, parentNode?.nodeName)
    stack.push(null, ...(content ? [content] : []), ...[...childNodes].reverse())
  }
  return nodes
}
