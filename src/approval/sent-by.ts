// What an action would send, type or choose: the words of the question, and the digest that the approval is bound to.
import { isVerbName } from '../contract/commands.ts'
import { parseKey } from '../contract/keys.ts'
import type { AnyCommand } from '../contract/run.ts'
import { type FormTarget, type SentData, type SentField, secretValue, sentDataLimits, type TargetFacts } from '../contract/target.ts'
import { cut } from '../contract/text.ts'

/** The data of an action, as a part of what is known about it. */
export interface SentFacts {
  readonly data?: SentData
  readonly method?: FormTarget['method']
}

/** What a command would send, from the elements it touches, in the order in which it names them. */
export function sentBy(command: AnyCommand, targets: readonly TargetFacts[]): SentFacts {
  const own = fieldsOf(command, targets)
  const { form, around } = sentOnAct(command, targets)
  const base = form?.data ?? around
  return {
    ...((own.length > 0 || base) && { data: { ...base, fields: [...own, ...(base?.fields ?? [])] } }),
    ...(form && { method: form.method }),
  }
}

/** The fields that a command sets, with the values that it gives them. */
export function fieldsOf({ name, ...args }: AnyCommand, targets: readonly TargetFacts[]): readonly SentField[] {
  const field = (target: TargetFacts | undefined, value: unknown): SentField => ({
    label: cut(target?.name || target?.role || 'field', sentDataLimits.label),
    value: shownValue(target, String(value)),
  })
  // a person reads the text of an option, and not the value that the page gives it
  const choice = (target: TargetFacts | undefined, values: unknown) => field(target, target?.chosen?.join(', ') ?? values)
  const filled = (target: TargetFacts | undefined, value: unknown) => (target?.tag === 'select' ? choice : field)(target, value)
  if (name === 'fillForm') return (args.fields as readonly { readonly value: string }[]).map(({ value }, at) => filled(targets[at], value))
  if (name === 'fill') return [filled(targets[0], args.value)]
  if (name === 'type') return [field(targets[0], args.text)]
  if (name === 'select') return [choice(targets[0], Array.isArray(args.values) ? args.values.join(', ') : args.values)]
  if (name === 'check' || name === 'uncheck') return [field(targets[0], `${name}ed`)]
  return []
}

/** The name of a secret is not its value. A field that could not be inspected may be a secret one. */
const shownValue = (target: TargetFacts | undefined, value: string): string =>
  /^\{\{secret:[^{}]+\}\}$/.test(value) || (target && !target.secret) ? cut(value, sentDataLimits.value) : secretValue

/** What is sent when the command is carried out: a form by its button or by Enter, or whatever a script reads from the fields around. */
function sentOnAct(
  command: AnyCommand,
  targets: readonly TargetFacts[],
): { readonly form?: FormTarget | undefined; readonly around?: SentData | undefined } {
  const { name } = command
  // a select or a text area does not send its form by Enter
  const target = targets.find(({ enterSubmits }) => enterSubmits) ?? targets[0]
  if (!target || !isVerbName(name)) return {}
  const { submits, enterSubmits, data } = target
  if (name === 'fillForm') return command.submit === true ? { form: enterSubmits, around: data } : {}
  const isEnter = name === 'type' ? /[\r\n]/.test(String(command.text)) : name === 'press' && parseKey(String(command.key))?.key === 'Enter'
  if (isEnter) return { form: submits ?? enterSubmits, around: data }
  // a checkbox in a form sends nothing by itself, but a script may send the form
  return activates.has(name) ? { form: submits, around: data ?? enterSubmits?.data } : {}
}

const activates: ReadonlySet<string> = new Set(['click', 'dblclick', 'longpress', 'press', 'check', 'uncheck', 'drag'])
