import { expect, test } from 'vitest'
import { possibleClasses } from '../../src/approval/possible-classes.ts'
import { assessRisk, type RiskContext } from '../../src/approval/risk.ts'
import { type VerbName, verbs } from '../../src/contract/commands.ts'
import type { AnyCommand } from '../../src/contract/run.ts'
import type { TargetFacts } from '../../src/contract/target.ts'

const element: TargetFacts = {
  url: 'https://shop.test/',
  origin: 'https://shop.test',
  role: 'group',
  name: 'Tea',
  path: 'main',
  tag: 'div',
}
const form = { action: 'https://shop.test/buy', method: 'post' as const, button: 'Go' }

/** Elements that do something dangerous, with the class that a command must have that activates them. */
const dangers = {
  'a submit button': { facts: { tag: 'button', role: 'button', type: 'submit', submits: form }, class: 'submit' },
  'a submit button that it reaches': {
    facts: { reaches: [{ role: 'button', name: 'Go', tag: 'button', submits: form }] },
    class: 'submit',
  },
  'a link to another site': { facts: { tag: 'a', role: 'link', href: 'https://evil.test/' }, class: 'navigate-out' },
  'a link that it reaches': {
    facts: { reaches: [{ role: 'link', name: 'Go', tag: 'a', href: 'https://evil.test/' }] },
    class: 'navigate-out',
  },
  'words that pay': { facts: { text: 'Pay now' }, class: 'pay' },
  'words that delete': { facts: { name: 'Delete repository' }, class: 'delete' },
  'words that it reaches': { facts: { reaches: [{ role: 'generic', name: '', tag: 'div', text: '永久删除' }] }, class: 'delete' },
  'an amount of money': { facts: { name: 'Green tea, 1 kg, 20,00 €' }, class: 'submit' },
  'words in an unknown language': { facts: { name: 'สั่งซื้อ' }, class: 'submit' },
  'more controls than were inspected': { facts: { isVague: true as const }, class: 'submit' },
  'an element that could not be inspected': { facts: undefined, class: 'submit' },
} as const satisfies { readonly [name: string]: { readonly facts: Partial<TargetFacts> | undefined; readonly class: string } }

type Judge = (facts: TargetFacts | undefined) => { readonly command: AnyCommand; readonly context?: Partial<RiskContext> }
const onTarget =
  (command: AnyCommand): Judge =>
  facts => ({ command, context: facts ? { target: facts } : {} })

/** How each verb that acts comes to activate an element. */
const judges: { readonly [name in VerbName]?: readonly Judge[] } = {
  click: [onTarget({ name: 'click', ref: 'e1' })],
  dblclick: [onTarget({ name: 'dblclick', ref: 'e1' })],
  longpress: [onTarget({ name: 'longpress', ref: 'e1' })],
  check: [onTarget({ name: 'check', ref: 'e1' })],
  uncheck: [onTarget({ name: 'uncheck', ref: 'e1' })],
  select: [onTarget({ name: 'select', ref: 'e1', values: ['1'] })],
  press: [onTarget({ name: 'press', key: 'Enter' }), onTarget({ name: 'press', key: 'Space', ref: 'e1' })],
  type: [onTarget({ name: 'type', ref: 'e1', text: ' ' }), onTarget({ name: 'type', ref: 'e1', text: 'a\n' })],
  drag: [
    facts => ({ command: { name: 'drag', ref: 'e1', to: 'e2' }, context: { to: element, ...(facts && { target: facts }) } }),
    facts => ({ command: { name: 'drag', ref: 'e1', to: 'e2' }, context: { target: element, ...(facts && { to: facts }) } }),
  ],
  upload: [onTarget({ name: 'upload', ref: 'e1', files: ['a'] })],
  fillForm: [
    facts => ({
      command: { name: 'fillForm', fields: [{ ref: 'e1', value: 'true' }] },
      context: facts ? { fields: [facts] } : {},
    }),
  ],
}
/** these activate nothing, for the reason given */
const others: { readonly [name in VerbName]?: string } = {
  fill: 'sets the value of a field; its options are judged below',
  dialog: 'answers a dialog of the browser; its words are judged below',
  evaluate: 'is a class of its own',
  open: 'is judged by its URL',
  back: 'is judged below',
  forward: 'is judged below',
  reload: 'is judged below',
  tabs: 'is judged by its URL',
}

const acting = (Object.keys(verbs) as VerbName[]).filter(name => verbs[name].risk !== 'look' && verbs[name].risk !== 'move')

test('every verb that acts has a judge of what it activates, or a reason why it activates nothing', () => {
  expect([...Object.keys(judges), ...Object.keys(others)].sort()).toEqual([...acting].sort())
})

const classesOf = ({ command, context = {} }: ReturnType<Judge>): readonly string[] =>
  assessRisk(command, { sites: ['shop.test'], ...context }).classes

