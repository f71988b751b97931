import type { RiskAssessment } from '../contract/approval.ts'
import { isVerbName, type VerbName, verbs } from '../contract/commands.ts'
import type { RiskReason } from '../contract/risk-reasons.ts'
import type { AnyCommand } from '../contract/run.ts'
import type { TargetFacts } from '../contract/target.ts'
import { activates, opens, pressesDefaultButton } from './activation-risk.ts'
import { Assessment, type RiskContext } from './assessment.ts'
import { dependsOnFocus, isTextField, presses, types } from './key-risk.ts'

export type { RiskContext } from './assessment.ts'
export { isOwnSite, originOf } from './sites.ts'

/** The classes of a command, from its arguments and the element it would touch. What is not known counts as dangerous. */
export function assessRisk(command: AnyCommand, context: RiskContext): RiskAssessment {
  const assessment = new Assessment()
  const rule = isVerbName(command.name) ? rules[command.name] : undefined
  if (rule) rule(assessment, command, context)
  else assessment.add('eval', 'unknown_command')
  return assessment.result(context.target)
}

type Rule = (assessment: Assessment, command: AnyCommand, context: RiskContext) => void

const always =
  (actionClass: RiskAssessment['classes'][number], reason: RiskReason): Rule =>
  assessment =>
    assessment.add(actionClass, reason)
const reads = always('read', 'reads')
const moves = always('move', 'shows')
const clicks: Rule = (assessment, _, context) => activates(assessment, context.target, context)

const sets: Rule = (assessment, _, context) => {
  assessment.add('write', 'set_field')
  activates(assessment, context.target, context)
}

const rules: { readonly [name in VerbName]: Rule } = {
  snapshot: reads,
  query: reads,
  inspect: reads,
  wait: reads,
  screenshot: reads,
  status: reads,
  observe: reads,
  extract: reads,
  read: reads,
  hover: moves,
  focus: moves,
  blur: moves,
  scroll: moves,
  scrollIntoView: moves,
  close: moves,
  back: always('move', 'back'),
  forward: always('move', 'forward'),
  reload: reloads,
  open: (assessment, { url }, context) => opens(assessment, String(url), context),
  tabs: (assessment, { operation, url }, context) => {
    if (url !== undefined) opens(assessment, String(url), context)
    else if (operation === 'list' || operation === undefined) reads(assessment, { name: 'tabs' }, context)
    else moves(assessment, { name: 'tabs' }, context)
  },
  click: clicks,
  dblclick: clicks,
  longpress: clicks,
  check: sets,
  uncheck: sets,
  select: (assessment, { values }, context) => {
    chooses(assessment, context.target, values as readonly string[])
    if (context.target?.tag !== 'select') activates(assessment, context.target, context)
  },
  fill: (assessment, { value }, { target }) => chooses(assessment, target, [String(value)]),
  type: (assessment, { text }, context) => {
    fills(assessment, context.target, [String(text)])
    types(assessment, String(text), context)
  },
  press: presses,
  // a button that is released over the same control as it was pressed on clicks it
  drag: (assessment, _, { target, to, sites }) => {
    assessment.add('write', 'drag')
    activates(assessment, target, { sites })
    activates(assessment, to, { sites })
  },
  // what is not a file field is clicked to open the file chooser
  upload: (assessment, _, context) => {
    assessment.add('upload', 'give_files')
    const { tag, type } = context.target ?? {}
    if (tag !== 'input' || type !== 'file') activates(assessment, context.target, context)
  },
  evaluate: always('eval', 'run_code'),
  dialog: (assessment, { accept, text }, { dialog }) => {
    for (const name of secretNamesIn(String(text ?? ''))) assessment.addSecret(name)
    if (accept === false) return assessment.add('move', 'dismiss_dialog')
    assessment.add('submit', 'confirm_dialog')
    assessment.addWords(dialog, 'dialog')
  },
  fillForm: (assessment, { fields: given, submit }, { fields, sites }) => {
    if (!fields) assessment.add('credentials', 'unknown_fields')
    for (const [index, field] of (fields ?? []).entries()) {
      const value = String((given as readonly { readonly value?: unknown }[])[index]?.value ?? '')
      chooses(assessment, field, [value])
      // what takes no text is checked or pressed
      if (field.tag !== 'select' && !isTextField(field)) activates(assessment, field, { sites })
    }
    if (!submit) return
    const form = fields?.find(({ enterSubmits }) => enterSubmits)?.enterSubmits
    if (form) pressesDefaultButton(assessment, form, { sites })
    else assessment.add('submit', 'send_form')
  },
}

/** Loading a document again that was the answer to a form sends the form again. */
function reloads(assessment: Assessment, _: AnyCommand, { loadedBy }: RiskContext): void {
  assessment.add('write', 'reload')
  if (!loadedBy) assessment.add('submit', 'unknown_load')
  else if (loadedBy.method !== 'GET') {
    assessment.add('submit', 'send_again')
    assessment.addWords(loadedBy.button)
  }
}

function fills(assessment: Assessment, target: TargetFacts | undefined, values: readonly string[]): void {
  for (const name of values.flatMap(secretNamesIn)) assessment.addSecret(name)
  if (!target) {
    assessment.add('write', 'fill_field')
    assessment.add('credentials', 'unknown_field')
  } else if (target.secret) assessment.add('credentials', 'fill_secret')
  else assessment.add('write', 'fill_field')
  if (target?.type === 'file') assessment.add('upload', 'choose_files')
}

/** Fills a field, or chooses options in it, whose words say what choosing them does. */
function chooses(assessment: Assessment, target: TargetFacts | undefined, values: readonly string[]): void {
  fills(assessment, target, values)
  if (isTextField(target)) return
  for (const words of [...values, ...(target?.chosen ?? [])]) assessment.addWords(words)
}

const secretNamesIn = (value: string): readonly string[] =>
  [...value.matchAll(/\{\{\s*secret:([^{}]{0,100})\}\}/gi)].map(([, name = '']) => name.trim())

/** How the elements of a command are inspected: each by its ref, or the focused one; with the options that would be chosen. */
export interface Inspection {
  readonly ref?: string
  readonly values?: readonly string[]
}

export function inspectionsOf(command: AnyCommand): readonly Inspection[] {
  const { name, ref, to, key, value, values } = command
  if (!isVerbName(name) || verbs[name].risk === 'look' || verbs[name].risk === 'move') return []
  if (name === 'fillForm')
    return (command.fields as readonly { readonly ref: string; readonly value: string }[]).map(field => ({
      ref: field.ref,
      values: [field.value],
    }))
  if (name === 'press' && !dependsOnFocus(key)) return []
  if (name === 'press' && ref === undefined) return [{}]
  const chosen = Array.isArray(values) ? values.map(String) : typeof value === 'string' ? [value] : undefined
  return [ref, to].flatMap(each => (typeof each === 'string' ? [{ ref: each, ...(chosen && { values: chosen }) }] : []))
}
