import { expect, test } from 'vitest'
import type { OptionSpecs } from '../../../src/surfaces/flags/option-spec.ts'
import { parseOptions } from '../../../src/surfaces/flags/parse-options.ts'

const specs: OptionSpecs = {
  json: { type: 'boolean' },
  privateHosts: { type: 'boolean', default: true },
  maxChars: { type: 'integer' },
  text: { type: 'string' },
  deny: { type: 'array' },
}
const parse = (...words: string[]) => parseOptions(words, specs)
const options = (...words: string[]) => {
  const parsed = parse(...words)
  return parsed.ok ? parsed.options : parsed.why
}

test('options are read from kebab case, camel case, = and no-', () => {
  expect(options('--max-chars', '500', '--json')).toEqual({ maxChars: 500, json: true })
  expect(options('--maxChars=500', '--no-private-hosts')).toEqual({ maxChars: 500, privateHosts: false })
  expect(options('--json=false', '--private-hosts=true')).toEqual({ json: false, privateHosts: true })
  expect(options('--text', '', '--text=')).toEqual({ text: '' })
})

test('an array collects its values; of any other option the last value counts', () => {
  expect(options('--deny', 'click', '--deny=fill')).toEqual({ deny: ['click', 'fill'] })
  expect(options('--text', 'a', '--text', 'b', '--json', '--no-json')).toEqual({ text: 'b', json: false })
})

test('words that are not options are positional: all of them after --, and those with a single dash', () => {
  expect(parse('e1', '-5', '--json', '-', '-a-b', '--', '--json')).toEqual({
    ok: true,
    options: { json: true },
    positionals: ['e1', '-5', '-', '-a-b', '--json'],
  })
  expect(options('--max-chars', '-5', '--text=-x')).toEqual({ maxChars: -5, text: '-x' })
})

test.each([
  [['--hard'], 'unknown option --hard'],
  [['--no-text'], 'unknown option --no-text; did you mean --text?'],
  [['--__proto__'], 'unknown option --__proto__'],
  [['--constructor', 'x'], 'unknown option --constructor'],
  [['--text'], '--text needs a value'],
  [['--text', '--json'], '--text needs a value; if it is --json, write --text=--json'],
  [['--json=no'], '--json is true or false, not no'],
])('%s is refused', (words, why) => {
  expect(parse(...words)).toEqual({ ok: false, why })
})

test('a value of the wrong type stays a string, so that the command can name what is wrong', () => {
  expect(options('--max-chars', 'many')).toEqual({ maxChars: 'many' })
})

test('a negated option with a value is a usage error, since it could mean both (TRUST C2)', () => {
  for (const value of ['true', 'false', 'yes', '1', ''])
    expect(parseOptions([`--no-private-hosts=${value}`], { privateHosts: { type: 'boolean', default: true } })).toEqual({
      ok: false,
      why: '--no-private-hosts takes no value',
    })
})
