import { fail, type Layer } from '../contract/run.ts'
import type { AgentSpans } from './telemetry.ts'

/** After the end of a run nothing reaches the browser, not even the rest of a form. */
export const stopLayer =
  (isStopped: () => boolean): Layer =>
  next =>
  async (command, signal) =>
    isStopped() ? fail('aborted', 'the run has ended. Nothing was done.') : next(command, signal)

export const spanLayer =
  (spans: AgentSpans): Layer =>
  next =>
  async (command, signal) => {
    const end = spans.beginCommand(command.name)
    const result = await next(command, signal)
    end(result.ok, result.ok ? undefined : result.error.code)
    return result
  }
