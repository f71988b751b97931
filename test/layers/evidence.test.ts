import { expect, test } from 'vitest'
import { type AnyCommand, type AnyRun, fail, ok, wrap } from '../../src/contract/run.ts'
import { type EvidenceSink, evidenceLayer, type StepEvent } from '../../src/layers/evidence.ts'
import { fillFormLayer } from '../../src/layers/fill-form.ts'
import { page } from '../render/page.ts'
import { actionResult, recordingDriver } from '../support/recording-driver.ts'

const shows = () => page([])

/** an evidence sink that collects its calls and can be made to fail */
function recorded(driver: AnyRun, fails: { write?: (event: StepEvent) => boolean; capture?: boolean } = {}) {
  const events: StepEvent[] = []
  const hidden: string[] = []
  const sink: EvidenceSink = {
    async write(event) {
      if (fails.write?.(event)) throw new Error('no space left')
      events.push(event)
    },
    async saveCapture(step, capture) {
      if (fails.capture) throw new Error('no space left')
      return ['screenshot' in capture ? `frames/${step}` : `snapshots/${step}`]
    },
    redact: words => void hidden.push(...words),
  }
  return { run: evidenceLayer(sink)(driver), events, hidden }
}
const types = (events: readonly StepEvent[]) => events.map(({ type, step }) => `${step} ${type}`)

test('a state-changing command is recorded before and after, with screenshot and snapshot (S2-11 S2-60)', async () => {
  const { run: driver, commands } = recordingDriver({ shows, does: { click: () => actionResult('http://a/', { pressed: true }) } })
  const { run, events } = recorded(driver)
  expect(await run({ name: 'click', ref: 'e1' })).toMatchObject({ ok: true, data: { effect: { pressed: true } } })
  await run({ name: 'open', url: 'http://a/' })
  expect(types(events)).toEqual(['1 command', '1 result', '1 evidence', '2 command', '2 result', '2 evidence'])
  expect(events[0]).toEqual({ type: 'command', step: 1, verb: 'click', arguments: { ref: 'e1' } })
  expect(events[1]).toMatchObject({ ok: true, effect: { pressed: true }, settled: true, page: { url: 'http://a/' } })
  expect(events[2]).toEqual({ type: 'evidence', step: 1, files: ['frames/1', 'snapshots/1'] })
  expect(commands.map(({ name }) => name)).toEqual(['click', 'screenshot', 'snapshot', 'open', 'screenshot', 'snapshot'])
})

test('reads are passed through unrecorded', async () => {
  const { run: driver, commands } = recordingDriver({ shows })
  const { run, events } = recorded(driver)
  for (const name of ['snapshot', 'query', 'wait', 'screenshot', 'status', 'observe']) await run({ name })
  expect(events).toEqual([])
  expect(commands.length).toBe(6)
})

test('a command is not executed if the log cannot be written (F5)', async () => {
  const { run: driver, commands } = recordingDriver({ shows })
  const { run } = recorded(driver, { write: () => true })
  expect(await run({ name: 'click', ref: 'e1' })).toMatchObject({
    ok: false,
    error: {
      code: 'not_logged',
      message: 'click was not run, because its record could not be written.',
      page: { error: 'no space left' },
    },
  })
  expect(commands).toEqual([])
})

test('a disk that is full from the first, second, … write on: what cannot be logged is not run (F5)', async ({ task }) => {
  task.meta.tries = 26
  for (let writes = 0; writes < 26; writes++) {
    const { run: driver, commands } = recordingDriver({ shows })
    let count = 0
    const { run, events } = recorded(driver, { write: () => ++count > writes })
    for (let step = 0; step < 8; step++) {
      const { ok } = await run({ name: 'click', ref: 'e1' })
      const intents = events.filter(({ type }) => type === 'command').length
      const clicks = commands.filter(({ name }) => name === 'click').length
      expect([clicks, ok], `${writes} writes, step ${step}`).toEqual([intents, intents === step + 1])
    }
  }
})

