import { expect, test } from 'vitest'
import { type AnyCommand, fail, ok, wrap } from '../../src/contract/run.ts'
import { type FillFormData, fillFormLayer } from '../../src/layers/fill-form.ts'
import { page, type Sketch } from '../render/page.ts'
import { actionResult, recordingDriver } from '../support/recording-driver.ts'

const url = 'https://shop.example/'
const field = (ref: string): Sketch => ({ tag: 'input', role: 'textbox', name: ref, ref, interactive: true })
const button = (ref: string): Sketch => ({ tag: 'button', role: 'button', name: ref, ref, interactive: true })

/** a form whose fields e1 and e2 take text, e3 is a select, e4 a checkbox; `types` are the types of its buttons */
function form({ types = {}, inForm = true, does = {} }: { types?: { [ref: string]: string }; inForm?: boolean; does?: object } = {}) {
  const fields = ['e1', 'e2', 'e3', 'e4'].map(field)
  const buttons = Object.keys(types).map(button)
  const driver = recordingDriver({
    shows: () => page(inForm ? [{ tag: 'form', role: 'form', ref: 'e9', children: [...fields, ...buttons] }] : [...fields, ...buttons]),
    does: {
      fill: ({ ref, value }: AnyCommand) =>
        ref === 'e3' || ref === 'e4' ? fail('not_editable', [`${ref} takes no text.`]) : actionResult(url, { value: String(value) }),
      select: ({ ref, values }: AnyCommand) =>
        ref === 'e3' ? actionResult(url, { selected: values as string[] }) : fail('not_a_select', [`${ref} is no select.`]),
      check: () => actionResult(url, { checked: true }),
      query: ({ ref }: AnyCommand) => ok({ value: JSON.stringify({ type: types[String(ref)] }), truncated: false }),
      ...does,
    },
  })
  const run = wrap(driver.run, fillFormLayer) as (command: AnyCommand) => ReturnType<typeof driver.run>
  const fill = (fields: readonly { ref: string; value: string }[], submit = false) => run({ name: 'fillForm', fields, submit })
  return { fill, acted: () => driver.commands.filter(({ name }) => name !== 'snapshot' && name !== 'query') }
}

test('fillForm fills text fields, chooses options and checks boxes, each by its own command', async () => {
  const { fill, acted } = form()
  const result = await fill([
    { ref: 'e1', value: 'Ann' },
    { ref: 'e3', value: 'Tea' },
    { ref: 'e4', value: 'true' },
  ])
  expect(result).toMatchObject({
    ok: true,
    data: {
      fields: [
        { ref: 'e1', effect: { value: 'Ann' } },
        { ref: 'e3', effect: { selected: ['Tea'] } },
        { ref: 'e4', effect: { checked: true } },
      ],
    },
  })
  expect((result as { data: FillFormData }).data.sentBy).toBeUndefined()
  expect(acted().at(-1)).toEqual({ name: 'check', ref: 'e4' })
})

test('fillForm stops at the first field that fails and says which ones were set', async () => {
  const { fill, acted } = form()
  const result = await fill(
    [
      { ref: 'e1', value: 'Ann' },
      { ref: 'e4', value: 'maybe' },
      { ref: 'e2', value: 'Lee' },
    ],
    true,
  )
  expect(result).toMatchObject({
    ok: false,
    error: { code: 'not_editable', message: 'e4 takes no text. 1 of 3 fields were set before: e1.' },
  })
  expect(acted().some(({ ref, name }) => ref === 'e2' || name === 'click')).toBe(false)
})

test('the words of the failure and those about the fields before it are two sentences', async () => {
  const { fill } = form({ does: { check: () => fail('not_committed', ['the page keeps e4 unchecked']) } })
  const result = await fill([
    { ref: 'e1', value: 'Ann' },
    { ref: 'e4', value: 'true' },
  ])
  expect(result).toMatchObject({ error: { message: 'the page keeps e4 unchecked. 1 of 2 fields were set before: e1.' } })
})

test('fillForm does not go on if a field led to another page', async () => {
  const { fill } = form({ does: { fill: () => actionResult(url, { url: `${url}next` }) } })
  const fields = [
    { ref: 'e1', value: 'a' },
    { ref: 'e2', value: 'b' },
  ]
  expect(await fill(fields)).toMatchObject({ ok: false, error: { code: 'target_moved' } })
})

