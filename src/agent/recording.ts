import * as z from 'zod'
import { type ActionClass, actionClasses } from '../contract/approval.ts'
import type { LogContent } from '../contract/journal.ts'
import { inline, quote } from '../contract/quote.ts'
import { shownGoal, shownLabel } from '../contract/shown-goal.ts'
import { withoutCredentials } from './hidden-words.ts'
import { label, type RecordedTarget } from './recording-target.ts'

const words = z.string().max(4_000)
const target = z.strictObject({
  role: words,
  name: words,
  item: words.optional(),
  near: words.optional(),
  path: words.optional(),
  frame: words.optional(),
  nth: z
    .string()
    .regex(/^\d+ of \d+$/)
    .optional(),
  field: words.optional(),
  href: words.optional(),
})
const conditions = z.strictObject({
  /** URL without query and hash */
  url: words.optional(),
  /** the field has the value that was entered */
  value: z.literal(true).optional(),
  checked: z.boolean().optional(),
  selected: z.literal(true).optional(),
  /** the page changed, or the form was sent */
  changed: z.literal(true).optional(),
  /** a tab opened; later steps call it by this id */
  tab: z
    .string()
    .regex(/^t\d+$/)
    .optional(),
})
/** the actions that a recording can repeat */
export const recordedVerbs = [
  'open',
  'back',
  'forward',
  'reload',
  'click',
  'dblclick',
  'fill',
  'type',
  'select',
  'check',
  'uncheck',
  'press',
  'upload',
  'drag',
  'scroll',
  'scrollIntoView',
  'hover',
  'tabs',
  'dialog',
] as const
const step = z.strictObject({
  do: z.enum(recordedVerbs),
  target: target.optional(),
  to: target.optional(),
  arguments: z.record(z.string(), z.union([words, z.number(), z.boolean(), z.array(words)])).optional(),
  before: conditions.pick({ url: true }).optional(),
  after: conditions.optional(),
})
const recording = z.strictObject({
  pagehand: z.literal('recording'),
  version: z.literal(1),
  goal: words,
  /** values that `{{NAME}}` is replaced by; a replay can set others */
  parameters: z.record(z.string().regex(/^[\w-]+$/), words).default({}),
  /** parameters without a value, because it was typed into a field that hides it */
  secrets: z.array(z.string().regex(/^[\w-]+$/)).default([]),
  /** the classes of its actions that a person approves, as far as they are known */
  asks: z.array(z.enum(actionClasses)).default([]),
  steps: z.array(step).max(500),
})

/**
 * A run that can be repeated without a model: its steps, how the elements are found, and what has to be true before and after each.
 *
 * @example
 * const { goal, parameters, steps }: Recording = parseRecording(await readFile('checkout.json', 'utf8'))
 */
export type Recording = z.output<typeof recording>
/**
 * One step of a recording.
 *
 * @example
 * const click: RecordedStep = { do: 'click', target: { role: 'button', name: 'Save' }, after: { changed: true } }
 */
export type RecordedStep = z.output<typeof step>

/**
 * Reads a recording. Throws if the text is not one: unknown fields are refused, so that a newer file is not half understood.
 *
 * @example
 * const recording = parseRecording(await readFile('checkout.json', 'utf8'))
 */
export function parseRecording(text: string): Recording {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new TypeError('the recording is not JSON')
  }
  const parsed = recording.safeParse(json)
  if (!parsed.success) throw new TypeError(`the file is not a recording of this version: ${z.prettifyError(parsed.error)}`)
  return parsed.data
}

/**
 * A recording as text that is easy to read and to compare: one line per field, in a fixed order.
 *
 * @example
 * await writeFile('checkout.json', formatRecording(recordingOf(await store.read(run))))
 */
export const formatRecording = (given: Recording): string =>
  // words of pages must not reach a terminal or an editor as control characters; JSON has the same escapes
  `${JSON.stringify(recording.parse(given), null, 2)
    .split('\n')
    .map(line => inline(line))
    .join('\n')}\n`

/** The type of the event that a run logs for each action that can be repeated. */
export const recordedEvent = 'recording.step'

/**
 * One action of a run, before values become parameters.
 *
 * @example
 * const isTyped = ({ typedInto }: RecordedAction) => typedInto !== undefined
 */
export interface RecordedAction {
  readonly step: RecordedStep
  /** the name of the field, for the name of the parameter */
  readonly typedInto?: string
  /** the value is a secret and was not kept */
  readonly isSecret?: boolean
  /** what the action needs an approval for */
  readonly asks?: readonly ActionClass[]
}

/**
 * The recording of a run, from its log. Typed values become parameters, secrets are named and not stored, and the site is the parameter
 * `site`.
 *
 * @example
 * const recording = recordingOf(await fileRunStore().read(id))
 */
