import {
  type ActionKind,
  type ActionPayloads,
  type ActionResult,
  AgentBrowser,
  type PageOperation,
  type PageOperations,
  type PageResult,
  type PageSnapshotOptions,
  type ParsedNode,
  type ParsedSnapshot,
  type QueryKind,
  type QueryResult,
  type RenderOptions,
} from '../../src/index.ts'
import { openPage, type PageOptions, type TestPage } from './open-page.ts'
import { descendants, findRef } from './snapshot-nodes.ts'

/** A page with the built script injected at document start. */
export interface ScriptPage extends TestPage {
  /** the parsed snapshot; throws if the page returns an error */
  snapshot(options?: PageSnapshotOptions): Promise<ParsedSnapshot>
  /** the JSON of the page's answer, even if it is an error */
  rawSnapshot(options?: unknown): Promise<{ ok: boolean; error?: { code: string; message: string }; [key: string]: unknown }>
  text(options?: PageSnapshotOptions, render?: RenderOptions): Promise<string>
  act<K extends ActionKind>(ref: string, kind: K, payload?: ActionPayloads[K]): Promise<ActionResult>
  query(ref: string, kind: QueryKind, payload?: { limitChars?: number }): Promise<QueryResult>
  call<K extends PageOperation>(kind: K, payload?: PageOperations[K]['payload']): Promise<PageResult<K>>
  /** the ref of `button "Save"` or of the only `button` in a new snapshot */
  ref(query: string): Promise<string>
}

/** `late` injects the script after the page has loaded. */
export async function openScriptPage(
  html: string,
  { late = false, ...options }: PageOptions & { late?: boolean } = {},
): Promise<ScriptPage> {
  const script = AgentBrowser.getScript()
  const page = await openPage({
    html: html.includes('<html') ? html : `<!doctype html><title>test</title>${html}`,
    ...options,
    ...(late ? {} : { atDocumentStart: script }),
  })
  if (late) await page.evaluate(script)
  const rawSnapshot = async (given: unknown = {}) =>
    JSON.parse(await page.evaluate<string>(AgentBrowser.snapshotJs(given as PageSnapshotOptions)))
  const snapshot = async (given: PageSnapshotOptions = {}) => {
    const parsed = AgentBrowser.parseSnapshot(await page.evaluate(AgentBrowser.snapshotJs(given)))
    if (!parsed.ok) throw new Error(`${parsed.error.code}: ${parsed.error.message}`)
    return parsed
  }
  return Object.assign(page, {
    rawSnapshot,
    snapshot,
    act: async <K extends ActionKind>(ref: string, kind: K, payload?: ActionPayloads[K]) =>
      AgentBrowser.parseActionResult(await page.evaluate(AgentBrowser.actionJs(ref, kind, payload))),
    query: async (ref: string, kind: QueryKind, payload?: { limitChars?: number }) =>
      AgentBrowser.parseQueryResult(await page.evaluate(AgentBrowser.queryJs(ref, kind, payload))),
    call: async <K extends PageOperation>(kind: K, payload?: PageOperations[K]['payload']) =>
      AgentBrowser.parsePageResult<K>(await page.evaluate(AgentBrowser.pageJs(kind, payload))),
    ref: async (query: string) => findRef((await snapshot()).tree, query),
    text: async (given: PageSnapshotOptions = {}, render: RenderOptions = {}) =>
      AgentBrowser.renderSnapshot(await page.evaluate(AgentBrowser.snapshotJs(given)), render).text,
  })
}

/** all nodes of a snapshot, in document order */
export const nodes = ({ tree }: ParsedSnapshot): ParsedNode[] => descendants(tree)

/** role and name of every node with a ref, in document order */
export const roleNames = (snapshot: ParsedSnapshot): string[] =>
  nodes(snapshot)
    .filter(node => node.ref)
    .map(node => `${node.role} ${node.name}`.trim())

/** the only node with these fields */
export function findNode(snapshot: ParsedSnapshot, match: Partial<ParsedNode>): ParsedNode {
  const found = nodes(snapshot).filter(node => Object.entries(match).every(([key, value]) => node[key as keyof ParsedNode] === value))
  if (found.length !== 1 || !found[0])
    throw new Error(`${found.length} nodes match ${JSON.stringify(match)} in ${JSON.stringify(snapshot.tree)}`)
  return found[0]
}
