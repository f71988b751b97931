import type { ActionClass } from '../contract/approval.ts'
import { keepNotes } from '../contract/notes.ts'
import { redacted } from '../contract/page-api.ts'
import type { ActionData } from '../contract/results.ts'
import { type AnyCommand, type AnyRun, type Layer, ok, type Result } from '../contract/run.ts'
import type { TargetFacts } from '../contract/target.ts'
import { isPartOfForm } from '../layers/form-fields.ts'
import { Scrubber } from '../secrets/scrubber.ts'
import { withoutWords } from './hidden-words.ts'
import { type RecordedAction, type RecordedStep, type Recording, recordedVerbs, toRecording } from './recording.ts'
import { type PageTarget, readTargets, toRecorded } from './recording-target.ts'

/**
 * Keeps the successful actions of a run, so that it can be repeated.
 *
 * @example
 * const recorder: Recorder = createRecorder()
 * const run = wrap(session.run, recorder.layer)
 * // … work with `run` …
 * await writeFile('checkout.json', formatRecording(recorder.recording('Check out')))
 */
export interface Recorder {
  readonly layer: Layer
  /** the newest actions, oldest first */
  readonly actions: readonly RecordedAction[]
  recording(goal: string): Recording
}

/** the most actions that are kept */
const maxActions = 500
/** pages of a snapshot that are read before an action: recording must not slow down runs on huge pages */
const maxPages = 4
const isRecorded = ({ name }: AnyCommand): boolean => (recordedVerbs as readonly string[]).includes(name)

/**
 * Records the actions of a run in memory, and for each calls `write`, such as the `append` of its journal.
 *
 * @param onSecret called with what was typed into a field that hides it, before `write`
 * @example
 * const recorder = createRecorder(action => journal.append({ type: 'recording.step', action }))
 */
export function createRecorder(
  write: (action: RecordedAction) => Promise<void> = async () => {},
  onSecret: (words: readonly string[]) => Promise<void> = async () => {},
): Recorder {
  const actions: RecordedAction[] = []
  // the page as it was before the fields of a form that are being set one after the other
  let form: PageReading | undefined
  const secrets = new Scrubber()
  const hidden: string[] = []
  const layer: Layer = next => async (command, signal) => {
    if (!isRecorded(command) || (command.name === 'tabs' && (command.operation ?? 'list') === 'list')) return next(command, signal)
    const { reading, ...before } = await describeTargets(next, command, form)
    const result = await next(command, signal)
    form = isPartOfForm(command, result) && !hasChanged(result) ? reading : undefined
    if (!result.ok) return result
    const data = result.data as Partial<ActionData>
    if (isSecretEntry(command, before, data)) {
      const words = typedWords(command)
      secrets.add(words)
      hidden.push(...words)
      await onSecret(words).catch(() => {})
    }
    // what was typed into a secret field may be in a later URL as well
    const action = secrets.value(toAction(command, before, data)) as RecordedAction
    actions.push(action)
    if (actions.length > maxActions) actions.shift()
    // a recording is a convenience: if it cannot be written, the action still happened
    await write(action).catch(() => {})
    return result
  }
  return { layer: keepNotes(layer), actions, recording: goal => toRecording(withoutWords(goal, hidden), actions) }
}

type PageReading = Extract<Awaited<ReturnType<typeof readTargets>>, { ok: true }>['data']

const hasChanged = (result: Result): boolean => result.ok && (result.data as Partial<ActionData>).effect?.changed !== undefined

interface ActedOn {
  readonly url: string
  readonly target?: PageTarget
  readonly to?: PageTarget
  readonly all: readonly PageTarget[]
  /** `all` is everything on the page, so positions can be counted */
  readonly isComplete: boolean
  readonly facts?: TargetFacts
  readonly reading?: PageReading
  /** the field that the action enters something into hides it */
  readonly isSecret: boolean
}

const nowhere: ActedOn = { url: '', all: [], isComplete: false, isSecret: false }

/** The page and the elements, before the action changes them. `known` is a reading that is still true. */
async function describeTargets(run: AnyRun, command: AnyCommand, known?: PageReading): Promise<ActedOn> {
  const { ref, to, name } = command
  if (name === 'open' || name === 'tabs') return nowhere
  const isKnown = known?.targets.some(each => each.ref === ref) === true
  const read = isKnown ? ok(known) : await readTargets(run, maxPages)
  if (!read.ok) return nowhere
  const { targets: all, url, isComplete, focused } = read.data
  const find = (wanted: unknown) => all.find(each => each.ref === wanted)
  const [target, drop] = [find(ref), find(to)]
  const inspect = async (wanted: string) => {
    const inspected = await run({ name: 'inspect', ref: wanted })
    return inspected.ok ? (inspected.data as TargetFacts) : undefined
  }
  const facts = typeof ref === 'string' ? await inspect(ref) : undefined
  // a key without a target goes to the field that has the focus
  const entered = typeof ref !== 'string' && focused !== undefined && isCharacter(command) ? await inspect(focused) : facts
  return {
    url,
    all,
    isComplete,
    reading: read.data,
    ...(target && { target }),
    ...(drop && { to: drop }),
    ...(facts && { facts }),
    isSecret: entered?.secret === true,
  }
}

