// The tools of the browser sub-agent as data: names, inputs, and the command for each call.
import * as z from 'zod'
import { needsApproval } from '../../approval/possible-classes.ts'
import { type VerbName, verbs } from '../../contract/commands.ts'
import type { AnyCommand } from '../../contract/run.ts'
import type { Tool } from './tool.ts'

const { snapshot, observe, extract, wait, scroll } = verbs
const { ref: refInput } = verbs.click.input.shape

/** The actions of `browser-act` and the verb behind each. */
export const acts = {
  click: 'click',
  dblclick: 'dblclick',
  hover: 'hover',
  fill: 'fill',
  fillForm: 'fillForm',
  type: 'type',
  select: 'select',
  check: 'check',
  uncheck: 'uncheck',
  press: 'press',
  scroll: 'scroll',
  scrollIntoView: 'scrollIntoView',
  drag: 'drag',
  upload: 'upload',
  back: 'back',
  forward: 'forward',
  reload: 'reload',
} as const satisfies { readonly [word: string]: VerbName }

const oneAction = z.strictObject({
  action: z.enum(Object.keys(acts) as [keyof typeof acts, ...(keyof typeof acts)[]]),
  ref: refInput.optional(),
  button: verbs.click.input.shape.button.unwrap().optional().describe('for click (default: left)'),
  modifiers: verbs.click.input.shape.modifiers.unwrap().optional().describe('for click: keys to hold down'),
  text: z.string().optional().describe('for fill (replaces, empty clears) and type'),
  fields: verbs.fillForm.input.shape.fields.optional().describe('for fillForm'),
  submit: verbs.fillForm.input.shape.submit.describe('for fillForm: send the form afterwards'),
  values: z.array(z.string()).optional().describe('for select: options by value or text'),
  key: z.string().optional().describe('for press: Enter, Tab, Control+a'),
  direction: scroll.input.shape.direction.optional(),
  amount: scroll.input.shape.amount.unwrap().optional().describe('for scroll: CSS pixels'),
  to: refInput.optional().describe('for drag: ref to drop on'),
  files: z.array(z.string()).optional().describe('for upload: file paths'),
})

const nextAction = z.strictObject({
  ...oneAction.pick({ ref: true, text: true, values: true, key: true }).shape,
  action: oneAction.shape.action.extract(['click', 'dblclick', 'hover', 'fill', 'type', 'select', 'check', 'uncheck', 'press']),
})

const actInput = z.strictObject({
  ...oneAction.shape,
  next: z.array(nextAction).max(9).optional().describe('more actions on the elements you see, in order, as long as the page stays'),
})

export type Fields = { readonly [field: string]: unknown }
export interface AgentTool extends Tool {
  /** the command for a parsed input; null ends the task */
  toCommand(input: Fields): AnyCommand | null
}

const { maxChars, scope, offset } = observe.input.shape

/** A tool for one verb. */
const toolFor = (name: string, verb: VerbName, input: z.ZodObject, toFields: (given: Fields) => Fields = given => given): AgentTool => ({
  name,
  description: verbs[verb].description,
  risk: verbs[verb].risk,
  verb,
  input,
  ...(needsApproval([verb]) && { needsApproval: true }),
  toCommand: given => ({ ...toFields(given), name: verb }),
})

/** The tools of the browser sub-agent; `name` is the one id there is. */
export const allTools: readonly AgentTool[] = [
  toolFor('open-url', 'open', verbs.open.input),
  toolFor('browser-observe', 'observe', z.strictObject({ task: observe.input.shape.task, scope, offset, maxChars })),
  toolFor(
    'browser-snapshot',
    'snapshot',
    snapshot.input.pick({ interactiveOnly: true, scope: true, after: true, viewport: true, changes: true, maxChars: true }).strict(),
  ),
  {
    name: 'browser-act',
    description: 'Act on the page: click, fill, type, select, press a key, scroll, go back; several in order with next.',
    input: actInput,
    ...(needsApproval(Object.values(acts)) && { needsApproval: true }),
    toCommand: ({ next: _, action, ...fields }) => toAction(action as keyof typeof acts, fields),
  },
  toolFor(
    'browser-wait',
    'wait',
    z.strictObject({
      load: wait.input.shape.load,
      textIncludes: wait.input.shape.text,
      urlIncludes: wait.input.shape.url,
      selector: wait.input.shape.selector,
      timeout: wait.input.shape.ms.describe('fixed time in milliseconds'),
      timeoutMs: wait.input.shape.timeoutMs.describe('give up after this many milliseconds'),
    }),
    ({ textIncludes: text, urlIncludes: url, timeout: ms, ...fields }) => ({
      pollMs: 100,
      ...fields,
      ...withoutUndefined({ text, url, ms }),
    }),
  ),
  {
    name: 'browser-extract',
    description: 'Find passages, tables and lists on a topic, the best match first; without a query, read the whole page from its start.',
    risk: 'look',
    input: z.strictObject({ query: extract.input.shape.query, scope, offset, maxChars: extract.input.shape.maxChars }),
    toCommand: given => ({ ...given, name: given.query === undefined ? 'read' : 'extract' }),
  },
  {
    name: 'close',
    description: 'End the task. The summary is its outcome: what was done and found, or why not.',
    input: z.strictObject({
      summary: z.string(),
      evidence: z.array(z.string()).optional().describe('what the page showed, quoted'),
      done: z.boolean().optional().describe('false if the goal was not reached'),
    }),
    toCommand: () => null,
  },
]

/** For agents that may use several tabs (S3-52); the sub-agent tools proper have one page. */
export const tabsTool = toolFor('browser-tabs', 'tabs', verbs.tabs.input)

function toAction(action: keyof typeof acts, { text, ...fields }: Fields): AnyCommand {
  const name = acts[action]
  return { ...fields, ...(text !== undefined && { [name === 'fill' ? 'value' : 'text']: text }), name }
}

/** `browser-act` has one field for all text; the verb `fill` calls it value */
export const spellField = (field: string): string => (field === 'value' ? 'text' : field)

export const withoutUndefined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/**
 * The tools of the browser sub-agent.
 *
 * @example
 * const openai = toOpenAI(agentToolList)
 */
export const agentToolList: readonly Tool[] = allTools