test('submit clicks the first submit button of the form', async () => {
  const { fill, acted } = form({ types: { e5: 'button', e6: 'submit', e7: 'submit' } })
  expect(await fill([{ ref: 'e1', value: 'Ann' }], true)).toMatchObject({ ok: true, data: { sentBy: 'e6' } })
  expect(acted().at(-1)).toEqual({ name: 'click', ref: 'e6' })
})

test('submit presses Enter in the last field if there is no form or no submit button in it', async () => {
  for (const options of [{ inForm: false, types: { e6: 'submit' } }, { types: { e5: 'button' } }]) {
    const { fill, acted } = form({ ...options, does: { press: () => actionResult(url, { submitted: true }) } })
    expect(await fill([{ ref: 'e1', value: 'Ann' }], true)).toMatchObject({ ok: true, data: { sentBy: 'e1' } })
    expect(acted().at(-1)).toEqual({ name: 'press', key: 'Enter', ref: 'e1' })
  }
})

test('submit never presses Enter in a field of several lines, and says that the form was not sent', async () => {
  const inspect = ({ ref }: AnyCommand) => ok({ tag: ref === 'e1' ? 'input' : 'textarea' })
  const press = () => actionResult(url, { submitted: true })
  const { fill, acted } = form({ does: { inspect, press } })
  const fields = ['e1', 'e2'].map(ref => ({ ref, value: 'Ann' }))
  expect(await fill(fields, true)).toMatchObject({ ok: true, data: { sentBy: 'e1' } })
  expect(await fill(fields.slice(1), true)).toMatchObject({
    ok: false,
    error: {
      code: 'not_committed',
      message: 'the form was not sent: it has no submit button, and Enter in e2 would add a line. 1 of 1 fields were set before: e2.',
      hint: 'Click the button that sends it, or press Enter if that is how the page sends it.',
    },
  })
  expect(acted().filter(({ name }) => name === 'press')).toHaveLength(1)
})

test('submit by Enter that has no effect is a failure', async () => {
  const { fill } = form({ does: { press: () => actionResult(url, { value: 'Ann' }) } })
  expect(await fill([{ ref: 'e1', value: 'Ann' }], true)).toMatchObject({
    ok: false,
    error: { code: 'not_committed', message: expect.stringContaining('Enter in e1 had no effect') },
  })
})

/** a form whose only field e1 is a combobox with these options; a free one keeps any text */
function combobox({ options, isFree = false }: { options: readonly string[]; isFree?: boolean }) {
  let typed = ''
  return form({
    does: {
      fill: ({ value }: AnyCommand) => {
        typed = String(value)
        return actionResult(url, { value: typed, expanded: options.some(each => each.startsWith(typed)) })
      },
      inspect: () => ok({ role: 'combobox' }),
      select: ({ values }: AnyCommand) =>
        options.includes(String(values))
          ? actionResult(url, { value: String(values), expanded: false })
          : fail('option_not_found', ['e1 has no such option.'], { page: { options } }),
      blur: () => actionResult(url, isFree ? {} : { value: '' }),
    },
  })
}

test('fillForm chooses the option that was typed into a combobox, and reports the choice', async () => {
  const { fill, acted } = combobox({ options: ['Tea', 'Teapot'] })
  expect(await fill([{ ref: 'e1', value: 'Tea' }])).toMatchObject({
    ok: true,
    data: { fields: [{ ref: 'e1', effect: { value: 'Tea', expanded: false } }] },
  })
  expect(acted().map(({ name }) => name)).toEqual(['fill', 'inspect', 'select'])
})

test.each(['Te', 'Coffee'])('fillForm fails if a combobox drops a text for which it has no option: %s', async value => {
  const { fill } = combobox({ options: ['Tea', 'Teapot'] })
  expect(await fill([{ ref: 'e1', value }])).toMatchObject({
    ok: false,
    error: { code: 'option_not_found', page: { options: ['Tea', 'Teapot'] } },
  })
})

test.each(['Te', 'Coffee'])('fillForm leaves a text in a combobox that keeps any text: %s', async value => {
  const { fill } = combobox({ options: ['Tea', 'Teapot'], isFree: true })
  expect(await fill([{ ref: 'e1', value }])).toMatchObject({ ok: true, data: { fields: [{ ref: 'e1', effect: { value } }] } })
})