/** Whether a command enters something into a field that hides it. */
const isSecretEntry = (command: AnyCommand, { isSecret }: Pick<ActedOn, 'isSecret'>, { effect }: Partial<ActionData>): boolean =>
  (isSecret || effect?.value === redacted) && (/^(fill|type)$/.test(command.name) || isCharacter(command))

/** a key such as `a`, which is a part of what is entered; Enter is not */
const isCharacter = ({ name, key }: AnyCommand): boolean => name === 'press' && typeof key === 'string' && [...key].length === 1

const typedWords = ({ name, value, text }: AnyCommand): string[] =>
  [name === 'fill' ? value : text].filter(words => typeof words === 'string' && !/\{\{secret:/.test(words)) as string[]

function toAction(command: AnyCommand, before: Omit<ActedOn, 'reading'>, data: Partial<ActionData>): RecordedAction {
  const { url, target, to, all, isComplete, facts } = before
  const { name, ref: _ref, to: _to, commit: _commit, ...given } = command
  const isSecret = isSecretEntry(command, before, data)
  const fields = Object.fromEntries(
    Object.entries(given).filter(([field, value]) => value !== undefined && !(field === 'modifiers' && (value as unknown[]).length === 0)),
  )
  // the value of a secret field is not kept, unless it is the name of a secret
  const kept = isSecret
    ? Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, /\{\{secret:/.test(String(value)) ? value : '']))
    : fields
  const step = {
    do: name,
    ...(target
      ? { target: toRecorded(target, all, isComplete) }
      : facts && { target: { role: facts.role, name: facts.name, ...(facts.path && { path: facts.path }) } }),
    ...(to && { to: toRecorded(to, all, isComplete) }),
    ...(Object.keys(kept).length > 0 && { arguments: kept }),
    ...(url && { before: { url: withoutQuery(url) } }),
    ...afterOf(command, url, data),
  } as RecordedStep
  const asks: readonly ActionClass[] = [
    ...(sendsForm(command, facts) ? (['submit'] as const) : []),
    ...(name === 'upload' ? (['upload'] as const) : []),
    ...(isSecret || usesNamedSecret(command) ? (['credentials'] as const) : []),
  ]
  return {
    step,
    ...(target && { typedInto: target.name || target.field }),
    ...(isSecret && { isSecret: true }),
    ...(asks.length > 0 && { asks }),
  }
}

const sendsForm = ({ name, key }: AnyCommand, facts: TargetFacts | undefined): boolean =>
  (/^(click|dblclick)$/.test(name) && facts?.submits !== undefined) ||
  (name === 'press' && key === 'Enter' && (facts?.submits ?? facts?.enterSubmits) !== undefined)

const usesNamedSecret = ({ value, text }: AnyCommand): boolean => [value, text].some(words => /\{\{secret:/.test(String(words)))

export const withoutQuery = (url: string): string => url.replace(/[?#].*$/, '')

/** What has to be true after a step: only what the action itself led to. */
function afterOf(
  { name, value }: AnyCommand,
  before: string,
  { effect, page, notes = [] }: Partial<ActionData>,
): Pick<RecordedStep, 'after'> {
  const tab = /\bTab (t\d+) opened\b/.exec(notes.join('\n'))?.[1]
  const leads =
    page?.url !== undefined &&
    (name === 'open' || /^(back|forward|reload|tabs)$/.test(name) || effect?.url !== undefined) &&
    withoutQuery(page.url) !== withoutQuery(before)
  const didChange =
    effect?.changed !== undefined ||
    effect?.submitted !== undefined ||
    effect?.url !== undefined ||
    effect?.gone === true ||
    effect?.dialog !== undefined
  const after = {
    ...(leads && { url: withoutQuery(page.url) }),
    ...(name === 'fill' && (effect?.value === value || effect?.value === redacted) && { value: true as const }),
    ...(/^(check|uncheck)$/.test(name) && typeof effect?.checked === 'boolean' && { checked: effect.checked }),
    ...(name === 'select' && effect?.selected !== undefined && { selected: true as const }),
    ...(/^(click|dblclick|press)$/.test(name) && didChange && { changed: true as const }),
    ...(tab !== undefined && { tab }),
  }
  return Object.keys(after).length > 0 ? { after } : {}
}
