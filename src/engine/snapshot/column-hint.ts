import type { SnapshotNode } from '../../contract/snapshot.ts'
import { hasLetters } from '../../contract/text.ts'
import { roleOf } from '../accessibility/roles.ts'
import type { Dom, Scene } from '../dom.ts'
import { cut, tidy } from '../text.ts'
import type { Candidate } from './candidate.ts'
import { isReadableBeside } from './readable.ts'
import type { Surroundings } from './surroundings.ts'

type Hint = NonNullable<SnapshotNode['hint']>

/** A cell of a row, and how many columns it is wide. */
export interface TableCell<N> {
  readonly cell: N
  readonly width: number
}

const maxCellLevels = 6
const maxTableLevels = 3
const maxCellNodes = 60
const maxHeaderRows = 4
const maxChars = 30
const cellRoles = /^(cell|gridcell)$/
const headerRoles = /^(columnheader|rowheader)$/
const tableRoles = /^(table|grid|treegrid)$/

/** The header of its column for the only control in a cell. The texts of its row are on the line of the row. */
export function columnHint<N>(scene: Scene<N>, candidate: Candidate<N>, around: Surroundings<N>): Hint | undefined {
  const { dom } = scene
  const cell = cellAround(dom, candidate.node)
  const row = cell && dom.parent(cell)
  const table = row && tableAround(dom, row)
  if (!cell || !row || !table || hasOtherControl(dom, cell, candidate.node, around)) return undefined
  const headers = around.headers.get(table) ?? headersOf(dom, table)
  around.headers.set(table, headers)
  const header = headerOf(headers, cellsOf(dom, row), cell)
  const text = header ? tidy(readableText(scene, header, candidate, around)) : ''
  return hasLetters(text) ? { text: cut(text, maxChars), from: 'column' } : undefined
}

function cellAround<N>(dom: Dom<N>, node: N): N | null {
  let each: N | null = node
  for (let level = 0; each && level < maxCellLevels; level++, each = dom.parent(each)) {
    const role = roleOf(dom, each)
    if (cellRoles.test(role)) return each
    if (headerRoles.test(role) || role === 'row' || tableRoles.test(role)) return null
  }
  return null
}

function tableAround<N>(dom: Dom<N>, row: N): N | null {
  let each = dom.parent(row)
  for (let level = 0; each && level < maxTableLevels && !tableRoles.test(roleOf(dom, each)); level++) each = dom.parent(each)
  return each && tableRoles.test(roleOf(dom, each)) ? each : null
}

function hasOtherControl<N>(dom: Dom<N>, cell: N, control: N, around: Surroundings<N>): boolean {
  const stack = [cell]
  for (let visits = 0; stack.length > 0; visits++) {
    const each = stack.pop() as N
    if (!dom.tag(each) || (each === control && each !== cell)) continue
    if (visits > maxCellNodes || (each !== control && around.isControl(each))) return true
    const children = dom.children(each)
    for (let i = 0; i < children.length; i++) stack.push(children[i] as N)
  }
  return false
}

/** The cells of the last of the rows at the start of a table that have nothing but headers. */
function headersOf<N>(dom: Dom<N>, table: N): readonly TableCell<N>[] {
  let headers: readonly TableCell<N>[] = []
  for (const row of firstRows(dom, table)) {
    const cells = cellsOf(dom, row)
    const isHeader = cells.some(({ cell }) => headerRoles.test(roleOf(dom, cell)))
    if (!isHeader || !cells.every(({ cell }) => headerRoles.test(roleOf(dom, cell)) || dom.children(cell).length === 0)) break
    headers = cells
  }
  return headers
}

function firstRows<N>(dom: Dom<N>, table: N): readonly N[] {
  const rows: N[] = []
  const search = (node: N, levels: number): void => {
    const children = dom.children(node)
    for (let i = 0; i < children.length && rows.length < maxHeaderRows; i++) {
      const child = children[i] as N
      if (!dom.tag(child)) continue
      if (roleOf(dom, child) === 'row') rows.push(child)
      else if (levels > 0) search(child, levels - 1)
    }
  }
  search(table, maxTableLevels - 1)
  return rows
}

function cellsOf<N>(dom: Dom<N>, row: N): readonly TableCell<N>[] {
  const cells: TableCell<N>[] = []
  const children = dom.children(row)
  for (let i = 0; i < children.length; i++) {
    const cell = children[i] as N
    const role = dom.tag(cell) ? roleOf(dom, cell) : ''
    if ((cellRoles.test(role) || headerRoles.test(role)) && !dom.hidden(cell))
      cells.push({ cell, width: Number(dom.attr(cell, 'colspan') ?? dom.attr(cell, 'aria-colspan')) || 1 })
  }
  return cells
}

/** Nothing if the rows have different widths, as they have where a cell above reaches into one of them. */
function headerOf<N>(headers: readonly TableCell<N>[], cells: readonly TableCell<N>[], cell: N): N | undefined {
  const widthOf = (list: readonly TableCell<N>[]) => list.reduce((sum, { width }) => sum + width, 0)
  const place = cells.findIndex(each => each.cell === cell)
  if (widthOf(headers) !== widthOf(cells) || place < 0) return undefined
  const column = widthOf(cells.slice(0, place))
  return headers.find((_, i) => widthOf(headers.slice(0, i)) === column)?.cell
}

function readableText<N>(scene: Scene<N>, header: N, candidate: Candidate<N>, around: Surroundings<N>): string {
  const { dom } = scene
  const texts: N[] = []
  const stack = [header]
  for (let visits = 0; stack.length > 0 && visits < maxCellNodes; visits++) {
    const each = stack.pop() as N
    if (!dom.tag(each)) texts.push(each)
    else {
      const children = dom.children(each)
      for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as N)
    }
  }
  return texts
    .filter(text => isReadableBeside(scene, text, candidate, around))
    .map(text => dom.drawn(text))
    .join(' ')
}
