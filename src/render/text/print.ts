import type { RowSelection } from './budget.ts'
import type { Detail, DetailStep } from './detail.ts'
import { adviseOption, type Dialect } from './dialect.ts'
import { hasContent, type Row } from './rows.ts'
import type { Writer } from './writer.ts'

/** Writes the line of a row, by its index. */
export type LineWriter = (
  index: number,
  context: { readonly detail: Detail; readonly hasChildren: boolean; readonly place?: string },
) => string

interface PrintContext {
  readonly rows: readonly Row[]
  readonly writer: Writer
  readonly dialect: Dialect
}

/** a gap of so many rows gets its own line; smaller ones are only counted in the footer */
const minGap = 10

/** The selected rows as lines, in document order. */
export function printRows(
  context: PrintContext & { readonly line: LineWriter; readonly steps: readonly DetailStep[] },
  { kept, step }: RowSelection,
) {
  const { rows, line, steps } = context
  const indices = rows.flatMap((_, index) => (kept[index] ? index : []))
  const nodes = indices.filter(index => !rows[index]?.node.fold)
  const parents = new Set(indices.map(index => rows[index]?.parent))
  const write = (index: number, detail: Detail, place = '') => line(index, { detail, hasChildren: parents.has(index), place })
  const full = steps[0]?.detail ?? step.detail
  const uncut: Detail = { ...full, text: 1e6, attribute: 1e6, href: 1e6, namedHref: 1e6 }
  return {
    shown: indices.flatMap(index => rows[index] ?? []),
    emitted: nodes.length,
    refs: nodes.flatMap(index => rows[index]?.node.ref ?? []),
    // a cut is marked with …; only lines with that mark are compared, because the page may have written it
    cut: nodes.some(index => write(index, full).includes('…') && write(index, full) !== write(index, uncut)),
    shed: step.detail !== full && nodes.some(index => write(index, step.detail) !== write(index, full)),
    lines: (spare: number) => withOrientation(indices, { ...context, write: (index, place) => write(index, step.detail, place), spare }),
  }
}

interface OrientationContext extends PrintContext {
  readonly write: (index: number, place?: string) => string
  /** characters that may be spent on orientation */
  readonly spare: number
}

/** The lines, with marks where the viewport ends and where rows are missing, as long as there are characters to spare. */
function withOrientation(indices: readonly number[], { rows, writer, dialect, write, spare }: OrientationContext): string[] {
  const lines: string[] = []
  let room = spare
  let [place, lastRef, previous] = ['', '', -1]
  const afford = (line: string, instead = ''): boolean => {
    const cost = instead ? line.length - instead.length : line.length + 2
    if (cost > room) return false
    room -= cost
    return true
  }
  for (const index of indices) {
    const row = rows[index]
    if (!row) continue
    const missing = countGap(previous, index, { rows, writer })
    const marker = missing < minGap || !lastRef ? '' : writer.gap(row, `${missing} more`, adviseOption(dialect, 'after', lastRef))
    if (marker && afford(marker)) lines.push(marker)
    previous = index
    if (row.node.fold) {
      lines.push(writer.gap(row, `${row.node.fold.alike} more like these`, adviseUnfold(row, { rows, writer, dialect, lastRef })))
      continue
    }
    lastRef = row.node.ref ?? lastRef
    const plain = write(index)
    const current = placeOf(row) ?? place
    const marked = kindOf(current) === kindOf(place) ? plain : write(index, current || 'in-view')
    const fits = afford(marked, plain)
    if (fits) place = current
    lines.push(fits ? marked : plain)
  }
  return lines
}

function countGap(from: number, to: number, { rows, writer }: Pick<PrintContext, 'rows' | 'writer'>): number {
  let count = 0
  for (let index = from + 1; index < to; index++) {
    const node = rows[index]?.node
    if (node && hasContent(node) && writer.shows(node)) count++
  }
  return count
}

/** How to see the rows that a fold line replaces: the element around it, else the content after the last ref. */
function adviseUnfold(row: Row, { rows, writer, dialect, lastRef }: PrintContext & { readonly lastRef: string }): string {
  if (writer.nested || !lastRef)
    for (let parent = rows[row.parent]; parent; parent = rows[parent.parent])
      if (parent.node.ref) return adviseOption(dialect, 'scope', parent.node.ref)
  return lastRef ? adviseOption(dialect, 'after', lastRef) : adviseOption(dialect, 'compact', 'false')
}

/** An element with children may reach from one place into the next, so it has none. */
function placeOf({ node }: Row): string | undefined {
  if (node.children.length > 0) return undefined
  if (node.offset === undefined) return ''
  return node.offset > 0 ? `below=${node.offset}px` : `above=${-node.offset}px`
}
const kindOf = (place: string): string => place.slice(0, 5)
