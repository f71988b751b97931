import type { Choice } from './budget.ts'
import type { Detail, Step } from './detail.ts'
import { hasContent, type Row } from './rows.ts'
import type { Writer } from './writer.ts'

/** the line of a row, by its index */
export type Line = (index: number, telling: { readonly detail: Detail; readonly holds: boolean; readonly place?: string }) => string

type Drawing = { readonly rows: readonly Row[]; readonly writer: Writer; readonly line: Line; readonly steps: readonly Step[] }

/** a hole in the text is worth a line of its own from here on; smaller ones are only counted in the footer */
const wideGap = 10

/** The chosen rows as lines, in document order. */
export function print({ rows, writer, line, steps }: Drawing, { kept, step }: Choice) {
  const indices = rows.flatMap((_, index) => (kept[index] ? index : []))
  const nodes = indices.filter(index => !rows[index]?.view.fold)
  const holding = new Set(indices.map(index => rows[index]?.parent))
  const write = (index: number, detail: Detail, place = '') => line(index, { detail, holds: holding.has(index), place })
  const full = steps[0]?.detail ?? step.detail
  const uncut: Detail = { ...full, text: 1e6, attribute: 1e6, href: 1e6, namedHref: 1e6 }
  return {
    shown: indices.flatMap(index => rows[index] ?? []),
    emitted: nodes.length,
    refs: nodes.flatMap(index => rows[index]?.view.ref ?? []),
    // a cut leaves its mark; only where there is one, it is worth comparing whether it is ours or the page's
    cut: nodes.some(index => write(index, full).includes('…') && write(index, full) !== write(index, uncut)),
    shed: step.detail !== full && nodes.some(index => write(index, step.detail) !== write(index, full)),
    lines: (spare: number) => decorated({ rows, indices, writer, write: (index, place) => write(index, step.detail, place), spare }),
  }
}

type Decorating = {
  readonly rows: readonly Row[]
  readonly indices: readonly number[]
  readonly writer: Writer
  readonly write: (index: number, place?: string) => string
  readonly spare: number
}

/** Orientation is added as long as there are characters to spare: where the viewport ends, and where something is missing. */
function decorated({ rows, indices, writer, write, spare }: Decorating): string[] {
  const lines: string[] = []
  let left = spare
  let [place, lastRef, previous] = ['', '', -1]
  const afford = (line: string, instead = ''): boolean => {
    const cost = instead ? line.length - instead.length : line.length + 2
    if (cost > left) return false
    left -= cost
    return true
  }
  for (const index of indices) {
    const row = rows[index]
    if (!row) continue
    const hole = holeBetween(rows, previous, index, writer)
    const marker = hole < wideGap || !lastRef ? '' : writer.gap(row, `${hole} more`, `after=${lastRef}`)
    if (marker && afford(marker)) lines.push(marker)
    previous = index
    if (row.view.fold) {
      lines.push(
        writer.gap(
          row,
          `${row.view.fold.alike} more like these`,
          writer.nested || !lastRef ? whereOf(row, rows, lastRef) : `after=${lastRef}`,
        ),
      )
      continue
    }
    lastRef = row.view.ref ?? lastRef
    const plain = write(index)
    const now = placeOf(row) ?? place
    const marked = kindOf(now) === kindOf(place) ? plain : write(index, now || 'in-view')
    const fits = afford(marked, plain)
    if (fits) place = now
    lines.push(fits ? marked : plain)
  }
  return lines
}

function holeBetween(rows: readonly Row[], from: number, to: number, writer: Writer): number {
  let many = 0
  for (let index = from + 1; index < to; index++) {
    const view = rows[index]?.view
    if (view && hasContent(view) && writer.shows(view)) many++
  }
  return many
}

function whereOf(row: Row, rows: readonly Row[], lastRef: string): string {
  for (let holder = rows[row.parent]; holder; holder = rows[holder.parent]) if (holder.view.ref) return `scope=${holder.view.ref}`
  return lastRef ? `after=${lastRef}` : 'compact=false'
}

// what holds others reaches from one place into the next; the others say where they are
function placeOf({ view }: Row): string | undefined {
  if (view.children.length > 0) return undefined
  if (view.offset === undefined) return ''
  return view.offset > 0 ? `below=${view.offset}px` : `above=${-view.offset}px`
}
const kindOf = (place: string): string => place.slice(0, 5)
