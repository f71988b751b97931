import type { ApprovalPart, BrowserEventPart, HandoffPart, SubAgentRunPart } from '../../../../src/wire/parts.ts'
import type { StudioMessage } from '../../../../src/wire/studio-message.ts'

/** A run as the parts of a chat describe it. */
export interface ChatRun {
  readonly run?: SubAgentRunPart
  readonly events: readonly BrowserEventPart[]
  readonly handoff?: HandoffPart
}

/** The runs of a chat by id, in the order in which they appear. */
export const runsOf = (messages: readonly StudioMessage[]): ReadonlyMap<string, ChatRun> => {
  const runs = new Map<string, { run?: SubAgentRunPart; events: Map<number, BrowserEventPart>; handoff?: HandoffPart }>()
  const runOf = (id: string) => {
    const known = runs.get(id) ?? { events: new Map<number, BrowserEventPart>() }
    runs.set(id, known)
    return known
  }
  for (const message of messages) {
    for (const part of message.parts) {
      if (part.type === 'data-sub-agent-run') runOf(part.data.runId).run = part.data
      else if (part.type === 'data-browser-event') runOf(part.data.runId).events.set(part.data.step, part.data)
      else if (part.type === 'data-handoff') runOf(part.data.runId).handoff = part.data
    }
  }
  return new Map(
    [...runs].map(([id, { events, ...rest }]) => [id, { ...rest, events: [...events.values()].sort((a, b) => a.step - b.step) }] as const),
  )
}

/** The run that is not over, if there is one. */
export const activeRunOf = (runs: ReadonlyMap<string, ChatRun>): SubAgentRunPart | undefined =>
  [...runs.values()].flatMap(({ run }) => (run === undefined || run.state === 'ended' ? [] : [run])).at(-1)

/** The newest state of each approval in a chat. */
export const approvalsOf = (messages: readonly StudioMessage[]): ReadonlyMap<string, ApprovalPart> =>
  new Map(
    messages.flatMap(message => message.parts.flatMap(part => (part.type === 'data-approval' ? [[part.data.id, part.data] as const] : []))),
  )

/** Whether a chat opened a page, so that there is something to show. */
export const hasBrowser = (messages: readonly StudioMessage[]): boolean =>
  messages.some(message => message.parts.some(part => part.type === 'data-open-browser' || part.type === 'data-browser-event'))
