import type { RenderResult } from '../contract/limits.ts'
import { type Left, type Reason, reasons } from '../contract/snapshot.ts'
import { byImportance, type Choice, chooseWithin } from './budget.ts'
import { type Detail, type Step, steps } from './detail.ts'
import type { Facts } from './facts.ts'
import { fitting, footer } from './footer.ts'
import type { Page } from './marks.ts'
import type { Limits } from './options.ts'
import type { ParsedSnapshot } from './parse.ts'
import { compact, distil, sizeOf, type View } from './passes.ts'
import { type Line, print } from './print.ts'
import { flatten, hasContent, type Row, ranks, weightOf } from './rows.ts'
import type { Writer } from './writer.ts'

/** From a snapshot to its text: shrink, choose what fits, write, and measure until it holds. */
export function sheet(snapshot: ParsedSnapshot, limits: Limits, writer: Writer): RenderResult {
  const draft = drafted(snapshot, limits, writer)
  const reserve = draft.rows.some(row => row.rank === ranks.outside) ? Math.min(240, Math.floor(limits.maxCharsTotal / 25)) : 0
  // counts, notes and reasons depend on what is chosen, so the room for lines is found by trying: each time it can only get smaller
  for (let room = limits.maxCharsTotal - reserve - 100; ; ) {
    const choice = chooseWithin(draft.steps, { ...draft, room, maxNodes: limits.maxNodes, nested: writer.nested })
    const written = write(draft, choice, limits.maxCharsTotal / 5)
    const over = written.text.length - (limits.maxCharsTotal - reserve)
    if (over <= 0) return written
    // with nothing chosen, the header alone fits into the least budget there is
    if (room === 0) return written.text.length <= limits.maxCharsTotal ? written : write(draft, choice, 0)
    room = Math.max(0, room - over)
  }
}

type Draft = ReturnType<typeof drafted>

