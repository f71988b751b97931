import * as z from 'zod'
import type { VerbName } from '../../contract/commands.ts'
import { type Failure, failure } from '../../contract/failures.ts'
import { say, term } from '../../contract/message.ts'
import { parseCommand, parseFields } from '../../contract/parse-command.ts'
import { normalizeRef } from '../../contract/refs.ts'
import type { AbortSignalLike, AnyRun, Result } from '../../contract/run.ts'
import { denialOf } from '../../policy/command-policy.ts'
import { createDialect } from '../../render/text/dialect.ts'
import { localizeFailure } from '../../render/text/failure.ts'
import { type Answer, failureAnswer } from '../respond/answer.ts'
import type { ResponderOptions } from '../respond/context.ts'
import { createResponder, type Responder } from '../respond/responder.ts'
import { noSuchTool, type Tool, type Toolbox } from './tool.ts'

/**
 * Starts and ends the browser behind the tool.
 *
 * @example
 * const host: BrowserHost = {
 *   start: async () => {
 *     const session = await openSession()
 *     return { ok: true, data: { run: session.run, description: 'temporary', close: () => session.close() } }
 *   },
 * }
 */
export interface BrowserHost {
  start(wanted: { readonly profile?: string; readonly debuggingUrl?: string }): Promise<Result<BrowserStart>>
}
/**
 * A browser that was started for the tool.
 *
 * @example
 * const started: BrowserStart = { run: session.run, description: 'temporary', close: () => session.close() }
 */
export interface BrowserStart {
  readonly run: AnyRun
  /** Shown by `status`, for example "attached to chrome". */
  readonly description: string
  close(): Promise<void>
}

/** The kinds of `act` and the verb behind each. */
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
  target_id: z.string().optional().describe('element of a snapshot or an answer, written 15, [15] or e15'),
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
  profile: z.string().optional().describe("'openclaw': a temporary browser; 'chrome': the user's own, only if the user allowed it"),
  debugging_url: z.string().optional().describe("endpoint of the user's browser on this machine, only if the user allowed it"),
  hint: z.string().optional().describe('for snapshot: what you look for; the best matches come first'),
  offset: z.int().min(0).max(100_000).optional().describe('for snapshot: continue with weaker matches from this offset'),
  max_elements: z.int().min(1).max(1_000).default(80).describe('lines of a snapshot'),
  ...bare,
})
type BrowserInput = z.output<typeof input>

/**
 * The `browser` tool.
 *
 * @example
 * const openai = toOpenAI(browserToolList)
 */
export const browserToolList: readonly Tool[] = [
  { name: 'browser', description: 'See and operate a web page: start, navigate, snapshot, then act on numbered elements.', input },
]

export interface BrowserToolOptions extends Omit<ResponderOptions, 'dialect' | 'format'> {
  readonly images?: boolean
  /**
   * Whether the model may use the user's own browser: `profile: 'chrome'` and `debugging_url`. That browser has all logins of the user.
   * @default false
   */
  readonly allowUserBrowser?: boolean
}

/** Characters of a snapshot: one screen as a flat list needs less than a whole page. */
const snapshotChars = 8_000

/**
 * One tool for everything. The browser starts with the first call that needs it and ends with `stop`.
 *
 * @example
 * const tool = browserTool(host)
 * await tool.execute('browser', { action: 'navigate', target_url: 'https://example.org/' })
 */
