import { expect, test } from 'vitest'
import { type Command, fail, ok, type Run } from '../../src/contract/run.ts'
import { type EvidenceSink, evidence, type StepEvent } from '../../src/layers/evidence.ts'
import { page } from '../render/page.ts'
import { acted, recording } from '../support/recording.ts'

const shows = () => page([])

/** what a witness was told, and how it can fail */
function witnessed(driver: Run, fails: { note?: (event: StepEvent) => boolean; keep?: boolean } = {}) {
  const events: StepEvent[] = []
  const hidden: string[] = []
  const witness: EvidenceSink = {
    async note(event) {
      if (fails.note?.(event)) throw new Error('no space left')
      events.push(event)
    },
    async keep(step, seen) {
      if (fails.keep) throw new Error('no space left')
      return ['picture' in seen ? `frames/${step}` : `snapshots/${step}`]
    },
    hide: words => void hidden.push(...words),
  }
  return { run: evidence(witness)(driver), events, hidden }
}
const types = (events: readonly StepEvent[]) => events.map(({ type, step }) => `${step} ${type}`)

test('what can change something is written down before and after it, with what was seen then (S2-11 S2-60)', async () => {
  const { run: driver, commands } = recording({ shows, does: { click: () => acted('http://a/', { pressed: true }) } })
  const { run, events } = witnessed(driver)
  expect(await run({ name: 'click', ref: 'e1' })).toMatchObject({ ok: true, data: { effect: { pressed: true } } })
  await run({ name: 'open', url: 'http://a/' })
  expect(types(events)).toEqual(['1 command', '1 result', '1 evidence', '2 command', '2 result', '2 evidence'])
  expect(events[0]).toEqual({ type: 'command', step: 1, verb: 'click', arguments: { ref: 'e1' } })
  expect(events[1]).toMatchObject({ ok: true, effect: { pressed: true }, settled: true, page: { url: 'http://a/' } })
  expect(events[2]).toEqual({ type: 'evidence', step: 1, files: ['frames/1', 'snapshots/1'] })
  expect(commands.map(({ name }) => name)).toEqual(['click', 'screenshot', 'snapshot', 'open', 'screenshot', 'snapshot'])
})

test('a look is passed on as it is: it changes nothing', async () => {
  const { run: driver, commands } = recording({ shows })
  const { run, events } = witnessed(driver)
  for (const name of ['snapshot', 'query', 'wait', 'screenshot', 'status', 'observe']) await run({ name })
  expect(events).toEqual([])
  expect(commands.length).toBe(6)
})

test('where the log cannot be written nothing is done (F5)', async () => {
  const { run: driver, commands } = recording({ shows })
  const { run } = witnessed(driver, { note: () => true })
  expect(await run({ name: 'click', ref: 'e1' })).toMatchObject({
    ok: false,
    error: { code: 'not_logged', message: 'click was not carried out: no space left.' },
  })
  expect(commands).toEqual([])
})

test('where the outcome cannot be written the result is still told, and that it was not saved (F5)', async () => {
  const { run: driver } = recording({ shows })
  const { run } = witnessed(driver, { note: event => event.type === 'result' })
  expect(await run({ name: 'click', ref: 'e1' })).toMatchObject({ ok: true, data: { notes: ['evidence not_saved: no space left'] } })
})

test('where a picture cannot be kept the result is still told, and the log says what is missing (F5)', async () => {
  const { run: driver } = recording({ shows })
  const { run, events } = witnessed(driver, { keep: true })
  expect(await run({ name: 'click', ref: 'e1' })).toMatchObject({ ok: true, data: { notes: ['evidence not_saved: no space left'] } })
  expect(events.at(-1)).toEqual({
    type: 'evidence',
    step: 1,
    files: [],
    notSaved: ['screenshot: no space left', 'snapshot: no space left'],
  })
})

test('what a look of the record is told in passing reaches the caller (F2)', async () => {
  const told = { ...(shows() as object), notes: ['a tab opened: t2'] }
  const { run: driver } = recording({ shows, does: { snapshot: () => ok(told) } })
  expect(await witnessed(driver).run({ name: 'click', ref: 'e1' })).toMatchObject({ ok: true, data: { notes: ['a tab opened: t2'] } })
})

