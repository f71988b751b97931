// What the rules know about a run: the messages that the model gets are their only memory.
import type { LanguageModel } from 'ai'
import type { Instruction } from './rules-instructions.ts'
import type { ToolAnswer } from './rules-page.ts'

export type LanguageModelV4 = Extract<LanguageModel, { readonly specificationVersion: 'v4' }>
export type CallOptions = Parameters<LanguageModelV4['doGenerate']>[0]
export type Prompt = CallOptions['prompt']

export interface Transcript {
  readonly goal: string
  /** what a recording did before */
  readonly replayed?: string
  /** what the rules wrote since the goal was given */
  readonly notes: readonly string[]
  /** the answers since the goal was given, or since the run was resumed: pages of before are gone */
  readonly answers: readonly ToolAnswer[]
  readonly interruption?: Interruption
}

/** A run that was parked or killed, and goes on. */
interface Interruption {
  /** what the message says about approvals and unknown outcomes */
  readonly text: string
  /** the last answer before it */
  readonly before: ToolAnswer | undefined
}

/** The goal, the notes of the rules and the answers of the tools. */
export function readTranscript(prompt: Prompt): Transcript {
  const system = prompt.flatMap(each => (each.role === 'system' ? each.content : [])).join('\n')
  const given = /<goal>\s*([\s\S]*?)\s*<\/goal>/.exec(system)?.[1]
  const roles = prompt.map(({ role }) => role)
  // where the instructions have a goal, it holds for the whole run, and its first message repeats it in full
  const asked = given === undefined ? roles.lastIndexOf('user') : roles.indexOf('user')
  const [task = '', opened] = textOf(prompt[asked]).split(/\n\nThe page was (?:not )?opened:\n/)
  const [, replayed] = /\n\n(Repeated \d+ steps? of a recording\..*)$/s.exec(task) ?? []
  const since = prompt.slice(asked + 1)
  const resumedAt = since.map(each => each.role === 'user' && textOf(each).includes(goesOn)).lastIndexOf(true)
  const answersIn = (messages: Prompt) =>
    messages.flatMap(each =>
      each.role === 'tool' ? each.content.flatMap(part => (part.type === 'tool-result' ? toAnswer(part) : [])) : [],
    )
  const answers = answersIn(since.slice(resumedAt + 1))
  const isNew = opened !== undefined && resumedAt < 0
  return {
    goal: task.replace(replayed ?? '', '').trim() || given || '',
    ...(replayed !== undefined && { replayed }),
    notes: since.flatMap(each => (each.role === 'assistant' ? textOf(each) : [])),
    answers: isNew ? [{ tool: 'open-url', ok: opened.startsWith('ok'), code: '', text: opened }, ...answers] : answers,
    ...(resumedAt >= 0 && { interruption: { text: textOf(since[resumedAt]), before: answersIn(since.slice(0, resumedAt)).pop() } }),
  }
}

const textOf = (message: Prompt[number] | undefined): string =>
  typeof message?.content === 'string'
    ? message.content
    : (message?.content ?? []).flatMap(part => (part.type === 'text' ? part.text : [])).join('\n')

type ToolResultPart = Extract<Extract<Prompt[number], { role: 'tool' }>['content'][number], { type: 'tool-result' }>

function toAnswer({ toolName, output }: ToolResultPart): ToolAnswer {
  if (output.type === 'execution-denied')
    return { tool: toolName, ok: false, code: 'approval_denied', text: `approval_denied: ${output.reason ?? 'it was not approved.'}` }
  const value = output.type === 'content' ? output.value.flatMap(part => (part.type === 'text' ? part.text : [])).join('\n') : output.value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const code = /^([a-z]+(?:_[a-z]+)*): /.exec(text)?.[1] ?? ''
  const isError = output.type.startsWith('error')
  return { tool: toolName, ok: !isError, code: isError ? code || 'error' : '', text }
}

/** What the notes say about the steps so far. Old notes are cut, so the numbers count. */
export interface Progress {
  readonly done: readonly string[]
  readonly phase: string
  /** while what was set on the page is set again after an interruption: all that was done before it, and the phase that it goes on with */
  readonly repeat?: { readonly done: readonly string[]; readonly phase: string }
}

