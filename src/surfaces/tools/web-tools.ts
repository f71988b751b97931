import * as z from 'zod'
import { needsApproval } from '../../approval/possible-classes.ts'
import { commands, derivedCommands, type ParsedCommand, type VerbName, verbs } from '../../contract/commands.ts'
import { failure } from '../../contract/failures.ts'
import { term } from '../../contract/message.ts'
import { type ParseResult, parseFields, toCommand } from '../../contract/parse-command.ts'
import type { AnyRun } from '../../contract/run.ts'
import { denialOf, findDenied } from '../../policy/command-policy.ts'
import { createDialect } from '../../render/text/dialect.ts'
import { failureAnswer } from '../respond/answer.ts'
import type { ResponderOptions } from '../respond/context.ts'
import { createResponder } from '../respond/responder.ts'
import { noSuchTool, type Tool, type Toolbox } from './tool.ts'

export interface WebTool extends Tool {
  readonly verb: VerbName
  /** the command's field behind each field of the tool */
  readonly fields: { readonly [field: string]: string }
  /** values for the fields of the verb that the tool does not offer */
  readonly defaults: { readonly [field: string]: unknown }
}

/**
 * The web tools: a name, its verb, and the fields of the verb that a model is offered. Everything else comes from the verb
 * table; the last column replaces a default or an enum where the tool differs from the verb.
 */
/** kinds of `web_query` that read the page instead of an element: each is a verb */
const pageKinds = ['console', 'requests'] as const

const rows: readonly [name: string, verb: VerbName, fields?: string, overrides?: z.ZodRawShape][] = [
  ['web_open', 'open', 'url'],
  ['web_back', 'back'],
  ['web_forward', 'forward'],
  ['web_reload', 'reload'],
  ['web_snapshot', 'snapshot', 'interactiveOnly cursorInteractive scope after viewport changes maxChars'],
  ['web_click', 'click', 'ref'],
  ['web_dblclick', 'dblclick', 'ref'],
  [
    'web_fill',
    'fill',
    'ref value',
    {
      ref: commands.fill.input.shape.ref.optional(),
      value: commands.fill.input.shape.value.optional(),
      fields: derivedCommands.fillForm.input.shape.fields.optional().describe('several fields in one call'),
      submit: derivedCommands.fillForm.input.shape.submit,
    },
  ],
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
    {
      ref: z.string().describe('element ref, such as e12; page for console and requests'),
      kind: z.enum(['text', 'html', 'outerHTML', 'value', 'attrs', 'computed_styles', 'isvisible', 'isenabled', 'ischecked', ...pageKinds]),
    },
  ],
  ['web_screenshot', 'screenshot', 'label fullPage ref annotate', { annotate: z.boolean().optional() }],
  ['web_eval', 'evaluate', 'js limitChars'],
  ['web_close', 'close'],
  ['web_tabs', 'tabs', 'operation tab url'],
  ['web_upload', 'upload', 'ref files'],
  ['web_drag', 'drag', 'ref to'],
  ['web_dialog', 'dialog', 'accept text'],
]

/** `maxChars` is `max_chars`; the limit of a single text is called `max_length` in the tools (S2-35). */
export const toSnakeCase = (field: string): string =>
  field === 'limitChars' ? 'max_length' : field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

const allTools: readonly WebTool[] = rows.map(([name, verb, offered = '', overrides = {}]) => {
  const names = [...new Set([...offered.split(' ').filter(Boolean), ...Object.keys(overrides)])]
  const shape: { [field: string]: z.ZodType } = { ...verbs[verb].input.shape, ...overrides }
  const input = z.strictObject(Object.fromEntries(names.map(field => [toSnakeCase(field), shape[field] as z.ZodType])))
  const { description, risk } = verbs[verb]
  const fields = Object.fromEntries(names.map(field => [toSnakeCase(field), field]))
  const asks = needsApproval(verb === 'fill' ? ['fill', 'fillForm'] : [verb])
  return { name, description, risk, input, verb, fields, ...(asks && { needsApproval: true }), defaults: defaultsBeside(names, verb) }
})

function defaultsBeside(offered: readonly string[], verb: VerbName): WebTool['defaults'] {
  const others = Object.entries<z.ZodType>(verbs[verb].input.shape).filter(([field]) => !offered.includes(field))
  return Object.fromEntries(
    others.flatMap(([field, schema]) => {
      const parsed = schema.safeParse(undefined)
      return parsed.success && parsed.data !== undefined ? [[field, parsed.data]] : []
    }),
  )
}

const toolNameOf = (verb: VerbName): string => allTools.find(tool => tool.verb === verb)?.name ?? verb

const offeredFields = new Set(allTools.flatMap(({ fields }) => Object.values(fields)))
const dialect = createDialect({
  spell: field => (offeredFields.has(field) ? toSnakeCase(field) : undefined),
  instead: () => 'give a scope',
})

