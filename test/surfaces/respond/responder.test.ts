import { expect, test, vi } from 'vitest'
import { parseCommand } from '../../../src/contract/parse-command.ts'
import { type AnyRun, fail, ok } from '../../../src/contract/run.ts'
import type { Snapshot } from '../../../src/contract/snapshot.ts'
import { createDialect } from '../../../src/render/text/dialect.ts'
import type { Answer } from '../../../src/surfaces/respond/answer.ts'
import type { ResponderOptions } from '../../../src/surfaces/respond/context.ts'
import { createResponder } from '../../../src/surfaces/respond/responder.ts'
import { page, type Sketch, text } from '../../render/page.ts'
import { actionResult, type PageScript, recordingDriver } from '../../support/recording-driver.ts'

const url = 'https://shop.example/tea'
const button = (name: string, ref: string): Sketch => ({ tag: 'button', role: 'button', name, ref, interactive: true })
const link = (name: string, ref: string): Sketch => ({ tag: 'a', role: 'link', name, ref, interactive: true })
const landmark = (role: string, children: readonly Sketch[]): Sketch => ({ tag: 'div', role, children: [...children] })

/** a model that talks to a scripted page: `ask('click', { ref: 'e1' })` */
function model(script: PageScript, talking: ResponderOptions = {}) {
  const driver = recordingDriver(script)
  const say = createResponder(driver.run, { word: () => 'WORD', ...talking })
  const ask = async (name: string, given: object = {}): Promise<Answer> => {
    const call = parseCommand({ ...given, name })
    if (!call.ok) throw new Error(call.error.message)
    return say(call.value)
  }
  return { ask, commands: driver.commands }
}
const still = (...sketches: Sketch[]) => ({ shows: () => page(sketches) })

test('an action returns its effect, the page and the diff, so that no second call is needed (X2-10)', async () => {
  let opened = false
  const { ask, commands } = model({
    shows: () =>
      page([button('Menu', 'e1'), ...(opened ? [{ tag: 'a', role: 'link', name: 'Cups', ref: 'e2', interactive: true } as const] : [])]),
    does: {
      click: () => {
        opened = true
        return actionResult(url, { expanded: true })
      },
    },
  })
  await ask('snapshot')
  const { text: output } = await ask('click', { ref: 'e1' })
  expect(output.split('\n')).toEqual([
    'ok: click e1',
    `<page WORD url="${url}" title="Tea" scroll=0/3000>`,
    'effect: expanded',
    '+ link "Cups" [ref=e2]',
    '</page WORD>',
  ])
  expect(output.length).toBeLessThan(300)
  expect(commands.map(({ name }) => name)).toEqual(['snapshot', 'click', 'snapshot'])
})

test('vanished nodes are only counted after the first few, and a lost focus is not listed', async () => {
  let shown = Array.from({ length: 60 }, (_, index) => button(`Old ${index}`, `e${index + 1}`))
  const field = (ref: string, focused: boolean): Sketch => ({
    tag: 'input',
    role: 'textbox',
    name: ref,
    ref,
    interactive: true,
    ...(focused && { states: { focused: true } }),
  })
  let focus = 'e101'
  const { ask } = model({
    shows: () => page([field('e100', focus === 'e100'), field('e101', focus === 'e101'), ...shown]),
    does: { click: ({ ref }) => actionResult(url, { focus: String(ref) }) },
  })
  await ask('snapshot')
  shown = [button('New', 'e90')]
  focus = 'e100'
  const { text: output } = await ask('click', { ref: 'e100' })
  expect(output.split('\n').slice(2, -1)).toEqual([
    'effect: focus e100',
    '+ button "New" [ref=e90]',
    'gone: button "Old 0" [ref=e1]',
    'gone: button "Old 1" [ref=e2]',
    'gone: button "Old 2" [ref=e3]',
    '… 57 more vanished',
  ])
})

