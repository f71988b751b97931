import * as z from 'zod'
import type { DriverVerb } from './command-inputs.generated.ts'
import { modifierKeys } from './keys.ts'
import { mouseButtons, queryKinds, queryLimits, scrollDirections, waitStates } from './page-api.ts'

export type { DriverVerb }

/**
 * How much a verb can change: `look` reads, `move` changes only what is shown, `act` operates the page, `leave` goes to another page,
 * `power` runs code or touches files.
 *
 * @example
 * const isHarmless = (risk: Risk) => risk === 'look' || risk === 'move'
 */
export type Risk = 'look' | 'move' | 'act' | 'leave' | 'power'

export interface VerbSpec<Shape extends z.ZodRawShape> {
  /** One sentence for people and models. */
  readonly description: string
  readonly risk: Risk
  readonly input: z.ZodObject<Shape, z.core.$strict>
  /** The default limit of the answer's text, in characters. */
  readonly chars: number
  /** The command fails after this time. */
  readonly deadlineMs: number
  /** Doing it twice in a row has the effect of doing it once. */
  readonly idempotent: boolean
}

const verb = <Shape extends z.ZodRawShape>(
  risk: Risk,
  description: string,
  shape: Shape,
  // an action may lead to another page, which its answer describes
  {
    chars = risk === 'look' || risk === 'move' ? 1_500 : 3_000,
    deadlineMs = 10_000,
    idempotent = risk === 'look',
  }: Partial<VerbTraits> = {},
): VerbSpec<Shape> => ({ description, risk, input: z.strictObject(shape), chars, deadlineMs, idempotent })

type VerbTraits = Pick<VerbSpec<z.ZodRawShape>, 'chars' | 'deadlineMs' | 'idempotent'>
const idempotent = { idempotent: true }

// without a description: every snapshot shows what a ref looks like, and 14 tools take one
const ref = z.string()
const integer = (min: number, max: number) => z.int().min(min).max(max)
const maxChars = integer(200, 100_000)
const navigation = { deadlineMs: 30_000 }
const press = {
  button: z.enum(mouseButtons).optional().describe('mouse button (default: left)'),
  modifiers: z.array(z.enum(modifierKeys)).optional().describe('keys to hold down'),
}

/**
 * The verbs of a driver. Tools, contracts, the command line, its help, types and the tables in docs/ are generated from this table.
 *
 * @example
 * const { description, risk } = commands.click
 */
export const commands = {
  open: verb(
    'leave',
    'Open a URL and wait until it has loaded.',
    { url: z.string().describe('http, https or file URL') },
    { ...navigation, ...idempotent },
  ),
  back: verb('leave', 'Go back one page.', {}, navigation),
  forward: verb('leave', 'Go forward one page.', {}, navigation),
  reload: verb('leave', 'Load the page again.', {}, navigation),
  close: verb('move', 'Leave the page: go to about:blank.', {}, { ...navigation, ...idempotent }),

  snapshot: verb(
    'look',
    'See the page: its controls with refs, within a budget.',
    {
      interactiveOnly: z.boolean().default(true).describe('false adds headings, text and images'),
      cursorInteractive: z.boolean().default(true).describe('false: without elements that only show a pointer cursor'),
      scope: z.string().optional().describe('only this part: ref or CSS selector'),
      after: z.string().optional().describe('continue after this ref'),
      viewport: z.enum(['all', 'visible']).default('all').describe('visible: only what is in the viewport'),
      order: z.enum(['importance', 'document']).optional().describe('document: from the start of the page'),
      changes: z.boolean().optional().describe('true: only what changed since the last look'),
      maxChars: maxChars.default(12_000).describe('maximum characters'),
    },
    { chars: 12_000 },
  ),
  query: verb(
    'look',
    'Read one element.',
    { ref, kind: z.enum(queryKinds), limitChars: integer(1, queryLimits.max).default(queryLimits.default) },
    { chars: 4_000 },
  ),
  inspect: verb('look', 'Report what an element is, and what a click or Enter on it would do.', {
    ref: ref.optional().describe('element ref (default: the focused element)'),
    values: z.array(z.string()).optional().describe('options that would be chosen in it'),
    except: z.array(ref).optional().describe('refs of fields that are left out of the data that would be sent'),
    guard: z.literal(true).optional().describe('the next press on it fails if it would reach another control'),
    sends: z.literal(true).optional().describe('the next action, which guard has prepared, may send a form'),
  }),

  click: verb('act', 'Click an element.', { ref, ...press }),
  dblclick: verb('act', 'Double-click an element.', { ref, ...press }),
  longpress: verb('act', 'Press an element and hold it.', { ref, ms: integer(1, 5_000).default(600) }),
  hover: verb('move', 'Move the pointer over an element.', { ref }, idempotent),
  focus: verb('move', 'Focus an element.', { ref }, idempotent),
  blur: verb('move', 'Remove the focus from an element.', { ref }, idempotent),
  fill: verb(
    'act',
    'Replace the value of a field; an empty value clears it.',
    { ref, value: z.string(), commit: z.boolean().optional() },
    idempotent,
  ),
  type: verb('act', 'Type text at the caret of a field, key by key.', { ref, text: z.string() }),
  select: verb('act', 'Choose options by value or text.', { ref, values: z.array(z.string()) }, idempotent),
  check: verb('act', 'Check a checkbox, radio or switch.', { ref }, idempotent),
  uncheck: verb('act', 'Uncheck a checkbox or switch.', { ref }, idempotent),
  press: verb('act', 'Press a key, such as Enter, Tab or Control+a, on the focused element.', {
    key: z.string(),
    ref: ref.optional(),
  }),
  scrollIntoView: verb('move', 'Scroll until an element is in view.', { ref }, idempotent),
  scroll: verb('move', 'Scroll the page, or a scrollable element.', {
    direction: z.enum(scrollDirections),
    amount: integer(1, 100_000).default(300).describe('CSS pixels'),
    ref: ref.optional(),
  }),
  drag: verb('act', 'Drag an element onto another.', { ref, to: ref }),
  upload: verb('power', 'Choose files for a file field.', { ref, files: z.array(z.string()).describe('file paths') }, idempotent),

  wait: verb(
    'look',
    'Wait for one condition.',
    {
      ms: integer(0, 60_000).optional().describe('fixed time in milliseconds'),
      selector: z.string().optional().describe('CSS selector that matches'),
      text: z.string().optional().describe('text that appears'),
      textGone: z.string().optional().describe('text that disappears'),
      url: z.string().optional().describe('part of the URL'),
      load: z.enum(['domcontentloaded', 'load']).optional(),
      networkIdle: z.literal(true).optional(),
      domStable: z.literal(true).optional(),
      ref: ref.optional(),
      state: z.enum(waitStates).optional(),
      timeoutMs: integer(0, 120_000).default(5_000),
      pollMs: integer(10, 10_000).default(100),
    },
    { chars: 3_000, deadlineMs: 122_000 },
  ),
  screenshot: verb('look', 'Take a screenshot.', {
    label: z.string().optional(),
    fullPage: z.boolean().optional(),
    ref: ref.optional(),
    annotate: z.boolean().optional().describe('label elements with their refs'),
    mark: ref.optional().describe('outline this element, and show the part of the page around it'),
  }),
  evaluate: verb('power', 'Run JavaScript in the page, for debugging.', { js: z.string(), limitChars: integer(1, 100_000).default(2_000) }),
  tabs: verb('leave', 'List, open, select or close tabs.', {
    operation: z.enum(['list', 'new', 'select', 'close']).default('list'),
    tab: z.string().optional().describe('tab id, such as t2'),
    url: z.string().optional(),
  }),
  dialog: verb('act', 'Answer an alert, confirm or prompt dialog.', { accept: z.boolean(), text: z.string().optional() }),
  console: verb(
    'look',
    'List the console messages and uncaught exceptions of the page, errors first.',
    {
      errorsOnly: z.boolean().optional().describe('true: only errors'),
      maxChars: maxChars.default(3_000).describe('maximum characters'),
    },
    { chars: 3_000 },
  ),
  requests: verb(
    'look',
    'List the requests of the page, failed ones first.',
    {
      failedOnly: z.boolean().optional().describe('true: only failed requests'),
      maxChars: maxChars.default(3_000).describe('maximum characters'),
    },
    { chars: 3_000 },
  ),
  status: verb('look', 'Report what is running and which page is open.', {}),
} as const satisfies { readonly [V in DriverVerb]: VerbSpec<z.ZodRawShape> }

