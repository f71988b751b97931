import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { promisesOf } from './faults/cases.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** One ID, or a range such as S0-66..69 or S0-66..S0-69. */
const form = /^(?:([SX]\d-)(\d+)(?:\.\.(?:[SX]\d-)?(\d+))?|(?:TRUST-)?[A-F]\d+)$/

/** One word per ID. Titles may omit TRUST, except for the group C, which would be a decision then. */
const oneWord = (id: string) => id.replace('TRUST ', 'TRUST-').replace(/^[ABDEF]\d/, 'TRUST-$&')

function expand(range: string): string[] {
  const [, prefix, first = '', last] = form.exec(range) ?? []
  if (!prefix || !last) return [range]
  const count = Number(last) - Number(first) + 1
  return Array.from({ length: count }, (_, index) => `${prefix}${String(Number(first) + index).padStart(first.length, '0')}`)
}

/** The IDs in every pair of parentheses that contains nothing else, as at the end of a test title. */
function idsIn(source: string): string[] {
  const lists = [...source.matchAll(/\(([\w ,.-]+)\)/g)].map(([, list = '']) => list.split(/,? (?<!TRUST )/).map(oneWord))
  return lists.filter(list => list.every(each => form.test(each))).flatMap(list => list.flatMap(expand))
}

test('docs/requirements.md explains every requirement ID in the tests', () => {
  const document = readFileSync(join(root, 'docs/requirements.md'), 'utf8')
  const explained = new Set([...document.matchAll(/^\| ((?:TRUST )?\S+) \| \S/gm)].map(([, id = '']) => oneWord(id)))
  const files = (readdirSync(join(root, 'test'), { recursive: true }) as string[]).filter(file => file.endsWith('.ts'))
  const used = new Set(files.flatMap(file => idsIn(readFileSync(join(root, 'test', file), 'utf8'))))
  expect(used.size).toBeGreaterThan(300)
  expect([...used].filter(each => !explained.has(each))).toEqual([])
})

const promises = { A: 6, B: 5, C: 3, D: 1, E: 5, F: 7 }

test('every promise from A1 to F7 is explained, and is the number of at least one test', () => {
  const expected = Object.entries(promises).flatMap(([group, count]) => Array.from({ length: count }, (_, index) => `${group}${index + 1}`))
  const document = readFileSync(join(root, 'docs/requirements.md'), 'utf8')
  const explained = [...document.matchAll(/^\| TRUST (\S+) \| \S/gm)].map(([, id = '']) => id)
  expect(explained).toEqual(expect.arrayContaining(expected))
  const files = (readdirSync(join(root, 'test'), { recursive: true }) as string[]).filter(file => file.endsWith('.test.ts'))
  // a title is a string that ends with its numbers
  const titles = files.flatMap(file => readFileSync(join(root, 'test', file), 'utf8').match(/\([^()\n]*\)(?=['"`])/g) ?? [])
  const tried = new Set(titles.flatMap(promisesOf))
  expect(expected.filter(id => !tried.has(id))).toEqual([])
})