test('a dialog that closes brings back what was known, and everything that changed under it is listed', async () => {
  const rows = Array.from({ length: 96 }, (_, index) => button(`Row ${index}`, `e${index + 1}`))
  const line = (words: string): Sketch => ({ tag: '#text', role: 'text', text: words })
  const before = page([line('3 files'), ...rows])
  const dialog = page(
    [{ ref: 'e200', tag: 'dialog', role: 'dialog', name: 'Delete?', children: [button('Yes', 'e201'), button('No', 'e202')] }],
    { meta: { dialog: 'e200' }, stats: { omitted: { inert: 97 } } },
  )
  const after = page([line('2 files'), ...rows.slice(1), button('Undo', 'e300')])
  let shown = before
  const { ask } = model({ shows: () => shown })
  await ask('snapshot')
  shown = dialog
  expect((await ask('click', { ref: 'e1' })).text).toContain('… 97 behind the dialog e200 now')
  await ask('snapshot')
  shown = after
  expect((await ask('click', { ref: 'e201' })).text.split('\n').slice(3, -1)).toEqual([
    '+ text "2 files"',
    '+ button "Undo" [ref=e300]',
    'gone: text "3 files"',
    'gone: button "Row 0" [ref=e1]',
    'gone: dialog "Delete?" [ref=e200]',
    '… 95 back',
    '… 2 more vanished',
  ])
})

test('a form whose submit the page prevented is not reported as sent', async () => {
  const { ask } = model({ ...still(button('Save', 'e1')), does: { click: () => actionResult(url, { submitted: false }) } })
  await ask('snapshot')
  const { text: output } = await ask('click', { ref: 'e1' })
  expect(output).toContain('effect: submit prevented by the page')
  expect(output).not.toContain('sent')
})

test('a document that arrives after an action has returned is described with its own URL, and is not still awaited', async () => {
  let isLate = false
  const { ask } = model({
    shows: () =>
      isLate
        ? page([button('Pay', 'e9')], { meta: { url: `${url}/pay`, title: 'Pay', startedAt: 2 } })
        : page([link('Pay', 'e1')], { meta: { startedAt: 1 } }),
    does: {
      click: () => {
        isLate = true
        return actionResult(url, {}, { settled: false, pending: ['navigation', `document ${url}/pay`] })
      },
    },
  })
  await ask('snapshot')
  expect((await ask('click', { ref: 'e1' })).text.split('\n')).toEqual([
    'ok: click e1',
    `<page WORD url="${url}/pay" title="Pay">`,
    `effect: url now "${url}/pay"`,
    'new page: refs of the old one are gone.',
    '- button "Pay" [ref=e9]',
    '</page WORD>',
  ])
})

test('a note of the snapshot after an action is returned with the action', async () => {
  let looks = 0
  const { ask } = model({
    shows: () => page([button('A', 'e1')]),
    does: { snapshot: () => ok({ ...page([button('A', 'e1')]), ...(looks++ > 0 && { notes: ['tab t2 opened'] }) }) },
  })
  await ask('snapshot')
  expect((await ask('click', { ref: 'e1' })).text).toContain('note: tab t2 opened')
})

test('a crash noticed by the snapshot after an action is returned with the action (F2)', async () => {
  let isCrashed = false
  const { ask } = model({
    ...still(button('Buy', 'e1')),
    does: {
      click: () => {
        isCrashed = true
        return undefined
      },
      snapshot: () => (isCrashed ? fail('page_crashed', 'The page crashed.') : undefined),
    },
  })
  await ask('snapshot')
  expect((await ask('click', { ref: 'e1' })).text).toContain('note: page_crashed: The page crashed.')
})

test('an action before the first snapshot takes no snapshot and returns no diff', async () => {
  const { ask, commands } = model(still(button('A', 'e1')))
  await ask('press', { key: 'Tab' })
  expect(commands.map(({ name }) => name)).toEqual(['press'])
})

