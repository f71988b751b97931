import { expect, test } from 'vitest'
import { type Risk, verbs } from '../../src/contract/commands.ts'
import { type AnyCommand, type AnyRun, ok, wrap } from '../../src/contract/run.ts'
import { createPolicy, parsePolicy } from '../../src/policy/command-policy.ts'

const names = Object.keys(verbs) as (keyof typeof verbs)[]
const ofRisk = (...risks: Risk[]) => names.filter(name => risks.includes(verbs[name].risk))

/** the verbs that reach the driver, and the errors of the others */
async function through(layer: ReturnType<typeof createPolicy>, commands: readonly AnyCommand[] = names.map(name => ({ name }))) {
  const passed: string[] = []
  const driver: AnyRun = async ({ name }) => {
    passed.push(name)
    return ok({})
  }
  const run: AnyRun = wrap(driver, layer)
  const refused = (await Promise.all(commands.map(command => run(command)))).flatMap(result => (result.ok ? [] : [result.error]))
  return { passed, refused }
}

test('a denied verb fails with disabled and the allowed verbs, and never reaches the driver', async () => {
  const { passed, refused } = await through(createPolicy({ deny: ['click', 'upload'] }))
  expect(passed).toEqual(names.filter(name => name !== 'click' && name !== 'upload'))
  expect(refused.map(({ code }) => code)).toEqual(['disabled', 'disabled'])
  expect(refused[0]?.message).toMatch(/^click is denied by the policy; allowed are open, back, .*fill/)
  expect(refused[0]?.message).not.toMatch(/ (click|upload),/)
})

test.each(['look', 'move', 'act', 'leave', 'power'] as const)('the class %s denies all verbs of that risk', async risk => {
  const { passed, refused } = await through(createPolicy({ deny: [risk] }))
  expect(passed).toEqual(names.filter(name => !ofRisk(risk).includes(name)))
  expect(refused.length).toBe(ofRisk(risk).length)
})

test('readOnly allows reading, moving and opening pages', async () => {
  const { passed } = await through(createPolicy({ readOnly: true }))
  expect(passed).toEqual(ofRisk('look', 'move', 'leave'))
  expect(passed).toEqual(expect.arrayContaining(['open', 'snapshot', 'scroll', 'wait']))
  expect((await through(createPolicy({ readOnly: true, deny: ['open'] }))).passed).not.toContain('open')
})

test('denying open also denies opening a new tab with a URL (E2)', async () => {
  const commands = [{ name: 'tabs', operation: 'list' }, { name: 'tabs', operation: 'new', url: 'https://example.com/' }, { name: 'open' }]
  const { passed, refused } = await through(createPolicy({ deny: ['open'] }), commands)
  expect(passed).toEqual(['tabs'])
  expect(refused.map(({ message }) => message.split(' ')[0])).toEqual(['open', 'open'])
})

test('an unknown verb is denied', async () => {
  const { passed, refused } = await through(createPolicy({ deny: ['click'] }), [{ name: 'explode' }, { name: 'toString' }])
  expect(passed).toEqual([])
  expect(refused.map(({ code }) => code)).toEqual(['disabled', 'disabled'])
})

test.each([
  [undefined, 'must be an object'],
  [null, 'must be an object'],
  ['click', 'must be an object'],
  [[], 'empty'],
  [{}, 'empty'],
  [{ deny: [] }, 'non-empty list of'],
  [{ deny: 'click' }, 'list of'],
  [{ deny: undefined }, 'list of'],
  [{ deny: ['click', 'clik'] }, 'there is no "clik" to deny; the names are open, back'],
  [{ deny: ['toString'] }, 'there is no "toString"'],
  [{ deny: [undefined, 'click'] }, 'there is no "undefined"'],
  [{ deny: ['Click'] }, 'there is no "Click"'],
  [{ deny: ['web_click'] }, 'there is no "web_click"'],
  [{ readOnly: 'yes' }, 'true or false'],
  [{ readOnly: true, denies: ['click'] }, 'takes deny, readOnly'],
] as readonly (readonly [unknown, string])[])('the policy %j is rejected instead of ignored (TRUST C2)', (given, why) => {
  expect(parsePolicy(given)).toMatchObject({ ok: false, error: { code: 'invalid_input', message: expect.stringContaining(why) } })
  expect(() => createPolicy(given as object)).toThrow(why)
})