/**
 * Options of `webTools`.
 *
 * @example
 * webTools(session.run, { only: ['web_open', 'web_snapshot'], images: true })
 */
export interface WebToolsOptions extends Omit<ResponderOptions, 'dialect'> {
  /** Only these tools, by name; `web_eval` also needs allowEval. @default all */
  readonly only?: readonly string[]
  /** Give screenshots to the model as images too, not only their paths. @default false */
  readonly images?: boolean
}

/**
 * The tools that `webTools` offers: 24, `web_eval` if it is allowed, fewer under a policy.
 *
 * @example
 * const openai = toOpenAI(webToolList({ allowEval: true }))
 */
export function webToolList({ allowEval = false, only, policy }: WebToolsOptions = {}): readonly WebTool[] {
  const unknown = only?.find(name => !allTools.some(tool => tool.name === name))
  if (unknown !== undefined) throw new TypeError(`there is no tool ${unknown}; the tools are ${namesOf(allTools).join(', ')}`)
  return allTools.filter(
    ({ name, verb }) => (allowEval || name !== 'web_eval') && (only?.includes(name) ?? true) && !policy?.denied.has(verb),
  )
}

const namesOf = (tools: readonly WebTool[]): readonly string[] => tools.map(({ name }) => name)

/**
 * The web tools on a page.
 *
 * @example
 * const tools = webTools(session.run)
 * const { text } = await tools.execute('web_click', { ref: 'e12' })
 */
export function webTools(run: AnyRun, { policy, ...options }: WebToolsOptions = {}): Toolbox {
  const tools = webToolList({ ...options, ...(policy && { policy }) })
  const respond = createResponder(run, { ...options, dialect })
  return {
    tools,
    images: options.images ?? false,
    toModel: result => result,
    async execute(name, args = {}, { signal } = {}) {
      const tool = allTools.find(each => each.name === name)
      if (tool?.verb === 'evaluate' && !options.allowEval)
        return failureAnswer(failure('disabled', 'web_eval is not offered, because it runs code in the page.'))
      // a tab that opens at a URL needs web_open as well
      const denied =
        tool &&
        policy &&
        findDenied({ ...(args as object), name: tool.verb === 'fill' && isForm(args) ? 'fillForm' : tool.verb }, policy.denied)
      if (denied) return failureAnswer(denialOf(toolNameOf(denied), namesOf(tools), policy))
      if (!tool || !tools.includes(tool)) return failureAnswer(noSuchTool(name, tools))
      const input = parseFields(tool.input, args, { label: name })
      if (!input.ok) return failureAnswer(input.error)
      const fields = Object.fromEntries(Object.entries(input.value).map(([field, value]) => [tool.fields[field] as string, value]))
      const command =
        tool.verb === 'fill'
          ? toFill(fields)
          : tool.verb === 'query'
            ? toQuery(fields)
            : toCommand(tool.verb, { ...tool.defaults, ...fields }, { spell: toSnakeCase })
      return command.ok ? respond(command.value, { signal }) : failureAnswer(command.error)
    },
  }
}

function isForm(args: unknown): boolean {
  const { fields, submit } = (args ?? {}) as { readonly fields?: unknown; readonly submit?: unknown }
  return (fields ?? undefined) !== undefined || submit === true
}

/** One field, or several and the form around them. */
function toFill({ ref, value, fields, submit }: { readonly [field: string]: unknown }): ParseResult<ParsedCommand> {
  if (fields !== undefined && (ref ?? value) !== undefined)
    return refuse('ref and value are for one field: leave them out, or add them to fields.', 'fields')
  if (fields === undefined && ref === undefined) return refuse('ref is missing: web_fill takes ref and value, or fields.', 'ref')
  if (fields === undefined && value === undefined)
    return refuse('value is missing: it must be a string; an empty one clears the field.', 'value')
  if (fields === undefined && !submit) return toCommand('fill', { ref, value })
  return toCommand('fillForm', { fields: fields ?? [{ ref, value }], ...(submit === true && { submit }) })
}

/** One element, or what the page has logged and requested: the kind decides, whatever the ref is. */
function toQuery({ ref, kind, limitChars }: { readonly [field: string]: unknown }): ParseResult<ParsedCommand> {
  const verb = pageKinds.find(each => each === kind)
  if (verb)
    return toCommand(verb, limitChars === undefined ? {} : { maxChars: Math.max(Number(limitChars), minLogChars) }, { spell: toSnakeCase })
  return toCommand('query', { ref, kind, ...(limitChars !== undefined && { limitChars }) }, { spell: toSnakeCase })
}
const minLogChars = 200

const refuse = (message: string, field: string): ParseResult<never> => ({
  ok: false,
  error: failure('invalid_input', term(message), { field }),
})
