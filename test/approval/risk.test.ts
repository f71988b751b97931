import { expect, test } from 'vitest'
import { needsApproval, possibleClasses } from '../../src/approval/possible-classes.ts'
import { assessRisk } from '../../src/approval/risk.ts'
import { isVerbName } from '../../src/contract/commands.ts'
import type { AnyCommand } from '../../src/contract/run.ts'
import type { TargetFacts } from '../../src/contract/target.ts'
import { agentToolList, type Tool, webToolList } from '../../src/tools.ts'

const sites = ['shop.test', '*.shop.test']
const base: TargetFacts = {
  url: 'https://shop.test/cart',
  origin: 'https://shop.test',
  role: 'button',
  name: '',
  path: 'main',
  tag: 'button',
  type: 'button',
}
const post = (action = 'https://shop.test/buy') => ({ action, method: 'post' as const })
const classes = (command: AnyCommand, target: Partial<TargetFacts> | null = {}) =>
  assessRisk(command, { sites, ...(target && { target: { ...base, ...target } }) }).classes.join(' ')
const click = { name: 'click', ref: 'e1' }

test.each([
  // names of buttons, English
  ['Pay', 'write pay'],
  ['Pay $12.00', 'write pay'],
  ['Pay now', 'write pay'],
  ['Buy', 'write pay'],
  ['Buy it now', 'write pay'],
  ['Place your order', 'write pay'],
  ['PLACE ORDER', 'write pay'],
  ['Order now', 'write pay'],
  ['Complete purchase', 'write pay'],
  ['Donate', 'write pay'],
  ['Subscribe', 'write pay'],
  ['Delete', 'write delete'],
  ['Delete account', 'write delete'],
  ['Remove from team', 'write delete'],
  ['Close account', 'write delete'],
  ['Cancel subscription', 'write delete'],
  ['Move to trash', 'write delete'],
  ['Empty-trash', 'write delete'],
  ['Publish', 'write submit'],
  ['Post', 'write submit'],
  ['Send message', 'write submit'],
  ['Submit', 'write submit'],
  ['Sign up', 'write submit'],
  ['Authorize', 'write submit'],
  ['Confirm', 'write submit'],
  ['Download PDF', 'write download'],
  ['Confirm and pay', 'write pay submit'],
  // Chinese
  ['立即支付', 'write pay'],
  ['去付款', 'write pay'],
  ['立即购买', 'write pay'],
  ['提交订单', 'write pay submit'],
  ['下单', 'write pay'],
  ['转账', 'write pay'],
  ['充值', 'write pay'],
  ['删除', 'write delete'],
  ['清空购物车', 'write delete'],
  ['注销账号', 'write delete'],
  ['取消订阅', 'write delete'],
  ['发布', 'write submit'],
  ['发送', 'write submit'],
  ['提交', 'write submit'],
  ['注册', 'write submit'],
  ['授权登录', 'write submit'],
  ['下载', 'write download'],
  ['导出报表', 'write download'],
  // other meanings
  ['Display', 'write'],
  ['Play', 'write'],
  ['Payload', 'write'],
  ['Repay calculator', 'write'],
  ['Pay stubs', 'write'],
  ['Ways to pay', 'write'],
  ['Best Buy', 'write'],
  ['Buyer guide', 'write'],
  ['Order history', 'write'],
  ['Reorder columns', 'write'],
  ['Purchase history', 'write'],
  ['Remove filter', 'write'],
  ['Undeleted items', 'write'],
  ['Posted yesterday', 'write'],
  ['Blog post', 'write'],
  ['Postcode', 'write'],
  ['Sender', 'write'],
  ['Resend', 'write'],
  ['Submitted forms', 'write'],
  ['Release notes', 'write'],
  ['Accept all cookies', 'write'],
  ['Add to cart', 'write'],
  ['Next', 'write'],
  ['Close', 'write'],
  ['Downloads', 'write'],
  ['支付方式', 'write'],
  ['购买记录', 'write'],
  ['删除线', 'write'],
  ['发布时间', 'write'],
  ['已发送', 'write'],
  ['下载中心', 'write'],
  ['加入购物车', 'write'],
  ['搜索', 'write'],
  ['确定', 'write submit'],
])('a click on %s is: %s (S3-53)', (name, expected) => {
  expect(classes(click, { name })).toBe(expected)
  expect(classes(click, { text: name })).toBe(expected)
})

