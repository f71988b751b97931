import type { ParsedCommand } from '../contract/commands.ts'
import { type Failure, failure } from '../contract/failures.ts'
import { asPartOfForm } from '../contract/joint-commands.ts'
import { type Message, say } from '../contract/message.ts'
import type { Effect } from '../contract/page-api.ts'
import { normalizeRef } from '../contract/refs.ts'
import type { ActionData } from '../contract/results.ts'
import { type AbortSignalLike, type AnyCommand, type AnyRun, type Layer, ok, type Result } from '../contract/run.ts'
import type { TargetFacts } from '../contract/target.ts'
import { type ParsedNode, parseSnapshot } from '../render/decode/snapshot.ts'
import { asFieldBeforeOthers } from './form-fields.ts'

/**
 * The data of `fillForm`: that of its last action, and what each field holds now.
 *
 * @example
 * const values = ({ fields }: FillFormData) => fields.map(({ effect }) => effect.value)
 */
export interface FillFormData extends ActionData {
  readonly fields: readonly FilledField[]
  /** the form was sent afterwards, by Enter in the field or a click on the button with this ref */
  readonly sentBy?: string
}

/**
 * A field that `fillForm` filled.
 *
 * @example
 * const isChecked = ({ effect }: FilledField) => effect.checked === true
 */
export interface FilledField {
  readonly ref: string
  readonly effect: Effect
}

type OkResult = Extract<Result, { readonly ok: true }>
type FormField = ParsedCommand<'fillForm'>['fields'][number]

/** `fillForm` on any driver that can fill, check and select. Every field is a command of its own for the layers below. */
export const fillFormLayer: Layer = given => async (command, signal) => {
  if (command.name !== 'fillForm') return given(command, signal)
  // so that a person is asked about the form, not about each of its parts
  const execution = {}
  const next: AnyRun = (each, stop) => given(asPartOfForm(each, command, execution), stop)
  const { fields, submit } = command as unknown as ParsedCommand<'fillForm'>
  const filled: FilledField[] = []
  let last: ActionData | undefined
  for (const [index, { ref, value }] of fields.entries()) {
    const isLast = index === fields.length - 1 && !submit
    const run: AnyRun = isLast ? next : (each, stop) => next(asFieldBeforeOthers(each), stop)
    const result = await setField(run, { ref, value }, signal)
    if (!result.ok) return { ok: false, error: withProgress(result.error, filled, fields.length) }
    last = result.data as ActionData
    filled.push({ ref, effect: last.effect })
    // what a field led to is the caller's business: the other refs may be gone
    if (last.effect.url !== undefined && filled.length < fields.length)
      return {
        ok: false,
        error: withProgress(failure('target_moved', say`setting ${{ ref }} led to another page.`), filled, fields.length),
      }
  }
  if (!submit) return ok({ ...(last as ActionData), fields: filled })
  const sent = await send(next, fields, signal)
  if (!sent.result.ok) return { ok: false, error: withProgress(sent.result.error, filled, fields.length) }
  const data = sent.result.data as ActionData
  const { invalid } = data.effect
  if (sent.isByEnter && !hasConsequence(data.effect)) {
    const error = failure(
      'not_committed',
      say`the form was not sent: it has no submit button, and Enter in ${{ ref: sent.by }} had no effect.`,
    )
    return { ok: false, error: withProgress({ ...error, hint: clickInstead }, filled, fields.length) }
  }
  if (invalid) return { ok: false, error: withProgress(notSent(invalid), filled, fields.length) }
  return ok({ ...data, fields: filled, sentBy: sent.by })
}

/** The browser validates a form before it sends it, and reports the first field that is invalid. */
function notSent({ field, message }: NonNullable<Effect['invalid']>): Failure {
  const ref = normalizeRef(field)
  const what: Message = ref === null ? ['a field'] : [{ ref }]
  const words = ref === null ? `${field}: ${message}` : message
  return failure('not_committed', say`the form was not sent: ${what} is invalid.`, { page: { error: words } })
}

/** A text goes into a text field or chooses an option; true and false check and uncheck. */
async function setField(run: AnyRun, field: FormField, signal?: AbortSignalLike): Promise<Result> {
  const { ref, value } = field
  const result = await run({ name: 'fill', ref, value }, signal)
  if (result.ok) return value !== '' && (await isCombobox(run, ref, signal)) ? chooseTyped(run, field, result, signal) : result
  if (result.error.code !== 'not_editable') return result
  const selected = await run({ name: 'select', ref, values: [value] }, signal)
  if (selected.ok || selected.error.code !== 'not_a_select') return selected
  return value === 'true' || value === 'false' ? run({ name: value === 'true' ? 'check' : 'uncheck', ref }, signal) : result
}

async function isCombobox(run: AnyRun, ref: string, signal?: AbortSignalLike): Promise<boolean> {
  const result = await run({ name: 'inspect', ref }, signal)
  // a driver that cannot tell, or a page that was left: the text was entered
  return result.ok && (result.data as TargetFacts).role === 'combobox'
}

/**
 * Chooses what was typed into a combobox, since most of them drop a text that is only typed as soon as they lose the focus. A text without an
 * option is the value if the field keeps it, as a search field does.
 */
