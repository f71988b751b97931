import { generateId, isStepCount, ToolLoopAgent, type ToolSet, toUIMessageStream, type UIMessageChunk } from 'ai'
import type { AgentEvent, AgentUsage } from '../contract/agent-run.ts'
import { messageOf } from '../contract/error-message.ts'
import { compactMessages } from './compaction.ts'
import { describeModelError, isDisconnect, type ModelObject, modelName, providerOptions } from './model.ts'
import type { RunState } from './run-state.ts'
import type { AgentSpans } from './telemetry.ts'
import { type TranscriptCall, toMessages } from './transcript.ts'
import { OpenParts } from './ui-writer.ts'

interface LoopOptions {
  readonly model: ModelObject
  readonly instructions: string
  readonly tools: ToolSet
  readonly state: RunState
  readonly spans: AgentSpans
  /** makes a turn of the model durable before its calls are carried out */
  readonly onTurn: (turn: TurnRecord) => Promise<void>
  readonly emit: (event: AgentEvent) => void
}

/** A turn of the model, as it is logged. */
export interface TurnRecord {
  readonly step: number
  readonly model: string
  readonly text?: string
  /** calls that could not be carried out, because the tool or the JSON does not exist */
  readonly invalid?: readonly { readonly tool: string; readonly error: string }[]
  readonly usage: AgentUsage
}

/** Answers without a call before the run is given up. */
const maxTexts = 3
/** Broken connections in a row before the run is given up. */
const maxDisconnects = 2
/** How long a stopped run waits for what it had begun. */
const stopMs = 700

/** Lets a model work until the run ends. It is started again after a broken connection and after an answer without a call. */
export class RunLoop {
  readonly agent: ToolLoopAgent<never, ToolSet>
  readonly #options: LoopOptions
  #mustClose = false
  #texts = 0
  #disconnects = 0

  constructor(options: LoopOptions) {
    this.#options = options
    const { model, instructions, tools, state } = options
    this.agent = new ToolLoopAgent<never, ToolSet>({
      id: 'pagehand-browser',
      model,
      instructions,
      tools,
      toolChoice: 'required',
      toolCallConcurrency: 1,
      providerOptions,
      // the budget of the run decides, not the number of steps since the last pause
      stopWhen: [() => this.#isOver(), isStepCount(10_000)],
      prepareStep: ({ messages }) => {
        state.beginStep()
        options.spans.beginStep(state.step + 1)
        const compacted = { messages: compactMessages(messages) }
        if (!this.#mustClose && state.budget.stepsLeft > 1) return compacted
        return { ...compacted, activeTools: ['close'], toolChoice: { type: 'tool', toolName: 'close' } }
      },
      onLanguageModelCallStart: ({ modelId }) => options.spans.beginModelCall(modelId),
      onLanguageModelCallEnd: ({ content, usage, modelId, finishReason }) =>
        this.#onModelCall({ content, usage, modelId: modelId || modelName(model), finishReason }),
      onError: () => {},
    })
  }

  #isOver(): boolean {
    const { state } = this.#options
    const reason = state.budget.exhausted()
    if (reason) state.stop(reason)
    return state.end !== undefined
  }

  async #onModelCall({ content, usage, modelId, finishReason }: ModelCall): Promise<void> {
    const { state, spans, onTurn } = this.#options
    const tokens = {
      inputTokens: usage.inputTokens ?? 0,
      outputTokens: usage.outputTokens ?? 0,
      cachedTokens: usage.inputTokenDetails?.cacheReadTokens ?? 0,
    }
    spans.endModelCall({ ...tokens, finishReason })
    state.budget.addStep(modelId, tokens)
    const text = content.flatMap(part => (part.type === 'text' ? [part.text ?? ''] : [])).join('')
    const invalid = content.filter(part => part.type === 'tool-call' && part.invalid).map(toInvalidCall)
    state.beginTurn(text, invalid)
    if (content.some(part => part.type === 'tool-call')) this.#texts = 0
    this.#disconnects = 0
    await onTurn({
      step: state.step,
      model: modelId,
      ...(text && { text }),
      ...(invalid.length > 0 && { invalid: invalid.map(({ tool, answer }) => ({ tool, error: answer?.text ?? '' })) }),
      usage: state.budget.used,
    })
  }

