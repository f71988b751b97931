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
import { openPage, type Page, type PageOptions } from './chromium.ts'

/** A page with the built script in it, before the page's own scripts. */
export interface Looked extends Page {
  /** the parsed snapshot; throws where the page refuses */
  look(options?: PageSnapshotOptions): Promise<ParsedSnapshot>
  /** the raw JSON of the page's answer, whatever it is */
  raw(options?: unknown): Promise<{ ok: boolean; error?: { code: string; message: string }; [key: string]: unknown }>
  text(options?: PageSnapshotOptions, render?: RenderOptions): Promise<string>
  act<K extends ActionKind>(ref: string, kind: K, payload?: ActionPayloads[K]): Promise<ActionResult>
  query(ref: string, kind: QueryKind, payload?: { limitChars?: number }): Promise<QueryResult>
  page<K extends PageOperation>(kind: K, payload?: PageOperations[K]['payload']): Promise<PageResult<K>>
  /** the ref of the only node of that role and name in a snapshot taken now */
  refOf(role: string, name?: string): Promise<string>
}

/** `late` injects after the page has loaded instead. */
export async function lookAt(html: string, { late = false, ...options }: PageOptions & { late?: boolean } = {}): Promise<Looked> {
  const script = AgentBrowser.getScript()
  const page = await openPage({
    html: html.includes('<html') ? html : `<!doctype html><title>test</title>${html}`,
    ...options,
    ...(late ? {} : { atDocumentStart: script }),
  })
  if (late) await page.evaluate(script)
  const raw = async (given: unknown = {}) => JSON.parse(await page.evaluate<string>(AgentBrowser.snapshotJs(given as PageSnapshotOptions)))
  const look = async (given: PageSnapshotOptions = {}) => {
    const snapshot = AgentBrowser.parseSnapshot(await page.evaluate(AgentBrowser.snapshotJs(given)))
    if (!snapshot.ok) throw new Error(`${snapshot.error.code}: ${snapshot.error.message}`)
    return snapshot
  }
  return Object.assign(page, {
    raw,
    look,
    act: async <K extends ActionKind>(ref: string, kind: K, payload?: ActionPayloads[K]) =>
      AgentBrowser.parseActionResult(await page.evaluate(AgentBrowser.actionJs(ref, kind, payload))),
    query: async (ref: string, kind: QueryKind, payload?: { limitChars?: number }) =>
      AgentBrowser.parseQueryResult(await page.evaluate(AgentBrowser.queryJs(ref, kind, payload))),
    page: async <K extends PageOperation>(kind: K, payload?: PageOperations[K]['payload']) =>
      AgentBrowser.parsePageResult<K>(await page.evaluate(AgentBrowser.pageJs(kind, payload))),
    refOf: async (role: string, name?: string) => only(await look(), name === undefined ? { role } : { role, name }).ref ?? '',
    text: async (given: PageSnapshotOptions = {}, render: RenderOptions = {}) =>
      AgentBrowser.renderSnapshot(await page.evaluate(AgentBrowser.snapshotJs(given)), render).text,
  })
}

/** every node below, in document order */
export function nodes({ tree }: ParsedSnapshot): ParsedNode[] {
  const found: ParsedNode[] = []
  const visit = (node: ParsedNode) => {
    for (const child of node.children) {
      found.push(child)
      visit(child)
    }
  }
  visit(tree)
  return found
}

/** role "name" of every node with a ref, in document order */
export const named = (snapshot: ParsedSnapshot): string[] =>
  nodes(snapshot)
    .filter(node => node.ref)
    .map(node => `${node.role} ${node.name}`.trim())

export function only(snapshot: ParsedSnapshot, match: Partial<ParsedNode>): ParsedNode {
  const found = nodes(snapshot).filter(node => Object.entries(match).every(([key, value]) => node[key as keyof ParsedNode] === value))
  if (found.length !== 1 || !found[0])
    throw new Error(`${found.length} nodes match ${JSON.stringify(match)} in ${JSON.stringify(snapshot.tree)}`)
  return found[0]
}