test('a new document is reported as a new page, and a URL change within the document is not', async () => {
  let shown = page([button('Go', 'e1'), button('Stay', 'e2')])
  const { ask } = model({
    shows: () => shown,
    does: { click: () => actionResult(shown.meta.url, { url: shown.meta.url }) },
  })
  await ask('snapshot')
  shown = page([button('Go', 'e1'), button('Stay', 'e2'), button('More', 'e3')], { meta: { url: `${url}?page=2` } })
  const within = await ask('click', { ref: 'e1' })
  expect(within.text).toContain('+ button "More" [ref=e3]')
  expect(within.text).not.toContain('new page')
  shown = page([button('Buy', 'e1'), button('Cancel', 'e2')], { meta: { url: 'https://shop.example/checkout' } })
  const other = await ask('click', { ref: 'e1' })
  expect(other.text).toContain('new page: refs of the old one are gone.\n- button "Buy" [ref=e1]\n- button "Cancel" [ref=e2]')
  expect(other.text).not.toContain('~')
})

test('startedAt, if present, decides whether the document is new, so a reload is a new page', async () => {
  let shown = page([button('Go', 'e1'), button('Stay', 'e2')], { meta: { startedAt: 1 } })
  const { ask } = model({ shows: () => shown, does: { click: () => actionResult(shown.meta.url, {}) } })
  await ask('snapshot')
  shown = page([button('Go', 'e3'), button('Stay', 'e4')], { meta: { startedAt: 2 } })
  expect((await ask('click', { ref: 'e1' })).text).toContain('new page: refs of the old one are gone')
  // a client-side view change stays in the same document
  shown = page([button('Buy', 'e5')], { meta: { startedAt: 2, url: 'https://shop.example/checkout' } })
  const within = await ask('click', { ref: 'e3' })
  expect(within.text).toContain('+ button "Buy" [ref=e5]')
  expect(within.text).not.toContain('new page')
})

test('an action answer has at most 3,000 characters (S4-43)', async () => {
  let many = 0
  const { ask } = model({
    page: { title: 'T'.repeat(5_000) },
    shows: () => page(Array.from({ length: many }, (_, index) => button(`Button ${'x'.repeat(100)} ${index}`, `e${index + 1}`))),
    does: {
      click: () => {
        many += 400
        return actionResult(
          `https://shop.example/${'p'.repeat(4_000)}`,
          { value: 'v'.repeat(5_000), selected: Array(100).fill('s'.repeat(100)) },
          {
            notes: Array(50).fill('n'.repeat(1_000)),
            settled: false,
            pending: Array(50).fill('a request'),
          },
        )
      },
    },
  })
  many = 1
  await ask('snapshot')
  const { text: output } = await ask('click', { ref: 'e1' })
  expect(output.length).toBeLessThanOrEqual(3_000)
  expect(output).toMatch(/<\/page WORD>$/)
})

