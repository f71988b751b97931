import { maxChars as maxCharsOfAnswer, minChars } from '../../contract/limits.ts'
import type { ParsedNode, ParsedSnapshot } from '../decode/snapshot.ts'
import { adviseOption, commandDialect, type Dialect, note } from '../text/dialect.ts'
import { inline, quote } from '../text/quote.ts'
import { type GridSlot, maxRepeatedChars } from './table-grid.ts'
import { isLayoutRow, rowsOfTable, tableRoles } from './table-rows.ts'

/**
 * One part of the text of a page.
 *
 * @example
 * const { text, nextOffset }: ReadPageResult = await session.read()
 */
export interface ReadPageResult {
  readonly text: string
  /** of the links in this part */
  readonly refs: readonly string[]
  /** the length of the whole text */
  readonly totalChars: number
  /** the offset of the next part; null at the end */
  readonly nextOffset: number | null
  /** notes of the driver; not part of the text */
  readonly notes?: readonly string[]
}

export interface ReadPageOptions {
  readonly offset?: number
  readonly maxChars?: number
  /** parts of the page that the snapshot does not contain */
  readonly missing?: readonly string[]
  readonly dialect?: Dialect
}

/** The text of a page in Markdown: headings, paragraphs, lists and tables, with the ref of each link. */
export function readPage(snapshot: ParsedSnapshot, options: ReadPageOptions = {}): ReadPageResult {
  const { offset = 0, missing = [], dialect = commandDialect } = options
  const maxChars = Math.min(maxCharsOfAnswer, Math.max(minChars, options.maxChars ?? 6_000))
  const lines = linesOf(snapshot.tree)
  const whole = lines.join('\n')
  const { url, title } = snapshot.meta
  const header = [
    '[read]',
    ...(url ? [`url=${quote(url, Math.floor(maxChars / 16))}`] : []),
    ...(title ? [`title=${quote(title, Math.floor(maxChars / 20))}`] : []),
    `chars=${whole.length}`,
  ].join(' ')
  const warning = missing.length > 0 && offset === 0 ? note(`not read: ${missing.join(', ')}`) : ''
  const room = maxChars - header.length - warning.length - footerRoom
  const start = Math.min(offset, whole.length)
  const end = endOfPart(whole, start, room)
  const text = whole.slice(start, end)
  const rest = whole.length - end
  return {
    text: [
      header,
      ...(warning ? [warning] : []),
      text.replace(/\n$/, ''),
      ...(rest > 0 ? [note(`${rest} ${rest === 1 ? 'character' : 'characters'} more`, adviseOption(dialect, 'offset', String(end)))] : []),
    ].join('\n'),
    refs: [...new Set([...text.matchAll(/\]\(@(\w+)\)/g)].map(([, ref]) => ref as string))],
    totalChars: whole.length,
    nextOffset: rest > 0 ? end : null,
  }
}

/** for the header's line end, the warning's and the last line */
const footerRoom = 70

/** a part ends with a line, or in the middle of a line that is longer than a part */
function endOfPart(text: string, start: number, room: number): number {
  if (text.length - start <= room) return text.length
  const line = text.lastIndexOf('\n', start + room - 1) + 1
  const end = line > start ? line : start + room
  return /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end
}

const blocks = new Set(['paragraph', 'blockquote', 'code', 'term', 'definition', 'caption', 'status', 'alert', 'figure', 'note'])
const cells = new Set(['cell', 'gridcell', 'columnheader', 'rowheader'])
const items = new Set(['listitem', 'article', 'item'])
const blockRoles = new Set([...blocks, ...items, ...tableRoles, 'heading', 'list', 'row'])
/** controls other than links are for `observe` and `snapshot` */
const controls = new Set('button textbox searchbox combobox listbox checkbox radio switch slider spinbutton option'.split(' '))

/** Whether a button is the title of the part that it opens and closes, which is text to read. */
const isTitle = ({ role, states }: ParsedNode): boolean => role === 'button' && states?.expanded !== undefined && !states.haspopup

function titleText({ name, text, ref, states }: ParsedNode): string {
  const title = escapeText(name || text)
  return title && ref && !states?.expanded ? `[${title}](@${ref}) (collapsed)` : title
}

const holdsBlocks = (node: ParsedNode): boolean => node.children.some(child => blockRoles.has(child.role) || holdsBlocks(child))