export function browserTool(
  host: BrowserHost,
  { policy, allowUserBrowser = false, ...options }: BrowserToolOptions = {},
): Toolbox & {
  close(): Promise<void>
} {
  let open: (BrowserStart & { readonly respond: Responder }) | undefined

  const start = async (asked: BrowserInput): Promise<Failure | undefined> => {
    if (open) return undefined
    const { debugging_url: debuggingUrl } = asked
    if (!allowUserBrowser && (asked.profile === 'chrome' || debuggingUrl !== undefined)) return userBrowserDenied
    // the name that the specification of this tool uses
    const profile = asked.profile === 'openclaw' ? 'temporary' : asked.profile
    const started = await host.start({ ...(profile !== undefined && { profile }), ...(debuggingUrl !== undefined && { debuggingUrl }) })
    if (!started.ok) return started.error
    open = {
      ...started.data,
      respond: createResponder(started.data.run, { ...options, format: 'flat', viewport: 'visible', dialect }),
    }
    return undefined
  }
  const close = async () => {
    const closing = open
    open = undefined
    await closing?.close()
  }

  const actions: {
    readonly [action in BrowserInput['action']]: (asked: BrowserInput, signal: AbortSignalLike | undefined) => Promise<Answer>
  } = {
    start: async asked => {
      const was = open !== undefined
      const failed = await start(asked)
      return failed ? failureAnswer(failed) : answer(`ok: ${was ? 'already running' : 'started'}: ${open?.description ?? ''}`)
    },
    stop: async () => {
      const was = open !== undefined
      await close()
      return answer(was ? 'ok: stopped' : 'ok: nothing was running')
    },
    status: async (_, signal) => {
      if (!open) return answer('running: false')
      const { text } = await open.respond({ name: 'status' }, { signal })
      return answer(`running: ${open.description}\n${text}`)
    },
    navigate: (asked, signal) => {
      if (asked.target_url === undefined) return answer(failure('invalid_input', 'target_url is missing: navigate needs one.'))
      return onPage(asked, 'open', { url: asked.target_url }, signal)
    },
    snapshot: (asked, signal) =>
      asked.hint || asked.offset !== undefined
        ? onPage(asked, 'observe', { task: asked.hint, offset: asked.offset, maxChars: snapshotChars }, signal)
        : onPage(asked, 'snapshot', { viewport: 'visible', maxChars: snapshotChars }, signal),
    act: (asked, signal) => {
      const made = commandOf({ ...asked, ...asked.request })
      return 'code' in made ? answer(made) : onPage(asked, made.verb, made.fields, signal)
    },
  }

  async function onPage(asked: BrowserInput, verb: VerbName, fields: object, signal: AbortSignalLike | undefined): Promise<Answer> {
    if (policy?.denied.has(verb)) return failureAnswer(denialOf(labelOf(asked), allowed(asked.action), policy))
    const command = parseCommand({ ...fields, name: verb }, { label: labelOf(asked), spell: spellField })
    if (!command.ok) return failureAnswer(localizeFailure(command.error, dialect))
    const failed = await start(asked)
    if (failed || !open) return failureAnswer(failed ?? failure('not_running', 'the browser was stopped in the meantime.'))
    return open.respond(command.value, { signal, maxNodes: asked.max_elements })
  }

  const isAllowed = (verb: VerbName) => !policy?.denied.has(verb) && (verb !== 'evaluate' || options.allowEval === true)
  const allowed = (action: BrowserInput['action']): readonly string[] => {
    if (action === 'act') return Object.entries(kinds).flatMap(([kind, verb]) => (isAllowed(verb) ? [`act ${kind}`] : []))
    return input.shape.action.options.filter(each => !actionVerbs[each] || isAllowed(actionVerbs[each]))
  }

  return {
    tools: browserToolList,
    images: options.images ?? false,
    toModel: result => result,
    close,
    async execute(name, args = {}, { signal } = {}) {
      if (name !== 'browser') return failureAnswer(noSuchTool(name, browserToolList))
      const parsed = parseFields(input, args, { label: 'browser' })
      return parsed.ok ? actions[parsed.value.action](parsed.value, signal) : failureAnswer(parsed.error)
    },
  }
}

const userBrowserDenied = failure(
  'disabled',
  "the user's own browser may be used only if the user has allowed it: pagehand mcp --profile chrome, or --attach ENDPOINT. Start without profile and debugging_url to use a temporary browser.",
)

type VerbCall = { readonly verb: VerbName; readonly fields: { readonly [field: string]: unknown } }

/** The fields of this tool serve several verbs; this picks those of one verb. */
function commandOf({ kind, target_id: ref, text, key, direction, amount, values }: BrowserInput): VerbCall | Failure {
  if (kind === undefined) return failure('invalid_input', say`kind is missing: it must be one of ${term(Object.keys(kinds).join(', '))}.`)
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

/** The call as this tool names it. */
function labelOf({ action, kind, request: { kind: inner } = {}, hint, offset }: BrowserInput): string {
  if (action === 'act') return `act ${inner ?? kind}`
  return action === 'snapshot' && (hint || offset !== undefined) ? 'snapshot with a hint' : action
}

/** Fields of the verbs that have another name in this tool. */
const fieldNames: { readonly [field: string]: string } = {
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
const spellField = (field: string): string | undefined => {
  const name = fieldNames[field] ?? field
  return Object.hasOwn(request, name) ? name : undefined
}

const dialect = createDialect({
  spell: field => (field === 'maxNodes' ? 'max_elements' : field === 'offset' ? field : undefined),
  // this tool has no option for the size or the scope of a snapshot, so a note names another way to see the rest
  instead: (field, value) => {
    if (field === 'limitChars') return 'ask for less'
    if (field === 'interactiveOnly') return 'act with kind=query reads one element'
    const ref = field === 'scope' ? normalizeRef(value) : null
    return ref ? `act with kind=query target_id=${ref.replace(/^e/, '')}` : 'scroll, or give a hint'
  },
  hints: {
    invalid_ref: 'target_id is an element of the snapshot, written as there: 12, [12] or e12.',
    option_not_found: 'Choose one of the options: act with kind=query and its target_id lists them.',
    dialog_open: 'Answer the dialog: act with kind=dialog, and text=dismiss to say no; then go on.',
  },
})

const answer = async (what: string | Failure): Promise<Answer> =>
  typeof what === 'string' ? { ok: true, text: what } : failureAnswer(what)
