import { expect, test } from 'vitest'
import { htmlDriver } from '../../../src/html.ts'
import { derivedCommandsLayer } from '../../../src/layers/derived-commands.ts'
import { splitText } from '../../../src/render/rank/excerpt.ts'

async function answer(html: string, command: { name: 'read' } | { name: 'extract'; query?: string }): Promise<string> {
  const result = await derivedCommandsLayer()(htmlDriver(html))({ offset: 0, maxChars: 20_000, ...command })
  if (!result.ok) throw new Error(result.error.message)
  return (result.data as { text: string }).text
}
const sentences = (count: number) => Array.from({ length: count }, (_, index) => `This is sentence number ${index}.`).join(' ')

test('a long paragraph is read to its end', async () => {
  const html = `<p>${sentences(250)} The answer is ZEBRA42.</p>`
  const read = await answer(html, { name: 'read' })
  expect(read).toMatch(/The answer is ZEBRA42\.$/)
  expect(read).not.toContain('…')
})

test('a part of a long paragraph fills the answer and ends with a word', async () => {
  const run = derivedCommandsLayer()(htmlDriver(`<h1>Essay</h1><p>${sentences(100)}</p>`))
  const parts: string[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const result = await run({ name: 'read', offset, maxChars: 1_000 })
    if (!result.ok) throw new Error(result.error.message)
    const { text, nextOffset } = result.data as { text: string; nextOffset: number | null }
    expect(text.length).toBeLessThanOrEqual(1_000)
    if (nextOffset !== null) expect(text.length).toBeGreaterThan(800)
    parts.push(...text.split('\n').filter(line => !/^(\[read\]|…)/.test(line)))
    offset = nextOffset
  }
  expect(parts.map(part => part.trim()).join(' ')).toBe(`# Essay ${sentences(100)}`)
})

test('extract prints the part of a long text that matches, and the whole text in several passages', async () => {
  const html = `<article><p>${sentences(120)} The answer is <b>ZEBRA42</b>. ${sentences(120)}</p></article>`
  const [header, passage = ''] = (await answer(html, { name: 'extract', query: 'zebra42' })).split('\n')
  expect(header).toMatch(/matching=1$/)
  expect(passage).toMatch(/The answer is ZEBRA42\./)
  expect(passage.length).toBeLessThan(900)
  const passages = (await answer(html, { name: 'extract' })).split('\n').slice(1)
  expect(passages.map(line => JSON.parse(line.slice(line.indexOf('"')))).join(' ')).toBe(
    `${sentences(120)} The answer is ZEBRA42. ${sentences(120)}`,
  )
})

test('extract prints the part of a long cell that matches', async () => {
  const html = `<table><tr><th>Name<th>Text<tr><td>Alpha<td>${sentences(30)} It is waterproof. ${sentences(5)}<tr><td>Beta<td>Short</table>`
  const [, row = ''] = (await answer(html, { name: 'extract', query: 'waterproof' })).split('\n')
  expect(row).toMatch(/\{"Name":"Alpha","Text":"….*It is waterproof\..*…"\}$/)
  expect(row.length).toBeLessThan(300)
})

test('a text that is too long to be read is named', async () => {
  const html = `<p>${sentences(600)} The end.</p>`
  expect(await answer(html, { name: 'read' })).toContain('… not read: the end of very long texts (cut at …)')
  const found = await answer(html, { name: 'extract', query: 'ZEBRA42' })
  expect(found).toContain('truncated=true')
  expect(found).toContain('… not searched: the end of very long texts (cut at …)')
})

test('the pieces of a text are whole sentences, words or characters', () => {
  expect(splitText('One two. Three four. Five.', 21)).toEqual(['One two. Three four.', 'Five.'])
  expect(splitText('one two three four', 10)).toEqual(['one two', 'three four'])
  expect(splitText('第一句。第二句。第三句。', 8)).toEqual(['第一句。第二句。', '第三句。'])
  expect(splitText('😀😀😀', 3)).toEqual(['😀', '😀', '😀'])
})
