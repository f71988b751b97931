import type { ParsedNode } from '../decode/snapshot.ts'
import { columnSpanOf, type GridSlot, layOutRows, rowSpanOf, type SpannedRow } from './table-grid.ts'
import { textIn } from './text-in.ts'

export const tableRoles: ReadonlySet<string> = new Set(['table', 'grid', 'treegrid'])

/**
 * Whether a row only places content on the page, as in pages that are laid out by tables: one of its cells contains a heading and more,
 * or it contains a table, and more text than `maxText`.
 */
export const isLayoutRow = (row: ParsedNode, maxText: number): boolean =>
  row.children.some(cell => holdsRole(cell, role => role === 'heading')) ||
  (holdsRole(row, role => tableRoles.has(role)) && textIn(row, maxText + 1).length > maxText)

const holdsRole = (node: ParsedNode, isWanted: (role: string) => boolean): boolean =>
  node.children.some(child => isWanted(child.role) || holdsRole(child, isWanted))

export interface TableRows {
  /** the cells of each row in their columns; a row that is part of the header before it has none */
  readonly rows: ReadonlyMap<ParsedNode, readonly GridSlot<ParsedNode>[]>
  /** the row with the names of the columns */
  readonly header?: ParsedNode
}

/**
 * The rows of a table with every cell in its column, as far as the snapshot says what the cells span. A row that contains a single
 * element is one of them only if a cell reaches into it from above.
 */
export function rowsOfTable(table: ParsedNode): TableRows {
  const parts = partsOf(table).filter(part => part.role === 'row' || !(tableRoles.has(part.role) || holdsRows(part)))
  const header = parts.find(part => part.children.length > 1 && isHeaderRow(part))
  const start = header ? parts.indexOf(header) : 0
  const laidOut = (some: readonly ParsedNode[]) => {
    const grid = layOutRows(some.map(toSpannedRow))
    return some.map((part, index) => [part, grid[index] ?? []] as const)
  }
  const rows = [...laidOut(parts.slice(0, start)), ...laidOut(parts.slice(start))]
  return {
    rows: new Map(rows.filter(([part, slots]) => part.role === 'row' || slots.some(({ isRepeated }) => isRepeated))),
    ...(header && { header }),
  }
}

const isHeaderRow = ({ role, children }: ParsedNode): boolean =>
  role === 'row' && children.length > 0 && children.every(cell => cell.role === 'columnheader')

function toSpannedRow(part: ParsedNode): SpannedRow<ParsedNode> {
  const cells = part.role === 'row' ? part.children.filter(({ role }) => role !== 'caption') : [part]
  return {
    cells: cells.map(cell => ({
      content: cell,
      isHeader: cell.role === 'columnheader',
      columnSpan: columnSpanOf(cell.attrs.colspan),
      rowSpan: rowSpanOf(cell.attrs.rowspan),
    })),
    // the tree has no groups of rows
    group: isHeaderRow(part) || part.role === 'columnheader',
  }
}

/** The rows of a table. A row that contains a single element has no node: that element is in its place. */
export const partsOf = (table: ParsedNode): readonly ParsedNode[] =>
  table.children.flatMap(child => (child.role === 'caption' ? [] : child.role !== 'row' && holdsRows(child) ? partsOf(child) : [child]))
const holdsRows = (node: ParsedNode): boolean =>
  !tableRoles.has(node.role) && node.children.some(child => child.role === 'row' || holdsRows(child))
