import { expect, test } from 'vitest'
import { elementIn } from '../../apps/studio/server/chats/agent-run.ts'
import { StepFacts } from '../../apps/studio/server/chats/step-facts.ts'
import { en } from '../../apps/studio/web/messages/en.ts'
import { outcomeWords, problemWords, reasonWords, ruleWords, summaryWords } from '../../apps/studio/web/messages/fact-words.ts'
import { zhCN } from '../../apps/studio/web/messages/zh-CN.ts'
import { errorWords } from '../../apps/studio/web/shell/error-words.ts'
import { actionWords, pathWords } from '../../apps/studio/web/timeline/step-words.ts'
import { failures } from '../../src/contract/failures.ts'
import type { Effect } from '../../src/contract/page-api.ts'
import { riskReasons } from '../../src/contract/risk-reasons.ts'
import { studioProblems } from '../../src/wire/problems.ts'

const chinese = /^[^a-z]*[\u4e00-\u9fff]/u

test('everything that the server reports by code has Chinese words', () => {
  for (const code of Object.keys(riskReasons)) expect(zhCN.facts.reasons[code as never], code).toMatch(chinese)
  for (const code of Object.keys({ ...failures, ...studioProblems }))
    expect(problemWords({ code, message: '' }, zhCN), code).toMatch(/[\u4e00-\u9fff]/u)
})

test('reasons are shown by their codes, and those of earlier versions as their sentences', () => {
  const reasons = [riskReasons.send_form, riskReasons.words_pay]
  expect(reasonWords({ reasons, reasonCodes: ['send_form', 'words_pay'] }, zhCN)).toBe('它提交表单。 从文字看，它会付款或下单。')
  expect(reasonWords({ reasons, reasonCodes: ['send_form', 'words_pay'] }, en)).toBe('It sends a form. Its words mean to pay or order.')
  expect(reasonWords({ reasons }, zhCN)).toBe('It sends a form. Its words mean to pay or order.')
})

test('a grant is shown by what it allows where, and a text that is not a rule as itself', () => {
  const rule =
    'allow submit on https://shop.example; allow pay on https://shop.example; allow navigate-out to https://pay.example; allow download on any site'
  const clauses = [
    { classes: ['submit'], origin: 'https://shop.example' },
    { classes: ['pay'], origin: 'https://shop.example' },
    { classes: ['navigate-out'], origin: 'https://pay.example' },
    { classes: ['download'] },
  ]
  expect(ruleWords({ rule, clauses }, en)).toBe('send a form, pay on https://shop.example; go to https://pay.example; download on any site')
  expect(ruleWords({ rule, clauses }, zhCN)).toBe('在 https://shop.example 上提交表单、付款；前往 https://pay.example；在任何站点上下载')
  expect(ruleWords({ rule: 'allow nothing on this page' }, zhCN)).toBe('allow nothing on this page')
})

test('the facts of a step come from the results of its commands, and are shown in each language', () => {
  const facts = new StepFacts()
  const action = (effect: Effect) => ({ ok: true, data: { effect, page: { url: 'https://a.test/', title: 'A' } } }) as const
  facts.addResult('inspect', { ok: true, data: {} })
  facts.addResult('fill', action({ value: 'Ann', focus: 'e3' }))
  facts.addResult('fill', action({ value: '[redacted]', characters: 8 }))
  facts.addResult('click', { ok: false, error: { code: 'timeout', message: '', hint: '' } })
  expect(outcomeWords({ outcome: facts.outcome }, en)).toBe('2 fields')
  expect(outcomeWords({ outcome: facts.outcome }, zhCN)).toBe('2 个字段')
})