async function chooseTyped(run: AnyRun, { ref, value }: FormField, typed: OkResult, signal?: AbortSignalLike): Promise<Result> {
  const { effect } = typed.data as ActionData
  if (effect.url !== undefined) return typed
  const choose = () => run({ name: 'select', ref, values: [value] }, signal)
  // a list that has something for the text is open now
  if (effect.expanded !== false) {
    const chosen = await choose()
    if (chosen.ok || chosen.error.code !== 'option_not_found') return chosen
  }
  const left = await run({ name: 'blur', ref }, signal)
  // a policy may deny it; the text is in the field then
  if (!left.ok) return left.error.code === 'disabled' ? typed : left
  const after = (left.data as ActionData).effect
  const isKept = after.value === undefined || after.value === effect.value
  return isKept ? ok({ ...(left.data as ActionData), effect: { ...effect, ...after } }) : choose()
}

interface SendResult {
  readonly result: Result
  readonly by: string
  readonly isByEnter?: true
}

/** Sends the form as a person does: by its first submit button, or by Enter in the last field of one line if it has none. */
async function send(run: AnyRun, fields: readonly FormField[], signal?: AbortSignalLike): Promise<SendResult> {
  const refs = fields.map(({ ref }) => ref)
  const button = await findSubmitButton(run, refs, signal)
  if (button) return { by: button, result: await run({ name: 'click', ref: button }, signal) }
  const last = refs[refs.length - 1] as string
  const field = await findField(run, refs, signal)
  if (field) return { by: field, isByEnter: true, result: await run({ name: 'press', key: 'Enter', ref: field }, signal) }
  const error = failure(
    'not_committed',
    say`the form was not sent: it has no submit button, and Enter in ${{ ref: last }} would add a line.`,
  )
  return { by: last, result: { ok: false, error: { ...error, hint: clickInstead } } }
}

const clickInstead = 'Click the button that sends it, or press Enter if that is how the page sends it.'

/** The last field in which Enter adds no line. */
async function findField(run: AnyRun, refs: readonly string[], signal?: AbortSignalLike): Promise<string | undefined> {
  for (const ref of [...refs].reverse()) {
    const result = await run({ name: 'inspect', ref }, signal)
    const tag = result.ok ? (result.data as Partial<TargetFacts>).tag : undefined
    // a driver may not be able to tell
    if (tag === undefined || tag === 'input') return ref
  }
  return undefined
}

/** Whether an action did more than to set the field. */
const hasConsequence = ({ url, dialog, answered, gone, submitted, invalid, changed }: Effect): boolean =>
  [url, dialog, answered, gone, submitted, invalid, changed].some(each => each !== undefined)

async function findSubmitButton(run: AnyRun, refs: readonly string[], signal?: AbortSignalLike): Promise<string | undefined> {
  const result = await run({ name: 'snapshot', interactiveOnly: true, viewport: 'all' }, signal)
  const snapshot = result.ok ? parseSnapshot(result.data) : undefined
  const form = snapshot?.ok ? innermostForm(snapshot.tree, new Set(refs)) : undefined
  for (const { ref } of form ? buttonsIn(form) : []) if (await isSubmitButton(run, ref, signal)) return ref
  return undefined
}

/** The smallest form that contains one of the fields. */
function innermostForm(root: ParsedNode, refs: ReadonlySet<string>): ParsedNode | undefined {
  let found: ParsedNode | undefined
  const visit = (node: ParsedNode, form: ParsedNode | undefined): void => {
    const around = node.tag === 'form' ? node : form
    if (node.ref && refs.has(node.ref)) found = around ?? found
    for (const child of node.children) visit(child, around)
  }
  visit(root, undefined)
  return found
}

const buttonsIn = (node: ParsedNode): readonly { readonly ref: string }[] => [
  ...(node.ref && (node.tag === 'button' || node.tag === 'input') && node.role === 'button' ? [{ ref: node.ref }] : []),
  ...node.children.flatMap(buttonsIn),
]

// https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#implicit-submission: the first submit button is the default one
async function isSubmitButton(run: AnyRun, ref: string, signal?: AbortSignalLike): Promise<boolean> {
  const result = await run({ name: 'query', ref, kind: 'attrs', limitChars: 4_000 } satisfies AnyCommand, signal)
  if (!result.ok) return false
  const { value } = result.data as { readonly value: unknown }
  try {
    const { type = 'submit' } = JSON.parse(String(value)) as { readonly type?: string }
    return ['submit', 'image'].includes(type.toLowerCase())
  } catch {
    return false
  }
}

/** Says which fields were set before the one that failed: they stay as they are. */
function withProgress(error: Failure, filled: readonly FilledField[], total: number): Failure {
  if (filled.length === 0) return error
  const done = filled.flatMap(({ ref }, index): Message => (index === 0 ? [{ ref }] : [', ', { ref }]))
  const { code, hint, parts = [error.message], ...rest } = error
  const end = /[.!?…]$/.test(error.message) ? '' : '.'
  return { ...rest, ...failure(code, say`${parts}${end} ${filled.length} of ${total} fields were set before: ${done}.`), hint }
}