test.each<[string, AnyCommand, Partial<TargetFacts> | null, string]>([
  ['a submit button', click, { submits: post() }, 'submit'],
  ['a submit button of a form for another site', click, { submits: post('https://evil.test/x') }, 'submit navigate-out'],
  ['a submit button for a subdomain of the sites', click, { submits: post('https://pay.shop.test/') }, 'submit'],
  ['a button that closes a dialog', click, { submits: { action: '', method: 'dialog' } }, 'write'],
  ['a submit button to pay', click, { name: 'Pay', submits: post() }, 'submit pay'],
  ['a link within the sites', click, { tag: 'a', role: 'link', href: 'https://shop.test/tea' }, 'move'],
  ['a link to a part of the page', click, { tag: 'a', role: 'link', href: 'https://shop.test/cart#top' }, 'move'],
  ['a link to another site', click, { tag: 'a', role: 'link', href: 'https://evil.test/' }, 'navigate-out'],
  ['a link to a name that ends alike', click, { tag: 'a', role: 'link', href: 'https://notshop.test/' }, 'navigate-out'],
  ['a link with user information', click, { tag: 'a', role: 'link', href: 'https://shop.test@evil.test/' }, 'navigate-out'],
  ['a link that downloads', click, { tag: 'a', role: 'link', href: 'https://shop.test/a.pdf', download: true }, 'download move'],
  ['a mail link', click, { tag: 'a', role: 'link', href: 'mailto:a@b.test' }, 'navigate-out'],
  ['a script link', click, { tag: 'a', role: 'link', href: 'javascript:pay()' }, 'write'],
  ['a link to delete', click, { tag: 'a', role: 'link', name: 'Delete', href: 'https://shop.test/delete' }, 'move delete'],
  ['a file field', click, { tag: 'input', type: 'file' }, 'write upload'],
  ['an element that cannot be inspected', click, null, 'write submit'],
  ['a double click on a submit button', { name: 'dblclick', ref: 'e1' }, { submits: post() }, 'submit'],
  ['a long press on Delete', { name: 'longpress', ref: 'e1' }, { name: 'Delete' }, 'write delete'],
  ['a field', { name: 'fill', ref: 'e1', value: 'x' }, { role: 'textbox', tag: 'input', type: 'text' }, 'write'],
  ['a field called Delivery', { name: 'fill', ref: 'e1', value: 'x' }, { role: 'textbox', name: 'Delete reason' }, 'write'],
  ['a password', { name: 'fill', ref: 'e1', value: 'x' }, { role: 'textbox', secret: true }, 'credentials'],
  [
    'typing into a password',
    { name: 'type', ref: 'e1', text: 'x' },
    { role: 'textbox', tag: 'input', type: 'password', secret: true },
    'credentials',
  ],
  [
    'typing a line break in a form',
    { name: 'type', ref: 'e1', text: 'x\n' },
    { role: 'textbox', tag: 'input', type: 'text', enterSubmits: post() },
    'write submit',
  ],
  ['typing a line break in a text area', { name: 'type', ref: 'e1', text: 'x\n' }, { role: 'textbox', tag: 'textarea' }, 'write submit'],
  ['Enter in a text area', { name: 'press', key: 'Enter' }, { role: 'textbox', tag: 'textarea' }, 'submit'],
  ['Enter in an editor', { name: 'press', key: 'Enter' }, { role: 'textbox', tag: 'div', editable: true }, 'submit'],
  ['Enter in a field without a form', { name: 'press', key: 'Enter' }, { role: 'textbox', tag: 'input', type: 'text' }, 'submit'],
  ['filling in several lines', { name: 'fill', ref: 'e1', value: 'a\nb' }, { role: 'textbox', tag: 'textarea' }, 'write'],
  ['a field that cannot be inspected', { name: 'fill', ref: 'e1', value: 'x' }, null, 'write credentials'],
  ['Enter in a form', { name: 'press', key: 'Enter' }, { role: 'textbox', enterSubmits: post() }, 'submit'],
  [
    'Enter in a form with a button that pays',
    { name: 'press', key: 'Enter' },
    { role: 'textbox', enterSubmits: { ...post(), button: 'Pay now' } },
    'submit pay',
  ],
  [
    'Enter in a form for another site',
    { name: 'press', key: 'Enter' },
    { role: 'textbox', enterSubmits: post('https://evil.test/') },
    'submit navigate-out',
  ],
  ['Enter on a submit button', { name: 'press', key: 'Enter' }, { name: 'Pay', submits: post() }, 'submit pay'],
  ['Enter on a link to another site', { name: 'press', key: 'enter' }, { role: 'link', href: 'https://evil.test/' }, 'navigate-out'],
  ['Space on a submit button', { name: 'press', key: ' ' }, { submits: post() }, 'submit'],
  ['Space in a field', { name: 'press', key: 'Space' }, { role: 'textbox', tag: 'input', type: 'text' }, 'write'],
  ['Control+Enter in an editor', { name: 'press', key: 'Control+Enter' }, { role: 'textbox' }, 'submit'],
  ['Enter with an unknown focus', { name: 'press', key: 'Enter' }, null, 'submit'],
  ['Tab', { name: 'press', key: 'Tab' }, null, 'move'],
  ['a letter in a password', { name: 'press', key: 'a' }, { role: 'textbox', secret: true }, 'credentials'],
  ['an upload', { name: 'upload', ref: 'e1', files: ['a'] }, { tag: 'input', type: 'file' }, 'upload'],
  ['code', { name: 'evaluate', js: '1' }, null, 'eval'],
  ['accepting a dialog', { name: 'dialog', accept: true }, null, 'submit'],
  ['dismissing a dialog', { name: 'dialog', accept: false }, null, 'move'],
  ['opening a page of the sites', { name: 'open', url: 'https://www.shop.test/' }, null, 'move'],
  ['opening another site', { name: 'open', url: 'https://evil.test/?shop.test' }, null, 'navigate-out'],
  ['opening a file', { name: 'open', url: 'file:///etc/passwd' }, null, 'navigate-out'],
  ['a new tab at another site', { name: 'tabs', operation: 'new', url: 'https://evil.test/' }, null, 'navigate-out'],
  ['a list of tabs', { name: 'tabs', operation: 'list' }, null, 'read'],
  ['back', { name: 'back' }, null, 'move'],
  ['forward', { name: 'forward' }, null, 'move'],
  ['reload of a page that was loaded in an unknown way', { name: 'reload' }, null, 'write submit'],
  ['scrolling', { name: 'scroll', direction: 'down' }, null, 'move'],
  ['a snapshot', { name: 'snapshot' }, null, 'read'],
  ['an unknown verb', { name: 'teleport' }, null, 'eval'],
  ['a check box', { name: 'check', ref: 'e1' }, { role: 'checkbox', name: 'Delete all' }, 'write delete'],
])('%s has its classes (S3-20 S3-21 S3-53)', (_, command, target, expected) => {
  expect(classes(command, target)).toBe(expected)
  // what a verb can be is what its tools are marked with
  const possible: readonly string[] = isVerbName(command.name) ? possibleClasses[command.name] : ['eval']
  expect(expected.split(' ').filter(each => !possible.includes(each))).toEqual([])
})

