import type { CommandData } from '../contract/results.ts'
import { drawnRoles } from '../contract/roles.ts'
import type { AbortSignalLike, AnyRun, Result } from '../contract/run.ts'
import { type ParsedNode, type ParsedSnapshot, parseSnapshot } from '../render/decode/snapshot.ts'
import { monotonicMs } from './limits.ts'

/** A page, or a part of it, in document order. */
export interface WholePage {
  readonly ok: true
  readonly snapshot: ParsedSnapshot
  /** parts of the page that it does not contain, in words */
  readonly missing: readonly string[]
  readonly notes: readonly string[]
}

export type FailedResult = Extract<Result, { readonly ok: false }>

/** a page that is longer is read by scope */
const maxParts = 48
/** half of the deadline of the commands that read a whole page: the answer must come before it */
const maxMs = 5_000

/**
 * Reads a page from its start to its end: as many snapshots as it takes, each of which continues after the last element of the one before.
 * Texts that are hidden are in none of them, nor are texts that are covered wherever the page is scrolled; the latter are counted.
 */
export async function readWholePage(run: AnyRun, scope: string | undefined, signal?: AbortSignalLike): Promise<WholePage | FailedResult> {
  const base = { name: 'snapshot', interactiveOnly: false, viewport: 'all', order: 'document', ...(scope !== undefined && { scope }) }
  const parts: ParsedSnapshot[] = []
  const notes: string[] = []
  let after: string | undefined
  let isComplete = false
  const endsAt = monotonicMs() + maxMs
  while (parts.length < maxParts && !isComplete && (parts.length === 0 || monotonicMs() < endsAt)) {
    const result = await run({ ...base, ...(after !== undefined && { after }) }, signal)
    if (!result.ok) {
      // the element at which to continue may be gone by now
      if (parts.length > 0 && !signal?.aborted) break
      return result
    }
    notes.push(...((result.data as CommandData['snapshot']).notes ?? []))
    const snapshot = parseSnapshot(result.data)
    if (!snapshot.ok) return { ok: false, error: snapshot.error }
    parts.push(snapshot)
    const last = lastRef(snapshot.tree)
    isComplete = !isCut(snapshot) || last === undefined || last === after
    after = last
  }
  const [first] = parts as [ParsedSnapshot, ...ParsedSnapshot[]]
  const children = parts.reduce<readonly ParsedNode[]>(
    (before, { tree }, index) => joinAtEnd(before, withoutRepeats(parts[index - 1], tree.children)),
    [],
  )
  const { omitted = {} } = first.stats
  const covered = parts.reduce((sum, { stats }) => sum + (stats.omitted?.coveredText ?? 0), 0)
  const missing = [
    ...(isComplete ? [] : ['the end of the page (give the ref of a later part as the scope)']),
    ...(parts.some(({ stats }) => stats.truncateReasons.includes('maxTextPerNode')) ? ['the end of very long texts (cut at …)'] : []),
    ...(omitted.frames ? [`${omitted.frames} frame${omitted.frames > 1 ? 's' : ''}`] : []),
    ...(covered ? [`${covered} text${covered > 1 ? 's' : ''} that something else covers (close it first)`] : []),
    ...(omitted.concealed ? ['parts that are clipped or transparent now (open them or scroll to them)'] : []),
    ...drawnParts(children),
    ...(omitted.inert ? ['what lies behind the dialog (close it first)'] : []),
  ]
  return { ok: true, snapshot: { ...first, tree: { ...first.tree, children } }, missing, notes }
}

/** Canvases, videos and embedded documents, whose content is in no text. */
function drawnParts(nodes: readonly ParsedNode[]): readonly string[] {
  const counts = new Map<string, number>()
  const stack = [...nodes]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (drawnRoles.has(node.role)) counts.set(node.role, (counts.get(node.role) ?? 0) + 1)
    for (const child of node.children) stack.push(child)
  }
  const words = [...drawnRoles].flatMap(role => {
    const count = counts.get(role) ?? 0
    return count > 0 ? [`${count} ${role}${count === 1 ? '' : role.endsWith('s') ? 'es' : 's'}`] : []
  })
  return words.length > 0 ? [`what is drawn in ${words.join(', ')} (take a screenshot)`] : []
}

const limits = new Set(['maxNodes', 'maxJsonBytes', 'maxTime', 'maxVisits'])
/** Whether the page has more than the snapshot contains. */
export const isCut = ({ stats }: ParsedSnapshot): boolean => stats.truncateReasons.some(reason => limits.has(reason))

function lastRef(node: ParsedNode): string | undefined {
  for (let i = node.children.length - 1; i >= 0; i--) {
    const found = lastRef(node.children[i] as ParsedNode)
    if (found !== undefined) return found
  }
  return node.ref
}

/** The table, row or list in which a part ends and the next one begins is one: its rows have the headers of the part before. */
function joinAtEnd(before: readonly ParsedNode[], next: readonly ParsedNode[]): readonly ParsedNode[] {
  const [last, [first, ...others]] = [before.at(-1), next]
  if (!last || !first || first.ref === undefined || first.ref !== last.ref) return [...before, ...next]
  return [...before.slice(0, -1), { ...last, children: joinAtEnd(last.children, first.children) }, ...others]
}

/**
 * What comes after the last element of a part begins with the texts that followed it in that part, since texts have no refs. Containers
 * that were open are repeated too, but only with what is new in them.
 */
function withoutRepeats(before: ParsedSnapshot | undefined, children: readonly ParsedNode[]): readonly ParsedNode[] {
  const seen = new Set(before ? textsAtEnd(before.tree) : [])
  let isAtStart = true
  const filter = (nodes: readonly ParsedNode[]): readonly ParsedNode[] =>
    nodes.flatMap(node => {
      const isRepeated: boolean = isAtStart && node.role === 'text' && seen.has(node.text)
      if (!isRepeated && (node.role === 'text' || node.interactive)) isAtStart = false
      if (isRepeated) return []
      return [{ ...node, children: filter(node.children) }]
    })
  return filter(children)
}

/** the texts behind the last element with a ref */
function textsAtEnd(node: ParsedNode): readonly string[] {
  const texts: string[] = []
  const visit = (each: ParsedNode): boolean => {
    for (let i = each.children.length - 1; i >= 0; i--) if (visit(each.children[i] as ParsedNode)) return true
    if (each.role === 'text') texts.push(each.text)
    return each.role !== 'text' && each.ref !== undefined && each.children.length === 0
  }
  visit(node)
  return texts
}
