import type { Span, Tracer } from '@opentelemetry/api'

type Api = typeof import('@opentelemetry/api')
type Attributes = { readonly [name: string]: string | number | boolean }

/**
 * Spans of one run with the names of OpenTelemetry's conventions for generative AI: `invoke_agent`, `step N`, `chat MODEL`,
 * `execute_tool TOOL` and one per command. They contain no text of the user, the model or a page.
 */
export class AgentSpans {
  readonly #api: Api | undefined
  readonly #tracer: Tracer | undefined
  #run: Span | undefined
  #step: Span | undefined
  #model: Span | undefined
  #tool: Span | undefined

  constructor(api?: Api) {
    this.#api = api
    this.#tracer = api?.trace.getTracer('pagehand')
  }

  beginRun(run: string, model: string): void {
    this.#run = this.#start('invoke_agent pagehand', undefined, {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'pagehand',
      'gen_ai.conversation.id': run,
      'gen_ai.request.model': model,
    })
  }

  beginStep(step: number): void {
    this.#step?.end()
    this.#step = this.#start(`step ${step}`, this.#run, { 'pagehand.step': step })
  }

  beginModelCall(model: string): void {
    this.#model = this.#start(`chat ${model}`, this.#step ?? this.#run, { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model })
  }

  endModelCall({ inputTokens, outputTokens, cachedTokens, finishReason }: ModelCallAttributes): void {
    this.#model?.setAttributes({
      'gen_ai.usage.input_tokens': inputTokens,
      'gen_ai.usage.output_tokens': outputTokens,
      'gen_ai.usage.cache_read.input_tokens': cachedTokens,
      'gen_ai.response.finish_reasons': [finishReason],
    })
    this.#model?.end()
    this.#model = undefined
  }

  /** Returns the function that ends the span. */
  beginTool(tool: string, id: string): (ok: boolean, error?: string) => void {
    const span = this.#start(`execute_tool ${tool}`, this.#step ?? this.#run, {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': id,
    })
    this.#tool = span
    return (ok, error) => {
      this.#end(span, ok, error)
      this.#tool = undefined
    }
  }

  beginCommand(verb: string): (ok: boolean, error?: string) => void {
    const span = this.#start(`command ${verb}`, this.#tool ?? this.#step ?? this.#run, { 'pagehand.verb': verb })
    return (ok, error) => this.#end(span, ok, error)
  }

  endRun(reason: string, error?: string): void {
    this.#model?.end()
    this.#step?.end()
    this.#run?.setAttribute('pagehand.stop_reason', reason)
    this.#end(this.#run, error === undefined, error)
  }

  #start(name: string, parent: Span | undefined, attributes: Attributes): Span | undefined {
    const { context, trace } = this.#api ?? {}
    if (!this.#tracer || !context || !trace) return undefined
    return this.#tracer.startSpan(name, { attributes }, parent ? trace.setSpan(context.active(), parent) : context.active())
  }

  #end(span: Span | undefined, ok: boolean, error: string | undefined): void {
    if (!ok) {
      if (error) span?.setAttribute('error.type', error)
      span?.setStatus({ code: this.#api?.SpanStatusCode.ERROR ?? 2 })
    }
    span?.end()
  }
}

interface ModelCallAttributes {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedTokens: number
  readonly finishReason: string
}

const packageName = '@opentelemetry/api'

/** Spans go nowhere if the package is not installed, or no provider is registered. */
export async function loadSpans(): Promise<AgentSpans> {
  try {
    return new AgentSpans((await import(packageName)) as Api)
  } catch {
    return new AgentSpans()
  }
}
