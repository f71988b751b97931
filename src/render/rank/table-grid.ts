/** A cell as a page declares it. */
export interface SpannedCell<T> {
  readonly content: T
  readonly isHeader: boolean
  readonly columnSpan: number
  readonly rowSpan: number
}

export interface SpannedRow<T> {
  readonly cells: readonly SpannedCell<T>[]
  /** no cell reaches from one group of rows into the next, such as from the head of a table into its body */
  readonly group?: unknown
}

/** One column of one row. */
export interface GridSlot<T> {
  /** none in the columns that a cell to the left spans; two in a header that is joined from two rows */
  readonly contents: readonly T[]
  /** the cell began in a row above */
  readonly isRepeated: boolean
}

/** a page can declare any number */
const maxColumnSpan = 20
const maxRowSpan = 1_000
/** columns of all rows of a table into which cells reach from above; the rest of a larger table is read without such cells */
const maxRepeatSlots = 100_000
/** a longer text says what a row is about less than it takes room: it is only in the first row of its cell */
export const maxRepeatedChars = 100

/** The attributes of a cell as numbers within their limits. */
export const columnSpanOf = (attribute: string | null | undefined): number => spanOf(attribute, maxColumnSpan)
export const rowSpanOf = (attribute: string | null | undefined): number => spanOf(attribute, maxRowSpan)
const spanOf = (attribute: string | null | undefined, max: number): number =>
  attribute && /^\s*\d{1,9}\s*$/.test(attribute) ? Math.min(max, Math.max(1, Number(attribute))) : 1

/** A column that a cell covers. */
interface Cover<T> {
  readonly cell: SpannedCell<T>
  readonly isFirstColumn: boolean
  readonly isRepeated: boolean
}

/**
 * The rows of a table, each cell in its column: a cell that spans rows is repeated in each of them, and a cell that spans columns is
 * followed by empty slots. If the first two rows are headers and the first has headers that span columns, they become one: `Price Net`.
 * The second is empty then.
 */
export function layOutRows<T>(rows: readonly SpannedRow<T>[]): readonly (readonly GridSlot<T>[])[] {
  const grid = coverColumns(rows)
  const [first, second, ...others] = grid
  const slots = (row: readonly (Cover<T> | undefined)[]) => row.map(toSlot)
  if (!first || !second || !isHeaderPair(rows)) return grid.map(slots)
  return [joinHeaders(first, second), [], ...others.map(slots)]
}

function coverColumns<T>(rows: readonly SpannedRow<T>[]): (Cover<T> | undefined)[][] {
  /** cells that reach into the next row, by their first column */
  let open = new Map<number, { readonly cell: SpannedCell<T>; readonly rowsLeft: number }>()
  let slots = 0
  return rows.map(({ cells, group }, index) => {
    if (group !== rows[index - 1]?.group || slots > maxRepeatSlots) open = new Map()
    const row: (Cover<T> | undefined)[] = []
    const cover = (column: number, cell: SpannedCell<T>, isRepeated: boolean) => {
      for (let i = 0; i < cell.columnSpan; i++) row[column + i] ??= { cell, isFirstColumn: i === 0, isRepeated }
    }
    const next: typeof open = new Map()
    for (const [column, { cell, rowsLeft }] of open) {
      cover(column, cell, true)
      if (rowsLeft > 1) next.set(column, { cell, rowsLeft: rowsLeft - 1 })
    }
    let column = 0
    for (const cell of cells) {
      while (row[column]) column++
      cover(column, cell, false)
      if (cell.rowSpan > 1) next.set(column, { cell, rowsLeft: cell.rowSpan - 1 })
    }
    if (open.size > 0) slots += row.length
    open = next
    return Array.from(row)
  })
}

const toSlot = <T>(cover: Cover<T> | undefined): GridSlot<T> => ({
  contents: cover?.isFirstColumn ? [cover.cell.content] : [],
  isRepeated: cover?.isRepeated ?? false,
})

function isHeaderPair<T>([first, second]: readonly SpannedRow<T>[]): boolean {
  const isHeader = (row: SpannedRow<T> | undefined) => row !== undefined && row.cells.length > 0 && row.cells.every(cell => cell.isHeader)
  return isHeader(first) && isHeader(second) && first?.cells.some(({ columnSpan }) => columnSpan > 1) === true
}

function joinHeaders<T>(first: readonly (Cover<T> | undefined)[], second: readonly (Cover<T> | undefined)[]): readonly GridSlot<T>[] {
  return Array.from({ length: Math.max(first.length, second.length) }, (_, column) => {
    const [above, below] = [first[column], second[column]]
    if (!below || below.cell === above?.cell) return toSlot(above)
    return { contents: [...(above ? [above.cell.content] : []), ...(below.isFirstColumn ? [below.cell.content] : [])], isRepeated: false }
  })
}
