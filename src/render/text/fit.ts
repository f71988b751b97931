import type { RenderResult } from '../../contract/limits.ts'
import { type TruncateReason, truncateReasons } from '../../contract/snapshot.ts'
import type { ParsedSnapshot } from '../decode/snapshot.ts'
import { type Choice, chooseWithin } from './budget.ts'
import type { Facts } from './facts.ts'
import { fitting, footer } from './footer.ts'
import { leftOut } from './omitted.ts'
import type { Limits } from './options.ts'
import { type Draft, drafted } from './plan.ts'
import { print } from './print.ts'
import { type Row, ranks, weightOf } from './rows.ts'
import type { Writer } from './writer.ts'

/** From a snapshot to its text: shrink, choose what fits, write, and measure until it holds. */
export function sheet(snapshot: ParsedSnapshot, limits: Limits, writer: Writer): RenderResult {
  const draft = drafted(snapshot, limits, writer)
  const { maxCharsTotal, maxNodes } = limits
  // kept free for saying where the viewport ends
  const spare = draft.rows.some(row => row.rank === ranks.outside) ? Math.min(240, Math.floor(maxCharsTotal / 25)) : 0
  // counts, notes and reasons depend on what is chosen, so the room for lines is found by trying: each time it can only get smaller
  for (let room = maxCharsTotal - spare - 100; ; ) {
    const choice = chooseWithin(draft.steps, { ...draft, room, maxNodes, nested: writer.nested })
    const { result, chars } = write(draft, choice, maxCharsTotal / 5)
    const over = chars + spare - maxCharsTotal
    if (over <= 0) return result
    // with nothing chosen, the header alone fits into the least budget there is
    if (room === 0) return chars <= maxCharsTotal ? result : write(draft, choice, 0).result
    room = Math.max(0, room - over)
  }
}

function write(draft: Draft, choice: Choice, roomForNotes: number): { result: RenderResult; chars: number } {
  const { limits, writer, nodes, snapshot } = draft
  const printed = print(draft, choice)
  const left = leftOut(draft, choice)
  const truncateReasons = reasonsOf(draft, choice, printed)
  const truncated = snapshot.stats.truncated || truncateReasons.length > 0
  const notes = footer({
    ...left,
    format: limits.format,
    meta: snapshot.meta,
    reasons: truncateReasons,
    stopped: snapshot.stats.truncateReasons.find(reason => stops.includes(reason)),
    shed: printed.shed ? choice.step.says : '',
    select: closedSelect(printed.shown),
    lowered: limits.lowered,
  })
  const nodesFolded = printed.shown.reduce((sum, { view }) => sum + (view.fold ? weightOf(view) : 0), 0)
  const facts: Facts = {
    meta: snapshot.meta,
    nodes,
    emitted: printed.emitted,
    left: left.nodesLeft,
    places: left.places,
    truncated,
    reasons: truncateReasons,
    complete: !truncated && notes.length === 0 && nodesFolded === 0 && left.nodesLeft === 0,
    maxCharsTotal: limits.maxCharsTotal,
  }
  const kept = fitting(notes, roomForNotes, left)
  const chars = writer.page({ facts, lines: printed.lines(0), notes: kept }).length
  const text = writer.page({ facts, lines: printed.lines(limits.maxCharsTotal - chars), notes: kept })
  const stats = { chars: text.length, nodesSeen: nodes, nodesRendered: printed.emitted, nodesFolded, nodesOmitted: left.nodesLeft }
  return { result: { text, refs: printed.refs, stats, truncated, truncateReasons }, chars }
}

/** after these the page holds more than it told */
const stops: readonly TruncateReason[] = ['maxNodes', 'maxVisits', 'maxTime', 'maxJsonBytes']

function reasonsOf(
  { snapshot, hoisted }: Draft,
  choice: Choice,
  { cut, shed }: { cut: boolean; shed: boolean },
): readonly TruncateReason[] {
  const bitten: { readonly [name in TruncateReason]?: boolean } = {
    maxCharsTotal: choice.hitChars || shed,
    maxNodes: choice.hitNodes,
    maxDepth: hoisted,
    maxTextPerNode: cut,
  }
  return truncateReasons.filter(reason => bitten[reason] || snapshot.stats.truncateReasons.includes(reason))
}

const closedSelect = (shown: readonly Row[]): string =>
  shown.find(({ view }) => view.tag === 'select' && view.ref && view.children.length === 0 && view.states?.options)?.view.ref ?? ''
