import type { Failure } from '../contract/failures.ts'
import { type Effect, redacted } from '../contract/page-api.ts'
import type { ActionData, TabInfo } from '../contract/results.ts'
import type { AbortSignalLike, AnyCommand, AnyRun, Result } from '../contract/run.ts'
import { toSentence } from '../contract/text.ts'
import { describeStep, type RecordedStep, type Recording } from './recording.ts'
import { withoutQuery } from './recording-layer.ts'
import { findTarget, type RecordedTarget, readTargets } from './recording-target.ts'

/**
 * Options of `replay`.
 *
 * @example
 * const options: ReplayOptions = { set: { site: 'https://staging.test', password: 'correct horse' } }
 */
export interface ReplayOptions {
  /** Values of parameters. @default those of the recording */
  readonly set?: { readonly [parameter: string]: string }
  readonly signal?: AbortSignalLike
  /** Called before each step with its number, from 1, and after it with what was healed. */
  readonly onStep?: (step: ReplayedStep) => void
}

/**
 * A step that a replay carried out.
 *
 * @example
 * const isAsRecorded = ({ healed }: ReplayedStep) => healed === undefined
 */
export interface ReplayedStep {
  /** from 1 */
  readonly step: number
  readonly did: string
  /** how the element differs from the recorded one */
  readonly healed?: string
}

/**
 * The outcome of `replay`.
 *
 * @example
 * const { ok, done, stopped }: ReplayResult = await replay(recording, session.run)
 * if (!ok) console.log(`step ${stopped?.step}: ${stopped?.why}`)
 */
export interface ReplayResult {
  readonly ok: boolean
  readonly done: readonly ReplayedStep[]
  /** the first step that could not be carried out, or that did not lead where it did before */
  readonly stopped?: {
    readonly step: number
    readonly did: string
    readonly why: string
    /** the step was carried out, but its condition is not met */
    readonly hasActed: boolean
    readonly error?: Failure
  }
}

/** how long a replay waits for an element that is not there yet */
const maxLooks = 10
const lookMs = 300

/**
 * Repeats a recording without a model. It acts on an element only if exactly one fits, says what it healed, and stops at the first condition
 * that is not met.
 *
 * @example
 * const { ok, stopped } = await replay(parseRecording(text), session.run, { set: { query: 'tea' } })
 */
export async function replay(recording: Recording, run: AnyRun, { set = {}, signal, onStep }: ReplayOptions = {}): Promise<ReplayResult> {
  const values: { readonly [name: string]: string | undefined } = { ...recording.parameters, ...set }
  const expand = (text: string) => text.replace(/\{\{([\w-]+)\}\}/g, (whole, name: string) => values[name] ?? whole)
  const missing = recording.secrets.filter(name => values[name] === undefined)
  const unknown = Object.keys(set).filter(name => recording.parameters[name] === undefined && !recording.secrets.includes(name))
  const done: ReplayedStep[] = []
  const stop = (step: number, why: string, more: { hasActed?: boolean; error?: Failure } = {}): ReplayResult => {
    const each = recording.steps[step - 1]
    return { ok: false, done, stopped: { step, did: each ? describeStep(each) : '', why, hasActed: false, ...more } }
  }
  if (missing.length > 0) return stop(1, `the value of ${missing.join(', ')} is not stored in the recording: set it`)
  if (unknown.length > 0) return stop(1, `the recording has no parameter ${unknown.join(', ')}`)
  const tabs = new Map<string, string>()
  for (const [index, step] of recording.steps.entries()) {
    const number = index + 1
    if (signal?.aborted) return stop(number, 'the replay was stopped')
    const expanded = expandStep(step, expand)
    const ready = await prepare(run, expanded, tabs)
    if ('why' in ready) return stop(number, ready.why, ready.error ? { error: ready.error } : {})
    const result = await run(ready.command, signal)
    if (!result.ok)
      return stop(number, `${result.error.code}: ${result.error.message}`, {
        error: result.error,
        hasActed: result.error.code === 'outcome_unknown',
      })
    rememberTab(expanded, result, tabs)
    const unmet = await findUnmet(run, expanded, result)
    if (unmet) return stop(number, unmet, { hasActed: true })
    const replayed = { step: number, did: describeStep(step), ...(ready.healed !== undefined && { healed: ready.healed }) }
    done.push(replayed)
    onStep?.(replayed)
  }
  return { ok: true, done }
}

const expandTarget = (target: RecordedTarget | undefined, expand: (text: string) => string): RecordedTarget | undefined =>
  target && {
    ...target,
    name: expand(target.name),
    ...(target.item && { item: expand(target.item) }),
    ...(target.near && { near: expand(target.near) }),
  }