export function recordingOf({ events }: Pick<LogContent, 'events'>): Recording {
  const actions = events.flatMap(({ type, action }) => (type === recordedEvent ? [action as RecordedAction] : []))
  const asked = events.flatMap(({ type, classes }) => (type === 'approval.requested' && Array.isArray(classes) ? classes : []))
  const { asks, ...rest } = toRecording(shownGoal(events) ?? shownLabel(events), actions)
  return { ...rest, asks: actionClasses.filter(each => asks.includes(each) || (isRisky(each) && asked.includes(each))) }
}

/** what a replay on its own site asks about */
const isRisky = (each: ActionClass): boolean => !/^(read|move|write)$/.test(each)

/** A form that was filled in again before it was sent, as after an approval, is filled in once. */
function withoutRepeated(actions: readonly RecordedAction[]): readonly RecordedAction[] {
  const isSetting = ({ step: { do: verb, after } }: RecordedAction) =>
    /^(fill|select|check|uncheck)$/.test(verb) && after?.url === undefined
  const isSame = ({ step: one }: RecordedAction, { step: other }: RecordedAction) =>
    one.do === other.do && JSON.stringify([one.target, one.before]) === JSON.stringify([other.target, other.before])
  return actions.filter((each, at) => {
    if (!isSetting(each) || !each.step.target) return true
    const rest = actions.slice(at + 1)
    const end = rest.findIndex(next => !isSetting(next))
    return !rest.slice(0, end < 0 ? rest.length : end).some(next => isSame(each, next))
  })
}

/** Typed values become parameters. Where a value is the name of an element later, the parameter takes its place there too. */
export function toRecording(goal: string, given: readonly RecordedAction[]): Recording {
  const actions = withoutRepeated(given)
  const parameters = new Map<string, string>()
  const secrets: string[] = []
  const first = actions.find(({ step: { do: verb } }) => verb === 'open')?.step.arguments?.url
  const site = typeof first === 'string' ? originOf(first) : undefined
  if (site) parameters.set('site', site)
  const nameFor = (hint: string, value: string): string => {
    const same = [...parameters].find(([name, known]) => known === value && name !== 'site')?.[0]
    if (same) return same
    const plain =
      hint
        .toLowerCase()
        .replace(/[^\w]+/g, '-')
        .replace(/^-+|-+$/g, '')
        .slice(0, 40) || 'value'
    let name = plain
    for (let count = 2; parameters.has(name) || secrets.includes(name); count++) name = `${plain}-${count}`
    return name
  }
  const general = (text: string): string => {
    if (site && (text === site || text.startsWith(`${site}/`))) return `{{site}}${text.slice(site.length)}`
    const known = [...parameters].find(([name, value]) => name !== 'site' && value === text)
    return known ? `{{${known[0]}}}` : text
  }
  const steps = actions.map(({ step: each, typedInto, isSecret }) => {
    const fields = Object.entries(each.arguments ?? {}).map(([field, value]) => {
      if (field === 'url' || typeof value === 'number' || typeof value === 'boolean')
        return [field, typeof value === 'string' ? general(value) : value]
      // a key is a value only if it is a part of a secret
      if (!/^(value|text|values|files)$/.test(field) && !(isSecret && field === 'key')) return [field, value]
      const list = [value].flat().map(String)
      const named = list.map(word => {
        if (/\{\{secret:[\w.-]+\}\}/.test(word)) return word
        const name = nameFor(typedInto ?? each.target?.name ?? field, isSecret ? '' : word)
        if (isSecret) secrets.push(name)
        else parameters.set(name, word)
        return `{{${name}}}`
      })
      return [field, Array.isArray(value) ? named : named[0]]
    })
    const targetOf = (given: RecordedTarget | undefined) =>
      given && {
        ...given,
        name: general(given.name),
        ...(given.item && { item: general(given.item) }),
        ...(given.near && { near: general(given.near) }),
      }
    return {
      ...each,
      ...(each.target && { target: targetOf(each.target) }),
      ...(each.to && { to: targetOf(each.to) }),
      ...(each.arguments && { arguments: Object.fromEntries(fields) }),
      ...(each.before?.url && { before: { url: general(each.before.url) } }),
      ...(each.after && { after: { ...each.after, ...(each.after.url && { url: general(each.after.url) }) } }),
    }
  })
  const asks = actionClasses.filter(each => actions.some(action => action.asks?.includes(each)))
  const shown = withoutCredentials(goal)
  return recording.parse({
    pagehand: 'recording',
    version: 1,
    goal: shown,
    parameters: Object.fromEntries(parameters),
    secrets,
    asks,
    steps,
  })
}

export const originOf = (url: string): string | undefined => {
  try {
    const { origin } = new URL(url)
    return origin === 'null' ? undefined : origin
  } catch {
    return undefined
  }
}

/** `click button "Save" in "Blue teapot"`. The words of the page are quoted. */
export const describeStep = ({ do: verb, target: on, arguments: given = {} }: RecordedStep): string =>
  [verb, ...(on ? [label(on)] : []), ...Object.values(given).flat().map(argument)].join(' ')

const argument = (value: string | number | boolean): string => (typeof value === 'string' ? quote(value, 80) : String(value))
