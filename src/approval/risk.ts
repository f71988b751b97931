import type { ActionClass, RiskAssessment } from '../contract/approval.ts'
import { isVerbName, type VerbName, verbs } from '../contract/commands.ts'
import { parseKey } from '../contract/keys.ts'
import type { AnyCommand } from '../contract/run.ts'
import type { FormTarget, TargetFacts } from '../contract/target.ts'
import { isInHosts } from '../policy/host-rules.ts'
import { parseUrl } from '../policy/parse-url.ts'
import { classesOfWords } from './words.ts'

export interface RiskContext {
  /** the sites of the run: hosts such as shop.example, *.shop.example or 127.0.0.1:8080 */
  readonly sites: readonly string[]
  /** the element that the command would touch; absent if it has none or it could not be inspected */
  readonly target?: TargetFacts
  /** the elements of `fillForm` */
  readonly fields?: readonly TargetFacts[]
}

/** Collects classes with the sentence that explains each. */
class Assessment {
  readonly #reasons = new Map<ActionClass, string>()
  destination: string | undefined

  add(actionClass: ActionClass, reason: string): void {
    if (!this.#reasons.has(actionClass)) this.#reasons.set(actionClass, reason)
  }

  result(target: TargetFacts | undefined): RiskAssessment {
    return {
      classes: [...this.#reasons.keys()],
      reasons: [...this.#reasons.values()],
      ...(target && { target }),
      ...(this.destination !== undefined && { destination: this.destination }),
    }
  }
}

/** The classes of a command, from its arguments and the element it would touch. What is not known counts as dangerous. */
export function assessRisk(command: AnyCommand, context: RiskContext): RiskAssessment {
  const assessment = new Assessment()
  const rule = isVerbName(command.name) ? rules[command.name] : undefined
  if (rule) rule(assessment, command, context)
  else assessment.add('eval', 'It is not a command that pagehand knows.')
  return assessment.result(context.target)
}

type Rule = (assessment: Assessment, command: AnyCommand, context: RiskContext) => void

const always =
  (actionClass: ActionClass, reason: string): Rule =>
  assessment =>
    assessment.add(actionClass, reason)
const reads = always('read', 'It only reads.')
const moves = always('move', 'It changes only what is shown.')

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
  back: always('move', 'It goes back in the history of the tab.'),
  forward: always('move', 'It goes forward in the history of the tab.'),
  reload: always('write', 'Loading a page again may send its form again.'),
  open: (assessment, { url }, context) => opens(assessment, String(url), context),
  tabs: (assessment, { operation, url }, context) => {
    if (url !== undefined) opens(assessment, String(url), context)
    else if (operation === 'list' || operation === undefined) reads(assessment, { name: 'tabs' }, context)
    else moves(assessment, { name: 'tabs' }, context)
  },
  click: clicks,
  dblclick: clicks,
  longpress: clicks,
  check: always('write', 'It sets a field.'),
  uncheck: always('write', 'It sets a field.'),
  select: (assessment, _, { target }) => fills(assessment, target),
  fill: (assessment, _, { target }) => fills(assessment, target),
  type: (assessment, { text }, context) => {
    fills(assessment, context.target)
    if (/[\r\n]/.test(String(text))) pressesEnter(assessment, context)
  },
  press: presses,
  drag: always('write', 'It moves an element of the page.'),
  upload: (assessment, _, { target }) => {
    assessment.add('upload', 'It gives files of this machine to the page.')
    if (target?.submits) submits(assessment, target.submits, { sites: [] })
  },
  evaluate: always('eval', 'It runs code in the page.'),
  dialog: (assessment, { accept }) => {
    if (accept === false) assessment.add('move', 'It dismisses a dialog.')
    else assessment.add('submit', 'It confirms what a dialog of the page asks.')
  },
  fillForm: (assessment, { submit }, { fields, sites }) => {
    if (!fields) assessment.add('credentials', 'The fields could not be inspected.')
    for (const field of fields ?? []) fills(assessment, field)
    if (!submit) return
    const form = fields?.find(({ enterSubmits }) => enterSubmits)?.enterSubmits
    if (form) submits(assessment, form, { sites })
    else assessment.add('submit', 'It sends a form.')
  },
}

function opens(assessment: Assessment, url: string, { sites }: Pick<RiskContext, 'sites'>): void {
  const isBlank = /^about:blank$/i.test(url)
  if (!isBlank) assessment.destination = url
  if (isBlank || isOwnSite(url, sites)) assessment.add('move', 'It opens a page of the sites of this run, or an empty one.')
  else assessment.add('navigate-out', 'It opens another site than those of this run.')
}

function clicks(assessment: Assessment, _: AnyCommand, context: RiskContext): void {
  const { target } = context
  if (!target) {
    assessment.add('write', 'It clicks on the page.')
    assessment.add('submit', 'The element could not be inspected, so it may send a form.')
    return
  }
  if (target.submits && target.submits.method !== 'dialog') submits(assessment, target.submits, context)
  else if (target.href) follows(assessment, target, context)
  else assessment.add('write', 'It clicks on the page.')
  if (target.type === 'file') assessment.add('upload', 'It chooses files of this machine.')
  // the name is what a screen reader says, the text what a person sees: a page may make them differ
  for (const words of [target.name, target.text ?? ''])
    for (const { class: actionClass, meaning } of classesOfWords(words)) assessment.add(actionClass, `Its words mean to ${meaning}.`)
}

function follows(assessment: Assessment, { href = '', download, url }: TargetFacts, context: RiskContext): void {
  if (download) assessment.add('download', 'The link downloads a file.')
  if (/^(javascript|data|blob):/i.test(href)) assessment.add('write', 'The link runs a script of the page.')
  else if (withoutFragment(href) === withoutFragment(url)) assessment.add('move', 'The link goes to a part of this page.')
  else opens(assessment, href, context)
}

function submits(assessment: Assessment, { action, method }: FormTarget, { sites }: Pick<RiskContext, 'sites'>): void {
  if (method === 'dialog') {
    assessment.add('write', 'It closes a dialog of the page.')
    return
  }
  assessment.add('submit', 'It sends a form.')
  assessment.destination = action
  if (!isOwnSite(action, sites) && !/^javascript:/i.test(action))
    assessment.add('navigate-out', 'The form goes to another site than those of this run.')
}

function fills(assessment: Assessment, target: TargetFacts | undefined): void {
  if (!target) {
    assessment.add('write', 'It fills in a field.')
    assessment.add('credentials', 'The field could not be inspected, so it may be a password.')
  } else if (target.secret) assessment.add('credentials', 'It fills in a password, a code or a card number.')
  else assessment.add('write', 'It fills in a field.')
  if (target?.type === 'file') assessment.add('upload', 'It chooses files of this machine.')
}

const navigationKeys = /^(Tab|Escape|Arrow(Up|Down|Left|Right)|Page(Up|Down)|Home|End|Shift|Control|Alt|Meta|CapsLock|F\d+)$/

function presses(assessment: Assessment, { key: given }: AnyCommand, context: RiskContext): void {
  const { key, modifiers = [] } = parseKey(String(given)) ?? { key: String(given) }
  const isSending = (key === 'Enter' || key === ' ') && modifiers.some(each => each === 'Control' || each === 'Meta')
  if (isSending) assessment.add('submit', 'Many editors send their text with this key.')
  else if (key === 'Enter') pressesEnter(assessment, context)
  else if (key === ' ' && !isTextField(context.target)) clicks(assessment, { name: 'press' }, context)
  else if (navigationKeys.test(key)) assessment.add('move', 'It moves the focus or the caret.')
  else if (context.target?.secret) assessment.add('credentials', 'It types into a password, a code or a card number.')
  else assessment.add('write', 'It types into the page.')
}

function pressesEnter(assessment: Assessment, context: RiskContext): void {
  const { target } = context
  if (!target) assessment.add('submit', 'The focused element could not be inspected, and Enter may send a form.')
  else if (target.enterSubmits) submits(assessment, target.enterSubmits, context)
  else if (isTextField(target)) assessment.add('write', 'It presses Enter in a field.')
  else clicks(assessment, { name: 'press' }, context)
}

const isTextField = (target: TargetFacts | undefined): boolean =>
  target !== undefined && /^(textbox|searchbox|combobox|spinbutton)$/.test(target.role) && !target.href

const withoutFragment = (url: string): string => url.replace(/#.*$/s, '')

/** Whether a URL belongs to the sites of a run. A URL that is not a web page never does. */
export function isOwnSite(url: string, sites: readonly string[]): boolean {
  const parsed = parseUrl(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return false
  return isInHosts(sites, { hostname: parsed.hostname, port: Number(parsed.port) || (parsed.protocol === 'https:' ? 443 : 80) })
}

/** The origin of a URL; '' if it has none. */
export function originOf(url: string): string {
  const parsed = parseUrl(url)
  return parsed && /^https?:$/.test(parsed.protocol) ? `${parsed.protocol}//${parsed.hostname}${parsed.port ? `:${parsed.port}` : ''}` : ''
}

/** Whether the command has an element to inspect: by its ref, or the focused one. */
export function inspectedRefs(command: AnyCommand): readonly (string | undefined)[] {
  const { name, ref, key } = command
  if (!isVerbName(name) || verbs[name].risk === 'look' || verbs[name].risk === 'move') return []
  if (name === 'fillForm') return (command.fields as readonly { readonly ref: string }[]).map(field => field.ref)
  if (name === 'press') return navigationKeys.test(parseKey(String(key))?.key ?? '') ? [] : [typeof ref === 'string' ? ref : undefined]
  return typeof ref === 'string' ? [ref] : []
}