test('an opened page is shown with its title, a look with its size, an action without an effect as such', () => {
  const opened = new StepFacts()
  opened.addResult('open', { ok: true, data: { page: { url: 'https://a.test/', title: 'Shop' } } })
  opened.addText('open-url', 'x'.repeat(50))
  expect(outcomeWords({ outcome: opened.outcome }, zhCN)).toBe('Shop')
  const look = new StepFacts()
  look.addText('browser-observe', 'x'.repeat(1_234))
  expect(outcomeWords({ outcome: look.outcome }, zhCN)).toBe('读取了 1,234 个字符')
  expect(outcomeWords({ outcome: { effect: { focus: 'e1' } } }, en)).toBe('No effect seen')
  expect(outcomeWords({ effect: 'value "a"' }, zhCN)).toBe('value "a"')
})

test('every kind of effect has words in both languages', () => {
  const effect: Required<Effect> = {
    value: 'a',
    characters: 1,
    checked: 'mixed',
    selected: ['b'],
    expanded: true,
    pressed: false,
    files: ['c.txt'],
    url: 'https://a.test/d',
    focus: 'e1',
    dialog: 'e2',
    answered: { type: 'confirm', message: 'Sure?', accepted: true },
    scroll: { x: 0, y: 1 },
    gone: true,
    submitted: true,
    invalid: { field: 'e3', message: 'Empty' },
    changed: { added: 1, removed: 2, altered: 0 },
  }
  expect(outcomeWords({ outcome: { effect } }, zhCN).split('，')).toHaveLength(16)
  expect(outcomeWords({ outcome: { effect } }, en)).toBe(
    'Now “a”, 1 characters, partly checked, chose “b”, expanded, off, files “c.txt”, form sent, form not sent: “Empty”, now at https://a.test/d, a dialog opened, confirm “Sure?” accepted, scrolled, the element is gone, page changed (1 added, 2 removed)',
  )
})

test('a dialog that opened is shown by its name', () => {
  expect(outcomeWords({ outcome: { effect: { dialog: 'dialog Your cart' } } }, en)).toBe('A dialog opened: “Your cart”')
  expect(outcomeWords({ outcome: { effect: { dialog: 'e12' } } }, zhCN)).toBe('打开了对话框')
})

test('the end of a run is described by its reason, unless its summary is an answer', () => {
  expect(summaryWords({ stopReason: 'loop', summary: 'The run repeated the same calls.' }, zhCN)).toMatch(chinese)
  expect(summaryWords({ stopReason: 'closed', summary: 'Bought.' }, zhCN)).toBe('Bought.')
  expect(summaryWords({ stopReason: 'error', summary: 'The model did not answer.' }, zhCN)).toBe('The model did not answer.')
})

test('an action is shown by verb and element, and the containers of the element by their roles', () => {
  const target = { role: 'button', name: 'Pay', path: 'main > form "a form of mine"' }
  expect(actionWords({ action: 'click button "Pay"', verb: 'click', target }, zhCN)).toBe('点击 按钮 “Pay”')
  expect(pathWords(target.path, zhCN)).toBe('主要内容 > 表单 "a form of mine"')
})

test('an element is read from a target, also if its name is cut', () => {
  expect(elementIn('button "Say \\"hi\\""')).toEqual({ role: 'button', name: 'Say "hi"' })
  expect(elementIn('textbox')).toEqual({ role: 'textbox', name: '' })
  expect(elementIn('link "A very long na…')).toEqual({ role: 'link', name: 'A very long na…' })
})

test('an error of a request is shown as the problem that the server reports, never as JSON', () => {
  expect(errorWords(new Error(JSON.stringify({ error: { code: 'busy', message: studioProblems.busy } })), zhCN)).toMatch(chinese)
  expect(errorWords(new Error(JSON.stringify({ error: { code: 'busy', message: studioProblems.busy } })), en)).toBe(studioProblems.busy)
  expect(errorWords(Object.assign(new Error('[{"code":"invalid_type"}]'), { data: { code: 'BAD_REQUEST' } }), en)).toBe(en.app.rejected)
  expect(errorWords(new TypeError('Failed to fetch'), zhCN)).toBe(zhCN.app.unreachable)
  expect(errorWords(new Error('the provider says no'), zhCN)).toBe('the provider says no')
})
