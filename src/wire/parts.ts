import type { Effect } from '../contract/page-api.ts'
import type { RiskReason } from '../contract/risk-reasons.ts'
import type { AnyCommand, Result } from '../contract/run.ts'
import type { StudioProblem } from './problems.ts'

/**
 * The data parts of a chat's message stream, by name without the prefix `data-`. Parts with the same id replace each other.
 *
 * @example
 * writer.write({ type: 'data-browser-event', id: `${event.runId}-${event.step}`, data: event })
 */
export type StudioDataParts = {
  /** a page was opened: show the browser */
  readonly 'open-browser': OpenBrowserPart
  /** a command for the client that owns the tab; transient, since history must never repeat it */
  readonly 'browser-command': BrowserCommandPart
  /** one step of a run; id: run and step */
  readonly 'browser-event': BrowserEventPart
  /** the state of a run; id: run */
  readonly 'sub-agent-run': SubAgentRunPart
  /** a question to the person; id: approval */
  readonly approval: ApprovalPart
  /** the run is parked until a person has done something in the browser; id: run */
  readonly handoff: HandoffPart
  readonly 'manual-stop': ManualStopPart
  /** a file that the person attached, or that a page gave; id: run and name */
  readonly 'stored-file': StoredFilePart
}

/** A file that the person attached to a message, or that a page gave during a run. */
export interface StoredFilePart {
  readonly name: string
  readonly bytes: number
  /** where a file of a page can be saved from */
  readonly url?: string
}

export interface OpenBrowserPart {
  readonly tabId: string
  readonly viewKey: string
  readonly url: string
}

export interface BrowserCommandPart {
  readonly commandId: string
  readonly tabId: string
  readonly viewKey: string
  readonly cdpTargetId: string
  readonly command: AnyCommand
}

/** What a client reports for a command; it counts only if all ids are those of an open command. */
export interface BrowserCommandReport {
  readonly sessionId: string
  readonly clientId: string
  readonly tabId: string
  readonly commandId: string
  readonly result: Result
}

export interface BrowserEventPart {
  readonly runId: string
  readonly step: number
  /** the tool that was called, such as browser-act */
  readonly tool: string
  /** the action in the words of the table, such as click */
  readonly verb: string
  /** role and name of the target, or the URL or words that the step is about; absent if it has none */
  readonly target?: string
  /** the target, if it is an element */
  readonly element?: StepElement
  readonly state: 'running' | 'done' | 'failed' | 'denied'
  /** what changed, in one line of English */
  readonly effect?: string
  /** the same as facts, for which the page has words in each language; absent in runs of earlier versions */
  readonly outcome?: StepOutcome
  readonly error?: StudioProblem
  readonly startedAt: string
  readonly durationMs?: number
  readonly tokens?: number
  /** what the model saw */
  readonly text?: string
  /** the file of the screenshot after the step: /api/runs/RUN/files/FILE */
  readonly frame?: string
}

/** An element in the words of the page that contains it. */
export interface StepElement {
  readonly role: string
  readonly name: string
}

/** What came of a step. */
export interface StepOutcome {
  /** what the action changed; of several, the last */
  readonly effect?: Effect
  /** number of fields that were set, if several */
  readonly fields?: number
  /** title of the page that was opened */
  readonly title?: string
  /** number of characters that the model read, if the step was made to read */
  readonly read?: number
}

export type RunState = 'queued' | 'running' | 'waiting' | 'handoff' | 'ended'

export interface SubAgentRunPart {
  readonly runId: string
  readonly goal: string
  readonly state: RunState
  /** why it ended */
  readonly stopReason?: string
  readonly summary?: string
  readonly usage: RunUsage
  readonly limits: RunUsageLimits
}

export interface RunUsage {
  readonly steps: number
  readonly tokens: number
  readonly characters: number
  readonly costUsd: number
  /** without the time in which the run waited for a person */
  readonly timeMs: number
}
export type RunUsageLimits = { readonly [name in keyof RunUsage]?: number }

export interface ApprovalPart {
  readonly id: string
  readonly runId: string
  readonly chatId: string
  readonly kind: 'action' | 'plan'
  readonly state: 'pending' | 'approved' | 'denied' | 'stale'
  /** the action in English, such as: click button "Pay now"; for a plan, its text */
  readonly action: string
  /** the action in the words of the table, such as click; of a call with several, separated by commas */
  readonly verb?: string
  readonly classes: readonly string[]
  /** sentences in English */
  readonly reasons: readonly string[]
  /** the same reasons by code; absent in requests of earlier versions */
  readonly reasonCodes?: readonly RiskReason[]
  readonly origin: string
  readonly url: string
  readonly target?: { readonly role: string; readonly name: string; readonly path: string }
  /** what the action would send, type or choose; `[secret]` for secrets */
  readonly data?: {
    readonly fields: readonly { readonly label: string; readonly value: string }[]
    /** number of fields that are not listed */
    readonly more?: number
    /** number of hidden fields */
    readonly hidden?: number
  }
  /** how the form is sent */
  readonly method?: 'get' | 'post' | 'dialog'
  /** the URL that the action opens or sends a form to */
  readonly destination?: string
  /** the key that is pressed, such as Enter; absent for a character, which may be part of a secret */
  readonly key?: string
  /** the files of an upload */
  readonly files?: readonly { readonly path: string; readonly bytes?: number }[]
  /** the element that the target is dragged onto */
  readonly onto?: { readonly role: string; readonly name: string; readonly path: string }
  /** the words of the dialog that is answered */
  readonly dialog?: string
  /** JavaScript that would run, from its beginning */
  readonly code?: string
  /** why the question is over, if it is `stale`; an approval with it was not used */
  readonly staleBecause?: 'page' | 'act' | 'browser' | 'run'
  /** the address of a screenshot with the target marked */
  readonly picture?: string
  /** the rule that a lasting decision would add, and its meaning; a text that is not a rule has none */
  readonly rule: string
  readonly clauses?: readonly GrantClause[]
  /** the rule of a decision for the rest of the run, if it is another one */
  readonly runRule?: string
  readonly runClauses?: readonly GrantClause[]
  readonly askedAt: string
  readonly decision?: { readonly scope: ApprovalScope; readonly reason?: string; readonly by: string; readonly at: string }
}
/** Classes of actions that are allowed on, or to, a site; on all sites if it is absent. */
export interface GrantClause {
  readonly classes: readonly string[]
  readonly origin?: string
}

export type ApprovalScope = 'once' | 'run' | 'site' | 'always'

export interface HandoffPart {
  readonly runId: string
  readonly reason: string
  readonly state: 'waiting' | 'done'
  /** `interrupted`: the studio was closed during the run, which goes on when the person says so. @default 'request', made by the agent */
  readonly kind?: 'request' | 'interrupted'
}

export interface ManualStopPart {
  readonly runId?: string
  readonly at: string
  readonly by: string
}
