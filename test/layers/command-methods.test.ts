import { expect, expectTypeOf, test } from 'vitest'
import { htmlDriver } from '../../src/html.ts'
import { type CommandMethods, createMethods, PagehandError, type SnapshotText } from '../../src/tools.ts'
import { page as shownPage } from '../render/page.ts'
import { actionResult, recordingDriver } from '../support/recording-driver.ts'

const page = createMethods(htmlDriver('<title>Shop</title><a href="/x">Link</a><button>Buy</button>'))

test('snapshot returns text for a model, the refs in it, and the data behind it', async () => {
  const { text, refs, title, truncated, notes, data } = await page.snapshot()
  expect(text).toContain('- button "Buy" [ref=e2]')
  expect({ refs, title, truncated, notes }).toEqual({ refs: ['e1', 'e2'], title: 'Shop', truncated: false, notes: [] })
  expect(data.tree.children).toHaveLength(2)
})

test('snapshot takes the options of the command and of the text', async () => {
  const { text } = await page.snapshot({ format: 'flat', maxChars: 500 })
  expect(text).toContain('[2] button "Buy"')
  expect(text.length).toBeLessThanOrEqual(500)
})

test('a method resolves to the data of its verb', async () => {
  expect(await page.query({ ref: '[1]', kind: 'text' })).toMatchObject({ value: 'Link', truncated: false })
})

test('a method throws PagehandError with code, hint and field', async () => {
  const error = await page.click({ ref: 'e1' }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(PagehandError)
  expect(error).toMatchObject({ name: 'PagehandError', code: 'unsupported_action', hint: expect.stringContaining('browser') })
  await expect(page.query({ ref: 'the link', kind: 'text' })).rejects.toMatchObject({ code: 'invalid_ref', field: 'ref' })
  // @ts-expect-error: what a user of Playwright writes first
  await expect(page.click('e1')).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining('takes an object') })
  await expect(page.snapshot({ scope: '%' })).rejects.toMatchObject({ code: expect.stringMatching(/scope|selector/) })
})

test('read and fillForm, which no driver has, are methods too', async () => {
  expect((await page.read()).text).toContain('Link')
  const driver = recordingDriver({
    shows: () => shownPage([]),
    does: { fill: ({ value }) => actionResult('https://shop.example/', { value: String(value) }) },
  })
  const form = createMethods(driver.run)
  const fields = [
    { ref: 'e1', value: 'tea' },
    { ref: 'e2', value: 'cup' },
  ]
  expect((await form.fillForm({ fields })).fields.map(({ ref, effect }) => [ref, effect.value])).toEqual([
    ['e1', 'tea'],
    ['e2', 'cup'],
  ])
  await expect(form.fillForm({ fields: [{ ref: 'name', value: 'tea' }] })).rejects.toMatchObject({ code: 'invalid_ref' })
})

test('a signal aborts a method', async () => {
  await expect(page.snapshot({}, { signal: { aborted: true } })).rejects.toMatchObject({ code: 'aborted' })
})

test('the types of methods are those of the verb table', () => {
  expectTypeOf<CommandMethods['snapshot']>().returns.resolves.toEqualTypeOf<SnapshotText>()
  expectTypeOf<Parameters<CommandMethods['back']>>().toExtend<[object?, object?]>()
  // @ts-expect-error: click needs a ref
  const incomplete = () => page.click()
  // @ts-expect-error: a session has a close of its own
  const closed = () => page.close()
  expectTypeOf([incomplete, closed]).toBeArray()
})
