import * as z from 'zod'
import type { DriverVerb } from './command-inputs.generated.ts'
import { queryKinds } from './page-api.ts'

export type { DriverVerb }

/**
 * How much an action can change: `look` reads, `move` changes only what is shown, `act` operates the page,
 * `leave` goes to another page, `power` runs code or touches files.
 */
export type Risk = 'look' | 'move' | 'act' | 'leave' | 'power'

export interface VerbSpec<Shape extends z.ZodRawShape> {
  /** what it does, in one sentence, for people and models */
  readonly description: string
  readonly risk: Risk
  readonly input: z.ZodObject<Shape, z.core.$strict>
  /** an answer is at most this many characters, unless the caller asks for another number within the ceiling */
  readonly chars: number
  /** it is given up after this long, unless its own arguments say otherwise */
  readonly deadlineMs: number
}

const verb = <Shape extends z.ZodRawShape>(
  risk: Risk,
  says: string,
  shape: Shape,
  { chars = 1_500, deadlineMs = 10_000 }: { chars?: number; deadlineMs?: number } = {},
): VerbSpec<Shape> => ({ description: says, risk, input: z.strictObject(shape), chars, deadlineMs })

const ref = z.string().describe('such as e12')
const whole = (least: number, most: number) => z.int().min(least).max(most)
const maxChars = whole(200, 100_000)
const navigation = { deadlineMs: 30_000 }
const pressing = {
  button: z.enum(['left', 'middle', 'right']).optional().describe('of the mouse; left unless given'),
  modifiers: z
    .array(z.enum(['Alt', 'Control', 'Meta', 'Shift']))
    .optional()
    .describe('keys held meanwhile'),
}

/** Every verb there is. Tools, contract, command line, help and documents are made from this table. */
export const commands = {
  open: verb('leave', 'Open a URL and wait until it has loaded.', { url: z.string().describe('http, https or file URL') }, navigation),
  back: verb('leave', 'Go back one page.', {}, navigation),
  forward: verb('leave', 'Go forward one page.', {}, navigation),
  reload: verb('leave', 'Load the page again.', {}, navigation),
  close: verb('move', 'Leave the page: go to about:blank.', {}, navigation),

  snapshot: verb(
    'look',
    'See the page: its controls with refs, within a budget.',
    {
      interactiveOnly: z.boolean().default(true).describe('false adds headings, text and images'),
      cursorInteractive: z.boolean().optional().describe('also elements that only show a hand cursor'),
      scope: z.string().optional().describe('ref or CSS selector: only this part'),
      after: z.string().optional().describe('ref: go on after it'),
      viewport: z.enum(['all', 'visible']).default('all').describe('visible: only what is on screen'),
      maxChars: maxChars.default(12_000).describe('characters of the answer'),
    },
    { chars: 12_000 },
  ),
  query: verb(
    'look',
    'Read one element.',
    { ref, kind: z.enum(queryKinds), limitChars: whole(1, 100_000).default(4_000) },
    { chars: 4_000 },
  ),

  click: verb('act', 'Click an element.', { ref, ...pressing }),
  dblclick: verb('act', 'Double-click an element.', { ref, ...pressing }),
  longpress: verb('act', 'Press an element and hold it.', { ref, ms: whole(1, 5_000).default(600) }),
  hover: verb('move', 'Move the pointer over an element.', { ref }),
  focus: verb('move', 'Put the focus on an element.', { ref }),
  blur: verb('move', 'Take the focus from an element.', { ref }),
  fill: verb('act', 'Replace what a field holds; an empty value clears it.', { ref, value: z.string(), commit: z.boolean().optional() }),
  type: verb('act', 'Type text at the caret of a field, key by key.', { ref, text: z.string() }),
  select: verb('act', 'Choose options by value or text.', { ref, values: z.array(z.string()) }),
  check: verb('act', 'Check a checkbox, radio or switch.', { ref }),
  uncheck: verb('act', 'Uncheck a checkbox or switch.', { ref }),
  press: verb('act', 'Press a key, such as Enter, Tab or Control+a, on the focused element.', {
    key: z.string(),
    ref: ref.optional(),
  }),
  scrollIntoView: verb('move', 'Scroll until an element is in view.', { ref }),
  scroll: verb('move', 'Scroll the page, or a scrollable element.', {
    direction: z.enum(['up', 'down', 'left', 'right']),
    amount: whole(1, 100_000).default(300).describe('CSS pixels'),
    ref: ref.optional(),
  }),
  drag: verb('act', 'Drag an element onto another.', { ref, to: ref }),
  upload: verb('power', 'Choose files for a file field.', { ref, files: z.array(z.string()).describe('paths') }),

  wait: verb(
    'look',
    'Wait for one condition.',
    {
      ms: whole(0, 60_000).optional().describe('just wait'),
      selector: z.string().optional().describe('a CSS selector that matches'),
      text: z.string().optional().describe('text that appears'),
      textGone: z.string().optional().describe('text that disappears'),
      url: z.string().optional().describe('part of the address'),
      load: z.enum(['domcontentloaded', 'load']).optional(),
      networkIdle: z.literal(true).optional(),
      domStable: z.literal(true).optional(),
      ref: ref.optional(),
      state: z.enum(['visible', 'hidden', 'enabled', 'disabled', 'checked', 'unchecked', 'attached', 'detached']).optional(),
      timeoutMs: whole(0, 120_000).default(5_000),
      pollMs: whole(10, 10_000).default(100),
    },
    { deadlineMs: 122_000 },
  ),
  screenshot: verb('look', 'Take a picture of the page as evidence.', {
    label: z.string().optional(),
    fullPage: z.boolean().optional(),
    ref: ref.optional(),
    annotate: z.boolean().optional().describe('draw the refs on it'),
  }),
  evaluate: verb('power', 'Run JavaScript in the page, for debugging.', { js: z.string(), limitChars: whole(1, 100_000).default(2_000) }),
  tabs: verb('leave', 'List, open, select or close tabs.', {
    operation: z.enum(['list', 'new', 'select', 'close']).default('list'),
    tab: z.string().optional().describe('tab id, such as t2'),
    url: z.string().optional(),
  }),
  dialog: verb('act', 'Answer an alert, confirm or prompt dialog.', { accept: z.boolean(), text: z.string().optional() }),
  status: verb('look', 'Say what is running and where it is.', {}),
} as const satisfies { readonly [V in DriverVerb]: VerbSpec<z.ZodRawShape> }

