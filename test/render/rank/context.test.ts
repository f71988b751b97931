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
