import { expect, test } from 'vitest'
import { commands, verbs } from '../../src/contract/commands.ts'
import { parseCommand } from '../../src/contract/parse-command.ts'
import { type AnyRun, fail, ok, wrap } from '../../src/contract/run.ts'

const refusal = (name: string, given: object) => {
  const read = parseCommand({ ...given, name })
  return read.ok ? 'accepted' : `${read.error.code}: ${read.error.message}`
}

test('parseCommand applies defaults and normalizes refs (C1)', () => {
  expect(parseCommand({ name: 'scroll', direction: 'down' })).toEqual({
    ok: true,
    value: { name: 'scroll', direction: 'down', amount: 300 },
  })
  expect(parseCommand({ name: 'query', ref: '[ref=e7]', kind: 'text' })).toEqual({
    ok: true,
    value: { name: 'query', ref: 'e7', kind: 'text', limitChars: 4_000 },
  })
  for (const ref of ['e12', '@e12', 'ref=e12', '[ref=e12]', '12', '[12]', 12, ' E12 '])
    expect(parseCommand({ name: 'click', ref })).toEqual({ ok: true, value: { name: 'click', ref: 'e12' } })
})

test('query kinds are accepted in all documented spellings (C11)', () => {
  for (const [spelling, kind] of [
    ['TEXT', 'text'],
    ['ATTR', 'attrs'],
    ['OUTER_HTML', 'outerHTML'],
    ['isVisible', 'isvisible'],
  ])
    expect(parseCommand({ name: 'query', ref: 'e1', kind: spelling })).toMatchObject({ ok: true, value: { kind } })
  expect(refusal('query', { ref: 'e1', kind: 'smell' })).toMatch(/^unsupported_query: kind must be one of text, html, outerHTML/)
})

test('an invalid field is rejected by name, with its own error code if there is one (S2-56)', () => {
  expect(refusal('click', {})).toBe('invalid_input: ref is missing: it must be a string.')
  expect(refusal('click', { ref: 'the button' })).toBe('invalid_ref: ref is "the button", which is not a ref.')
  expect(refusal('click', { ref: 'e1', force: true })).toBe('invalid_input: unknown field "force": click takes ref, button, modifiers.')
  expect(refusal('fill', { ref: 'e1', value: 3 })).toBe('invalid_text: value must be a string.')
  expect(refusal('press', { key: 13 })).toBe('invalid_key: key must be a string.')
  expect(refusal('open', { url: 1 })).toBe('invalid_url: url must be a string.')
  expect(refusal('select', { ref: 'e1', values: 'a' })).toBe('invalid_input: values must be a list of strings.')
  expect(refusal('fly', {})).toMatch(/^unsupported_action: there is no verb "fly"; the verbs are open, back/)
  expect(refusal('toString', {})).toMatch(/^unsupported_action/)
  expect(parseCommand({ name: 'read' }, { accept: commands })).toMatchObject({
    ok: false,
    error: { code: 'unsupported_action', message: expect.stringMatching(/^read is composed of other verbs by the tools and methods/) },
  })
})

test('an unknown direction or a limit out of range is rejected (X2-4, X2-5, X2-9)', () => {
  expect(refusal('scroll', { direction: 'north' })).toBe('invalid_input: direction must be one of up, down, left, right.')
  expect(refusal('scroll', { direction: 'up', amount: -3 })).toBe('invalid_input: amount must be at least 1.')
  expect(refusal('scroll', { direction: 'up', amount: 1.5 })).toBe('invalid_input: amount must be a whole number.')
  expect(refusal('wait', { ms: 1e9 })).toBe('invalid_input: ms must be at most 60000.')
  expect(refusal('query', { ref: 'e1', kind: 'html', limitChars: 1e9 })).toBe('invalid_input: limitChars must be at most 100000.')
})

test('an error carries the field that is wrong, and names it as the caller spells it', () => {
  const read = parseCommand({ name: 'fill', ref: 'e1' }, { label: 'act fill', spell: field => (field === 'value' ? 'text' : undefined) })
  expect(read).toMatchObject({ ok: false, error: { field: 'value', message: 'text is missing: it must be a string.' } })
  expect(
    parseCommand({ name: 'fill', ref: 'e1', value: '', more: 1 }, { label: 'act fill', spell: field => field.slice(0, 3) }),
  ).toMatchObject({
    error: { field: 'more', message: 'unknown field "more": act fill takes ref, val, com.' },
  })
})

