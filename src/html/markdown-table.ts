import { columnSpanOf, type GridSlot, layOutRows, maxRepeatedChars, rowSpanOf } from '../render/rank/table-grid.ts'
import type { MarkdownWriter } from './markdown-writer.ts'
import { holdsBlocks, isLayoutTable, rowsOf } from './table.ts'
import type { Node } from './tree.ts'

/** Writes a data table as a Markdown table, and a layout table as its content row by row. */
export function writeTable(writer: MarkdownWriter, node: Node, depth: number): void {
  const { dom, lines } = writer
  const { caption, rows, groups } = rowsOf(dom, node, writer.isSkipped)
  if (caption) writer.write(caption, depth + 1)
  writer.flush()
  if (isLayoutTable(dom, node, rows)) {
    for (const cells of rows) writeLayoutRow(writer, cells, depth + 3)
    return
  }
  const grid = layOutRows(
    rows.map((cells, index) => ({
      cells: cells.map(cell => ({
        content: writer.cellOf(cell, depth + 3),
        isHeader: dom.tag(cell) === 'th',
        columnSpan: columnSpanOf(dom.attr(cell, 'colspan')),
        rowSpan: rowSpanOf(dom.attr(cell, 'rowspan')),
      })),
      group: groups[index],
    })),
  )
  const texts = grid.filter(slots => slots.some(({ contents, isRepeated }) => !isRepeated && contents.some(Boolean))).map(toTexts)
  lines.block(writer.isMarkdown ? markdownRows(texts) : texts.map(cells => cells.filter(Boolean).join('\t')))
}

const toTexts = (slots: readonly GridSlot<string>[]): string[] =>
  slots.map(({ contents, isRepeated }) => {
    const text = contents.filter(Boolean).join(' ')
    return isRepeated && text.length > maxRepeatedChars ? '' : text
  })

/** The first row is the header, which Markdown requires. */
function markdownRows(rows: readonly (readonly string[])[]): string[] {
  const [head, ...others] = rows
  if (!head) return []
  const width = rows.reduce((max, cells) => Math.max(max, cells.length), 0)
  const header = [...head, ...emptyCells(width - head.length)]
  return [header, header.map(() => '---'), ...others].map(cells => `| ${cells.join(' | ')} |`)
}

const emptyCells = (count: number): string[] => Array<string>(count).fill('')

/** A row of short cells becomes one line; otherwise each cell becomes separate blocks. */
function writeLayoutRow(writer: MarkdownWriter, cells: readonly Node[], depth: number): void {
  const isTooDeep = writer.isTooDeep(depth)
  if (!isTooDeep && !cells.some(cell => holdsBlocks(writer.dom, cell, /^(p|div)$/))) {
    const text = cells
      .map(cell => writer.lineOf(cell, depth))
      .filter(Boolean)
      .join(' ')
    writer.lines.block(text ? [writer.escapeLine(text)] : [])
    return
  }
  for (const cell of cells) {
    if (isTooDeep) writer.writeFlat(cell)
    else writer.writeInside(cell, depth)
  }
  writer.flush()
}
