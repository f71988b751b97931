import * as z from 'zod'
import { type VerbName, verbs } from '../../contract/commands.ts'
import { type Failure, failure } from '../../contract/failures.ts'
import { complete, readFields } from '../../contract/parse-command.ts'
import { normalizeRef } from '../../contract/refs.ts'
import type { AbortSignalLike, Result, Run } from '../../contract/run.ts'
import { denialOf } from '../../policy/command-policy.ts'
import { type Answer, createResponder, failureAnswer, type Hints, type Responder, type ResponderOptions } from '../respond/responder.ts'
import { noSuchTool, type Tool, type Toolbox } from './tool.ts'

/** What starts and ends the browser behind the tool. */
export interface BrowserHost {
  start(wanted: { readonly profile?: string; readonly debuggingUrl?: string }): Promise<Result<BrowserStart>>
}
export interface BrowserStart {
  readonly run: Run
  /** what it is, for `status`: openclaw, attached to chrome */
  readonly says: string
  close(): Promise<void>
}

/** what `act` can do, and the verb behind each word */
const kinds = {
  click: 'click',
  dblclick: 'dblclick',
  hover: 'hover',
  type: 'type',
  fill: 'fill',
  select: 'select',
  check: 'check',
  uncheck: 'uncheck',
  press: 'press',
  scroll: 'scroll',
  scroll_into_view: 'scrollIntoView',
  drag: 'drag',
  upload: 'upload',
  wait: 'wait',
  query: 'query',
  screenshot: 'screenshot',
  dialog: 'dialog',
  tabs: 'tabs',
  back: 'back',
  forward: 'forward',
  reload: 'reload',
  evaluate: 'evaluate',
} as const satisfies { readonly [kind: string]: VerbName }
type Kind = keyof typeof kinds

const request = {
  kind: z.enum(Object.keys(kinds) as [Kind, ...Kind[]]).optional(),
  target_id: z.string().optional().describe('number from a snapshot or an answer, such as 15'),
  text: z.string().optional().describe('to type, fill, wait for or evaluate; kind of a query; operation on tabs; dismiss for a dialog'),
  key: z.string().optional().describe('for press: Enter, Tab, Control+a'),
  direction: z.enum(['up', 'down', 'left', 'right']).optional(),
  amount: z.int().min(1).max(100_000).optional().describe('pixels to scroll, or milliseconds to wait'),
  values: z.array(z.string()).optional().describe('options to select, files to upload, target of a drag, id of a tab'),
}
const bare = Object.fromEntries(Object.entries(request).map(([field, schema]) => [field, schema.unwrap().optional()])) as typeof request

const input = z.strictObject({
  action: z.enum(['status', 'start', 'stop', 'snapshot', 'act', 'navigate']),
  target_url: z.string().optional().describe('for navigate'),
  request: z.strictObject(request).optional().describe('for act'),
  profile: z.string().optional().describe("'openclaw': a browser of its own; 'chrome': attach to the user's"),
  debugging_url: z.string().optional().describe('endpoint to attach to, on this machine'),
  hint: z.string().optional().describe('for snapshot: what you look for; the best matches come first'),
  offset: z.int().min(0).max(100_000).optional().describe('for snapshot: go on with what matches less, from here'),
  max_elements: z.int().min(1).max(1_000).default(80).describe('lines of a snapshot'),
  ...bare,
})
type Asked = z.output<typeof input>

export const browserToolList: readonly Tool[] = [
  { name: 'browser', description: 'See and operate a web page: start, navigate, snapshot, then act on numbered elements.', input },
]

/** characters of a snapshot: one screen as a flat list needs less than a whole page */
const snapshotChars = 8_000