function linesOf(root: ParsedNode): readonly string[] {
  const lines: string[] = []
  const push = (mark: string, text: string) => {
    if (text.trim()) lines.push(mark + (mark.trim() ? text : escapeStart(text)))
  }
  const pushRow = (row: readonly string[]) => {
    if (row.some(cell => cell)) push('| ', `${row.join(' | ')} |`)
  }
  /** rows of tables with cells that span rows or columns */
  const grid = new Map<ParsedNode, readonly GridSlot<ParsedNode>[]>()
  const visit = (node: ParsedNode, indent: string): void => {
    const { role } = node
    const slots = grid.get(node)
    if (tableRoles.has(role)) for (const [row, each] of rowsOfTable(node).rows) if (hasSpans(row, each)) grid.set(row, each)
    if (slots && !isLayoutRow(node, maxRowText)) pushRow(slots.map(slotText))
    else if (role === 'heading') push(`${'#'.repeat(Math.min(6, node.states?.level ?? 2))} `, inlineText(node))
    else if (role === 'row' && !isLayoutRow(node, maxRowText)) pushRow(rowCells(node))
    else if (items.has(role) && !holdsBlocks(node)) push(`${indent}- `, inlineText(node))
    else if (blocks.has(role) && !holdsBlocks(node)) push(role === 'blockquote' ? '> ' : '', inlineText(node))
    else if (role === 'link' || role === 'text' || role === 'img') push('', inlineText(node))
    else if (isTitle(node)) push('', titleText(node))
    else if (!controls.has(role)) {
      push(items.has(role) ? `${indent}- ` : '', escapeText(node.text))
      for (const child of node.children) visit(child, items.has(role) ? `${indent}  ` : indent)
    }
  }
  visit(root, '')
  return lines
}

/** a longer row with a table in it is read line by line */
const maxRowText = 600

/** Whether a row is not simply its cells one after the other. */
const hasSpans = (row: ParsedNode, slots: readonly GridSlot<ParsedNode>[]): boolean =>
  slots.length !== row.children.length || slots.some(({ contents, isRepeated }) => isRepeated || contents.length !== 1)

function slotText({ contents, isRepeated }: GridSlot<ParsedNode>): string {
  const text = contents.map(inlineText).filter(Boolean).join(' ')
  return isRepeated && text.length > maxRepeatedChars ? '' : text
}

/** A cell that contains a single element has no node: that element is in its place. */
function rowCells(row: ParsedNode): readonly string[] {
  const hasCells = row.tag === 'tr' || row.children.some(({ role }) => cells.has(role))
  return hasCells && !row.text ? row.children.map(inlineText) : [inlineText(row)]
}

/** The text of a node in one line, with `<br>` between the blocks in a cell; links are `[name](@e12)`. */
function inlineText(node: ParsedNode): string {
  const { role, name, text, ref, hint } = node
  if (isTitle(node)) return titleText(node)
  if (controls.has(role)) return ''
  if (role === 'img') return name && `![${escapeText(name)}]`
  let inner = ''
  let isAfterBlock = false
  for (const child of node.children) {
    const part = inlineText(child)
    if (!part) continue
    const isBlock = blockRoles.has(child.role)
    inner += `${inner && (isBlock || isAfterBlock ? '<br>' : ' ')}${part}`
    isAfterBlock = isBlock
  }
  if (role === 'link') {
    // what a person reads, where a label says something else
    const label = escapeText(text || name) || inner || escapeText(hint?.text ?? '')
    return label && ref ? `[${label}](@${ref})` : label
  }
  // the name of a heading is its text
  const own = escapeText(text || (inner ? '' : name))
  return [own, inner]
    .filter(part => part)
    .join(' ')
    .replace(/\s+([.,;:!?)\u3002\uff0c\u3001])/g, '$1')
}

/** Text of the page in one line, which cannot contain a link with a ref. */
const escapeText = (text: string): string => inline(text.replace(/\s+/g, ' ').trim()).replace(/\]\(/g, ']\\(')
/** Text of the page cannot be taken for a heading, a list, a table or a note. */
const escapeStart = (text: string): string => text.replace(/^(?=[#>|\u2026]|[-+*] |\d+[.)] |note:|\[read\])/, '\\')
