import {
  type ActionKind,
  type ActionPayloads,
  type ActionResult,
  AgentBrowser,
  type ParsedSnapshot,
  type SettleReport,
} from '../../src/index.ts'
import { nodes } from './looking.ts'
import { until } from './processes.ts'

/** What a WebView host has: it evaluates a string, and gets one. */
export type Evaluate = (expression: string) => Promise<string>

export interface Hands {
  look(): Promise<ParsedSnapshot>
  /** the ref of the only thing that is `button "Save"`, or of the nth where there are several: `button "Delete" 2` */
  find(what: string): Promise<string>
  /** looks, acts on what is named or on a ref, and waits until the page has come to rest */
  act<K extends ActionKind>(what: string, kind: K, payload?: ActionPayloads[K]): Promise<Acted>
  rest(): Promise<SettleReport>
}

/** An answer, and what it had led to when the page was at rest. */
export type Acted = ActionResult & { readonly rest?: SettleReport }

/** Eyes and hands on a page through nothing but strings, as a host has them. */
export function hands(evaluate: Evaluate): Hands {
  const look = async () => {
    const snapshot = AgentBrowser.parseSnapshot(await evaluate(AgentBrowser.snapshotJs()))
    if (!snapshot.ok) throw new Error(`${snapshot.error.code}: ${snapshot.error.message}`)
    return snapshot
  }
  const find = async (what: string) => refOf(await look(), what)
  const rest = async () => {
    let last: SettleReport | undefined
    await until(
      async () => {
        const answer = AgentBrowser.parsePageResult(await evaluate(AgentBrowser.pageJs('settled')))
        if (answer.ok) last = answer.data as SettleReport
        return last?.settled === true
      },
      { what: 'the page at rest', withinMs: 10_000 },
    )
    return last as unknown as SettleReport
  }
  return {
    look,
    find,
    rest,
    act: async (what, kind, payload) => {
      const ref = /^f?\d*e\d+$/.test(what) ? what : await find(what)
      const answer = AgentBrowser.parseActionResult(await evaluate(AgentBrowser.actionJs(ref, kind, payload)))
      return { ...answer, rest: await rest() }
    },
  }
}

export function refOf(snapshot: ParsedSnapshot, what: string): string {
  const [, role, name, nth = '1'] = /^(\S+)(?: "(.*?)")?(?: (\d+))?$/.exec(what) ?? []
  const found = nodes(snapshot).filter(
    node => node.ref && node.role === role && (name === undefined || node.name === name || node.text === name),
  )
  const node = found[Number(nth) - 1]
  if (!node?.ref || (found.length > 1 && !/ \d+$/.test(what)))
    throw new Error(`${found.length} things are ${what} on this page:\n${AgentBrowser.renderSnapshot(JSON.stringify(snapshot)).text}`)
  return node.ref
}
