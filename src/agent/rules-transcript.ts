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
}

export function readProgress(notes: readonly string[], steps: readonly Instruction[], interruption: Interruption | undefined): Progress {
  const lines = notes.flatMap(note => note.split('\n'))
  const words = new Map(
    lines.flatMap(line => (/^(\d+) done: /.test(line) ? [[Number.parseInt(line, 10), line.replace(/^\d+ done: /, '')]] : [])),
  )
  const calls = lines.flatMap(line => {
    const [, at, phase = ''] = /^(\d+) of \d+: .*\[([^\]]*)\]$/.exec(line) ?? []
    return at === undefined ? [] : [{ at: Number(at), phase }]
  })
  const current = calls.at(-1)
  const count = Math.max(0, (current?.at ?? 1) - 1, ...words.keys())
  const done = steps.slice(0, count).map((step, at) => words.get(at + 1) ?? oneLine(step.words))
  const phases = calls.flatMap(({ at, phase }) => (at === count + 1 ? [phase] : []))
  const phase = phases.at(-1) ?? ''
  if (phase.startsWith(resumed)) return { done, phase: phase.slice(resumed.length).trim() }
  // what failed did not happen: the instruction begins again, but the items that are done stay done
  const hasFailed = interruption?.before?.ok === false
  // what was set in the same call may be lost with the browser, and can be set again
  if (hasFailed && phase.startsWith(joinedPhase)) return { done: done.slice(0, -1), phase: '' }
  return { done, phase: hasFailed ? (/^act \d+$/.exec(phases.at(-2) ?? '')?.[0] ?? '') : phase }
}

/** the phase of an instruction that was carried out in the same call as the one before it */
export const joinedPhase = 'joined'
const goesOn = 'The run was interrupted and goes on now.'
/** the phase of the look at the page after an interruption, before the phase that it goes on with */
export const resumed = 'resumed'

/** Why a run cannot go on after an interruption: the rules cannot judge from a page whether an action happened. */
export function obstacleOf({ text, before }: Interruption): string | undefined {
  const [, denied] = /^The user denied (.*)$/m.exec(text) ?? []
  if (denied !== undefined) return `the user denied ${denied.replace(/ Do something else, or close\.$/, '')}`
  const isUnknown = /^outcome_unknown: /m.test(text) || (before?.code === 'outcome_unknown' && before.tool === 'browser-act')
  return isUnknown ? 'an action was begun before the run was interrupted. It may have happened, and the rules cannot tell.' : undefined
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/[[\]]/g, '').trim().slice(0, 120)
