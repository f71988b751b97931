import type { ActionClass, RiskAssessment } from '../contract/approval.ts'
import { isVerbName, type VerbName, verbs } from '../contract/commands.ts'
import { parseKey } from '../contract/keys.ts'
import { type RiskReason, riskReasons } from '../contract/risk-reasons.ts'
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

/** Collects classes with the reason for each. */
class Assessment {
  readonly #reasons = new Map<ActionClass, RiskReason>()
  destination: string | undefined

  add(actionClass: ActionClass, reason: RiskReason): void {
    if (!this.#reasons.has(actionClass)) this.#reasons.set(actionClass, reason)
  }

  result(target: TargetFacts | undefined): RiskAssessment {
    return {
      classes: [...this.#reasons.keys()],
      reasons: [...this.#reasons.values()].map(code => riskReasons[code]),
      reasonCodes: [...this.#reasons.values()],
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
  else assessment.add('eval', 'unknown_command')
  return assessment.result(context.target)
}

type Rule = (assessment: Assessment, command: AnyCommand, context: RiskContext) => void

const always =
  (actionClass: ActionClass, reason: RiskReason): Rule =>
  assessment =>
    assessment.add(actionClass, reason)
const reads = always('read', 'reads')
const moves = always('move', 'shows')

const rules: { readonly [name in VerbName]: Rule } = {
  snapshot: reads,
  query: reads,
  inspect: reads,
  wait: reads,
  screenshot: reads,
  console: reads,
  requests: reads,
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
  reload: always('write', 'reload'),
  open: (assessment, { url }, context) => opens(assessment, String(url), context),
  tabs: (assessment, { operation, url }, context) => {
    if (url !== undefined) opens(assessment, String(url), context)
    else if (operation === 'list' || operation === undefined) reads(assessment, { name: 'tabs' }, context)
    else moves(assessment, { name: 'tabs' }, context)
  },
  click: clicks,
  dblclick: clicks,
  longpress: clicks,
  check: always('write', 'set_field'),
  uncheck: always('write', 'set_field'),
  select: (assessment, _, { target }) => fills(assessment, target),
  fill: (assessment, _, { target }) => fills(assessment, target),
  type: (assessment, { text }, context) => {
    fills(assessment, context.target)
    if (/[\r\n]/.test(String(text))) pressesEnter(assessment, context)
  },
  press: presses,
  drag: always('write', 'drag'),
  upload: (assessment, _, { target }) => {
    assessment.add('upload', 'give_files')
    if (target?.submits) submits(assessment, target.submits, { sites: [] })
  },
  evaluate: always('eval', 'run_code'),
  dialog: (assessment, { accept }) => {
    if (accept === false) assessment.add('move', 'dismiss_dialog')
    else assessment.add('submit', 'confirm_dialog')
  },
  fillForm: (assessment, { submit }, { fields, sites }) => {
    if (!fields) assessment.add('credentials', 'unknown_fields')
    for (const field of fields ?? []) fills(assessment, field)
    if (!submit) return
    const form = fields?.find(({ enterSubmits }) => enterSubmits)?.enterSubmits
    if (form) pressesDefaultButton(assessment, form, { sites })
    else assessment.add('submit', 'send_form')
  },
}

function opens(assessment: Assessment, url: string, { sites }: Pick<RiskContext, 'sites'>): void {
  const isBlank = /^about:blank$/i.test(url)
  if (!isBlank) assessment.destination = url
  if (isBlank || isOwnSite(url, sites)) assessment.add('move', 'own_page')
  else assessment.add('navigate-out', 'other_site')
}

function clicks(assessment: Assessment, _: AnyCommand, context: RiskContext): void {
  const { target } = context
  if (!target) {
    assessment.add('write', 'click')
    assessment.add('submit', 'unknown_element')
    return
  }
  if (target.submits && target.submits.method !== 'dialog') submits(assessment, target.submits, context)
  else if (target.href) follows(assessment, target, context)
  else assessment.add('write', 'click')
  if (target.type === 'file') assessment.add('upload', 'choose_files')
  // the name is what a screen reader says, the text what a person sees: a page may make them differ
  for (const words of [target.name, target.text ?? ''])
    for (const actionClass of classesOfWords(words)) assessment.add(actionClass, `words_${actionClass}`)
}

/** Enter in a field presses the default button of the form, whose words say what that does. */
function pressesDefaultButton(assessment: Assessment, form: FormTarget, context: Pick<RiskContext, 'sites'>): void {
  submits(assessment, form, context)
  for (const actionClass of classesOfWords(form.button ?? '')) assessment.add(actionClass, `words_${actionClass}`)
}

function follows(assessment: Assessment, { href = '', download, url }: TargetFacts, context: RiskContext): void {
  if (download) assessment.add('download', 'download_link')
  if (/^(javascript|data|blob):/i.test(href)) assessment.add('write', 'script_link')
  else if (withoutFragment(href) === withoutFragment(url)) assessment.add('move', 'page_part')
  else opens(assessment, href, context)
}

function submits(assessment: Assessment, { action, method }: FormTarget, { sites }: Pick<RiskContext, 'sites'>): void {
  if (method === 'dialog') {
    assessment.add('write', 'close_dialog')
    return
  }
  assessment.add('submit', 'send_form')
  assessment.destination = action
  if (!isOwnSite(action, sites) && !/^javascript:/i.test(action)) assessment.add('navigate-out', 'form_to_other_site')
}

function fills(assessment: Assessment, target: TargetFacts | undefined): void {
  if (!target) {
    assessment.add('write', 'fill_field')
    assessment.add('credentials', 'unknown_field')
  } else if (target.secret) assessment.add('credentials', 'fill_secret')
  else assessment.add('write', 'fill_field')
  if (target?.type === 'file') assessment.add('upload', 'choose_files')
}

const navigationKeys = /^(Tab|Escape|Arrow(Up|Down|Left|Right)|Page(Up|Down)|Home|End|Shift|Control|Alt|Meta|CapsLock|F\d+)$/

function presses(assessment: Assessment, { key: given }: AnyCommand, context: RiskContext): void {
  const { key, modifiers = [] } = parseKey(String(given)) ?? { key: String(given) }
  const isSending = (key === 'Enter' || key === ' ') && modifiers.some(each => each === 'Control' || each === 'Meta')
  if (isSending) assessment.add('submit', 'send_key')
  else if (key === 'Enter') pressesEnter(assessment, context)
  else if (key === ' ' && !isTextField(context.target)) clicks(assessment, { name: 'press' }, context)
  else if (navigationKeys.test(key)) assessment.add('move', 'move_focus')
  else if (context.target?.secret) assessment.add('credentials', 'type_secret')
  else assessment.add('write', 'type_text')
}

function pressesEnter(assessment: Assessment, context: RiskContext): void {
  const { target } = context
  if (!target) assessment.add('submit', 'unknown_focus')
  else if (target.enterSubmits) pressesDefaultButton(assessment, target.enterSubmits, context)
  else if (isTextField(target)) assessment.add('write', 'enter_in_field')
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
