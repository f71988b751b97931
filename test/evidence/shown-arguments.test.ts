import { expect, test } from 'vitest'
import { shownArguments } from '../../src/evidence/tools.ts'

test('the arguments of a call are shown without typed text, in lists too (A4)', () => {
  expect(shownArguments('open-url', { url: 'https://shop.test/' })).toEqual({ url: 'https://shop.test/' })
  expect(shownArguments('browser-observe', { task: 'save' })).toEqual({ task: 'save' })
  expect(shownArguments('browser-act', { action: 'fill', ref: 'e1', text: 'Ann' })).toEqual({ action: 'fill', ref: 'e1', text: '[typed]' })
  expect(JSON.stringify(shownArguments('browser-act', { action: 'fillForm', fields: [{ ref: 'e1', value: 'Ann' }] }))).not.toContain('Ann')
  expect(
    JSON.stringify(shownArguments('browser-act', { action: 'click', ref: 'e1', next: [{ action: 'fill', ref: 'e2', text: 'Ann' }] })),
  ).not.toContain('Ann')
  expect(JSON.stringify(shownArguments('web_fill', { ref: 'e1', value: 'Ann' }))).not.toContain('Ann')
  expect(JSON.stringify(shownArguments('unknown', { value: 'Ann' }))).not.toContain('Ann')
})
