import { expect, test } from 'vitest'
import { htmlDriver } from '../../../src/html.ts'
import { derivedCommandsLayer } from '../../../src/layers/derived-commands.ts'

async function linesOf(name: 'observe' | 'extract', html: string, words = ''): Promise<string[]> {
  const query = name === 'observe' ? { task: words } : { query: words }
  const result = await derivedCommandsLayer()(htmlDriver(html))({ name, offset: 0, maxChars: 20_000, ...(words && query) })
  if (!result.ok) throw new Error(result.error.message)
  const { text } = result.data as { text: string }
  return text.split('\n').map(line => line.replace(/ \[ref=\w+\]/, ''))
}

test('a heading says nothing about what comes after the part of the page that it is in', async () => {
  const html = `<h1>Lamps</h1><main><article><h2>Blue lamp</h2><p>€20</p><a href=/b>Buy</a></article><p>All with a bulb.</p></main>
    <aside><p>21 degrees</p></aside><footer><p>Delivery takes 3 days</p><a href=/i>Imprint</a></footer>`
  expect(await linesOf('extract', html)).toEqual([
    '[extract] found=6',
    '- heading: "Lamps"',
    '- item under "Lamps": "Blue lamp | €20 | Buy"',
    '- paragraph under "Lamps": "All with a bulb."',
    '- paragraph: "21 degrees"',
    '- paragraph: "Delivery takes 3 days"',
    '- link: "Imprint"',
  ])
  expect(await linesOf('observe', html, 'blue lamp')).toEqual([
    '[observe] found=2 matching=1',
    '- link "Buy" in "Blue lamp €20 Buy"',
    '… 1 that do not match: offset=1',
  ])
})

test('the title of a page in its header is the heading of the content behind it', async () => {
  const html = '<header><h1>Terms</h1><p>As of May</p></header><main><p>Be kind.</p></main>'
  expect(await linesOf('extract', html)).toContain('- paragraph under "Terms": "Be kind."')
})

test('numbers match only if they are the same, and the answer names those that the page does not have', async () => {
  const orders = [10231, 10232].map(number => `<p>Order ${number} shipped</p>`).join('')
  expect(await linesOf('extract', orders, 'order 10239')).toEqual([
    '[extract] found=2 matching=2',
    '… not found: "10239"',
    '- paragraph: "Order 10231 shipped"',
    '- paragraph: "Order 10232 shipped"',
  ])
  expect((await linesOf('extract', orders, 'order 10232')).slice(1, 2)).toEqual(['- paragraph: "Order 10232 shipped"'])
  expect((await linesOf('extract', '<p>Model X2000</p>', 'X20001'))[0]).toBe('[extract] found=1 matching=0')
})

test('words for a kind of control find nothing by themselves, unless the task has no others', async () => {
  const html = '<a href=/n>News</a><a href=/s>Sport</a><button>Shopping bag</button><input type=checkbox aria-label=Gift>'
  expect((await linesOf('observe', html, 'open the cart'))[0]).toBe('[observe] found=4 matching=0')
  expect((await linesOf('observe', html, 'click checkout'))[0]).toBe('[observe] found=4 matching=0')
  expect((await linesOf('observe', html, 'open sport')).slice(0, 2)).toEqual(['[observe] found=4 matching=1', '- link "Sport"'])
  expect((await linesOf('observe', html, 'the links'))[0]).toBe('[observe] found=4 matching=2')
  expect((await linesOf('observe', '<input type=search><button>Go</button>', 'search for tea'))[1]).toBe('- searchbox')
})

test('the name of a rare kind of control finds all of that kind, even if nothing else of the task is on the page', async () => {
  const html = '<a href=/n>News</a><ul><li><input type=checkbox> Rice<li><input type=checkbox> Beans</ul>'
  expect((await linesOf('observe', html, 'checkbox todos')).filter(line => line.startsWith('- '))).toHaveLength(2)
})

test('a control in a card that can be clicked has the texts of the card as its context', async () => {
  const cards = [1, 2, 3].map(n => `<div class=prod onclick=1><div>Prod ${n}</div><div>$${n}</div><button>Buy</button></div>`).join('')
  expect((await linesOf('observe', cards, 'buy Prod 2'))[1]).toBe('- button "Buy" in "Prod 2 | $2 Buy"')
})

test('observe does not call a page incomplete because a text is long', async () => {
  expect((await linesOf('observe', `<p>${'word '.repeat(100)}</p><button>Go</button>`))[0]).toBe('[observe] found=1')
})

test.each([
  ['fee', 'Fees apply'],
  ['taxes', 'Tax included'],
  ['faq', 'FAQs'],
  ['cafe', 'Two cafés'],
  ['offnungszeiten', 'Öffnungszeiten'],
  ['wifi', 'Free Wi-Fi'],
  ['배송비', '배송비는 3,000원'],
  ['반품', '반품은 7일'],
  ['हिंदी', 'हिंदी में'],
])('%s finds "%s"', async (query, text) => {
  expect(await linesOf('extract', `<p>${text}</p><p>Other</p>`, query)).toContain(`- paragraph: "${text}"`)
  expect((await linesOf('extract', `<p>${text}</p><p>Other</p>`, query))[0]).toBe('[extract] found=2 matching=1')
})
