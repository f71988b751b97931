import * as z from 'zod'
import { type VerbName, verbs } from '../../contract/commands.ts'
import { type Failure, failure } from '../../contract/failures.ts'
import { complete, readFields } from '../../contract/parse-command.ts'
import type { Run } from '../../contract/run.ts'
import { denialOf } from '../../policy/command-policy.ts'
import {
  type Answer,
  createResponder,
  failureAnswer,
  type Hints,
  type ResponderOptions,
  type SavedScreenshot,
} from '../respond/responder.ts'
import { noSuchTool, type Tool, type Toolbox } from './tool.ts'

/** What every tool of the sub-agent answers. */
export interface AgentResult {
  readonly ok: boolean
  /** null where it failed */
  readonly data: AgentData | null
  readonly error?: Failure
}

export interface AgentData {
  /** for the model, within its budget */
  readonly text: string
  readonly refs?: readonly string[]
  /** where observe and extract go on; null at the end */
  readonly nextOffset?: number | null
  /** of `close`: the task is over, and this is its outcome */
  readonly summary?: string
  readonly picture?: SavedScreenshot
}

const { snapshot, observe, extract, wait, scroll } = verbs
const { ref: refInput } = verbs.click.input.shape

/** what `browser-act` can do, and the verb behind each word */
const acts = {
  click: 'click',
  dblclick: 'dblclick',
  hover: 'hover',
  fill: 'fill',
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

const actInput = z.strictObject({
  action: z.enum(Object.keys(acts) as [keyof typeof acts, ...(keyof typeof acts)[]]),
  ref: refInput.optional(),
  button: verbs.click.input.shape.button.unwrap().optional().describe('for click: left unless given'),
  modifiers: verbs.click.input.shape.modifiers.unwrap().optional().describe('for click: keys held meanwhile'),
  text: z.string().optional().describe('for fill (replaces, empty clears) and type'),
  values: z.array(z.string()).optional().describe('for select: options by value or text'),
  key: z.string().optional().describe('for press: Enter, Tab, Control+a'),
  direction: scroll.input.shape.direction.optional(),
  amount: scroll.input.shape.amount.unwrap().optional().describe('for scroll: CSS pixels'),
  to: refInput.optional().describe('for drag: ref to drop on'),
  files: z.array(z.string()).optional().describe('for upload: paths'),
})

type Made = { readonly verb: VerbName; readonly fields: { readonly [field: string]: unknown } }
interface AgentTool extends Tool {
  /** the command that a checked input stands for; null ends the task */
  made(input: { readonly [field: string]: unknown }): Made | null
}

const { maxChars, scope, offset } = observe.input.shape
type Fields = Made['fields']

/** a tool that stands for one verb */
const one = (name: string, verb: VerbName, input: z.ZodObject, fields: (given: Fields) => Fields = same => same): AgentTool => ({
  name,
  description: verbs[verb].description,
  risk: verbs[verb].risk,
  verb,
  input,
  made: given => ({ verb, fields: fields(given) }),
})

/** The tools of the browser sub-agent; `name` is the one id there is. */
const all: readonly AgentTool[] = [
  one('open-url', 'open', verbs.open.input),
  one('browser-observe', 'observe', z.strictObject({ task: observe.input.shape.task, scope, offset, maxChars })),
  one(
    'browser-snapshot',
    'snapshot',
    snapshot.input.pick({ interactiveOnly: true, scope: true, after: true, viewport: true, maxChars: true }).strict(),
  ),
  {
    name: 'browser-act',
    description: 'Do one thing to the page: click, fill, type, select, press a key, scroll, go back.',
    input: actInput,
    made: ({ action, ...fields }) => actOf(action as keyof typeof acts, fields),
  },
  one(
    'browser-wait',
    'wait',
    z.strictObject({
      load: wait.input.shape.load,
      textIncludes: wait.input.shape.text,
      urlIncludes: wait.input.shape.url,
      selector: wait.input.shape.selector,
      timeout: wait.input.shape.ms.describe('just wait so many milliseconds'),
      timeoutMs: wait.input.shape.timeoutMs.describe('give up after so many milliseconds'),
    }),
    ({ textIncludes: text, urlIncludes: url, timeout: ms, ...fields }) => ({ pollMs: 100, ...fields, ...present({ text, url, ms }) }),
  ),
  one(
    'browser-extract',
    'extract',
    z.strictObject({ query: extract.input.shape.query, scope, offset, maxChars: extract.input.shape.maxChars }),
  ),
  {
    name: 'close',
    description: 'End the task. The summary is its outcome: what was done and found, or why not.',
    input: z.strictObject({ summary: z.string() }),
    made: () => null,
  },
]

function actOf(action: keyof typeof acts, { text, ...fields }: { readonly [field: string]: unknown }): Made {
  const verb = acts[action]
  const words = text === undefined ? {} : { [verb === 'fill' ? 'value' : 'text']: text }
  return { verb, fields: { ...fields, ...words } }
}

const present = (fields: { readonly [field: string]: unknown }) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

export const agentToolList: readonly Tool[] = all

/** none of these tools answers a dialog */
const hints: Hints = { dialog_open: 'open-url dismisses the dialog; where it needs an answer, close and say so.' }

/** the fields that a note may name */
const known = new Set(all.flatMap(({ input }) => Object.keys(input.shape)))

/** The seven tools of the browser sub-agent on a page; fewer under a policy. */
export function agentTools(run: Run, talking: Omit<ResponderOptions, 'spell' | 'instead' | 'hints'> = {}): Toolbox<AgentResult> {
  const answer = createResponder(run, {
    ...talking,
    hints,
    spell: field => (known.has(field) ? field : undefined),
    instead: () => 'give a scope',
  })
  const isDenied = (verb: VerbName | undefined) => verb !== undefined && talking.policy?.denied.has(verb) === true
  const tools = all.filter(({ verb }) => !isDenied(verb))
  let isOver = false
  return {
    tools,
    images: false,
    toModel: ({ ok, data, error }) => ({
      ok,
      text: data?.text ?? (error ? failureAnswer(error).text : ''),
      ...(error && { error }),
      ...(data?.picture && { picture: data.picture }),
    }),
    async execute(name, args = {}, { signal } = {}) {
      const tool = all.find(each => each.name === name)
      if (!tool) return failed(noSuchTool(name, tools))
      if (isDenied(tool.verb)) return failed(denialOf(name, namesOf(tools)))
      const read = readFields(tool.input, args, name)
      if (!read.ok) return failed(read.error)
      if (isOver && tool.verb !== 'open') return failed(over(tools))
      const made = tool.made(read.value)
      if (!made) {
        const end = closed(String(read.value.summary), tools)
        isOver = end.ok
        return end
      }
      // only browser-act stands for several verbs
      if (isDenied(made.verb)) return failed(denialOf(`${name} ${read.value.action}`, actsWithout(isDenied)))
      // what an act needs and what it does not take is the verb's to say
      const fields = readFields(verbs[made.verb].input, present(made.fields), `${name} ${read.value.action ?? ''}`.trim())
      // the verb speaks of the value of a field, this tool of its text
      if (!fields.ok) return failed({ ...fields.error, message: fields.error.message.replace(/^value\b/, 'text') })
      const call = complete(made.verb, fields.value)
      if (!call.ok) return failed(call.error)
      isOver = false
      return resultOf(await answer(call.value, { signal }))
    },
  }
}

const failed = (error: Failure): AgentResult => ({ ok: false, data: null, error })

const namesOf = (tools: readonly Tool[]): readonly string[] => tools.map(({ name }) => name)
const actsWithout = (isDenied: (verb: VerbName) => boolean): readonly string[] =>
  Object.entries(acts).flatMap(([action, verb]) => (isDenied(verb) ? [] : [action]))

function closed(summary: string, tools: readonly Tool[]): AgentResult {
  if (summary.trim() === '') return failed(failure('invalid_input', 'summary is empty: say what was done and found.'))
  return { ok: true, data: { text: `the task is closed; the page stays as it is. ${next(tools)}`, summary } }
}

/** after `close` nothing goes on by itself: who wants to, says so by opening a page */
const over = (tools: readonly Tool[]): Failure => ({ ...failure('not_running', 'the task is closed.'), hint: next(tools) })
const next = (tools: readonly Tool[]): string =>
  tools.some(({ verb }) => verb === 'open') ? 'open-url begins another task.' : 'Nothing more can be done here: tell the user its summary.'

function resultOf({ ok, text, error, refs, nextOffset, picture }: Answer): AgentResult {
  if (error || !ok) return failed(error ?? failure('outcome_unknown', text))
  return {
    ok,
    data: { text, ...(refs && { refs }), ...(nextOffset !== undefined && { nextOffset }), ...(picture && { picture }) },
  }
}
