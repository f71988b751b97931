import { expect, test } from 'vitest'
import { causes, script } from '../../src/drivers/cdp/script.js'
import { getScript } from '../../src/webview/expressions.ts'

test('the script of the isolated world presses nothing itself: what makes pointers, keys, drags and pastes is not in it (S4-22)', () => {
  const marks = ['pressure', 'insertLineBreak', 'pointercancel', 'clipboardData']
  expect(marks.filter(mark => getScript().includes(mark))).toEqual(marks)
  expect(marks.filter(mark => script.includes(mark))).toEqual([])
  expect(script).toContain('isTrusted')
})

test('what watches the timers of a page is one function that names nothing in it', () => {
  expect(() => new Function(`return ${causes}`)).not.toThrow()
  expect(causes).not.toMatch(/pagehand|__agent/i)
})
