import { expect, test } from 'vitest'
import { say, textOf } from '../../src/contract/message.ts'
import { PagehandError } from '../../src/drivers/cdp/errors.ts'
import { callEngine, engineFailure, isTargetClosed } from '../../src/drivers/cdp/page/engine.ts'
import { engineError, failureOf, isEngineError } from '../../src/injected/runtime/errors.ts'

const spell = (ref: string) => `f7${ref}`

test('a message keeps refs apart from text, also those of an embedded message', () => {
  const cover = say`dialog "e12 cookies" (${{ ref: 'e4' }})`
  const message = say`${{ ref: 'e12' }} is covered by ${cover}, ${2} px`
  expect(message.filter(part => typeof part !== 'string')).toEqual([{ ref: 'e12' }, { ref: 'e4' }])
  expect(textOf(message)).toBe('e12 is covered by dialog "e12 cookies" (e4), 2 px')
})

test('a target in a message leaves only its ref', () => {
  const target = { ref: 'e1', node: {}, session: {} }
  expect(say`${target} is disabled`).toEqual(['', { ref: 'e1' }, ' is disabled'])
})

test('the page API gets the message as text, with the fields of the error', () => {
  const error = engineError('element_blocked', say`${{ ref: 'e1' }} is covered by ${{ ref: 'e2' }}`, { by: 'e2' })
  expect(isEngineError(error)).toBe(true)
  expect(failureOf(error)).toEqual({ code: 'element_blocked', message: 'e1 is covered by e2', by: 'e2' })
  expect(isEngineError(Object.assign(new Error('SyntaxError'), { code: 12 }))).toBe(false)
})

test('a driver spells the refs of a message and leaves page text that looks like a ref alone', () => {
  const { code, message } = engineFailure({ spell }, engineError('not_enabled', say`${{ ref: 'e1' }} "e1" is disabled`))
  expect({ code, message }).toEqual({ code: 'not_enabled', message: 'f7e1 "e1" is disabled.' })
})

test('callEngine passes the payload as JSON, returns the data and throws the failure', async () => {
  const expressions: string[] = []
  const engine = (response: object) => ({
    spell,
    evaluate: async <T>(expression: string) => {
      expressions.push(expression)
      return JSON.stringify(response) as T
    },
  })
  expect(await callEngine(engine({ ok: true, data: true }), 'isChecked', { ref: 'e1', checked: true })).toBe(true)
  expect(expressions).toEqual(['__agentBrowser.invoke("isChecked",{"ref":"e1","checked":true})'])
  const failing = engine({ ok: false, error: engineError('target_closed', 'gone') })
  const error = await callEngine(failing, 'viewport').catch(thrown => thrown)
  expect(error).toBeInstanceOf(PagehandError)
  expect(isTargetClosed(error)).toBe(true)
})