function drafted(snapshot: ParsedSnapshot, limits: Limits, writer: Writer) {
  const { rows, hoisted } = flatten(outermost(snapshot, limits), { maxDepth: limits.maxDepth, dialog: snapshot.meta.dialog })
  const shows = ({ view }: Row) => writer.shows(view)
  const line = remembered(rows, writer, { url: snapshot.meta.url })
  const size = (index: number, step: Step): number => {
    const view = rows[index]?.view
    // a fold line names a count and a ref, and JSON puts names around them
    if (view?.fold) return 2 * (rows[index]?.depth ?? 0) + 100
    return line(index, { detail: step.detail, holds: Boolean(view && view.children.length > 0) }).length + 2
  }
  return { snapshot, limits, writer, rows, hoisted, line, size, order: byImportance(rows, shows), steps: steps(limits.maxTextPerNode) }
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

/** The root is only there to hold the others, unless it says something itself. */
function outermost({ tree, meta }: ParsedSnapshot, { compact: shrink, maxTextPerNode }: Limits): readonly View[] {
  const [only, ...others] = tree.children
  const asked = meta.scope !== undefined || meta.after !== undefined || tree.ref !== undefined || (others.length === 0 && only?.ref)
  // who asked for this part wants to see what was folded before
  const passes = shrink ? compact({ maxTextPerNode, fold: !asked }) : []
  const isFrame = tree.ref === undefined && tree.name === '' && (tree.role === 'document' || tree.role === 'generic')
  if (!isFrame) return distil(tree, passes)
  const whole = distil({ ...tree, role: 'document' }, passes)
  return whole.flatMap(root => (root.role !== 'document' || root.name || root.ref ? root : [...ownText(root), ...root.children]))
}

const ownText = ({ text }: View): View[] => (text ? [{ tag: '#text', role: 'text', name: '', text, attrs: {}, children: [] }] : [])

function write(draft: Draft, choice: Choice, roomForNotes: number): RenderResult {
  const { snapshot, limits, writer, hoisted } = draft
  const { meta, stats } = snapshot
  const printed = print(draft, choice)
  const left = leftOut(draft, choice, printed.shown)
  const bitten: { readonly [name in Reason]?: boolean } = {
    maxCharsTotal: choice.hitChars || printed.shed,
    maxNodes: choice.hitNodes,
    maxDepth: hoisted,
    maxTextPerNode: printed.cut,
  }
  const truncateReasons = reasons.filter(reason => bitten[reason] || stats.truncateReasons.includes(reason))
  const truncated = stats.truncated || truncateReasons.length > 0
  const notes = footer({
    ...left,
    format: limits.format,
    meta,
    reasons: truncateReasons,
    shed: printed.shed ? choice.step.says : '',
    options: optionsOf(printed.shown),
    lowered: limits.lowered,
  })
  const nodesFolded = printed.shown.reduce((sum, { view }) => sum + (view.fold ? weightOf(view) : 0), 0)
  const facts: Facts = {
    meta,
    nodes: sizeOf(snapshot.tree),
    emitted: printed.emitted,
    left: left.nodesLeft,
    places: left.places,
    truncated,
    reasons: truncateReasons,
    complete: !truncated && notes.length === 0 && nodesFolded === 0 && left.nodesLeft === 0,
    maxCharsTotal: limits.maxCharsTotal,
  }
  const kept = fitting(notes, roomForNotes, left)
  const bare = writer.page({ facts, lines: printed.lines(0), notes: kept })
  const text = writer.page({ facts, lines: printed.lines(limits.maxCharsTotal - bare.length), notes: kept })
  return {
    text,
    refs: printed.refs,
    stats: { chars: text.length, nodesSeen: facts.nodes, nodesRendered: printed.emitted, nodesFolded, nodesLeft: left.nodesLeft },
    truncated,
    truncateReasons,
  }
}

function optionsOf(shown: readonly Row[]) {
  const selects = shown.filter(({ view }) => view.tag === 'select' && view.children.length === 0 && view.states?.options)
  return { many: selects.reduce((sum, { view }) => sum + (view.states?.options ?? 0), 0), scope: selects[0]?.view.ref ?? '' }
}

/** What the renderer did not print, and what the page did not emit, by where it is. */
function leftOut({ rows, writer, snapshot }: Draft, { kept }: Choice, shown: readonly Row[]) {
  const places: { -readonly [Place in keyof Left]: number } = { ...snapshot.stats.left }
  const add = (place: keyof Left, many: number) => {
    places[place] = (places[place] ?? 0) + many
  }
  let [here, unspoken, nodesLeft] = [0, 0, 0]
  let firstGap = -1
  rows.forEach(({ view, rank }, index) => {
    if (kept[index] || !hasContent(view) || (!writer.nested && view.children.length > 0 && !view.ref && !view.text)) return
    const many = weightOf(view)
    nodesLeft += many
    if (!writer.shows(view)) {
      unspoken += many
      return
    }
    const above = rank !== ranks.behind && (view.off ?? 0) < 0
    if (firstGap < 0 && rank !== ranks.behind && !above) firstGap = index
    if (rank === ranks.behind) add(view.states?.inert ? 'inert' : 'covered', many)
    else if (above) add('above', many)
    else if (view.off !== undefined) add('below', many)
    else here += many
  })
  return {
    places,
    here,
    unspoken,
    nodesLeft,
    after: lastRefBefore(firstGap < 0 ? rows.length : firstGap, rows, kept) || lastRef(shown, firstGap),
  }
}

function lastRefBefore(end: number, rows: readonly Row[], kept: readonly boolean[]): string {
  for (let index = end - 1; index >= 0; index--) if (kept[index] && rows[index]?.view.ref) return rows[index]?.view.ref ?? ''
  return ''
}

// nothing with a ref stands before the gap: then there is no way to ask for it but a larger budget
const lastRef = (shown: readonly Row[], firstGap: number): string =>
  firstGap < 0 ? ([...shown].reverse().find(({ view }) => view.ref)?.view.ref ?? '') : ''
