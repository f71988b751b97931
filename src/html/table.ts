import type { Dom } from '../engine/dom.ts'
import { isShown, type MainContent } from './main-content.ts'
import type { Node } from './tree.ts'

type SkipPredicate = MainContent['isSkipped']

/** The visible caption and rows of a table, without those of nested tables; `groups` has the parent of each row. */
export function rowsOf(dom: Dom<Node>, table: Node, skipped: SkipPredicate): { caption: Node | null; rows: Node[][]; groups: Node[] } {
  const shown = (node: Node) => Array.from(dom.children(node)).filter(child => dom.tag(child) && isShown(dom, child) && !skipped(child))
  const parts = shown(table)
  const rows = parts
    .flatMap(part =>
      /^(thead|tbody|tfoot)$/.test(dom.tag(part)) ? shown(part).map(row => ({ row, group: part })) : [{ row: part, group: table }],
    )
    .filter(({ row }) => dom.tag(row) === 'tr')
  return {
    caption: parts.find(part => dom.tag(part) === 'caption') ?? null,
    rows: rows.map(({ row }) => shown(row).filter(cell => /^t[dh]$/.test(dom.tag(cell)))),
    groups: rows.map(({ group }) => group),
  }
}

/** Whether a table is only used for layout: by its role, or it has one column, or no header cells and cells that contain blocks of text. */
export function isLayoutTable(dom: Dom<Node>, table: Node, rows: readonly (readonly Node[])[]): boolean {
  if (/^(presentation|none)$/.test(dom.attr(table, 'role') ?? '')) return true
  if (!rows.some(cells => cells.length > 1)) return true
  if (rows.some(cells => cells.some(cell => dom.tag(cell) === 'th'))) return false
  return rows.some(cells => cells.some(cell => holdsBlocks(dom, cell, /^p$/)))
}

const blocks = /^(h[1-6]|ul|ol|dl|table|pre|blockquote|form|article|section)$/

/** Whether a cell contains more than one non-empty paragraph, or an element with its own structure. */
export function holdsBlocks(dom: Dom<Node>, cell: Node, paragraph: RegExp): boolean {
  let paragraphs = 0
  const stack: Node[] = [cell]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const tag = dom.tag(node)
    const children = dom.children(node)
    if (paragraph.test(tag) && children.length > 0) paragraphs++
    if (blocks.test(tag) || paragraphs > 1) return true
    for (let i = 0; i < children.length; i++) stack.push(children[i] as Node)
  }
  return false
}

export function parseNumber(attribute: string | null, fallback: number): number {
  return attribute && /^\s*\d{1,9}\s*$/.test(attribute) ? Number(attribute) : fallback
}
