import { formSteps } from './rules-form-steps.ts'
import { type Instruction, parseInstructions } from './rules-instructions.ts'
import { journeySteps } from './rules-journey-steps.ts'
import { type PageView, pageWords, readPage, type ToolAnswer } from './rules-page.ts'
import { actionsBefore, type Move, simpleSteps, takeStep, unknownOutcome } from './rules-steps.ts'
import { textSteps } from './rules-text-steps.ts'
import {
  type CallOptions,
  hasLeftPage,
  isRepeatable,
  isUnknownOutcome,
  joinedPhase,
  type LanguageModelV4,
  leftNote,
  obstacleOf,
  oneLine,
  type Progress,
  type Prompt,
  readProgress,
  readTranscript,
  resumedPhase,
  type Transcript,
} from './rules-transcript.ts'

type Content = Awaited<ReturnType<LanguageModelV4['doGenerate']>>['content'][number]
type StreamPart = Awaited<ReturnType<LanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never

/**
 * A stand-in for a language model that is no AI: fixed rules that read plain instructions such as `search for tea`, `log in as ann / secret`,
 * `tick all`, `add Teapot to the cart and check out`, and carry them out with the tools of the sub-agent. The same prompt always gives the
 * same answer. It powers demos without a key and tests.
 *
 * @example
 * const agent = new ToolLoopAgent({ model: rulesModel(), tools: toAiSdk(agentTools(session.run)), stopWhen: hasToolCall('close') })
 * await agent.generate({ prompt: 'Open https://shop.test, search for tea, add Green tea to the cart and check out' })
 */
export const rulesModel = (): LanguageModelV4 => ({
  specificationVersion: 'v4',
  provider: 'pagehand',
  modelId: 'rules-no-ai',
  supportedUrls: {},
  doGenerate: async options => ({ ...respond(options), warnings: [] }),
  doStream: async options => ({ stream: streamOf(respond(options)) }),
})

interface Response {
  readonly content: Content[]
  readonly finishReason: { readonly unified: 'stop' | 'tool-calls'; readonly raw: undefined }
  readonly usage: ReturnType<typeof usageOf>
}

/** Characters take the place of tokens, at the usual four to one: there is no tokenizer, and budgets need a figure. */
const tokensIn = (text: string): number => Math.ceil(text.length / 4)
function usageOf(prompt: Prompt, content: readonly Content[]) {
  const input = tokensIn(JSON.stringify(prompt))
  const output = tokensIn(JSON.stringify(content))
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  }
}

function respond({ prompt, tools = [], toolChoice }: CallOptions): Response {
  const names = new Map(tools.flatMap(tool => (tool.type === 'function' ? [[tool.name, tool.inputSchema as Schema] as const] : [])))
  const forced = toolChoice?.type === 'tool' ? toolChoice.toolName : undefined
  const { text, call } = decide(readTranscript(prompt), { names, forced })
  const id = `rules-${prompt.length}`
  const content: Content[] = [
    { type: 'text', text },
    ...(call ? [{ type: 'tool-call' as const, toolCallId: id, toolName: call.tool, input: JSON.stringify(call.input) }] : []),
  ]
  return { content, finishReason: { unified: call ? 'tool-calls' : 'stop', raw: undefined }, usage: usageOf(prompt, content) }
}

