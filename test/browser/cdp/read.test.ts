import { expect, test } from 'vitest'
import { parseCommand } from '../../../src/contract/parse-command.ts'
import { derivedCommandsLayer } from '../../../src/layers/derived-commands.ts'
import type { RankedResult } from '../../../src/render/rank/ranked.ts'
import { openCdpPage } from '../../support/cdp-page.ts'

const paragraphs = Array.from({ length: 900 }, (_, i) => `<p>Paragraph ${i} tells about <a href="/topic/${i}">topic ${i}</a> and more.</p>`)
const long = `<h1>A long page</h1><p hidden>never drawn</p><p style="position:absolute;left:-9999px">off the page</p>
${paragraphs.join('')}<table><tr><th>Item</th><th>Price</th></tr><tr><td>Teapot</td><td>39 EUR</td></tr></table>
<div id=host></div><script>host.attachShadow({ mode: 'open' }).innerHTML = '<p>Said in a shadow root</p>'</script><p>The very end.</p>`

test('read returns the whole page in document order, part by part, and its links can be clicked', async () => {
  await using page = await openCdpPage(long)
  const bodies: string[] = []
  const refs: string[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const part = await page.session.read({ offset, maxChars: 20_000 })
    expect(part.text.length).toBeLessThanOrEqual(20_000)
    bodies.push(
      part.text
        .split('\n')
        .filter(line => !/^(\[read\]|…)/.test(line))
        .join('\n'),
    )
    refs.push(...part.refs)
    offset = part.nextOffset
  }
  const text = bodies.join('\n')
  expect(text).toMatch(/^# A long page\nParagraph 0 tells about \[topic 0\]\(@e\d+\) and more\.\n/)
  const numbers = [...text.matchAll(/^Paragraph (\d+) tells/gm)].map(([, number]) => Number(number))
  expect(numbers).toEqual(paragraphs.map((_, i) => i))
  expect(text).toContain('| Item | Price |\n| Teapot | 39 EUR |')
  expect(text).toContain('Said in a shadow root\nThe very end.')
  expect(text).not.toMatch(/never drawn|off the page/)
  expect(new Set(refs).size).toBe(paragraphs.length)
  await page.do('click', { ref: refs.at(-1) as string })
  expect(await page.evaluate('location.pathname')).toContain('/topic/899')
})

test('read and extract keep cells in their columns below a cell that spans rows', async () => {
  await using page = await openCdpPage(`<table><tr><th rowspan=2>Day<th colspan=2>Lesson<tr><th>Hour<th>Subject
    <tr><td rowspan=2>Monday<td>8<td>Math<tr><td>9<td>Art</table>`)
  const { text } = await page.session.read()
  expect(text.split('\n').slice(1)).toEqual(['| Day | Lesson Hour | Lesson Subject |', '| Monday | 8 | Math |', '| Monday | 9 | Art |'])
  const result = await derivedCommandsLayer()(page.session.run as never)({ name: 'extract', query: 'art', offset: 0, maxChars: 6_000 })
  expect((result as { data: RankedResult }).data.text).toContain('{"Day":"Monday","Lesson Hour":"9","Lesson Subject":"Art"}')
})

test('extract finds a passage at the end of a long page', async () => {
  await using page = await openCdpPage(long)
  const command = parseCommand({ name: 'extract', query: 'price of the teapot' })
  if (!command.ok) throw new Error(command.error.message)
  const result = await derivedCommandsLayer()(page.session.run as never)(command.value)
  expect((result as { data: RankedResult }).data.text).toContain('{"Item":"Teapot","Price":"39 EUR"}')
})

test('read keeps the titles of parts that a button opens and closes, with the ref of those that are closed', async () => {
  await using page = await openCdpPage(`<main><h1>Help</h1><h3><button aria-expanded=true>How to return?</button></h3><p>In 30 days.</p>
    <button aria-expanded=false>Where is it?</button><p hidden>On its way.</p><details><summary>Costs</summary>Free.</details>
    <button aria-expanded=false aria-haspopup=menu>Account</button><button>Buy</button></main>`)
  const { text, refs } = await page.session.read()
  expect(text.split('\n').slice(1)).toEqual([
    '# Help',
    '### How to return?',
    'In 30 days.',
    expect.stringMatching(/^\[Where is it\?\]\(@e\d+\) \(collapsed\)$/),
    expect.stringMatching(/^\[Costs\]\(@e\d+\) \(collapsed\)$/),
  ])
  await page.do('click', { ref: refs.at(-1) as string })
  expect((await page.session.read()).text).toContain('Costs\nFree.')
})
