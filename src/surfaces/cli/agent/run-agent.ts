import type { AgentEvent, AgentNeed, StopReason } from '../../../contract/agent-run.ts'
import type { ApprovalRequest, Approve } from '../../../contract/approval.ts'
import { quote } from '../../../contract/quote.ts'
import type { AbortSignalLike } from '../../../contract/run.ts'
import { savePicture } from '../../../evidence/approval-picture.ts'
import { describeAction, grantLine } from '../../respond/describe-approval.ts'
import { askLine, stderr, stdout, toPrintable } from '../../terminal.ts'
import type { AgentCommand } from './options.ts'
import { type EventStreams, eventPrinter, exitCodes } from './print-events.ts'

/** A run that the program has prepared: the agent room is above the surfaces, so it is passed in. */
export interface PreparedRun {
  run(options: { readonly signal: AbortSignal }): Promise<AgentOutcome>
  close(): Promise<void>
}
export interface AgentOutcome {
  readonly run: string
  readonly reason: StopReason
  readonly summary: string
  readonly evidence: readonly string[]
  readonly need?: AgentNeed
  readonly error?: { readonly code: string; readonly message: string }
  readonly report?: string
}
export interface AgentHooks {
  readonly onEvent: (event: AgentEvent) => void
  /** absent without a terminal: requests stay open then */
  readonly approve?: Approve
  readonly handoff?: (reason: string, signal: AbortSignalLike) => Promise<'done' | 'pending'>
}

/** Runs an agent, prints its events and outcome, and returns the exit code. */
export async function runAgent(
  { json, browser, evidence }: AgentCommand,
  prepare: (hooks: AgentHooks) => Promise<PreparedRun>,
  given: EventStreams = { out: stdout, err: stderr },
): Promise<number> {
  const streams = { out: toPrintable(given.out), err: toPrintable(given.err) }
  const onEvent = eventPrinter({ json, streams })
  const stop = new AbortController()
  const onInterrupt = () => {
    if (stop.signal.aborted) process.exit(exitCodes.aborted)
    streams.err.write(`${streams.err.isTTY ? '\n' : ''}stopping; press Ctrl-C again to stop at once\n`)
    stop.abort()
  }
  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', onInterrupt)
  // a person can only take over a window that they see
  const canTakeOver =
    process.stdin.isTTY === true && (browser.headed === true || browser.attach !== undefined || browser.profile === 'chrome')
  let prepared: PreparedRun | undefined
  try {
    const isAttended = process.stdin.isTTY === true && streams.err.isTTY === true
    prepared = await prepare({
      onEvent,
      ...(isAttended && { approve: askAtTerminal(evidence) }),
      ...(canTakeOver && { handoff: waitForPerson }),
    })
    const outcome = await prepared.run({ signal: stop.signal })
    if (!json) printOutcome(outcome, streams)
    return exitCodes[outcome.reason]
  } finally {
    await prepared?.close()
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onInterrupt)
  }
}

function printOutcome({ run, reason, summary, evidence, need, error, report }: AgentOutcome, { out, err }: EventStreams): void {
  const quotes = evidence.map(words => `  ${quote(words)}`)
  if (reason === 'closed') out.write(`${[summary, ...quotes].join('\n')}\n`)
  else err.write(`pagehand: ${summary || error?.message || reason}\n`)
  if (need?.kind === 'approval') err.write(`approve it: pagehand approve ${need.id} (with --scope run: for the rest of this run)\n`)
  if (need?.kind === 'handoff') err.write(`do it in a window: pagehand run resume ${run} --headed\n`)
  else if (need || (reason === 'error' && report === undefined)) err.write(`go on: pagehand run resume ${run}\n`)
  if (report !== undefined) err.write(`report: ${report}\n`)
}

/** The answers, each with what it allows. */
const choicesFor = (request: ApprovalRequest, { canWait = true }: QuestionOptions): string =>
  [
    ...(request.kind === 'plan'
      ? [`y: yes, ${grantLine(request, 'run')}`]
      : [`y: yes, ${grantLine(request, 'once')}`, `r: yes, ${grantLine(request, 'run')}`, `s: yes, ${grantLine(request, 'site')}`]),
    'n: no',
    ...(canWait ? ['Enter: decide later'] : []),
    '> ',
  ]
    .map(line => `     ${line}`)
    .join('\n')

interface QuestionOptions {
  /** The run can be resumed once somebody has decided. @default true */
  readonly canWait?: boolean
}

/** What a person at the terminal is asked. Words of the page are quoted, so that they cannot be taken for an answer or another line. */
export const approvalQuestion = (
  request: ApprovalRequest,
  { picture, ...options }: QuestionOptions & { readonly picture?: string } = {},
): string => [...describeAction(request, picture).map(line => `     ${line}`), choicesFor(request, options)].join('\n')

/**
 * Shows requests on the terminal. Only a clear answer counts: an empty line leaves the request open if the run can wait, and asks again
 * otherwise; a closed terminal is not an answer.
 *
 * @param folder the folder of the runs, in which the pictures of the requests are written
 */
export const askAtTerminal =
  (folder?: string, options: QuestionOptions = {}): Approve =>
  async (request, signal) => {
    const picture = await savePicture(request, folder)
    const first = approvalQuestion(request, { ...options, ...(picture !== undefined && { picture }) })
    for (let question = first; ; question = choicesFor(request, options)) {
      const answer = await askLine(question, signal)
      if (answer === undefined || (answer === '' && options.canWait !== false)) return 'pending'
      const scope = scopes[answer]
      if (scope && !(request.kind === 'plan' && scope !== 'once')) return { approved: true, scope, by: 'terminal' }
      if (answer === 'n' || answer === 'no') return { approved: false, scope: 'once', by: 'terminal' }
    }
  }

const scopes: { readonly [answer: string]: 'once' | 'run' | 'site' } = { y: 'once', yes: 'once', r: 'run', s: 'site' }

/** Waits until the person at the terminal presses Enter. A closed terminal is not an answer. */
const waitForPerson = async (_: string, signal: AbortSignalLike): Promise<'done' | 'pending'> =>
  (await askLine('     Press Enter when you are done in the browser. ', signal)) === undefined ? 'pending' : 'done'
