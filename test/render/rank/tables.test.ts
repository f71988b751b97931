import { expect, test } from 'vitest'
import { htmlDriver } from '../../../src/html.ts'
import { derivedCommandsLayer } from '../../../src/layers/derived-commands.ts'

async function linesOf(name: 'read' | 'extract', html: string): Promise<string[]> {
  const result = await derivedCommandsLayer()(htmlDriver(html))({ name, offset: 0, maxChars: 100_000 })
  if (!result.ok) throw new Error(result.error.message)
  return (result.data as { text: string }).text.split('\n').slice(1)
}
const records = async (html: string) =>
  (await linesOf('extract', html)).map(line => JSON.parse(line.slice(line.indexOf(': ') + 2)) as { [column: string]: string })

test('cells stay below their headers if a header or a cell has nothing to read', async () => {
  const plans = '<table><tr><th></th><th>Basic</th><th>Pro</th></tr><tr><td>Price</td><td>$5</td><td>$15</td></tr></table>'
  expect(await records(plans)).toEqual([{ 1: 'Price', Basic: '$5', Pro: '$15' }])
  expect(await linesOf('read', plans)).toEqual(['|  | Basic | Pro |', '| Price | $5 | $15 |'])
  const parts = '<table><tr><th>Name<th><i class=icon></i><th>Qty<tr><td>Bolt<td><svg></svg><td>7</table>'
  expect(await records(parts)).toEqual([{ Name: 'Bolt', Qty: '7' }])
  const week = '<table><tr><th><th>Mon<th>Tue<tr><td>10:00<td><span></span><td>Pilates</table>'
  expect(await records(week)).toEqual([{ 1: '10:00', Tue: 'Pilates' }])
  const row = (role: string, cells: string[]) => `<div role=row>${cells.map(cell => `<span role=${role}>${cell}</span>`).join('')}</div>`
  const grid = `<div role=table>${row('columnheader', ['', 'A', '<i></i>', 'B'])}${row('cell', ['r', 'a', '<i></i>', 'b'])}</div>`
  expect(await records(grid)).toEqual([{ 1: 'r', A: 'a', B: 'b' }])
})

test('a cell that is not drawn has no place', async () => {
  expect(await records('<table><tr><th hidden>Id<th>Name<th>Qty<tr><td hidden>1<td>Bolt<td>7</table>')).toEqual([
    { Name: 'Bolt', Qty: '7' },
  ])
})

test('all rows of a long table have the names of its columns, and none is divided', async () => {
  const numbers = Array.from({ length: 900 }, (_, index) => `${index}`)
  const rows = numbers.map(number => `<tr><td>n${number}<td><a href=/${number}>name ${number}</a><td><i></i><td>q${number}`)
  const table = `<table><tr><th>No<th>Name<th>Mark<th>Qty${rows.join('')}</table>`
  expect(await records(table)).toEqual(numbers.map(number => ({ No: `n${number}`, Name: `name ${number}`, Qty: `q${number}` })))
})