/** Verbs that a layer derives from a snapshot; drivers do not know them. */
export const derivedCommands = {
  observe: verb(
    'look',
    'Find what can be operated, the best match for a task first.',
    {
      task: z.string().optional().describe('what you want to do, in words of the page'),
      scope: z.string().optional().describe('ref or CSS selector: only this part'),
      offset: whole(0, 100_000).default(0).describe('go on from here'),
      maxChars: maxChars.default(4_000).describe('characters of the answer'),
    },
    { chars: 4_000 },
  ),
  extract: verb(
    'look',
    'Read what the page says about something: passages, tables and lists, the best match first.',
    {
      query: z.string().optional().describe('what you want to know, in words of the page'),
      scope: z.string().optional().describe('ref or CSS selector: only this part'),
      offset: whole(0, 100_000).default(0).describe('go on from here'),
      maxChars: maxChars.default(6_000).describe('characters of the answer'),
    },
    { chars: 6_000 },
  ),
} as const satisfies { readonly [name: string]: VerbSpec<z.ZodRawShape> }

/** Every verb: those of drivers and those derived from a snapshot. */
export const verbs = { ...commands, ...derivedCommands }

export type VerbName = keyof typeof verbs
export type CommandArguments<N extends VerbName> = z.output<(typeof verbs)[N]['input']>
/** A command whose arguments are checked and complete. */
export type ParsedCommand<N extends VerbName = VerbName> = { [Each in N]: { readonly name: Each } & Own<CommandArguments<Each>> }[N]
// z.strictObject({}) infers an index signature of `never`, which would forbid `name` as well
type Own<Fields> = string extends keyof Fields ? unknown : Fields

export const isVerbName = (name: unknown): name is VerbName => typeof name === 'string' && Object.hasOwn(verbs, name)