test.each(
  acting.flatMap(name =>
    (judges[name] ?? []).flatMap(judge => Object.entries(dangers).map(([what, danger]) => ({ name, judge, what, danger }))),
  ),
)('$name on $what asks (TRUST G2)', ({ name, judge, danger }) => {
  const facts = danger.facts && { ...element, ...danger.facts }
  // what cannot be read may also be a password
  if (!facts && name === 'fillForm') return expect(classesOf(judge(facts))).toContain('credentials')
  const classes = classesOf(judge(facts))
  expect(classes).toContain(danger.class)
  const possible: readonly string[] = possibleClasses[name]
  expect(classes.filter(each => !possible.includes(each))).toEqual([])
  // the same verb on an element without danger does not ask
  const harmless = classesOf(judge(element))
  expect(harmless.filter(each => each !== 'write' && each !== 'move' && each !== 'upload')).toEqual(
    name === 'type' && judges.type?.[1] === judge ? ['submit'] : [],
  )
})

const classes = (command: AnyCommand, context: Partial<RiskContext> = {}) =>
  assessRisk(command, { sites: ['shop.test'], ...context }).classes.join(' ')
const target = (facts: Partial<TargetFacts>) => ({ target: { ...element, ...facts } })
const field = { tag: 'input', type: 'text', role: 'textbox' }

