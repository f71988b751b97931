import type { AgentRunResult, BrowserAgentOptions } from 'pagehand/agent'
import type { Session } from 'pagehand/browser'

export interface PerformOptions extends Omit<BrowserAgentOptions, 'goal' | 'run' | 'session'> {
  /** An open session. By default, one is opened and closed. */
  readonly session?: Session
}

export function perform(task: string, options?: PerformOptions): Promise<AgentRunResult>
