// The agent loop of an app whose only access to the page is evaluate(string) -> string.
import { type ActionKind, type ActionPayloads, type ActionResult, AgentBrowser } from 'pagehand'

export type Evaluate = (expression: string) => Promise<string>

/** What the model decides to do after it has read a snapshot. */
export interface Choice {
  readonly ref: string
  readonly kind: ActionKind
  readonly payload?: ActionPayloads[ActionKind]
}
export type Choose = (text: string) => Choice | Promise<Choice>

export interface Turn {
  /** The snapshot that the model read, at most 12,000 characters. */
  readonly before: string
  readonly result: ActionResult
  readonly after: string
}

/** Takes a snapshot, lets the model choose, acts, and takes another snapshot. */
export async function takeTurn(evaluate: Evaluate, choose: Choose): Promise<Turn> {
  const before = await takeSnapshot(evaluate)
  const { ref, kind, payload } = await choose(before)
  const result = AgentBrowser.parseActionResult(await evaluate(AgentBrowser.actionJs(ref, kind, payload)))
  await settle(evaluate)
  return { before, result, after: await takeSnapshot(evaluate) }
}

/** Injects the script first, because the document may be new. In a document that has it already, all refs stay valid. */
export async function takeSnapshot(evaluate: Evaluate): Promise<string> {
  await evaluate(AgentBrowser.getScript())
  return AgentBrowser.renderSnapshot(await evaluate(AgentBrowser.snapshotJs())).text
}

/** Polls until the page has settled or the time is up. The app polls because a script in the page must not block. */
export async function settle(evaluate: Evaluate, { timeoutMs = 5_000, pollMs = 50 } = {}): Promise<boolean> {
  const end = Date.now() + timeoutMs
  while (Date.now() < end) {
    const answer = AgentBrowser.parsePageResult<'settled'>(await evaluate(AgentBrowser.pageJs('settled')))
    // during a navigation the new document does not have the script yet
    if (!answer.ok) await evaluate(AgentBrowser.getScript())
    else if (answer.data.settled) return true
    await new Promise(resolve => setTimeout(resolve, pollMs))
  }
  return false
}