function expandStep(step: RecordedStep, expand: (text: string) => string): RecordedStep {
  const fields = Object.entries(step.arguments ?? {}).map(([field, value]) => [
    field,
    typeof value === 'string' ? expand(value) : Array.isArray(value) ? value.map(expand) : value,
  ])
  return {
    ...step,
    target: expandTarget(step.target, expand),
    to: expandTarget(step.to, expand),
    arguments: Object.fromEntries(fields),
    ...(step.before?.url && { before: { url: expand(step.before.url) } }),
    ...(step.after && { after: { ...step.after, ...(step.after.url && { url: expand(step.after.url) }) } }),
  }
}

type PreparedStep = { readonly command: AnyCommand; readonly healed?: string } | { readonly why: string; readonly error?: Failure }

/** The command of a step, with the refs that its elements have now. */
async function prepare(run: AnyRun, step: RecordedStep, tabs: ReadonlyMap<string, string>): Promise<PreparedStep> {
  const { do: name, target, to, arguments: given = {}, before } = step
  const command = { name, ...given, ...(typeof given.tab === 'string' && { tab: tabs.get(given.tab) ?? given.tab }) }
  if (!target && !before?.url) return { command }
  let why = ''
  for (let look = 0; look < maxLooks; look++) {
    if (look > 0) await run({ name: 'wait', ms: lookMs })
    const read = await readTargets(run)
    if (!read.ok) return { why: `${read.error.code}: ${read.error.message}`, error: read.error }
    const { targets, url, isComplete } = read.data
    if (before?.url && withoutQuery(url) !== before.url) {
      why = `the page is ${withoutQuery(url)}, not ${before.url}`
      continue
    }
    if (!target) return { command }
    if (!isComplete) return { why: 'the page is too large to be sure that the element is the only one' }
    const [found, drop] = [findTarget(target, targets), to && findTarget(to, targets)]
    const problem = 'why' in found ? found : drop && 'why' in drop ? drop : undefined
    if (!problem) {
      const healed = [found, drop].flatMap(each => (each && 'healed' in each && each.healed !== undefined ? [each.healed] : []))
      return {
        command: { ...command, ref: (found as { ref: string }).ref, ...(drop && { to: (drop as { ref: string }).ref }) },
        ...(healed.length > 0 && { healed: healed.join('; ') }),
      }
    }
    why = problem.why
    if (!problem.isMissing) break
  }
  return { why }
}

function rememberTab({ after }: RecordedStep, result: Result, tabs: Map<string, string>): void {
  const data = (result.ok ? result.data : undefined) as
    | { readonly notes?: readonly string[]; readonly tabs?: readonly TabInfo[] }
    | undefined
  const opened = /\bTab (t\d+) opened\b/.exec((data?.notes ?? []).join('\n'))?.[1]
  if (after?.tab !== undefined && opened !== undefined) tabs.set(after.tab, opened)
}

/** The first condition that does not hold after a step. */
async function findUnmet(run: AnyRun, { after = {}, arguments: given = {} }: RecordedStep, result: Result): Promise<string | undefined> {
  const { effect, page, notes = [] } = (result.ok ? result.data : {}) as Partial<ActionData>
  if (after.url !== undefined) {
    const url = withoutQuery(page?.url ?? '')
    if (url !== after.url) {
      // a page may take longer than the action to change its URL
      const waited = await run({ name: 'wait', url: after.url, timeoutMs: 3_000 })
      if (!waited.ok) return `the page is ${url}, not ${after.url}`
    }
  }
  if (after.value && !hasValue(effect, given.value)) return 'the field does not have the value that was entered'
  if (after.checked !== undefined && effect?.checked !== after.checked)
    return `the box is ${effect?.checked === true ? 'checked' : 'not checked'}`
  if (after.selected && effect?.selected === undefined) return 'nothing was selected'
  if (after.tab !== undefined && !/\bTab t\d+ opened\b/.test(notes.join('\n'))) return 'no tab opened'
  const isChanged = effect?.changed ?? effect?.submitted ?? effect?.url ?? effect?.gone ?? effect?.dialog
  return after.changed && isChanged === undefined ? 'the page did not change' : undefined
}

/** The value of a secret field is not known, but its length is. */
function hasValue(effect: Effect | undefined, value: unknown): boolean {
  if (effect?.value !== redacted) return effect?.value === value
  const isNamed = /\{\{secret:/.test(String(value))
  return isNamed || effect.characters === undefined || effect.characters === String(value).length
}

/** What a replay did, in words for a summary or a model. */
export function describeReplay({ ok, done, stopped }: ReplayResult): string {
  const healed = done.flatMap(each => each.healed ?? [])
  const changes = healed.length > 0 ? ` Found in spite of changes: ${healed.join('; ')}.` : ''
  const steps = `${done.length} ${done.length === 1 ? 'step' : 'steps'}`
  if (ok) return `Repeated all ${steps} of a recording, without a model.${changes}`
  const acted = stopped?.hasActed ? ' It was carried out, but did not lead where it did before.' : ''
  const why = toSentence(`Step ${stopped?.step}, ${stopped?.did}, could not be repeated: ${stopped?.why}`)
  return `Repeated ${steps} of a recording.${changes} ${why}${acted}`
}
