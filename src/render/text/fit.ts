import type { RenderResult } from '../../contract/limits.ts'
import { drawnRoles } from '../../contract/roles.ts'
import { type SnapshotMeta, type TruncateReason, truncateReasons } from '../../contract/snapshot.ts'
import { type RowSelection, selectRows } from './budget.ts'
import { fitNotes, footerNotes } from './footer.ts'
import type { HeaderData } from './header.ts'
import { countOmitted } from './omitted.ts'
import { createPlan, type RenderContext, type RenderPlan } from './plan.ts'
import { printRows } from './print.ts'
import { type Row, ranks, weightOf } from './rows.ts'

/** From a decoded snapshot to its text: plan the lines, select what fits, print, and measure until the text is within the budget. */
export function renderWithinBudget(context: RenderContext): RenderResult {
  const plan = createPlan(context)
  const { maxCharsTotal } = plan.options
  const maxNodes = nodeLimit(plan)
  // reserved for marks where the viewport ends
  const spare = plan.rows.some(row => row.rank === ranks.outside) ? Math.min(240, Math.floor(maxCharsTotal / 25)) : 0
  // counts, notes and reasons depend on the selection, so the room for lines is found by trying; it gets smaller with every round
  for (let room = maxCharsTotal - spare - 100; ; ) {
    const selection = selectRows(plan.steps, {
      ...plan,
      room,
      maxNodes,
      nested: plan.writer.nested,
      marksItems: plan.writer.marksItems ?? false,
    })
    const { result, chars } = print(plan, selection, maxCharsTotal / 5)
    const over = chars + spare - maxCharsTotal
    if (over <= 0) return result
    // with no row selected, the header alone fits into the smallest budget
    if (room === 0) return chars <= maxCharsTotal ? result : print(plan, selection, 0).result
    room = Math.max(0, room - over)
  }
}

/** The default limit is for what is outside the viewport: what is in view is limited only by the characters. */
function nodeLimit({ options: { maxNodes, isDefault }, rows, snapshot }: RenderPlan): number {
  if (!isDefault('maxNodes') || !snapshot.meta.viewport) return maxNodes
  return Math.max(maxNodes, rows.filter(({ rank }) => rank <= ranks.inView).length)
}

function print(plan: RenderPlan, selection: RowSelection, roomForNotes: number): { result: RenderResult; chars: number } {
  const { options, writer, nodes, snapshot, dialect } = plan
  const printed = printRows(plan, selection)
  const omitted = countOmitted(plan, selection)
  const reasons = reasonsOf(plan, selection, printed)
  const truncated = snapshot.stats.truncated || reasons.length > 0
  const notes = footerNotes(
    {
      ...omitted,
      format: options.format,
      meta: snapshot.meta,
      reasons,
      stopped: snapshot.stats.truncateReasons.find(reason => collectionLimits.includes(reason)),
      shed: printed.shed ? selection.step.omits : '',
      drawn: printed.shown.some(({ node }) => drawnRoles.has(node.role) && node.states?.size !== undefined),
      select: closedSelect(printed.shown),
      lowered: options.lowered,
      summary: options.summary,
    },
    dialect,
  )
  const nodesFolded = printed.shown.reduce((sum, { node }) => sum + (node.fold ? weightOf(node) : 0), 0)
  const { nodesOmitted } = omitted
  const header: HeaderData = {
    meta: snapshot.meta,
    nodes,
    emitted: printed.emitted,
    nodesOmitted,
    omitted: omitted.places,
    truncated,
    reasons,
    // content of a part that scrolls may be added when it is scrolled
    complete:
      !truncated &&
      notes.length === 0 &&
      nodesFolded === 0 &&
      nodesOmitted === 0 &&
      !printed.shown.some(({ node }) => node.states?.scrolls) &&
      !goesOn(snapshot.meta, printed.shown),
    maxCharsTotal: options.maxCharsTotal,
  }
  const kept = fitNotes(notes, roomForNotes, { ...omitted, dialect })
  const write = (lines: readonly string[]) =>
    options.header || options.format === 'json' ? writer.page({ header, lines, notes: kept }) : [...lines, ...kept].join('\n')
  const chars = write(printed.lines(0)).length
  const text = write(printed.lines(options.maxCharsTotal - chars))
  const stats = { chars: text.length, nodesSeen: nodes, nodesRendered: printed.emitted, nodesFolded, nodesOmitted }
  return { result: { text, refs: printed.refs, stats, truncated, truncateReasons: reasons }, chars }
}

/** more than pictures and blank space take */
const maxBlankScreens = 5

/** Whether the page is much longer than what is known of it: a list that adds rows when the page is scrolled. */
function goesOn({ viewport, scroll }: SnapshotMeta, shown: readonly Row[]): boolean {
  if (!viewport || !scroll) return false
  const last = shown.reduce((most, { node }) => Math.max(most, node.offset ?? 0), 0)
  return scroll.height - scroll.y - viewport.height - last > maxBlankScreens * viewport.height
}

/** a page that hit one of these limits has more elements than the snapshot */
const collectionLimits: readonly TruncateReason[] = ['maxNodes', 'maxVisits', 'maxTime', 'maxJsonBytes']

function reasonsOf(
  { snapshot, hoisted }: RenderPlan,
  selection: RowSelection,
  { cut, shed }: { cut: boolean; shed: boolean },
): readonly TruncateReason[] {
  const reached: { readonly [name in TruncateReason]?: boolean } = {
    maxCharsTotal: selection.hitChars || shed,
    maxNodes: selection.hitNodes,
    maxDepth: hoisted,
    maxTextPerNode: cut,
  }
  return truncateReasons.filter(reason => reached[reason] || snapshot.stats.truncateReasons.includes(reason))
}

const closedSelect = (shown: readonly Row[]): string =>
  shown.find(({ node }) => node.tag === 'select' && node.ref && node.children.length === 0 && node.states?.options)?.node.ref ?? ''
