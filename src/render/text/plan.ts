import type { ParsedSnapshot } from '../decode/snapshot.ts'
import type { Page } from './attributes.ts'
import { byImportance } from './budget.ts'
import { type Detail, type Step, steps } from './detail.ts'
import type { Limits } from './options.ts'
import { compact, distil, gatherText, sizeOf, type View } from './passes.ts'
import type { Line } from './print.ts'
import { flatten, type Row } from './rows.ts'
import type { Writer } from './writer.ts'

export type Draft = ReturnType<typeof drafted>

/** All lines there could be, and what matters most among them. */
export function drafted(snapshot: ParsedSnapshot, limits: Limits, writer: Writer) {
  const { rows, hoisted } = flatten(quietNews(outermost(snapshot, limits, writer)), {
    maxDepth: limits.maxDepth,
    dialog: snapshot.meta.dialog,
  })
  const shows = ({ view }: Row) => writer.shows(view)
  const line = remembered(rows, writer, { url: snapshot.meta.url })
  const size = (index: number, step: Step): number => {
    const view = rows[index]?.view
    // a fold line names a count and a ref, and JSON puts names around them
    if (view?.fold) return 2 * (rows[index]?.depth ?? 0) + 100
    return line(index, { detail: step.detail, holds: Boolean(view && view.children.length > 0) }).length + 2
  }
  const nodes = sizeOf(snapshot.tree) - (isFrame(snapshot.tree) ? 1 : 0)
  const order = byImportance(rows, { shows, plain: snapshot.meta.after !== undefined, nested: writer.nested })
  return { snapshot, limits, writer, nodes, rows, hoisted, line, size, order, steps: steps(limits.maxTextPerNode) }
}

/** Writing is most of the work, and the same line is asked for while choosing, measuring and printing. */
function remembered(rows: readonly Row[], writer: Writer, page: Page): Line {
  const known = new Map<Detail, string[]>()
  return (index, { detail, holds, place = '' }) => {
    const row = rows[index]
    if (!row) return ''
    if (place) return writer.line(row, { detail, page, holds, place })
    const lines = known.get(detail) ?? []
    known.set(detail, lines)
    const key = index * 2 + (holds ? 1 : 0)
    lines[key] ??= writer.line(row, { detail, page, holds, place })
    return lines[key]
  }
}

// where most is new, as after an other kind of snapshot, the word says nothing
function quietNews(nodes: readonly View[]): readonly View[] {
  const count = (views: readonly View[], fits: (view: View) => boolean): number =>
    views.reduce((sum, view) => sum + (fits(view) ? 1 : 0) + count(view.children, fits), 0)
  if (count(nodes, view => view.new === true) * 2 <= count(nodes, () => true)) return nodes
  const quiet = ({ new: _, ...view }: View): View => ({ ...view, children: view.children.map(quiet) })
  return nodes.map(quiet)
}

/** The root is only there to hold the others, unless it says something itself. */
function outermost({ tree, meta }: ParsedSnapshot, { compact: shrink, maxTextPerNode }: Limits, { gathers }: Writer): readonly View[] {
  const [only, ...others] = tree.children
  const asked = meta.scope !== undefined || meta.after !== undefined || tree.ref !== undefined || (others.length === 0 && only?.ref)
  // who asked for this part wants to see what was folded before
  const passes = [...(shrink ? compact({ maxTextPerNode, fold: !asked }) : []), ...(gathers ? [gatherText] : [])]
  if (!isFrame(tree)) return distil(tree, passes)
  const whole = distil({ ...tree, role: 'document' }, passes)
  return whole.flatMap(root => (root.role !== 'document' || root.name || root.ref ? root : [...ownText(root), ...root.children]))
}

const isFrame = ({ ref, name, role }: View): boolean => ref === undefined && name === '' && (role === 'document' || role === 'generic')
const ownText = (root: View): View[] => (root.text ? [{ ...root, tag: '#text', role: 'text', name: '', children: [] }] : [])