test('a command that was parsed is not parsed again, and a copy of it is', () => {
  const read = parseCommand({ name: 'click', ref: '[7]' })
  if (!read.ok) throw new Error(read.error.message)
  expect(parseCommand(read.value)).toEqual({ ok: true, value: read.value })
  const again = parseCommand(read.value)
  expect(again.ok && again.value).toBe(read.value)
  expect(parseCommand({ ...read.value, ref: 'nothing' })).toMatchObject({ ok: false, error: { code: 'invalid_ref' } })
})

test('a verb that the caller does not accept is refused', () => {
  expect(parseCommand({ name: 'observe' }, { accept: commands })).toMatchObject({ ok: false, error: { code: 'unsupported_action' } })
  expect(parseCommand(null)).toMatchObject({ ok: false, error: { code: 'unsupported_action' } })
})

test('wait takes exactly one condition (S2-05)', () => {
  expect(refusal('wait', {})).toBe('invalid_wait: there is no condition to wait for.')
  expect(refusal('wait', { text: 'a', url: 'b' })).toBe('invalid_wait: text and url are 2 conditions, and one call waits for one.')
  expect(refusal('wait', { state: 'visible' })).toBe('invalid_wait: state needs a ref.')
  expect(parseCommand({ name: 'wait', ref: 'e3' })).toMatchObject({ ok: true, value: { state: 'visible', timeoutMs: 5_000, pollMs: 100 } })
})

test('an empty value and a single space are valid text (X2-2)', () => {
  expect(parseCommand({ name: 'fill', ref: 'e1', value: '' })).toMatchObject({ ok: true, value: { value: '' } })
  expect(parseCommand({ name: 'type', ref: 'e1', text: ' ' })).toMatchObject({ ok: true, value: { text: ' ' } })
})

test('every verb has a description, a risk class, a maximum answer length and a deadline', () => {
  for (const [name, { description: says, risk, chars, deadlineMs }] of Object.entries(verbs)) {
    expect(says, name).toMatch(/^[A-Z].*\.$/)
    expect(['look', 'move', 'act', 'leave', 'power']).toContain(risk)
    expect(chars).toBeGreaterThanOrEqual(1_500)
    expect(deadlineMs).toBeGreaterThanOrEqual(1_000)
  }
  expect(Object.keys(commands)).not.toContain('observe')
})

test('the first layer sees a command first and its result last', async () => {
  const told: string[] = []
  const layer =
    (name: string) =>
    (next: AnyRun): AnyRun =>
    async command => {
      told.push(`${name} asks`)
      const result = await next(command)
      told.push(`${name} hears`)
      return result
    }
  const run: AnyRun = wrap(async () => ok('done'), layer('policy'), layer('evidence'))
  expect(await run({ name: 'click' })).toEqual({ ok: true, data: 'done' })
  expect(told).toEqual(['policy asks', 'evidence asks', 'evidence hears', 'policy hears'])
  const shut: AnyRun = wrap(
    async () => ok('done'),
    () => async () => fail('approval_denied', 'no.'),
  )
  expect(await shut({ name: 'click' })).toMatchObject({ ok: false, error: { code: 'approval_denied' } })
})

test('numbers and booleans may be written as strings, and text stays text (C11)', () => {
  expect(parseCommand({ name: 'snapshot', maxChars: '500', interactiveOnly: 'false' })).toMatchObject({
    ok: true,
    value: { maxChars: 500, interactiveOnly: false },
  })
  expect(parseCommand({ name: 'scroll', direction: 'down', amount: '-5' })).toMatchObject({ ok: false, error: { field: 'amount' } })
  expect(parseCommand({ name: 'scroll', direction: 'down', amount: 'much' })).toMatchObject({ ok: false, error: { field: 'amount' } })
  expect(parseCommand({ name: 'fill', ref: 'e1', value: '5', commit: 'true' })).toMatchObject({ value: { value: '5', commit: true } })
  expect(parseCommand({ name: 'type', ref: 'e1', text: 'true' })).toMatchObject({ value: { text: 'true' } })
})