test('a crash that only the record has heard of is the answer of the next action, which is not carried out (F2)', async () => {
  let isCrashed = false
  const once = () => {
    if (!isCrashed) return undefined
    isCrashed = false
    return fail('page_crashed', 'The page crashed.')
  }
  const { run: driver, commands } = recording({
    shows,
    does: {
      click: () => {
        isCrashed = true
        return undefined
      },
      screenshot: once,
      fill: once,
    },
  })
  const { run, events } = witnessed(driver)
  expect(await run({ name: 'click', ref: 'e1' })).toMatchObject({ ok: true })
  expect(await run({ name: 'fill', ref: 'e1', value: 'x' })).toMatchObject({ ok: false, error: { code: 'page_crashed' } })
  expect(commands.filter(({ name }) => name === 'fill')).toEqual([])
  expect(events.at(-1)).toMatchObject({ type: 'evidence', notSaved: ['screenshot: page_crashed', 'snapshot: page_crashed'] })
  expect(await run({ name: 'fill', ref: 'e1', value: 'x' })).toMatchObject({ ok: true })
  await run({ name: 'click', ref: 'e1' })
  expect(await run({ name: 'snapshot' })).toMatchObject({ ok: false, error: { code: 'page_crashed' } })
  expect(await run({ name: 'snapshot' })).toMatchObject({ ok: true })
})

test('a page that cannot answer is not asked for a picture, nor one whose user has stopped', async () => {
  const { run: driver, commands } = recording({ shows, does: { click: () => fail('page_unresponsive', 'It does not answer.') } })
  const { run, events } = witnessed(driver)
  await run({ name: 'click', ref: 'e1' })
  await run({ name: 'open', url: 'http://a/' }, { aborted: true })
  expect(commands.map(({ name }) => name)).toEqual(['click', 'open'])
  expect(events.filter(({ type }) => type === 'evidence')).toMatchObject([
    { notSaved: ['screenshot: page_unresponsive', 'snapshot: page_unresponsive'] },
    { notSaved: ['screenshot: aborted', 'snapshot: aborted'] },
  ])
})

const typed: readonly [string, Command, object, unknown][] = [
  ['a text that the field shows', { name: 'fill', ref: 'e1', value: 'Ada' }, { value: 'Ada' }, { ref: 'e1', value: 'Ada' }],
  ['a password', { name: 'fill', ref: 'e1', value: 'hunter2' }, { value: '[redacted]' }, undefined],
  ['a text of a field that was emptied', { name: 'type', ref: 'e1', text: 'hunter2' }, { value: '' }, undefined],
  ['a text that nobody has read back', { name: 'type', ref: 'e1', text: 'hunter2' }, {}, undefined],
  ['a chosen option', { name: 'select', ref: 'e1', values: ['b'] }, { selected: ['B'] }, { ref: 'e1', values: ['b'] }],
  ['a text that the page writes in its own way', { name: 'fill', ref: 'e1', value: '5551234567' }, { value: '(555) 123-4567' }, undefined],
  ['a text that the page masks', { name: 'fill', ref: 'e1', value: 'hunter2' }, { value: '•••••••' }, undefined],
  [
    'a long text that is cut',
    { name: 'fill', ref: 'e1', value: 'a long text '.repeat(9) },
    { value: `${'a long text '.repeat(3)}…` },
    { ref: 'e1', value: 'a long text '.repeat(9) },
  ],
  ['a hidden choice', { name: 'select', ref: 'e1', values: ['b'] }, { selected: ['[redacted]'] }, undefined],
  ['one letter of a text', { name: 'press', key: 'h' }, {}, undefined],
  ['the answer to a prompt', { name: 'dialog', accept: true, text: 'hunter2' }, {}, undefined],
]
test.each(typed)('%s is written down only if the page shows it (A4)', async (_, command, effect, expected) => {
  const { run: driver } = recording({ shows, does: { [command.name]: () => acted('http://a/', effect) } })
  const { run, events } = witnessed(driver)
  await run(command)
  expect(JSON.stringify(events[0])).toContain('[typed]')
  expect(events[1]).toMatchObject({ type: 'result', ok: true })
  expect('arguments' in (events[1] as object) ? (events[1] as { arguments: unknown }).arguments : undefined).toEqual(expected)
})

test.each([
  ['a field that redacts', { value: '[redacted]' }, true],
  ['a field that the page masks', { value: '•••••' }, true],
  ['a field that sent it off at once, as those for one-time codes do', { value: '' }, true],
  ['a field that is gone', {}, true],
  ['a field that shows it', { value: '471108' }, false],
  ['a field that writes it in its own way', { value: '471-108' }, false],
])('what went into %s is told to the witness, who writes it nowhere any more: %o is %s (A4)', async (_, effect, isHidden) => {
  const { run: driver } = recording({ shows, does: { fill: () => acted('http://a/', effect) } })
  const { run, hidden } = witnessed(driver)
  await run({ name: 'fill', ref: 'e1', value: '471108' })
  expect(hidden).toEqual(isHidden ? ['471108'] : [])
})

test('a named key says what is done and is no typed word', async () => {
  const { run: driver } = recording({ shows })
  const { run, events } = witnessed(driver)
  await run({ name: 'press', key: 'Enter' })
  expect(events[0]).toMatchObject({ arguments: { key: 'Enter' } })
})
