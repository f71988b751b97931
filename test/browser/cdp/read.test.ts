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
    expect.stringMatching(/^\[Account\]\(@e\d+\) \[Buy\]\(@e\d+\)$/),
  ])
  await page.do('click', { ref: refs.at(-3) as string })
  expect((await page.session.read()).text).toContain('Costs\nFree.')
})

async function extract(page: Awaited<ReturnType<typeof openCdpPage>>, query: string, maxChars = 6_000): Promise<RankedResult> {
  const result = await derivedCommandsLayer()(page.session.run as never)({ name: 'extract', query, offset: 0, maxChars })
  return (result as { data: RankedResult }).data
}

test('extract finds cards that a listener of their list makes clickable, and their refs can be clicked', async () => {
  const cards = Array.from({ length: 60 }, (_, n) => `<div class=c><div>Hotel ${n}</div><div>£${70 + n} per night</div></div>`)
  await using page = await openCdpPage(`<style>.c { cursor: pointer }</style><div id=list>${cards.join('')}</div>
    <script>list.addEventListener('click', event => { document.title = event.target.closest('.c').textContent })</script>
    <div onclick=1>Delivery date: 4 June</div>`)
  const { text, refs } = await extract(page, 'Hotel 7 per night')
  expect(text.split('\n')[1]).toMatch(/^- item \[ref=e\d+\]: "Hotel 7 \| £77 per night"$/)
  await page.do('click', { ref: refs[0] as string })
  expect(await page.evaluate('document.title')).toBe('Hotel 7£77 per night')
  expect((await extract(page, 'delivery date')).text).toMatch(/- text \[ref=e\d+\]: "Delivery date: 4 June"/)
  const read = await page.session.read({ maxChars: 20_000 })
  expect(read.text).toMatch(/^\[Hotel 7 \| £77 per night\]\(@e\d+\)$/m)
  expect(read.refs).toContain(refs[0])
})

test('read and extract print what tabs, buttons and fields say, with their current values and their refs', async () => {
  await using page = await openCdpPage(`<div role=tablist><button role=tab>Details</button><button role=tab>Reviews (12)</button></div>
    <p>Press <button>Start</button> to begin. Only <select id=few><option>1<option selected>2</select> left.</p>
    <label>E-mail <input id=mail></label><label>Password <input type=password id=secret></label>
    <label><input type=checkbox> I agree to the terms</label><label><input type=radio checked> By post</label>
    <button onclick="document.title = 'bought'">Buy for $15</button><button><svg width=9 height=9></svg></button>
    <script>mail.value = 'bob@example.com'; secret.value = 's3ntinel'</script>`)
  const { text, refs } = await page.session.read()
  const lines = text.split('\n').slice(1)
  expect(lines.map(line => line.replace(/@e\d+/g, '@'))).toEqual([
    '[Details](@) [Reviews (12)](@)',
    'Press [Start](@) to begin. Only [2](@) left.',
    '[E-mail](@): bob@example.com',
    '[Password](@)',
    '[ ] [I agree to the terms](@)',
    '[x] [By post](@)',
    '[Buy for $15](@)',
  ])
  await page.do('click', { ref: refs.at(-1) as string })
  expect(await page.evaluate('document.title')).toBe('bought')
  expect((await extract(page, 'buy')).text).toMatch(/- button \[ref=e\d+\]: "Buy for \$15"/)
  expect((await extract(page, 'begin')).text).toContain('"Press Start to begin. Only 2 left."')
  expect((await extract(page, 'e-mail')).text).toContain('"E-mail: bob@example.com"')
  expect((await extract(page, 'password s3ntinel')).text).not.toContain('s3ntinel')
})

test('read and extract name what is drawn and has no text', async () => {
  await using page = await openCdpPage('<p>Sales</p><canvas width=200 height=100></canvas><canvas width=200 height=100></canvas><p>End</p>')
  expect((await page.session.read()).text).toContain('… not read: what is drawn in 2 canvases (take a screenshot)')
  expect((await extract(page, 'sales')).text).toContain('… not searched: what is drawn in 2 canvases (take a screenshot)')
})

test('a header that only screen readers have keeps its column, and code its lines', async () => {
  const hidden = 'position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)'
  await using page = await openCdpPage(`<table><tr><th>Name<th><span style="${hidden}">Actions</span><th>Qty
    <tr><td>Bolt<td><a href=/x>Edit</a><td>7<tr><td>Nut<td><i></i><td>8</table><pre>if x:\n    <b>y</b>()</pre>`)
  expect((await page.session.read()).text.split('\n').slice(1)).toEqual([
    '| Name |  | Qty |',
    expect.stringMatching(/^\| Bolt \| \[Edit\]\(@e\d+\) \| 7 \|$/),
    '| Nut |  | 8 |',
    '    if x:',
    '        y()',
  ])
  const { text } = await extract(page, 'nut')
  expect(text).toContain('{"Name":"Nut","Qty":"8"}')
})

test('all rows of a table that is longer than a snapshot have the names of its columns', async () => {
  const numbers = Array.from({ length: 500 }, (_, index) => `${index}`)
  const rows = numbers.map(number => `<tr><td>n${number}<td><a href="/item/${number}">name ${number}</a><td><td>q${number}`)
  await using page = await openCdpPage(`<table><tr><th>No<th>Name<th>Mark<th>Qty${rows.join('')}</table>`)
  const records = (await extract(page, '', 100_000)).text.split('\n').slice(1)
  expect(records.map(line => JSON.parse(line.slice(line.indexOf('{'))))).toEqual(
    numbers.map(number => ({ No: `n${number}`, Name: `name ${number}`, Qty: `q${number}` })),
  )
})