test('a result that cannot be logged is still returned, with a note (F5)', async () => {
  const { run: driver } = recordingDriver({ shows })
  const { run } = recorded(driver, { write: event => event.type === 'result' })
  expect(await run({ name: 'click', ref: 'e1' })).toMatchObject({ ok: true, data: { notes: ['evidence not_saved: no space left'] } })
})

test('a screenshot that cannot be saved is reported in a note and in the log (F5)', async () => {
  const { run: driver } = recordingDriver({ shows })
  const { run, events } = recorded(driver, { capture: true })
  expect(await run({ name: 'click', ref: 'e1' })).toMatchObject({ ok: true, data: { notes: ['evidence not_saved: no space left'] } })
  expect(events.at(-1)).toEqual({
    type: 'evidence',
    step: 1,
    files: [],
    notSaved: ['screenshot: no space left', 'snapshot: no space left'],
  })
})

test('notes of the evidence snapshot are passed to the caller (F2)', async () => {
  const snapshot = { ...(shows() as object), notes: ['a tab opened: t2'] }
  const { run: driver } = recordingDriver({ shows, does: { snapshot: () => ok(snapshot) } })
  expect(await recorded(driver).run({ name: 'click', ref: 'e1' })).toMatchObject({ ok: true, data: { notes: ['a tab opened: t2'] } })
})

