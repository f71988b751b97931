import type { AgentEvent, AgentUsage, StopReason } from '../../../contract/agent-run.ts'
import { inline } from '../../../contract/quote.ts'
import { cut } from '../../../contract/text.ts'
import { printable } from '../../printable.ts'
import { type TerminalStream, toPrintable } from '../../terminal.ts'

export interface EventStreams {
  readonly out: TerminalStream
  readonly err: TerminalStream
}

/** The exit code for each end of a run. */
export const exitCodes: { readonly [reason in StopReason]: number } = {
  closed: 0,
  error: 1,
  max_steps: 3,
  max_cost: 4,
  max_time: 5,
  loop: 6,
  denied: 7,
  needs_approval: 8,
  aborted: 130,
}

/**
 * Prints the events of a run: as lines of JSON, as plain lines, or on a terminal as a list whose last line is replaced when its answer
 * arrives.
 */
export function eventPrinter({ json, streams }: { readonly json: boolean; readonly streams: EventStreams }): (event: AgentEvent) => void {
  const [out, err] = [toPrintable(streams.out), toPrintable(streams.err)]
  if (json) return event => out.write(`${JSON.stringify(event)}\n`)
  const isLive = err.isTTY && process.env.TERM !== 'dumb'
  let call: Extract<AgentEvent, { type: 'call' }> | undefined
  const line = (text: string) => {
    if (isLive && call) err.eraseLine()
    err.write(`${text}\n`)
  }
  return event => {
    if (event.type === 'call') {
      call = event
      // a line that wraps could not be erased
      if (isLive) err.write(printable(`${stepLine(event)} …`).slice(0, err.columns - 1))
    } else if (event.type === 'answer') {
      line(`${stepLine(call ?? { ...event, verb: event.tool })}  ${event.ok ? '' : '✗ '}${effectOf(event)}  ${facts(event)}`)
      call = undefined
    } else if (event.type === 'started') line(`${event.resumed ? 'resumed' : 'run'} ${event.run} with ${event.model}`)
    else if (event.type === 'text') line(cut(`     ${event.text.replace(/\s+/g, ' ')}`, isLive ? err.columns - 1 : 205))
    else if (event.type === 'warning') line(`     note: ${event.text}`)
    else if (event.type === 'retry') line(`     the model did not answer (${event.error}); trying again`)
    else if (event.type === 'waiting') line(`     waiting for you: ${event.need.reason}`)
    else line(`${event.reason}${event.error ? ` (${event.error.code})` : ''}: ${summaryOf(event.usage)}`)
  }
}

const stepLine = ({ step, verb, target }: { readonly step: number; readonly verb: string; readonly target?: string }): string =>
  `${String(step).padStart(3)}  ${verb}${target ? ` ${target}` : ''}`

/** `ok: click e3` says nothing that the line does not say already. */
function effectOf({ ok, tool, text, effect, error }: Extract<AgentEvent, { type: 'answer' }>): string {
  if (!ok) return inline(error?.message ?? text, 140)
  if (tool === 'close') return 'ok'
  const status = text.replace(/^ok: \S+(?: (?:f\d+)?e\d+)?$/, 'ok').replace(/^<page [\w-]+ .*$/, 'ok')
  return inline(effect === undefined ? status : `${status === 'ok' ? '' : `${status}: `}${effect}`, 100)
}

const facts = ({ ms, usage: { inputTokens, outputTokens } }: Extract<AgentEvent, { type: 'answer' }>): string =>
  `(${(ms / 1_000).toFixed(1)} s, ${(inputTokens + outputTokens).toLocaleString('en')} tokens)`

export const summaryOf = ({ steps, inputTokens, outputTokens, cost, activeMs }: AgentUsage): string =>
  `${steps} ${steps === 1 ? 'step' : 'steps'}, ${(inputTokens + outputTokens).toLocaleString('en')} tokens${cost > 0 ? `, cost ${cost.toFixed(4)}` : ''}, ${(activeMs / 1_000).toFixed(1)} s`