test.each<[string, AnyCommand, Partial<RiskContext>, string]>([
  // keys by tag and type
  ['an arrow in a text field', { name: 'press', key: 'ArrowLeft' }, target(field), 'move'],
  ['an arrow on the page', { name: 'press', key: 'ArrowDown' }, target({ tag: 'body', role: 'generic' }), 'move'],
  ['an arrow on a radio', { name: 'press', key: 'ArrowDown' }, target({ tag: 'input', type: 'radio', role: 'radio' }), 'write'],
  ['End on a range', { name: 'press', key: 'End' }, target({ tag: 'input', type: 'range', role: 'slider' }), 'write'],
  ['an arrow in a date', { name: 'press', key: 'ArrowUp' }, target({ tag: 'input', type: 'date', role: 'textbox' }), 'write'],
  ['an arrow on a select', { name: 'press', key: 'ArrowUp' }, target({ tag: 'select', role: 'combobox' }), 'write'],
  ['Page Down on an ARIA slider', { name: 'press', key: 'PageDown' }, target({ role: 'slider' }), 'write'],
  ['an arrow in an ARIA list box', { name: 'press', key: 'ArrowDown' }, target({ role: 'listbox' }), 'write'],
  ['an arrow on an unknown element', { name: 'press', key: 'ArrowDown' }, {}, 'write'],
  ['Escape', { name: 'press', key: 'Escape' }, {}, 'move'],
  ['Shift+Tab', { name: 'press', key: 'Shift+Tab' }, {}, 'move'],
  ['a letter on the page', { name: 'press', key: 'e' }, target({ tag: 'body' }), 'submit'],
  ['# on a list', { name: 'press', key: '#' }, target({ role: 'listbox' }), 'submit'],
  ['Delete on a row', { name: 'press', key: 'Delete' }, target({ role: 'row' }), 'submit'],
  ['Backspace in a field', { name: 'press', key: 'Backspace' }, target(field), 'write'],
  ['a letter in a field', { name: 'press', key: 'e' }, target(field), 'write'],
  ['a letter in an editor', { name: 'press', key: 'e' }, target({ editable: true }), 'write'],
  ['a letter on a select', { name: 'press', key: 'e' }, target({ tag: 'select' }), 'write'],
  ['a letter on a button that is called a text field', { name: 'press', key: 'e' }, target({ tag: 'button', role: 'textbox' }), 'submit'],
  ['Control+a on the page', { name: 'press', key: 'Control+a' }, target({ tag: 'body' }), 'write'],
  ['Control+b in an editor', { name: 'press', key: 'Control+b' }, target({ editable: true }), 'write'],
  ['Control+s in an editor', { name: 'press', key: 'Control+s' }, target({ editable: true }), 'submit'],
  ['Alt+p in a field', { name: 'press', key: 'Alt+p' }, target(field), 'submit'],
  ['Space on the page', { name: 'press', key: 'Space' }, target({ tag: 'body', text: 'Pay now' }), 'submit'],
  // words of options and dialogs
  [
    'an option that deletes, by its value',
    { name: 'select', ref: 'e1', values: ['3'] },
    target({ tag: 'select', chosen: ['Delete all messages'] }),
    'write delete',
  ],
  [
    'an option that deletes, by its text',
    { name: 'select', ref: 'e1', values: ['Delete all'] },
    target({ role: 'combobox' }),
    'write delete',
  ],
  [
    'an option that deletes, set by fill',
    { name: 'fill', ref: 'e1', value: '3' },
    target({ tag: 'select', chosen: ['Delete all messages'] }),
    'write delete',
  ],
  ['a text about deleting', { name: 'fill', ref: 'e1', value: 'Delete all messages' }, target(field), 'write'],
  ['a dialog that deletes', { name: 'dialog', accept: true }, { dialog: 'Delete 3 files?' }, 'submit delete'],
  ['a dialog that deletes, dismissed', { name: 'dialog', accept: false }, { dialog: 'Delete 3 files?' }, 'move'],
  // a button that confirms
  [
    '确定 in a dialog that deletes',
    { name: 'click', ref: 'e1' },
    target({ name: '确 定', dialog: '此操作将永久删除该文件, 是否继续?' }),
    'write submit delete',
  ],
  ['是 in a dialog that deletes', { name: 'click', ref: 'e1' }, target({ name: '是', dialog: '确定注销账号吗？' }), 'write delete'],
  ['OK in a dialog that pays', { name: 'click', ref: 'e1' }, target({ name: 'OK', dialog: 'Pay with the saved card?' }), 'write pay'],
  ['Yes in a dialog about money', { name: 'click', ref: 'e1' }, target({ text: 'Yes', dialog: 'Total: $500' }), 'write submit'],
  ['Ja in a dialog that deletes', { name: 'click', ref: 'e1' }, target({ name: 'Ja', dialog: 'Konto endgültig löschen?' }), 'write delete'],
  ['Oui in a dialog that deletes', { name: 'click', ref: 'e1' }, target({ name: 'Oui', dialog: 'Supprimer ce compte ?' }), 'write delete'],
  [
    'はい in a dialog that deletes',
    { name: 'click', ref: 'e1' },
    target({ name: 'はい', dialog: 'このファイルを削除しますか？' }),
    'write delete',
  ],
  ['Cancel in a dialog that deletes', { name: 'click', ref: 'e1' }, target({ name: 'Cancel', dialog: 'Delete 3 files?' }), 'write'],
  [
    '取消 in a dialog that deletes',
    { name: 'click', ref: 'e1' },
    target({ name: '取消', dialog: '此操作将永久删除该文件, 是否继续?' }),
    'write',
  ],
  ['OK in a dialog that says hello', { name: 'click', ref: 'e1' }, target({ name: 'OK', dialog: 'Welcome back!' }), 'write'],
  ['OK outside of a dialog', { name: 'click', ref: 'e1' }, target({ name: 'OK' }), 'write'],
  // what cannot be understood
  ['an icon without words', { name: 'click', ref: 'e1' }, target({ name: '', tag: 'button', type: 'button' }), 'write'],
  ['a native radio with a price', { name: 'check', ref: 'e1' }, target({ name: 'Express $5', tag: 'input', type: 'radio' }), 'write'],
  ['a link with a price', { name: 'click', ref: 'e1' }, target({ name: 'Tea $5', tag: 'a', href: 'https://shop.test/tea' }), 'move'],
  ['a number that is no price', { name: 'click', ref: 'e1' }, target({ name: 'Page 12 of 30' }), 'write'],
  [
    'a long name that ends with a danger',
    { name: 'click', ref: 'e1' },
    target({ name: `${'words '.repeat(15)} … ${'more '.repeat(15)} delete account` }),
    'write delete',
  ],
  // secrets
  ['a named secret in a search field', { name: 'fill', ref: 'e1', value: '{{secret:SHOP}}' }, target(field), 'credentials write'],
  ['a named secret in a sentence', { name: 'type', ref: 'e1', text: 'my {{ secret:SHOP }} key' }, target(field), 'credentials write'],
  [
    'a named secret in a form',
    { name: 'fillForm', fields: [{ ref: 'e1', value: '{{secret:SHOP}}' }] },
    { fields: [{ ...element, ...field }] },
    'credentials write',
  ],
  [
    'a named secret as an option',
    { name: 'select', ref: 'e1', values: ['{{secret:SHOP}}'] },
    target({ tag: 'select' }),
    'credentials write',
  ],
  // history
  ['reload of a page', { name: 'reload' }, { loadedBy: { method: 'GET' } }, 'write'],
  ['reload of the answer to a form', { name: 'reload' }, { loadedBy: { method: 'POST' } }, 'write submit'],
  ['reload of the answer to a payment', { name: 'reload' }, { loadedBy: { method: 'POST', button: 'Pay now' } }, 'write submit pay'],
  ['reload of a page that was loaded in an unknown way', { name: 'reload' }, {}, 'write submit'],
])('%s has its classes (TRUST G2 G4 G7)', (_, command, context, expected) => {
  expect(classes(command, context)).toBe(expected)
})

test('the reason names the secret (TRUST G4)', () => {
  const { reasons, secrets } = assessRisk({ name: 'fill', ref: 'e1', value: '{{secret:SHOP}}' }, { sites: [], ...target(field) })
  expect(reasons).toContain('It enters the secret SHOP.')
  expect(secrets).toEqual(['SHOP'])
})