test('a crash noticed only by the evidence layer fails the next command, which is not executed (F2)', async () => {
  let isCrashed = false
  const once = () => {
    if (!isCrashed) return undefined
    isCrashed = false
    return fail('page_crashed', 'The page crashed.')
  }
  const { run: driver, commands } = recordingDriver({
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
  const { run, events } = recorded(driver)
  expect(await run({ name: 'click', ref: 'e1' })).toMatchObject({ ok: true })
  expect(await run({ name: 'fill', ref: 'e1', value: 'x' })).toMatchObject({ ok: false, error: { code: 'page_crashed' } })
  expect(commands.filter(({ name }) => name === 'fill')).toEqual([])
  expect(events.at(-1)).toMatchObject({ type: 'evidence', notSaved: ['screenshot: page_crashed', 'snapshot: page_crashed'] })
  expect(await run({ name: 'fill', ref: 'e1', value: 'x' })).toMatchObject({ ok: true })
  await run({ name: 'click', ref: 'e1' })
  expect(await run({ name: 'snapshot' })).toMatchObject({ ok: false, error: { code: 'page_crashed' } })
  expect(await run({ name: 'snapshot' })).toMatchObject({ ok: true })
})

test('no screenshot is taken of an unresponsive page or after an abort', async () => {
  const { run: driver, commands } = recordingDriver({ shows, does: { click: () => fail('page_unresponsive', 'It does not answer.') } })
  const { run, events } = recorded(driver)
  await run({ name: 'click', ref: 'e1' })
  await run({ name: 'open', url: 'http://a/' }, { aborted: true })
  expect(commands.map(({ name }) => name)).toEqual(['click', 'open'])
  expect(events.filter(({ type }) => type === 'evidence')).toMatchObject([
    { notSaved: ['screenshot: page_unresponsive', 'snapshot: page_unresponsive'] },
    { notSaved: ['screenshot: aborted', 'snapshot: aborted'] },
  ])
})

const typed: readonly [string, AnyCommand, object, unknown][] = [
  ['text that the field shows', { name: 'fill', ref: 'e1', value: 'Ada' }, { value: 'Ada' }, { ref: 'e1', value: 'Ada' }],
  ['a password', { name: 'fill', ref: 'e1', value: 'hunter2' }, { value: '[redacted]' }, undefined],
  ['text of a field that was cleared', { name: 'type', ref: 'e1', text: 'hunter2' }, { value: '' }, undefined],
  ['text that was not read back', { name: 'type', ref: 'e1', text: 'hunter2' }, {}, undefined],
  ['a chosen option', { name: 'select', ref: 'e1', values: ['b'] }, { selected: ['B'] }, { ref: 'e1', values: ['b'] }],
  ['text that the page reformats', { name: 'fill', ref: 'e1', value: '5551234567' }, { value: '(555) 123-4567' }, undefined],
  ['text that the page masks', { name: 'fill', ref: 'e1', value: 'hunter2' }, { value: '•••••••' }, undefined],
  [
    'long text that is cut',
    { name: 'fill', ref: 'e1', value: 'a long text '.repeat(9) },
    { value: `${'a long text '.repeat(3)}…` },
    { ref: 'e1', value: 'a long text '.repeat(9) },
  ],
  ['a hidden choice', { name: 'select', ref: 'e1', values: ['b'] }, { selected: ['[redacted]'] }, undefined],
  ['a single letter', { name: 'press', key: 'h' }, {}, undefined],
  ['the answer to a prompt', { name: 'dialog', accept: true, text: 'hunter2' }, {}, undefined],
]
test.each(typed)('%s is recorded only if the page shows it (A4)', async (_, command, effect, expected) => {
  const { run: driver } = recordingDriver({ shows, does: { [command.name]: () => actionResult('http://a/', effect) } })
  const { run, events } = recorded(driver)
  await run(command)
  expect(JSON.stringify(events[0])).toContain('[typed]')
  expect(events[1]).toMatchObject({ type: 'result', ok: true })
  expect('arguments' in (events[1] as object) ? (events[1] as { arguments: unknown }).arguments : undefined).toEqual(expected)
})

test.each([
  ['a redacted field', { value: '[redacted]' }, true],
  ['a field that the page masks', { value: '•••••' }, true],
  ['a field that is cleared at once, like a one-time code', { value: '' }, true],
  ['a field that is gone', {}, true],
  ['a field that shows it', { value: '471108' }, false],
  ['a field that reformats it', { value: '471-108' }, false],
])('a value typed into %s is passed to hide() or not: %o, %s (A4)', async (_, effect, isHidden) => {
  const { run: driver } = recordingDriver({ shows, does: { fill: () => actionResult('http://a/', effect) } })
  const { run, hidden } = recorded(driver)
  await run({ name: 'fill', ref: 'e1', value: '471108' })
  expect(hidden).toEqual(isHidden ? ['471108'] : [])
})

test('a named key is recorded as it is', async () => {
  const { run: driver } = recordingDriver({ shows })
  const { run, events } = recorded(driver)
  await run({ name: 'press', key: 'Enter' })
  expect(events[0]).toMatchObject({ arguments: { key: 'Enter' } })
})

test('a form is captured once, after its last field; a field that fails or leads to another page is captured too (S2-60)', async () => {
  const fields = ['e1', 'e2', 'e3'].map(ref => ({ ref, value: 'tea' }))
  const captured = async (fill: (command: AnyCommand) => ReturnType<typeof actionResult> | ReturnType<typeof fail>, submit = false) => {
    const { run: driver } = recordingDriver({ shows, does: { fill } })
    const { run, events } = recorded(driver)
    await wrap(run, fillFormLayer)({ name: 'fillForm', fields, submit } as never)
    return events.flatMap(event => (event.type === 'evidence' ? [event.step] : []))
  }
  expect(await captured(() => actionResult('http://a/', { value: 'tea' }))).toEqual([3])
  expect(await captured(() => actionResult('http://a/', { value: 'tea' }), true)).toEqual([4])
  expect(await captured(({ ref }) => (ref === 'e2' ? fail('element_blocked', ['covered.']) : actionResult('http://a/', {})))).toEqual([2])
  expect(await captured(() => actionResult('http://b/', { url: 'http://b/' }))).toEqual([1])
})
