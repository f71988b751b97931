// What every host does, over the one thing that every host has: evaluate(string) -> string.
import { type ActionKind, type ActionResult, AgentBrowser } from 'pagehand'

export type Evaluate = (expression: string) => Promise<string>

/** What the model answers to a snapshot; where it comes from is no concern of the host. */
export interface Choice {
  readonly ref: string
  readonly kind: ActionKind
  readonly payload?: object
}
export type Choose = (text: string) => Choice | Promise<Choice>

export interface Turn {
  /** what the model saw, at most 12,000 characters */
  readonly before: string
  readonly result: ActionResult
  readonly after: string
}

/** Look, let the model choose, act, look again. */
export async function turn(evaluate: Evaluate, choose: Choose): Promise<Turn> {
  const before = await look(evaluate)
  const { ref, kind, payload } = await choose(before)
  const result = AgentBrowser.parseActionResult(await evaluate(AgentBrowser.actionJs(ref, kind, payload as never)))
  await rest(evaluate)
  return { before, result, after: await look(evaluate) }
}

/** A document that was loaded meanwhile gets the script first; one that has it keeps all its refs. */
export async function look(evaluate: Evaluate): Promise<string> {
  await evaluate(AgentBrowser.getScript())
  return AgentBrowser.renderSnapshot(await evaluate(AgentBrowser.snapshotJs())).text
}

/** Until the page has come to rest, or for five seconds: polling belongs to the host, a page script must not wait. */
export async function rest(evaluate: Evaluate, { withinMs = 5_000, everyMs = 50 } = {}): Promise<boolean> {
  const end = Date.now() + withinMs
  while (Date.now() < end) {
    const answer = AgentBrowser.parsePageResult(await evaluate(AgentBrowser.pageJs('settled')))
    // on the way to another document there is nobody to ask
    if (!answer.ok) await evaluate(AgentBrowser.getScript())
    else if ((answer.data as { settled: boolean }).settled) return true
    await new Promise(resolve => setTimeout(resolve, everyMs))
  }
  return false
}
