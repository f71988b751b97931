import * as z from 'zod'
import { type VerbName, verbs } from '../../contract/commands.ts'
import { failure } from '../../contract/failures.ts'
import { complete, readFields } from '../../contract/parse-command.ts'
import type { Run } from '../../contract/run.ts'
import { denialOf, findDenied } from '../../policy/command-policy.ts'
import { createResponder, failureAnswer, type ResponderOptions } from '../respond/responder.ts'
import { noSuchTool, type Tool, type Toolbox } from './tool.ts'

export interface WebTool extends Tool {
  readonly verb: VerbName
  /** the command's field behind each field of the tool */
  readonly fields: { readonly [field: string]: string }
}

/**
 * The web tools: a name, the verb it stands for, and the fields of the verb that a model is offered. All else comes from the table of verbs;
 * `but` changes a default or a list where the tool's own document says so.
 */
const rows: readonly [name: string, verb: VerbName, fields?: string, but?: z.ZodRawShape][] = [
  ['web_open', 'open', 'url'],
  ['web_back', 'back'],
  ['web_forward', 'forward'],
  ['web_reload', 'reload'],
  [
    'web_snapshot',
    'snapshot',
    'interactiveOnly cursorInteractive scope after viewport maxChars',
    { cursorInteractive: z.boolean().default(false).describe('true adds elements that only show a hand cursor') },
  ],
  ['web_click', 'click', 'ref'],
  ['web_dblclick', 'dblclick', 'ref'],
  ['web_fill', 'fill', 'ref value'],
  ['web_type', 'type', 'ref text'],
  ['web_select', 'select', 'ref values'],
  ['web_check', 'check', 'ref'],
  ['web_uncheck', 'uncheck', 'ref'],
  ['web_hover', 'hover', 'ref'],
  ['web_scroll_into_view', 'scrollIntoView', 'ref'],
  ['web_scroll', 'scroll', 'direction amount ref'],
  ['web_press_key', 'press', 'key'],
  ['web_wait', 'wait', 'ms selector text textGone url load timeoutMs pollMs'],
  [
    'web_query',
    'query',
    'ref kind limitChars',
    { kind: z.enum(['text', 'html', 'outerHTML', 'value', 'attrs', 'computed_styles', 'isvisible', 'isenabled', 'ischecked']) },
  ],
  ['web_screenshot', 'screenshot', 'label'],
  ['web_eval', 'evaluate', 'js limitChars'],
  ['web_close', 'close'],
  // beyond the documents
  ['web_tabs', 'tabs', 'operation tab url'],
  ['web_upload', 'upload', 'ref files'],
  ['web_drag', 'drag', 'ref to'],
  ['web_dialog', 'dialog', 'accept text'],
]

/** `maxChars` is `max_chars`; a limit of one text has its own name since the first document */
export const snake = (field: string): string =>
  field === 'limitChars' ? 'max_length' : field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

const all: readonly WebTool[] = rows.map(([name, verb, wanted = '', but = {}]) => {
  const names = wanted.split(' ').filter(Boolean)
  const shape: { [field: string]: z.ZodType } = { ...verbs[verb].input.shape, ...but }
  const input = z.strictObject(Object.fromEntries(names.map(field => [snake(field), shape[field] as z.ZodType])))
  const { description, risk } = verbs[verb]
  return { name, description, risk, input, verb, fields: Object.fromEntries(names.map(field => [snake(field), field])) }
})

const nameOf = (verb: VerbName): string => all.find(tool => tool.verb === verb)?.name ?? verb

const known = new Set(all.flatMap(({ fields }) => Object.values(fields)))
const spelled = (field: string): string | undefined => (known.has(field) ? snake(field) : undefined)

export interface WebToolsOptions extends Omit<ResponderOptions, 'spell' | 'instead' | 'hints'> {
  /** only these, by name; `web_eval` also needs allowEval */
  readonly only?: readonly string[]
  readonly images?: boolean
}

/** The tools there are: 24, and `web_eval` where it is allowed; fewer under a policy. */
export function webToolList({ allowEval = false, only, policy }: WebToolsOptions = {}): readonly WebTool[] {
  const unknown = only?.find(name => !all.some(tool => tool.name === name))
  if (unknown !== undefined) throw new TypeError(`there is no tool ${unknown}; there are ${all.map(({ name }) => name).join(', ')}`)
  return all.filter(({ name, verb }) => (allowEval || name !== 'web_eval') && (only?.includes(name) ?? true) && !policy?.denied.has(verb))
}

/** The web tools on a page: `execute('web_click', { ref: 'e12' })` answers text for a model. */
export function webTools(run: Run, options: WebToolsOptions = {}): Toolbox {
  const tools = webToolList(options)
  const offered = tools.map(({ name }) => name)
  const denied = options.policy?.denied ?? new Set<VerbName>()
  const answer = createResponder(run, { ...options, spell: spelled, instead: () => 'give a scope' })
  return {
    tools,
    images: options.images ?? false,
    toModel: result => result,
    async execute(name, args = {}, { signal } = {}) {
      const tool = all.find(each => each.name === name)
      if (tool?.verb === 'evaluate' && !options.allowEval)
        return failureAnswer(failure('disabled', 'web_eval runs code in the page and is switched off here.'))
      if (tool && denied.has(tool.verb)) return failureAnswer(denialOf(name, offered))
      if (!tool || !tools.includes(tool)) return failureAnswer(noSuchTool(name, tools))
      const read = readFields(tool.input, args, name)
      if (!read.ok) return failureAnswer(read.error)
      const fields = Object.fromEntries(Object.entries(read.value).map(([field, value]) => [tool.fields[field] as string, value]))
      const call = complete(tool.verb, { ...defaultsOf(tool), ...fields }, snake)
      if (!call.ok) return failureAnswer(call.error)
      // a tab at an address opens it
      const lacks = findDenied(call.value, denied)
      return lacks ? failureAnswer(denialOf(nameOf(lacks), offered)) : answer(call.value, { signal })
    },
  }
}

/** what the verb takes for the fields that this tool does not offer */
const defaultsOf = (tool: WebTool): { readonly [field: string]: unknown } =>
  Object.fromEntries(
    Object.entries(verbs[tool.verb].input.shape).flatMap(([field, schema]) => {
      const given = schema.safeParse(undefined)
      return given.success && given.data !== undefined && !Object.values(tool.fields).includes(field) ? [[field, given.data]] : []
    }),
  )
