import {
  type ActionKind,
  type ActionPayloads,
  type ActionResult,
  AgentBrowser,
  type ParsedSnapshot,
  type SettleReport,
} from '../../src/index.ts'
import { until } from './processes.ts'
import { findRef } from './snapshot-nodes.ts'

/** The only capability of a WebView host: it evaluates a string and gets one back. */
export type Evaluate = (expression: string) => Promise<string>

export interface ScriptActions {
  snapshot(): Promise<ParsedSnapshot>
  /** the ref of `button "Save"`, or of the nth of several: `button "Delete" 2` */
  ref(query: string): Promise<string>
  /** acts on a ref or on the element of a query, and waits until the page has settled */
  act<K extends ActionKind>(target: string, kind: K, payload?: ActionPayloads[K]): Promise<SettledResult>
  settle(): Promise<SettleReport>
}

/** The result of an action, and the report of the page once it has settled. */
export type SettledResult = ActionResult & { readonly settle?: SettleReport }

/** Snapshots and actions through nothing but strings, as in a WebView host. */
export function scriptActions(evaluate: Evaluate): ScriptActions {
  const snapshot = async () => {
    const parsed = AgentBrowser.parseSnapshot(await evaluate(AgentBrowser.snapshotJs()))
    if (!parsed.ok) throw new Error(`${parsed.error.code}: ${parsed.error.message}`)
    return parsed
  }
  const ref = async (query: string) => findRef((await snapshot()).tree, query)
  const settle = async () => {
    let last: SettleReport | undefined
    await until(
      async () => {
        const answer = AgentBrowser.parsePageResult(await evaluate(AgentBrowser.pageJs('settled')))
        if (answer.ok) last = answer.data as SettleReport
        return last?.settled === true
      },
      { what: 'the page has settled', withinMs: 10_000 },
    )
    return last as unknown as SettleReport
  }
  return {
    snapshot,
    ref,
    settle,
    act: async (target, kind, payload) => {
      const found = /^f?\d*e\d+$/.test(target) ? target : await ref(target)
      const result = AgentBrowser.parseActionResult(await evaluate(AgentBrowser.actionJs(found, kind, payload)))
      return { ...result, settle: await settle() }
    },
  }
}
