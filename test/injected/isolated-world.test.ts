import { expect, test } from 'vitest'
import { script, timerTracker } from '../../src/drivers/cdp/script.js'
import { getScript } from '../../src/webview/expressions.ts'

test('the isolated-world script contains no code for synthetic input (S4-22)', () => {
  const marks = ['pressure', 'insertLineBreak', 'pointercancel', 'deleteContentBackward']
  expect(marks.filter(mark => getScript().includes(mark))).toEqual(marks)
  expect(marks.filter(mark => script.includes(mark))).toEqual([])
  expect(script).toContain('isTrusted')
})

test('the timer interceptor is a single function that leaves no name in the page', () => {
  expect(() => new Function(`return ${timerTracker}`)).not.toThrow()
  expect(timerTracker).not.toMatch(/pagehand|__agent/i)
})
