import type { ApprovalPart, BrowserEventPart, RunUsage, StepElement, SubAgentRunPart } from '../../../../src/wire/parts.ts'
import type { Messages } from '../messages/en.ts'

/** A step in plain words: the verb, and the target that it was for. */
export const stepWords = (
  { verb: name, target, element }: Pick<BrowserEventPart, 'verb' | 'target' | 'element'>,
  messages: Messages,
): { verb: string; target?: string } => {
  const verb = messages.step.verbs[name] ?? name
  if (element !== undefined) return { verb, target: elementWords(element, messages) }
  return target === undefined || target === '' ? { verb } : { verb, target }
}

/** An element with a plain word for its role: field “Name”. */
export const elementWords = ({ role, name }: StepElement, { step }: Messages): string =>
  [step.roles[role] ?? role, name === '' ? '' : `“${name}”`].filter(Boolean).join(' ')

/** The containers of an element, such as main > form "Checkout", with plain words for their roles. */
export const pathWords = (path: string, { step }: Messages): string =>
  path.replace(/([a-z]+)|"(?:[^"\\]|\\.)*"/g, (text, role?: string) => (role === undefined ? text : (step.roles[role] ?? role)))

/** The action that an approval is about, in plain words. */
export const actionWords = (facts: ActionFacts, messages: Messages): string => {
  const { action, verb: verbs, target, url: page = '' } = facts
  if (verbs === undefined) return action
  const { approval, step } = messages
  const element = target === undefined ? '' : elementWords(target, messages)
  const all = verbs.split(', ').map(each => step.verbs[each] ?? each)
  const own = all.length === 1 ? objectWords(facts, element, messages) : undefined
  if (own !== undefined) return own
  return [all.join(approval.actions.separator), verbs === 'reload' ? page : element].filter(Boolean).join(' ')
}

type ActionFacts = Pick<ApprovalPart, 'action' | 'verb' | 'target' | 'destination' | 'key' | 'files' | 'code' | 'onto'> &
  Partial<Pick<ApprovalPart, 'classes' | 'url'>>

/** The action in words, if it is about more than its element. */
const objectWords = (facts: ActionFacts, element: string, messages: Messages): string | undefined => {
  const { actions } = messages.approval
  const { verb, destination, key, files, code, onto, classes = [] } = facts
  if ((verb === 'open' || verb === 'tabs') && destination !== undefined)
    return actions.open(destination, classes.includes('navigate-out'), verb === 'tabs')
  if (verb === 'press' && key !== undefined) return actions.press(key, element)
  if (verb === 'download' && files !== undefined)
    return actions.download(
      files.map(each => fileWords(each, messages)),
      destination ?? '',
    )
  if (verb === 'upload' && files !== undefined)
    return actions.upload(
      files.map(each => fileWords(each, messages)),
      element,
    )
  if (verb === 'evaluate' && code !== undefined) return actions.evaluate(code.split('\n', 1)[0] ?? '')
  if (verb === 'drag' && onto !== undefined) return actions.drag(element, elementWords(onto, messages))
  return undefined
}

const fileWords = ({ path, bytes }: { readonly path: string; readonly bytes?: number }, { time }: Messages): string =>
  bytes === undefined ? path : `${path} (${time.bytes(bytes)})`

/** Where an action happens: the site, or the page if it has none. */
export const whereWords = ({ origin, url }: Pick<ApprovalPart, 'origin' | 'url'>, { approval }: Messages): string => {
  if (origin !== '' && origin !== 'null') return origin
  return url === '' || url.startsWith('about:') ? approval.noPage : url
}

/** The lines of a plan, without the numbers or bullets that a model wrote. */
export const planLines = ({ action }: Pick<ApprovalPart, 'action'>): readonly string[] =>
  action
    .split('\n')
    .map(line => line.replace(/^\s*(?:\d+[.)]|[-*])\s*/, '').trim())
    .filter(line => line !== '')

/** Why a run is in its state: the reason for its end, or the state itself. */
export const runStateWords = (run: Pick<SubAgentRunPart, 'state' | 'stopReason'>, messages: Messages): string => {
  if (run.state !== 'ended' || run.stopReason === undefined) return messages.run.states[run.state]
  return messages.run.reasons[run.stopReason] ?? run.stopReason.replaceAll('_', ' ')
}

/** Whether a run reached its goal; undefined while it is not over. */
export const succeeded = (run: Pick<SubAgentRunPart, 'state' | 'stopReason'>): boolean | undefined =>
  run.state !== 'ended' ? undefined : run.stopReason === undefined || run.stopReason === 'closed'

export const usageKeys = ['steps', 'tokens', 'costUsd', 'timeMs', 'characters'] as const satisfies readonly (keyof RunUsage)[]

/** An amount as a short text. */
export const amount = (key: keyof RunUsage, value: number, messages: Messages): string => {
  if (key === 'costUsd') return `$${value < 0.1 && value > 0 ? value.toFixed(3) : value.toFixed(2)}`
  if (key === 'timeMs') return messages.time.ms(value)
  return value >= 10_000 ? `${(value / 1_000).toFixed(value >= 100_000 ? 0 : 1)}k` : value.toLocaleString('en')
}

/** The part of a budget that is used up, by the limit that is nearest. */
export const nearestLimit = (run: Pick<SubAgentRunPart, 'usage' | 'limits'>): { key: keyof RunUsage; share: number } | undefined =>
  usageKeys
    .flatMap(key => {
      const limit = run.limits[key]
      return limit === undefined || limit <= 0 ? [] : [{ key, share: Math.min(1, run.usage[key] / limit) }]
    })
    .sort((a, b) => b.share - a.share)[0]