/** One tool for everything: the browser starts at the first call that needs it, and ends with `stop`. */
export function browserTool(
  host: BrowserHost,
  talking: Omit<ResponderOptions, 'spell' | 'instead' | 'hints' | 'format'> & { readonly images?: boolean } = {},
): Toolbox & {
  close(): Promise<void>
} {
  let open: (BrowserStart & { readonly talk: Responder }) | undefined

  const start = async (asked: Asked): Promise<Failure | undefined> => {
    if (open) return undefined
    const { profile, debugging_url: debuggingUrl } = asked
    const started = await host.start({ ...(profile !== undefined && { profile }), ...(debuggingUrl !== undefined && { debuggingUrl }) })
    if (!started.ok) return started.error
    open = { ...started.data, talk: createResponder(started.data.run, { ...talking, format: 'flat', spell, instead, hints }) }
    return undefined
  }
  const close = async () => {
    const closing = open
    open = undefined
    await closing?.close()
  }

  const actions: { readonly [action in Asked['action']]: (asked: Asked, signal: AbortSignalLike | undefined) => Promise<Answer> } = {
    start: async asked => {
      const was = open !== undefined
      const failed = await start(asked)
      return failed ? failureAnswer(failed) : said(`ok: ${was ? 'already running' : 'started'}: ${open?.says ?? ''}`)
    },
    stop: async () => {
      const was = open !== undefined
      await close()
      return said(was ? 'ok: stopped' : 'ok: nothing was running')
    },
    status: async (_, signal) => {
      if (!open) return said('running: false')
      const { text } = await open.talk({ name: 'status' }, { signal })
      return said(`running: ${open.says}\n${text}`)
    },
    navigate: (asked, signal) => {
      if (asked.target_url === undefined) return said(failure('invalid_input', 'target_url is missing: navigate needs one.'))
      return onPage(asked, 'open', { url: asked.target_url }, signal)
    },
    snapshot: (asked, signal) =>
      asked.hint || asked.offset !== undefined
        ? onPage(asked, 'observe', { task: asked.hint, offset: asked.offset, maxChars: snapshotChars }, signal)
        : onPage(asked, 'snapshot', { viewport: 'visible', maxChars: snapshotChars }, signal),
    act: (asked, signal) => {
      const made = commandOf({ ...asked, ...asked.request })
      return 'code' in made ? said(made) : onPage(asked, made.verb, made.fields, signal)
    },
  }

  async function onPage(asked: Asked, verb: VerbName, fields: object, signal: AbortSignalLike | undefined): Promise<Answer> {
    if (talking.policy?.denied.has(verb)) return failureAnswer(denialOf(wordsFor(asked), allowed(asked.action)))
    const read = readFields(verbs[verb].input, fields, wordsFor(asked))
    if (!read.ok) return failureAnswer(respelled(read.error))
    const call = complete(verb, read.value, field => words[field] ?? field)
    if (!call.ok) return failureAnswer(call.error)
    const failed = await start(asked)
    if (failed || !open) return failureAnswer(failed ?? failure('not_running', 'the browser was stopped meanwhile.'))
    return open.talk(call.value, { signal, maxNodes: asked.max_elements })
  }

  const isAllowed = (verb: VerbName) => !talking.policy?.denied.has(verb) && (verb !== 'evaluate' || talking.allowEval === true)
  const allowed = (action: Asked['action']): readonly string[] => {
    if (action === 'act') return Object.entries(kinds).flatMap(([kind, verb]) => (isAllowed(verb) ? [`act ${kind}`] : []))
    return input.shape.action.options.filter(each => !actionVerbs[each] || isAllowed(actionVerbs[each]))
  }

  return {
    tools: browserToolList,
    images: talking.images ?? false,
    toModel: result => result,
    close,
    async execute(name, args = {}, { signal } = {}) {
      if (name !== 'browser') return failureAnswer(noSuchTool(name, browserToolList))
      const read = readFields(input, args, 'browser')
      return read.ok ? actions[read.value.action](read.value, signal) : failureAnswer(read.error)
    },
  }
}

type Made = { readonly verb: VerbName; readonly fields: { readonly [field: string]: unknown } }

/** The fields of this tool serve several verbs; each verb takes its own. */
function commandOf({ kind, target_id: ref, text, key, direction, amount, values }: Asked): Made | Failure {
  if (kind === undefined) return failure('invalid_input', `kind is missing: it must be one of ${Object.keys(kinds).join(', ')}.`)
  const verb = kinds[kind]
  const given: { readonly [field: string]: unknown } = {
    ref,
    ...(verb === 'fill' ? { value: text } : verb === 'evaluate' ? { js: text } : verb === 'query' ? { kind: text ?? 'text' } : { text }),
    key,
    direction,
    ...(verb === 'wait' ? { ms: amount } : { amount }),
    ...(verb === 'upload' ? { files: values } : verb === 'drag' ? { to: values?.[0] } : { values }),
    ...(verb === 'dialog' && { accept: text !== 'dismiss' && values?.[0] !== 'dismiss', text: undefined }),
    ...(verb === 'tabs' && { operation: text ?? 'list', text: undefined, tab: values?.[0] }),
  }
  return { verb, fields: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
}

const actionVerbs: { readonly [action: string]: VerbName } = { navigate: 'open', snapshot: 'snapshot', status: 'status' }

/** what was asked for, in the words of this tool */
function wordsFor({ action, kind, request: { kind: inner } = {}, hint, offset }: Asked): string {
  if (action === 'act') return `act ${inner ?? kind}`
  return action === 'snapshot' && (hint || offset !== undefined) ? 'snapshot with a hint' : action
}

/** the verbs' names of fields, in the words of this tool */
const words: { readonly [field: string]: string } = {
  ref: 'target_id',
  value: 'text',
  js: 'text',
  files: 'values',
  to: 'values',
  ms: 'amount',
  tab: 'values',
  operation: 'text',
  kind: 'text',
}
const respelled = ({ code, message }: Failure): Failure =>
  failure(
    code,
    message
      .replace(/^\w+/, word => words[word] ?? word)
      .replace(/ takes ([\w, ]+)\.$/, (_, taken: string) => ` takes ${ownOf(taken.split(', ')).join(', ') || 'no arguments'}.`),
  )
const ownOf = (taken: readonly string[]): readonly string[] =>
  [...new Set(taken.map(field => words[field] ?? field))].filter(field => Object.hasOwn(request, field))

/** fields that a note may name, in the words of this tool */
const spell = (field: string): string | undefined => ({ maxNodes: 'max_elements', offset: 'offset' })[field]

const hints: Hints = {
  option_not_found: 'Choose one of the options: act with kind=query and its target_id lists them.',
  dialog_open: 'Answer the dialog: act with kind=dialog, and text=dismiss to say no; then go on.',
}

/** there is one size of a snapshot and no part of it, so what is left out is seen otherwise */
function instead(field: string, value: string): string {
  if (field === 'limitChars') return 'ask for less'
  if (field === 'interactiveOnly') return 'act with kind=query reads one element'
  const ref = field === 'scope' ? normalizeRef(value) : null
  return ref ? `act with kind=query target_id=${ref.replace(/^e/, '')}` : 'scroll, or give a hint'
}

const said = async (what: string | Failure): Promise<Answer> => (typeof what === 'string' ? { ok: true, text: what } : failureAnswer(what))