const formField = z.strictObject({ ref: z.string(), value: z.string().describe('text, option, or true/false for a checkbox') })

/**
 * Verbs that a layer composes of others; drivers do not know them.
 *
 * @example
 * const budget = derivedCommands.observe.chars
 */
export const derivedCommands = {
  observe: verb(
    'look',
    'Find controls, the best match for a task first.',
    {
      task: z.string().optional().describe('what you want to do; use words that appear on the page'),
      scope: z.string().optional().describe('only this part: ref or CSS selector'),
      offset: integer(0, 100_000).default(0).describe('continue from this offset'),
      maxChars: maxChars.default(4_000).describe('maximum characters'),
    },
    { chars: 4_000 },
  ),
  extract: verb(
    'look',
    'Find passages, tables and lists on a topic, the best match first.',
    {
      query: z.string().optional().describe('what you want to know; use words that appear on the page'),
      scope: z.string().optional().describe('only this part: ref or CSS selector'),
      offset: integer(0, 100_000).default(0).describe('continue from this offset'),
      maxChars: maxChars.default(6_000).describe('maximum characters'),
    },
    { chars: 6_000 },
  ),
  read: verb(
    'look',
    'Read the text of the whole page, one part at a time; links and controls have refs.',
    {
      scope: z.string().optional().describe('only this part: ref or CSS selector'),
      offset: integer(0, 10_000_000).default(0).describe('continue from this offset'),
      maxChars: maxChars.default(6_000).describe('maximum characters'),
    },
    { chars: 6_000, deadlineMs: 30_000 },
  ),
  fillForm: verb('act', 'Set several fields in order, and stop at the first that fails.', {
    fields: z.array(formField),
    submit: z.boolean().optional().describe('send the form afterwards'),
  }),
} as const satisfies { readonly [name: string]: VerbSpec<z.ZodRawShape> }

/**
 * Every verb: those of drivers and those composed of them.
 *
 * @example
 * const names = Object.keys(verbs)
 */
export const verbs = { ...commands, ...derivedCommands }

/**
 * The name of a verb.
 *
 * @example
 * const name: VerbName = 'observe'
 */
export type VerbName = keyof typeof verbs
export type CommandArguments<N extends VerbName> = z.output<(typeof verbs)[N]['input']>
/**
 * A command whose arguments are checked and complete.
 *
 * @example
 * const click = ({ ref }: ParsedCommand<'click'>) => ref
 */
export type ParsedCommand<N extends VerbName = VerbName> = { [Each in N]: { readonly name: Each } & Own<CommandArguments<Each>> }[N]
// z.strictObject({}) infers an index signature of `never`, which would forbid `name` as well
type Own<Fields> = string extends keyof Fields ? unknown : Fields

export const isVerbName = (name: unknown): name is VerbName => typeof name === 'string' && Object.hasOwn(verbs, name)