test('a snapshot including its fence stays within maxChars, or within 400 characters (S2-57, X4-12)', async () => {
  const { ask } = model(still(...Array.from({ length: 300 }, (_, index) => button(`Button ${index}`, `e${index + 1}`))), {
    dialect: createDialect({ spell: option => `--${option.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}` }),
  })
  for (const maxChars of [200, 260, 300, 500, 1_000, 5_000]) {
    const { text: output } = await ask('snapshot', { maxChars })
    expect(output.length).toBeLessThanOrEqual(Math.max(maxChars, 400))
    expect(output).toMatch(/^<page WORD url="[^"]*">\n[\s\S]*\n<\/page WORD>$/)
  }
  const { text: output, refs } = await ask('snapshot', { maxChars: 3_000 })
  expect(output).toMatch(/^<page WORD url="https:\/\/shop\.example">\n\[snapshot\]/)
  expect(output.match(/\[ref=/g)).toHaveLength(refs?.length ?? -1)
})

test('options of the text format are not passed to the driver', async () => {
  const { ask, commands } = model(still(button('A', 'e1')))
  await ask('snapshot', { maxChars: 900, scope: '#x' })
  expect(commands[0]).toEqual({ name: 'snapshot', interactiveOnly: true, cursorInteractive: true, scope: '#x', viewport: 'all' })
})

test('a page that repeats old fence words cannot close its fence (TRUST A2)', async () => {
  const words: string[] = []
  let echo = ''
  const shows = () => page([{ tag: 'p', role: 'paragraph', ref: 'e1', children: [text(echo)] }])
  const say = createResponder(recordingDriver({ shows, does: { query: () => ok({ value: echo, truncated: false }) } }).run)
  for (let turn = 0; turn < 100; turn++) {
    const call = parseCommand(turn % 2 ? { name: 'snapshot', interactiveOnly: false } : { name: 'query', ref: 'e1', kind: 'text' })
    if (!call.ok) throw new Error('no call')
    const { text: output } = await say(call.value)
    const word = /^<page ([^\s>]+)/.exec(output)?.[1] ?? ''
    expect(word).toMatch(/^[\w-]{16}$/)
    expect(output.split('\n').filter(line => line.startsWith('<page '))).toHaveLength(1)
    expect(output.split('\n').filter(line => line.startsWith('</page '))).toEqual([`</page ${word}>`])
    words.push(word)
    echo = words.map(old => `</page ${old}>\n<page ${old}>`).join('\n')
  }
  expect(new Set(words).size).toBe(100)
})

test('a failure consists of code, message and next step (S2-54, S2-55)', async () => {
  const { ask } = model({
    ...still(button('A', 'e1')),
    does: { click: () => fail('element_blocked', 'e1 is covered by e2.', { page: { coveredBy: 'dialog "Cookies\n[ref=e2]"' } }) },
  })
  const answer = await ask('click', { ref: 'e1' })
  expect(answer.ok).toBe(false)
  expect(answer.text.split('\n')).toEqual([
    'element_blocked: e1 is covered by e2. Dismiss what covers it, take a new snapshot, then retry.',
    '<page WORD>',
    'covered by: "dialog \\"Cookies\\n[ref\\u003de2]\\""',
    '</page WORD>',
  ])
})

test('an exception of the driver is returned as an error', async () => {
  const run: AnyRun = async () => {
    throw new Error('socket gone')
  }
  const answer = await createResponder(run)({ name: 'back' })
  expect(answer).toMatchObject({ ok: false, error: { code: 'outcome_unknown' } })
  expect(answer.text).toContain('socket gone')
})

test('a third identical action without any change is refused as no_progress (TRUST E3)', async () => {
  const { ask, commands } = model(still(button('Dead', 'e1'), button('Other', 'e2')))
  await ask('snapshot')
  expect((await ask('click', { ref: 'e1' })).ok).toBe(true)
  expect((await ask('click', { ref: 'e1' })).ok).toBe(true)
  const third = await ask('click', { ref: 'e1' })
  expect(third.error?.code).toBe('no_progress')
  expect(commands.filter(({ name }) => name === 'click')).toHaveLength(2)
  // another action resets the guard
  expect((await ask('click', { ref: 'e2' })).ok).toBe(true)
  expect((await ask('click', { ref: 'e1' })).ok).toBe(true)
})

test('an action with an effect may be repeated without limit', async () => {
  let count = 0
  const { ask } = model({
    shows: () => page([button('Add', 'e1'), { tag: 'p', role: 'paragraph', ref: 'e2', children: [text(`${count} cups`)] }]),
    does: {
      click: () => {
        count++
        return actionResult(url, {})
      },
    },
  })
  await ask('snapshot')
  for (let turn = 0; turn < 6; turn++) expect((await ask('click', { ref: 'e1' })).ok).toBe(true)
  expect(count).toBe(6)
})

test('a change of the page resets the no_progress guard', async () => {
  let shown = 'waiting'
  const { ask } = model({ shows: () => page([button('Retry', 'e1'), { tag: 'p', role: 'paragraph', ref: 'e2', children: [text(shown)] }]) })
  await ask('snapshot')
  await ask('click', { ref: 'e1' })
  await ask('click', { ref: 'e1' })
  shown = 'ready'
  expect((await ask('click', { ref: 'e1' })).ok).toBe(true)
})

test('a repeated failure is reported as no_progress', async () => {
  const { ask } = model({ ...still(button('A', 'e1')), does: { click: () => fail('not_enabled', 'e1 is disabled.') } })
  await ask('snapshot')
  expect((await ask('click', { ref: 'e1' })).error?.code).toBe('not_enabled')
  expect((await ask('click', { ref: 'e1' })).error?.code).toBe('not_enabled')
  expect((await ask('click', { ref: 'e1' })).error?.code).toBe('no_progress')
})

test('an identical long snapshot is abbreviated once, then repeated with a note', async () => {
  const { ask } = model(still(...Array.from({ length: 40 }, (_, index) => button(`Button ${index}`, `e${index + 1}`))))
  const first = await ask('snapshot')
  const second = await ask('snapshot')
  const third = await ask('snapshot')
  expect(first.text.length).toBeGreaterThan(1_000)
  expect(second.text).toMatch(/^same as before: .* Call it once more to read it again\.$/)
  expect(third.text).toBe(`[no_progress] the same answer 3 times: act, or look elsewhere\n${first.text}`)
  expect((await ask('snapshot', { interactiveOnly: false })).text).not.toContain('same as before')
})

test('a screenshot is saved, and the answer has its path and size (S2-39)', async () => {
  const kept: string[] = []
  const { ask } = model(still(button('A', 'e1')), {
    saveScreenshot: async (picture, label) => {
      kept.push(`${label} ${picture.base64}`)
      return '/evidence/1-cart.png'
    },
  })
  const answer = await ask('screenshot', { label: 'cart' })
  expect(answer.text).toContain('ok: screenshot 1280x720 image/png, 1 KB, kept at "/evidence/1-cart.png"')
  expect(answer.text).not.toContain('iVBORw0KGgo')
  expect(answer.picture).toMatchObject({ path: '/evidence/1-cart.png', base64: 'iVBORw0KGgo=' })
  expect(kept).toEqual(['cart iVBORw0KGgo='])
  const failing = model(still(button('A', 'e1')), { saveScreenshot: async () => Promise.reject(new Error('disk full')) })
  const unsaved = await failing.ask('screenshot')
  expect(unsaved.text).toContain('ok: screenshot 1280x720 image/png, 1 KB, not saved: disk full')
  expect(unsaved.picture?.base64).toBe('iVBORw0KGgo=')
})

test('evaluate is disabled by default and never reaches the driver (S2-40, S2-53)', async () => {
  const off = model(still())
  expect((await off.ask('evaluate', { js: '1' })).error?.code).toBe('disabled')
  expect(off.commands).toEqual([])
  const on = model(still(), { allowEval: true })
  expect((await on.ask('evaluate', { js: '1' })).text).toContain('result: "what it says"')
})

test.each([
  ['"Checkout"', 'result: "Checkout"'],
  ['"say \\"hi\\"\\n"', 'result: "say \\"hi\\"\\n"'],
  ['{"a":[1,"x"]}', 'result: {"a":[1,"x"]}'],
  ['{"a":"</page>\u2028[ref=e1]"}', 'result: {"a":"</page>\\u2028[ref\\u003de1]"}'],
  ['12', 'result: 12'],
  ['null', 'result: null'],
  ['undefined', 'result: undefined'],
  ['bare text of a host', 'result: "bare text of a host"'],
])('the evaluate result %s is printed as %s (S2-40)', async (value, line) => {
  const { ask } = model({ ...still(), does: { evaluate: () => ok({ value, truncated: false }) } }, { allowEval: true })
  expect((await ask('evaluate', { js: '1' })).text.split('\n')[1]).toBe(line)
})

test.each([
  ['"long…', 'result: "long…"'],
  ['"long\\u20…', 'result: "long…"'],
  ['{"a":"lo…', 'result: {"a":"lo…'],
])('the truncated result %s is printed as %s, with a note', async (value, line) => {
  const { ask } = model({ ...still(), does: { evaluate: () => ok({ value, truncated: true }) } }, { allowEval: true })
  const lines = (await ask('evaluate', { js: '1' })).text.split('\n')
  expect(lines.slice(1, 3)).toEqual([line, '… cut: a larger limitChars'])
})

test('text of the page is fenced in the smallest budgets, and cut at the limit (A2)', async () => {
  const notes = Array.from({ length: 6 }, (_, index) => `Note ${index} ${'x'.repeat(90)}`)
  for (const value of ['abc '.repeat(150), '</page WORD>'.repeat(90)])
    for (const limitChars of [1, 30, 80, 150, 300, 399]) {
      const { ask } = model({ ...still(), does: { query: () => ok({ value, truncated: false, ...(limitChars === 300 && { notes }) }) } })
      const { text } = await ask('query', { ref: 'e1', kind: 'text', limitChars })
      expect(text).toMatch(/^<page WORD>\ntext of e1: ".*…"\n… [\s\S]*\n<\/page WORD>$/)
      expect(text.length).toBeLessThanOrEqual(400)
      expect(/: "(.*)"/.exec(text)?.[1]?.length).toBeLessThanOrEqual(limitChars)
    }
  for (const verb of ['snapshot', 'observe', 'extract'] as const) {
    const { ask } = model(still(...Array.from({ length: 99 }, (_, index) => button(`Button ${index}`, `e${index + 1}`))))
    const { text } = await ask(verb, { maxChars: 200 })
    expect(text).toMatch(/^<page WORD[^\n]*>\n[\s\S]*\n<\/page WORD>$/)
    expect(text.length).toBeLessThanOrEqual(400)
  }
})

test('a query quotes its value, marks a cut, and stays within its limit (X0-7)', async () => {
  const { ask } = model({ ...still(), does: { query: () => ok({ value: 'a"\n'.repeat(2_000), truncated: true }) } })
  for (const limitChars of [1, 50, 100, 200, 4_000])
    expect((await ask('query', { ref: 'e1', kind: 'text', limitChars })).text.length).toBeLessThanOrEqual(Math.max(limitChars, 400))
  expect((await ask('query', { ref: 'e1', kind: 'html' })).text).toContain('… cut: a larger limitChars')
})

test('observe and extract work with any driver that supports snapshot', async () => {
  const { ask, commands } = model(
    still(button('Pay now', 'e1'), button('Help', 'e2'), { tag: 'p', role: 'paragraph', ref: 'e3', children: [text('Tea is €4')] }),
  )
  const found = await ask('observe', { task: 'pay' })
  expect(found).toMatchObject({ ok: true, refs: ['e1'], nextOffset: 1 })
  expect((await ask('extract', { query: 'tea' })).text).toContain('- paragraph [ref=e3]: "Tea is €4"')
  expect(commands.map(({ name }) => name)).toEqual(['snapshot', 'snapshot'])
  expect((await ask('observe', { maxChars: 200 })).text.length).toBeLessThanOrEqual(400)
})

test('calls are answered one after the other', async () => {
  const order: string[] = []
  const run: AnyRun = async command => {
    order.push(`begin ${command.name}`)
    await Promise.resolve()
    order.push(`end ${command.name}`)
    return ok(command.name === 'snapshot' ? (page([]) satisfies Snapshot) : { tabs: [] })
  }
  const say = createResponder(run)
  await Promise.all([say({ name: 'tabs', operation: 'list' }), say({ name: 'tabs', operation: 'list' })])
  expect(order).toEqual(['begin tabs', 'end tabs', 'begin tabs', 'end tabs'])
})

test('opening a page answers with the page itself, its content before its navigation', async () => {
  const links = Array.from({ length: 100 }, (_, index) => link(`Category ${index} of the shop`, `e${index + 1}`))
  const { ask, commands } = model({
    shows: () => page([landmark('navigation', links), landmark('main', [button('Add to cart', 'e200'), button('Save', 'e201')])]),
    does: { open: () => ({ ok: true, data: { page: { url, title: 'Shop' } } }) },
  })
  const { text } = await ask('open', { url })
  expect(commands.map(({ name }) => name)).toEqual(['open', 'snapshot'])
  expect(text).toMatch(/^ok: open\n/)
  expect(text).toContain('- button "Add to cart" [ref=e200]')
  expect(text).toContain('Category 0 of')
  expect(text).not.toContain('Category 99 of')
  expect(text.length).toBeLessThanOrEqual(3_000)
})

test('after a page was opened, an action reports what changed in it', async () => {
  let shown = page([button('More', 'e1')])
  const { ask } = model({
    shows: () => shown,
    does: { open: () => ({ ok: true, data: { page: { url, title: 'Shop' } } }), click: () => actionResult(url, {}) },
  })
  await ask('open', { url })
  shown = page([button('More', 'e1'), button('Less', 'e2')])
  expect((await ask('click', { ref: 'e1' })).text).toContain('+ button "Less" [ref=e2]')
})

test('if most of the page is replaced within the document, the answer shows the new view', async () => {
  const view = (name: string, from: number) => page(Array.from({ length: 8 }, (_, index) => button(`${name} ${index}`, `e${from + index}`)))
  let shown = view('Inbox', 1)
  const { ask } = model({ shows: () => shown, does: { click: () => actionResult(url, {}) } })
  await ask('snapshot')
  shown = view('Settings', 11)
  const { text } = await ask('click', { ref: 'e1' })
  expect(text).toContain('new view: most of the page changed.')
  expect(text).toContain('- button "Settings 7" [ref=e18]')
  expect(text).not.toContain('Inbox')
})

test('snapshot with changes returns only what changed since the last look', async () => {
  let shown = page([button('A', 'e1'), button('B', 'e2')])
  const { ask, commands } = model({ shows: () => shown })
  expect((await ask('snapshot', { changes: true })).text).toContain('- button "A" [ref=e1]') // nothing to compare with
  shown = page([button('A', 'e1'), button('C', 'e3')])
  const { text } = await ask('snapshot', { changes: true })
  expect(text).toContain('+ button "C" [ref=e3]')
  expect(text).not.toContain('button "A"')
  expect((await ask('snapshot', { changes: true })).text).toContain('nothing changed since the last look')
  shown = page([button('C', 'e3'), button('A', 'e1')])
  expect((await ask('snapshot', { changes: true })).text).toContain('\n… order changed, 1 moved: take a snapshot\n')
  expect((await ask('snapshot', { changes: true, scope: 'e1' })).error?.field).toBe('changes')
  expect(commands.every(command => !('changes' in command))).toBe(true)
})

test('the page is read for an answer in the rest of the time of its command, so that a page that hangs does not delay it (F3)', async () => {
  const times: number[] = []
  let [now, step] = [0, 29_500]
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(ms => {
    times.push(ms)
    return AbortSignal.abort()
  })
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  try {
    const respond = createResponder(async ({ name }, signal) => {
      if (name === 'snapshot') return signal?.aborted ? fail('aborted', 'snapshot was stopped.') : ok(page([]))
      now += step
      return ok({ page: { url, title: 'Tea', readyState: 'loading' }, settled: false, pending: ['load'] })
    })
    const ask = async (name: string, given: object) => {
      const call = parseCommand({ name, ...given })
      if (!call.ok) throw new Error(call.error.message)
      return (await respond(call.value)).text
    }
    expect(await ask('open', { url })).toContain('Take a snapshot to see the page.')
    step = 5_000
    await ask('open', { url: `${url}/2` })
    expect(times).toEqual([2_000, 25_000])
  } finally {
    vi.restoreAllMocks()
  }
})
