import { expect, test } from 'vitest'
import { describeCall, type Turn } from '../../src/agent/transcript.ts'

const turns = (text: string): readonly Turn[] => [
  { text: '', calls: [{ id: 'c1', tool: 'browser-act', input: {}, answer: { text } }] } as unknown as Turn,
]
const targetIn = (text: string) => describeCall('browser-act', { action: 'click', ref: 'e3' }, turns(text)).target

test('the target of a call is named from the last line with its ref, in a tree or in a list of changes', () => {
  expect(targetIn('- main:\n  - button "Save \\"all\\"" [disabled] [ref=e3]')).toBe('button "Save \\"all\\""')
  expect(targetIn('+ dialog "Cart" [ref=e2]\n+   link "Go to checkout" [ref=e3]\n… 3 behind')).toBe('link "Go to checkout"')
  expect(targetIn('~ textbox "Name" [value="Ann"] [ref=e3]')).toBe('textbox "Name"')
  expect(targetIn('- button "Other" [ref=e30]')).toBeUndefined()
})