export function readProgress(notes: readonly string[], steps: readonly Instruction[], interruption: Interruption | undefined): Progress {
  const lines = notes.flatMap(note => note.split('\n'))
  const words = new Map(lines.flatMap(line => (doneLine.test(line) ? [[Number.parseInt(line, 10), line.replace(doneLine, '')]] : [])))
  const doneUntil = (count: number) => steps.slice(0, count).map((step, at) => words.get(at + 1) ?? oneLine(step.words))
  // instructions that were done before an interruption may be repeated after it
  const start = Math.max(0, lines.map(line => callLine.exec(line)?.[2]?.startsWith(resumed) === true).lastIndexOf(true))
  const [, until, later = ''] = untilPhase.exec(callLine.exec(lines[start] ?? '')?.[2] ?? '') ?? []
  const repeat = until === undefined ? {} : { repeat: { done: doneUntil(Number(until)), phase: later } }
  const calls = lines.slice(start).flatMap(line => {
    const [, at, phase = ''] = callLine.exec(line) ?? []
    return at === undefined ? [] : [{ at: Number(at), phase: phase.replace(untilPhase, '').replace(resumedWord, '') }]
  })
  const numbers = lines.slice(start).flatMap(line => (doneLine.test(line) ? Number.parseInt(line, 10) : []))
  const current = calls.at(-1)
  const count = Math.max(0, (current?.at ?? 1) - 1, ...numbers)
  const done = doneUntil(count)
  const phases = calls.flatMap(({ at, phase }) => (at === count + 1 ? [phase] : []))
  const phase = phases.at(-1) ?? ''
  if (!interruption) return { done, phase, ...repeat }
  const { before } = interruption
  // what failed did not happen: the instruction begins again, but the items that are done stay done
  const next = before?.ok === false ? (/^act \d+$/.exec(phases.at(-2) ?? '')?.[0] ?? '') : phase
  const left = lines.flatMap(line => (leftLine.test(line) ? Number.parseInt(line, 10) : []))
  const since = Math.max(0, ...left, ...(before && hasLeftPage(before) ? [count + 1] : []))
  return rewind(steps, { since, done: doneUntil(Math.max(count, Number(until ?? 0))), phase: count < Number(until ?? 0) ? later : next })
}

/** The browser may be another one, whose page was opened again: what was set on it is lost, and can be set again. */
function rewind(steps: readonly Instruction[], { since, done, phase }: Progress & { readonly since: number }): Progress {
  const first = steps.findIndex((step, at) => at >= since && isRepeatable(step))
  if (first < 0 || first > done.length) return { done, phase }
  if (first === done.length) return { done, phase: '' }
  const next = steps[done.length]
  const later = next && isRepeatable(next) ? '' : phase.replace(joinedWord, '')
  return { done: done.slice(0, first), phase: '', repeat: { done, phase: later } }
}

/** Whether an instruction only sets something, so that carrying it out again changes nothing more. */
export const isRepeatable = (step: Instruction): boolean =>
  ['tick', 'choose', 'date', 'upload', 'filter', 'search'].includes(step.kind) || (step.kind === 'fill' && !step.submit)

/** Whether an answer shows another page than the one before it. */
export const hasLeftPage = ({ tool, ok, text }: ToolAnswer): boolean =>
  ok && (tool === 'open-url' || tool === 'browser-tabs' || /^new page:|^ok: (open|back|forward|reload)\b/m.test(text))

const doneLine = /^\d+ done: /
const callLine = /^(\d+) of \d+: .*\[([^\]]*)\]$/
/** the note about an instruction that led to another page */
export const leftNote = (number: number): string => `${number} led to a new page`
const leftLine = /^\d+ led to a new page$/
/** the phase of an instruction that was carried out in the same call as the one before it */
export const joinedPhase = 'joined'
const joinedWord = /^joined ?/
const goesOn = 'The run was interrupted and goes on now.'
/** the phase of the look at the page after an interruption, before the phase that it goes on with */
const resumed = 'resumed'
const resumedWord = /^resumed ?/
/** how many instructions were done, where some of them are repeated */
const untilPhase = /^resumed until (\d+) ?(.*)$/

/** The phase in the note of the first call after an interruption. */
export const resumedPhase = ({ phase, repeat }: Progress): string =>
  `${resumed}${repeat ? ` until ${repeat.done.length}` : ''} ${repeat?.phase ?? phase}`.trim()

/** Why a run cannot go on after an interruption: the rules cannot judge from a page whether an action happened. */
export function obstacleOf({ text, before }: Interruption): { readonly problem: string; readonly isUnknown?: true } | undefined {
  const [, denied] = /^The user denied (.*)$/m.exec(text) ?? []
  if (denied !== undefined) return { problem: `the user denied ${denied.replace(/ Do something else, or close\.$/, '')}` }
  const isUnknown = /^outcome_unknown: /m.test(text) || (before && isUnknownOutcome(before))
  return isUnknown
    ? { problem: 'an action was begun before the run was interrupted. It may have happened, and the rules cannot tell.', isUnknown }
    : undefined
}

/** Whether an action failed that may have happened. */
export const isUnknownOutcome = ({ tool, code }: ToolAnswer): boolean => code === 'outcome_unknown' && tool === 'browser-act'

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/[[\]]/g, '').trim().slice(0, 120)
