import { expect, test } from 'vitest'
import { buttonOf, keyMessage, leavesPicture, modifiersOf, wheelDelta } from '../../apps/studio/web/browser/keys.ts'

const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false }

test('modifiers are the bits of CDP', () => {
  expect(modifiersOf(none)).toBe(0)
  expect(modifiersOf({ altKey: true, ctrlKey: true, metaKey: true, shiftKey: true })).toBe(15)
  expect([modifiersOf({ ...none, altKey: true }), modifiersOf({ ...none, ctrlKey: true })]).toEqual([1, 2])
  expect([modifiersOf({ ...none, metaKey: true }), modifiersOf({ ...none, shiftKey: true })]).toEqual([4, 8])
})

test('a key goes to the page with its code and modifiers', () => {
  expect(keyMessage('down', { ...none, shiftKey: true, key: 'A', code: 'KeyA' })).toEqual({
    type: 'key',
    kind: 'down',
    key: 'A',
    code: 'KeyA',
    modifiers: 8,
  })
})

test('keys of an input method, dead keys and pastes are not sent: their text is', () => {
  expect(keyMessage('down', { ...none, key: 'n', code: 'KeyN', isComposing: true })).toBeUndefined()
  for (const key of ['Process', 'Unidentified', 'Dead']) expect(keyMessage('down', { ...none, key, code: '' })).toBeUndefined()
  expect(keyMessage('down', { ...none, ctrlKey: true, key: 'v', code: 'KeyV' })).toBeUndefined()
  expect(keyMessage('down', { ...none, metaKey: true, key: 'V', code: 'KeyV' })).toBeUndefined()
  expect(keyMessage('down', { ...none, key: 'v', code: 'KeyV' })).toBeDefined()
})

test('Escape goes to the page, and Shift+Escape leaves the picture', () => {
  const escapeKey = { ...none, key: 'Escape', code: 'Escape' }
  expect(leavesPicture(escapeKey)).toBe(false)
  expect(keyMessage('down', escapeKey)).toBeDefined()
  expect(leavesPicture({ ...escapeKey, shiftKey: true })).toBe(true)
  expect(keyMessage('down', { ...escapeKey, shiftKey: true })).toBeUndefined()
})

test('buttons are named, and those for back and forward are not sent', () => {
  expect([0, 1, 2, 3, 4].map(buttonOf)).toEqual(['left', 'middle', 'right', undefined, undefined])
})

test('wheel deltas are pixels in every unit', () => {
  expect(wheelDelta({ deltaX: 1, deltaY: 3, deltaMode: 0 }, 800)).toEqual({ deltaX: 1, deltaY: 3 })
  expect(wheelDelta({ deltaX: 0, deltaY: 3, deltaMode: 1 }, 800)).toEqual({ deltaX: 0, deltaY: 48 })
  expect(wheelDelta({ deltaX: 0, deltaY: -1, deltaMode: 2 }, 800)).toEqual({ deltaX: 0, deltaY: -800 })
})
