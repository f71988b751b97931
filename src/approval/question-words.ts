// The question as a person reads it: verb, object and consequence. Words of the page are quoted.
import type { ApprovalData, ApprovalFile, ApprovalRequest } from '../contract/approval.ts'
import { isJoint } from '../contract/joint-commands.ts'
import { inline, quote } from '../contract/quote.ts'
import type { AnyCommand } from '../contract/run.ts'
import { secretValue } from '../contract/target.ts'

type Asked = Pick<ApprovalRequest, 'command' | 'target' | 'destination' | 'data' | 'method' | 'onto' | 'dialog' | 'files' | 'kind' | 'plan'>

const maxHeadline = 600

/**
 * The question in one line, such as `Click button "Send money", which sends "To": "alice", "Amount": "5"`. Words of the page are quoted.
 *
 * @example
 * const approve: Approve = async request => ({ approved: await ask(approvalHeadline(request)), scope: 'once' })
 */
export function approvalHeadline(request: Asked): string {
  const { kind, plan } = request
  if (kind === 'plan') return inline(`Work on ${plan?.sites.join(', ') ?? ''} without further questions`, maxHeadline)
  return inline(`${actionWords(request)}${consequence(request)}`, maxHeadline)
}

/** `"To": "alice", "Amount": "5", 1 hidden field` */
export function dataWords({ fields, more = 0, hidden = 0 }: ApprovalData): string {
  const count = (number: number, noun: string) => (number > 0 ? [`${number} ${noun}${number === 1 ? '' : 's'}`] : [])
  return [
    ...fields.map(({ label, value }) => `${quote(label, 60)}: ${value === secretValue ? value : quote(value, 100)}`),
    ...count(more, 'more field'),
    ...count(hidden, 'hidden field'),
  ].join(', ')
}

/** `"passwd" (1.7 kB) from "/etc"` */
export function fileWords({ path, bytes }: ApprovalFile): string {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'))
  const size = bytes === undefined ? '' : ` (${bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} kB`})`
  return `${quote(path.slice(at + 1), 120)}${size}${at > 0 ? ` from ${quote(path.slice(0, at), 160)}` : ''}`
}

function consequence({ data, method, destination, command }: Asked): string {
  const words = data ? dataWords(data) : ''
  const to = destination !== undefined && command.name !== 'open' && command.name !== 'tabs' ? ` to ${quote(destination, 200)}` : ''
  if (method !== undefined && method !== 'dialog') return `, which sends ${words || 'a form without fields'}${to}`
  return `${to && ` and go${to}`}${words && (isSetting(command) ? `: ${words}` : `, with ${words}`)}`
}

const isSetting = ({ name }: AnyCommand): boolean => /^(fill|fillForm|type|select)$/.test(name)

function actionWords({ command, target, onto, dialog, files = [] }: Asked): string {
  const { name, url, key, accept, operation } = command
  const element = target ? `${inline(target.role, 40)} ${quote(target.name || target.text || '', 120)}` : 'the focused element'
  if (isJoint(command)) return command.commands.map(each => verbWords(each.name)).join(', then ')
  if (name === 'open') return `Open ${quote(String(url), 300)}`
  if (name === 'tabs') return url === undefined ? `Tabs: ${operation}` : `Open ${quote(String(url), 300)} in a new tab`
  if (name === 'press') return `Press ${quote(key === ' ' ? 'Space' : String(key), 40)} in ${element}`
  if (name === 'drag')
    return `Drag ${element} onto ${onto ? `${inline(onto.role, 40)} ${quote(onto.name || onto.text || '', 120)}` : 'another element'}`
  if (name === 'download') return `Save ${files.map(fileWords).join(', ')}, which the page downloads from ${quote(String(url), 300)}`
  if (name === 'upload') return `Give ${files.map(fileWords).join(', ') || 'files'} to ${element}`
  if (name === 'dialog')
    return `${accept === false ? 'Dismiss' : 'Accept'} the dialog${dialog === undefined ? '' : ` ${quote(dialog, 300)}`}`
  if (name === 'evaluate') return 'Run JavaScript in the page'
  return target ? `${verbWords(name)} ${element}` : verbWords(name)
}

const verbs: { readonly [name: string]: string } = {
  click: 'Click',
  dblclick: 'Double-click',
  longpress: 'Press and hold',
  fill: 'Fill in',
  type: 'Type into',
  select: 'Choose in',
  check: 'Check',
  uncheck: 'Uncheck',
  fillForm: 'Fill in',
  press: 'Press a key in',
  reload: 'Load the page again',
  back: 'Go back',
  forward: 'Go forward',
}
const verbWords = (name: string): string => verbs[name] ?? name
