import { expect, test } from 'vitest'
import { defaultRules, parseApprovalPolicy, ruleFor } from '../../src/approval/approval-policy.ts'
import { findGrant, parseGrantRule, planRule } from '../../src/approval/grant-rules.ts'

const refusal = (given: unknown) => {
  const parsed = parseApprovalPolicy(given)
  return parsed.ok ? 'accepted' : parsed.error.message
}

test.each([
  [undefined],
  [null],
  [[]],
  ['allow'],
  [{}],
  [{ class: { pay: 'allow' } }],
  [{ classes: {} }],
  [{ classes: { paying: 'allow' } }],
  [{ classes: { pay: 'yes' } }],
  [{ classes: { pay: true } }],
  [{ classes: [['pay', 'allow']] }],
  [{ classes: { pay: 'ask' }, default: 'allow' }],
  [{ origins: [] }],
  [{ origins: {} }],
  [{ origins: [{ origin: 'https://shop.test' }] }],
  [{ origins: [{ origin: 'https://shop.test', classes: {} }] }],
  [{ origins: [{ origin: 'https://shop.test/path', classes: { pay: 'allow' } }] }],
  [{ origins: [{ origin: 'https://*.shop.test', classes: { pay: 'allow' } }] }],
  [{ origins: [{ origin: '*', classes: { pay: 'allow' } }] }],
  [{ origins: [{ origin: '', classes: { pay: 'allow' } }] }],
  [{ origins: [{ origin: 'file:///', classes: { pay: 'allow' } }] }],
  [{ origins: [{ origin: 'shop.test', classes: { pay: 'allow' }, until: 'tomorrow' }] }],
])('the policy %j is refused (TRUST C2 S3-53)', given => {
  expect(refusal(given)).not.toBe('accepted')
})

test('a valid policy is accepted, and a class that it does not name has its default (S3-21 S3-53)', () => {
  const parsed = parseApprovalPolicy({
    classes: { eval: 'deny' },
    origins: [
      { origin: 'https://shop.test', classes: { submit: 'allow' } },
      { origin: '*.shop.test', classes: { submit: 'ask', pay: 'deny' } },
    ],
  })
  if (!parsed.ok) throw new Error(parsed.error.message)
  const rule = (name: Parameters<typeof ruleFor>[1], origin: string) => ruleFor(parsed.value, name, { origin, sites: ['shop.test'] })
  expect(rule('eval', 'https://shop.test')).toBe('deny')
  // two entries match: the stricter one counts
  expect(rule('submit', 'https://shop.test')).toBe('ask')
  expect(rule('submit', 'https://other.test')).toBe('ask')
  expect(rule('pay', 'https://www.shop.test')).toBe('deny')
  expect(rule('write', 'https://shop.test')).toBe('allow')
  // writing on another site than those of the run asks
  expect(rule('write', 'https://other.test')).toBe('ask')
  expect(Object.entries(defaultRules).flatMap(([name, each]) => (each === 'allow' ? [name] : []))).toEqual(['read', 'move', 'write'])
})

test('the text of a grant is its meaning, and a text that is no rule grants nothing (S3-53)', () => {
  const grant = (rule: string, over = {}) => ({ id: 'g1', rule, scope: 'site' as const, createdAt: '', by: 'ann', ...over })
  const covers = (rule: string, origin = 'https://shop.test', over = {}) =>
    findGrant([grant(rule, over)], { actionClass: 'submit', origin, run: 'r1' }) !== undefined
  expect(covers('allow submit on https://shop.test')).toBe(true)
  expect(covers('allow pay, submit on shop.test')).toBe(true)
  expect(covers('allow pay on shop.test; allow submit on any site')).toBe(true)
  expect(covers('allow pay on https://shop.test')).toBe(false)
  expect(covers('allow submit on https://shop.test', 'http://shop.test')).toBe(false)
  expect(covers('allow submit on https://shop.test', 'https://shop.test.evil.test')).toBe(false)
  expect(covers('allow submit on https://shop.test', 'https://shop.test', { scope: 'run', run: 'r2' })).toBe(false)
  for (const rule of [
    'allow submit to any site',
    'allow submit to https://shop.test',
    'allow submit, navigate-out on https://shop.test',
    'allow everything',
    'allow submit',
    'submit on https://shop.test',
    'allow submit on *',
    'allow submit on this page',
    'deny submit on shop.test',
    '',
  ])
    expect(covers(rule), rule).toBe(false)
  expect(planRule({ sites: ['shop.test'], classes: ['submit', 'navigate-out'] })).toBe(
    'allow submit on shop.test; allow navigate-out to shop.test',
  )
  expect(parseGrantRule(planRule({ sites: ['shop.test'], classes: ['submit', 'navigate-out'] }))).toHaveLength(2)
})