function streamOf({ content, finishReason, usage }: Response): ReadableStream<StreamPart> {
  const parts: StreamPart[] = [{ type: 'stream-start', warnings: [] }]
  for (const [index, each] of content.entries())
    if (each.type === 'text')
      parts.push(
        { type: 'text-start', id: `${index}` },
        { type: 'text-delta', id: `${index}`, delta: each.text },
        { type: 'text-end', id: `${index}` },
      )
    else if (each.type === 'tool-call')
      parts.push(
        { type: 'tool-input-start', id: each.toolCallId, toolName: each.toolName },
        { type: 'tool-input-delta', id: each.toolCallId, delta: each.input },
        { type: 'tool-input-end', id: each.toolCallId },
        each,
      )
  parts.push({ type: 'finish', finishReason, usage })
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

interface Schema {
  readonly properties?: { readonly [name: string]: unknown }
}

interface Call {
  readonly tool: string
  readonly input: object
}
interface ToolNames {
  readonly names: ReadonlyMap<string, Schema>
  readonly forced: string | undefined
}

/** Goes on where the notes end, and says with each call what it is for. */
function decide(transcript: Transcript, { names, forced }: ToolNames): { readonly text: string; readonly call?: Call } {
  const { goal, notes, answers } = transcript
  if (!names.has('browser-act') && names.has('sub-agent')) return delegate(transcript)
  const last = answers[answers.length - 1]
  if (last?.tool === 'close' && last.ok) return { text: 'The task is closed.' }
  const steps = parseInstructions(goal)
  const { interruption } = transcript
  const isResumed = interruption !== undefined && answers.length === 0
  const obstacle = isResumed ? obstacleOf(interruption) : undefined
  const progress = readProgress(notes, steps, isResumed && !obstacle ? interruption : undefined)
  const { done: before, phase, repeat } = afterJoinedCall(progress, obstacle ? interruption?.before : last)
  const done = [...before]
  const page = readPage(answers)
  const lines: string[] = []
  if (progress.phase !== '' && last && (hasLeftPage(last) || isOtherView(answers)))
    lines.push(leftNote(before.length + (phase === '' ? 0 : 1)))
  const finish = (problem?: string, did?: string) => {
    const words = pageWords(page, last)
    const takes = (field: string) => names.get('close')?.properties?.[field] !== undefined
    const input = {
      summary: summaryOf({ steps, done: did === undefined ? done : [...done, did], problem, page, words }),
      ...(takes('evidence') && { evidence: words.slice(0, 5) }),
      ...(problem !== undefined && takes('done') && { done: false }),
    }
    return { text: [...lines, problem ? `Stop: ${problem}` : 'Everything is done.'].join('\n'), call: { tool: 'close', input } }
  }
  if (steps.length === 0) return finish('the goal contains no instruction.')
  // which instructions the steps of a recording belong to is not known, and repeating one could order twice
  if (transcript.replayed !== undefined) return finish(`${transcript.replayed} The rules cannot go on in the middle of a goal.`)
  if (forced === 'close' || !names.has('browser-act')) return finish('no more calls are allowed.')
  if (isResumed) {
    const words = oneLine(steps[done.length]?.words ?? '')
    if (obstacle) return finish(obstacle.problem, obstacle.isUnknown && unknownOutcome(words))
    const at = `${done.length + 1} of ${steps.length}: ${words}`
    return { text: `${at} [${resumedPhase(progress)}]`, call: { tool: 'browser-snapshot', input: {} } }
  }
  /** what was done before an interruption, and would have an effect again */
  const keptWords = (index: number) => (steps[index] && !isRepeatable(steps[index]) ? repeat?.done[index] : undefined)
  const phaseAt = (index: number) => (index === before.length && phase) || (index === repeat?.done.length ? repeat.phase : '')
  for (let step = steps[done.length]; step; step = steps[done.length]) {
    const index = done.length
    const kept = keptWords(index)
    if (kept !== undefined) {
      done.push(kept)
      continue
    }
    if (page.url === blankPage && !opening.has(step.kind)) return finish(noPage)
    const move = takeStep(allSteps, {
      step,
      next: steps[index + 1],
      phase: phaseAt(index),
      page,
      last,
      hasTool: name => names.has(name),
    })
    if ('problem' in move) return finish(move.problem, move.did)
    if ('call' in move) {
      const note = (at: number, { phase: words }: { readonly phase: string }) =>
        lines.push(`${at + 1} of ${steps.length}: ${oneLine(steps[at]?.words ?? '')} [${oneLine(words)}]`)
      note(index, move)
      const next = canBeJoined(step, move) && keptWords(index + 1) === undefined ? steps[index + 1] : undefined
      const joined =
        next &&
        takeStep(allSteps, {
          step: next,
          next: steps[index + 2],
          phase: phaseAt(index + 1),
          page: enabled(page),
          last: undefined,
          hasTool: () => true,
        })
      if (!joined || !('call' in joined) || !joined.phase.startsWith('act') || !isNextAction(joined.call))
        return { text: lines.join('\n'), call: move.call }
      note(index + 1, { phase: `${joinedPhase} ${joined.phase}` })
      return { text: lines.join('\n'), call: { ...move.call, input: { ...move.call.input, next: [joined.call.input] } } }
    }
    done.push(move.done)
    lines.push(`${index + 1} done: ${oneLine(move.done)}`)
  }
  return finish()
}

const blankPage = 'about:blank'
const opening: ReadonlySet<Instruction['kind']> = new Set(['open', 'newTab', 'tab', 'handOff', 'unknown'])
const noPage = 'no page is open. Name the first page with --url (in a program: page), or begin the goal with "open https://…".'

/** What is set may enable the button that comes next. */
const enabled = (page: PageView): PageView => {
  const each = (elements: PageView['elements']) =>
    elements.map(element => ({ ...element, states: new Set([...element.states].filter(state => state !== 'disabled')) }))
  return { ...page, elements: each(page.elements), fresh: each(page.fresh) }
}

/** An instruction that only sets something leaves the rest of the page as it is, so that a known element for the next one still fits. */
const canBeJoined = (step: Instruction, move: Extract<Move, { call: unknown }>): boolean =>
  ['fill', 'tick', 'choose', 'date', 'upload'].includes(step.kind) &&
  move.phase.startsWith('act') &&
  move.call.tool === 'browser-act' &&
  !('next' in move.call.input) &&
  !('submit' in move.call.input)

/** Whether browser-act takes a call as one of its `next`. */
const isNextAction = ({ tool, input }: Call): boolean =>
  tool === 'browser-act' && Object.keys(input).every(field => ['action', 'ref', 'text', 'values', 'key'].includes(field))

/** Of two instructions in one call, the second or both may not have been carried out. */
function afterJoinedCall(progress: Progress, last: ToolAnswer | undefined): Progress {
  const { done, phase } = progress
  if (!phase.startsWith(joinedPhase)) return progress
  const before = last && actionsBefore(last)
  if (before !== undefined && !isUnknownOutcome(last as ToolAnswer)) return { ...progress, phase: '' }
  return last?.ok === false && before === undefined
    ? { ...progress, done: done.slice(0, -1), phase: 'act' }
    : { ...progress, phase: phase.slice(joinedPhase.length).trim() }
}

/** Whether the newest answer shows another view that has its own URL. */
const isOtherView = (answers: readonly ToolAnswer[]): boolean =>
  /^new view:/m.test(answers.at(-1)?.text ?? '') && readPage(answers).url !== readPage(answers.slice(0, -1)).url

const allSteps = { ...simpleSteps, ...textSteps, ...formSteps, ...journeySteps }

/** A master agent without tools of its own hands the goal to its sub-agent, and passes on what that reports. */
function delegate({ goal, answers }: Transcript): { readonly text: string; readonly call?: Call } {
  const report = answers.filter(each => each.tool === 'sub-agent').pop()
  return report ? { text: report.text } : { text: 'The sub-agent does this.', call: { tool: 'sub-agent', input: { task: goal } } }
}

interface Outcome {
  readonly steps: readonly Instruction[]
  readonly done: readonly string[]
  readonly problem: string | undefined
  readonly page: PageView
  readonly words: readonly string[]
}

/** What was done, what was not, and what the page shows now: nothing that the answers do not say. */
function summaryOf({ steps, done, problem, page: { title, url }, words }: Outcome): string {
  const open = steps.slice(done.length).map(({ words: step }) => `"${oneLine(step)}"`)
  return [
    problem === undefined ? 'Done by fixed rules, without AI.' : `Not done: ${problem}`,
    ...(done.length > 0 ? [`Carried out: ${done.map((each, at) => `${at + 1}. ${each}`).join('; ')}.`] : []),
    ...(open.length > 0 ? [`Not carried out: ${open.join(', ')}.`] : []),
    ...(url && url !== blankPage ? [`The page is "${title}" at ${url}.`] : []),
    ...(words.length > 0
      ? [
          `It says: ${words
            .slice(0, 3)
            .map(each => `"${each.slice(0, 200)}"`)
            .join(', ')}.`,
        ]
      : []),
  ].join(' ')
}
