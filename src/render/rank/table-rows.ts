import type { ParsedNode } from '../decode/snapshot.ts'
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