test('tools whose verbs can ask have needsApproval, as the policy says; those that only read or move have not (S3-05 S3-20 S3-21)', () => {
  const marked = (tools: readonly Tool[]) => tools.flatMap(({ name, needsApproval: asks }) => (asks ? [name] : []))
  expect(marked(agentToolList)).toEqual(['open-url', 'browser-act'])
  expect(marked(webToolList({ allowEval: true }))).toEqual(
    expect.arrayContaining(['web_open', 'web_click', 'web_fill', 'web_upload', 'web_eval', 'web_dialog']),
  )
  for (const name of ['web_snapshot', 'web_scroll', 'web_wait', 'web_hover', 'web_back', 'web_screenshot'])
    expect(marked(webToolList())).not.toContain(name)
  expect(needsApproval(['open'], { classes: { 'navigate-out': 'allow' } })).toBe(false)
  expect(needsApproval(['scroll'], { classes: { move: 'ask' } })).toBe(true)
  expect(needsApproval(['snapshot'], { origins: [{ origin: 'bank.test', classes: { read: 'ask' } }] })).toBe(true)
})

test('a form that is filled in and sent has the classes of all its fields (S3-20)', () => {
  const fields = [
    { ...base, role: 'textbox' },
    { ...base, role: 'textbox', secret: true as const, enterSubmits: post('https://evil.test/') },
  ]
  const command = { name: 'fillForm', fields: [], submit: true }
  expect(assessRisk(command, { sites, fields }).classes).toEqual(['write', 'credentials', 'submit', 'navigate-out'])
  expect(assessRisk({ ...command, submit: false }, { sites, fields }).classes).toEqual(['write', 'credentials'])
  expect(assessRisk(command, { sites }).classes).toEqual(['credentials', 'submit'])
})

test('every class of an assessment has a reason', () => {
  const { classes: given, reasons } = assessRisk(click, {
    sites,
    target: { ...base, name: 'Confirm and pay', submits: post('https://evil.test/') },
  })
  expect(reasons).toHaveLength(given.length)
})