  /** Works until the run ends; never throws. `write` gets the chunks of one UI message. */
  async perform(task: string, { signal, write }: { signal: AbortSignal; write(chunk: UIMessageChunk): void }): Promise<void> {
    const { state } = this.#options
    const open = new OpenParts()
    const writeOpen = (chunk: UIMessageChunk) => {
      open.add(chunk)
      write(chunk)
    }
    while (!this.#isOver()) {
      const aborted = whenAborted(signal, stopMs)
      const outcome = await Promise.race([this.#segment(task, signal, writeOpen), aborted.promise])
      aborted.cancel()
      if (signal.aborted) state.stop('aborted')
      const current = state.current
      if (current && state.end) await Promise.race([current.done, delay(stopMs)])
      for (const chunk of open.close(id => this.#outcomeOf(id))) write(chunk)
      if (!state.end) this.#afterSegment(outcome)
    }
  }

  /** What is known about a call whose part is still open. */
  #outcomeOf(id: string): UIMessageChunk | string {
    const { turns, current } = this.#options.state
    const call = turns.flatMap(({ calls }) => calls).find(each => each.id === id)
    if (!call) return 'stopped before it began. Nothing was done.'
    if (call.answer?.ok) return { type: 'tool-output-available', toolCallId: id, output: { ok: true, data: { text: call.answer.text } } }
    if (call.answer) return call.answer.text
    return current?.call === call ? 'stopped while it was carried out: it may or may not have happened.' : 'stopped. Nothing was done.'
  }

  /** One call of the AI SDK: as many steps as the model makes without an interruption. */
  async #segment(task: string, signal: AbortSignal, write: (chunk: UIMessageChunk) => void): Promise<SegmentOutcome> {
    const { state, tools } = this.#options
    let failed: { readonly error: unknown } | undefined
    const onError = (error: unknown) => {
      failed ??= { error }
      return messageOf(error)
    }
    try {
      const result = await this.agent.stream({ messages: toMessages(task, state.turns), abortSignal: signal })
      // promises of a failed stream are rejected too; nothing else awaits them
      for (const each of [result.finishReason, result.steps, result.usage, result.responseMessages]) Promise.resolve(each).catch(() => {})
      const chunks = toUIMessageStream({ stream: result.stream, tools, sendStart: false, sendFinish: false, onError })
      for await (const chunk of chunks as unknown as AsyncIterable<UIMessageChunk>) {
        if (signal.aborted) break
        if (chunk.type !== 'error' && chunk.type !== 'abort') write(chunk)
      }
    } catch (error) {
      onError(error)
    }
    // the AI SDK reports an answer without a call as an error, because one is required
    return failed && !isWithoutCall(failed.error) ? failed : 'text'
  }

  #afterSegment(outcome: SegmentOutcome): void {
    const { state, emit } = this.#options
    if (typeof outcome === 'object') {
      const error = describeModelError(outcome.error)
      if (!isDisconnect(outcome.error) || ++this.#disconnects > maxDisconnects) {
        state.stop('error', { error, summary: `The model did not answer: ${error.message}` })
        return
      }
      emit({ type: 'retry', attempt: this.#disconnects, error: error.message })
      return
    }
    const turn = state.turns.at(-1)
    if (++this.#texts >= maxTexts || !turn) {
      state.stop('error', { error: { code: 'not_closed', message: 'The model did not call a tool.' }, summary: turn?.text ?? '' })
      return
    }
    this.#mustClose = this.#texts > 1
    turn.note = 'Text without a call ends nothing. Go on with a tool, or end with close {"summary":"…","evidence":["…"]}.'
  }
}

const isWithoutCall = (error: unknown): boolean => (error as { name?: unknown } | null)?.name === 'AI_ToolChoiceViolationError'

type SegmentOutcome = 'text' | { readonly error: unknown }

interface ModelCall {
  readonly content: readonly ModelPart[]
  readonly usage: {
    readonly inputTokens: number | undefined
    readonly outputTokens: number | undefined
    readonly inputTokenDetails?: { readonly cacheReadTokens: number | undefined }
  }
  readonly modelId: string
  readonly finishReason: string
}

interface ModelPart {
  readonly type: string
  readonly text?: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly input?: unknown
  readonly invalid?: boolean | undefined
  readonly error?: unknown
}

/** The AI SDK answers calls of unknown tools and calls without valid JSON itself. */
const toInvalidCall = ({ toolCallId, toolName, input, error }: ModelPart): TranscriptCall => ({
  id: toolCallId ?? generateId(),
  tool: toolName ?? '',
  input: typeof input === 'object' ? input : {},
  answer: { ok: false, text: messageOf(error) },
})

const delay = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Resolves a moment after the signal is aborted: a model or a page that ignores it cannot delay the end of the run. */
function whenAborted(signal: AbortSignal, ms: number): { readonly promise: Promise<SegmentOutcome>; cancel(): void } {
  let timer: NodeJS.Timeout | undefined
  let listener = () => {}
  const promise = new Promise<SegmentOutcome>(resolve => {
    listener = () => {
      timer = setTimeout(() => resolve('text'), ms)
    }
    if (signal.aborted) listener()
    else signal.addEventListener('abort', listener, { once: true })
  })
  return {
    promise,
    cancel() {
      clearTimeout(timer)
      signal.removeEventListener('abort', listener)
    },
  }
}
