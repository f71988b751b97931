import { maxChars as maxCharsOfAnswer, minChars } from '../../contract/limits.ts'
import type { ParsedNode, ParsedSnapshot } from '../decode/snapshot.ts'
import { adviseOption, commandDialect, type Dialect, note } from '../text/dialect.ts'
import { inline, quote } from '../text/quote.ts'
import {
  coveredMark,
  fieldValueOf,
  hasControlRole,
  hintOf,
  holdsControls,
  isControl,
  isField,
  isNamedBy,
  markOf,
  partsOfField,
  piecesOf,
  placeholderOf,
} from './controls.ts'
import { hasLines, isInSentence } from './sentence.ts'
import { type GridSlot, maxRepeatedChars } from './table-grid.ts'
import { isLayoutRow, rowsOfTable, tableRoles } from './table-rows.ts'
import { textIn } from './text-in.ts'

/**
 * One part of the text of a page.
 *
 * @example
 * const { text, nextOffset }: ReadPageResult = await session.read()
 */
export interface ReadPageResult {
  readonly text: string
  /** of the links and controls in this part */
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

/** The text of a page in Markdown: headings, paragraphs, lists and tables, with the ref of each link and control. */
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

/** A part ends with a line, or with a word of a line that is so long that little would be left of the part. */
function endOfPart(text: string, start: number, room: number): number {
  if (text.length - start <= room) return text.length
  const line = text.lastIndexOf('\n', start + room - 1) + 1
  if (line - start > room / 2) return line
  const word = text.lastIndexOf(' ', start + room - 1) + 1
  const end = word - start > room / 2 ? word : start + room
  return /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end
}

const blocks = new Set(['paragraph', 'blockquote', 'code', 'term', 'definition', 'caption', 'status', 'alert', 'figure', 'note'])
const cells = new Set(['cell', 'gridcell', 'columnheader', 'rowheader'])
const items = new Set(['listitem', 'article', 'item'])
const blockRoles = new Set([...blocks, ...items, ...tableRoles, 'heading', 'list', 'row'])
/** Whether a button is the title of the part that it opens and closes, which is text to read. */
const isTitle = ({ role, states }: ParsedNode): boolean => role === 'button' && states?.expanded !== undefined && !states.haspopup

function titleText(node: ParsedNode): string {
  const title = escapeText(node.name || node.text)
  return title && node.ref && !node.states?.expanded ? `${toLink(node, title)} (collapsed)` : title && title + coveredMark(node)
}

const holdsBlocks = (node: ParsedNode): boolean =>
  node.children.some(
    child => (blockRoles.has(child.role) && !isInSentence(child, node)) || (child.role === 'text' && hasLines(child)) || holdsBlocks(child),
  )

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
  /** a card that can be clicked, until its first line is written */
  let card: ParsedNode | undefined
  /** the mark of a list item that contains blocks, until the first of them is written */
  let bullet = ''
  const pushText = (mark: string, text: string) => {
    push(mark || bullet, card ? toLink(card, text) : text)
    if (text.trim()) [card, bullet] = [undefined, '']
  }
  /** Text that is drawn in lines: code is indented, so that a line of it cannot be taken for anything else. */
  const pushLines = (text: string, isCode: boolean) => {
    const indent = isCode || /^[ \t]/m.test(text) ? '    ' : ''
    if (indent && lines.at(-1)?.startsWith(indent)) lines.push('')
    for (const line of text.split('\n')) {
      const drawn = escapeLine(line.replace(/\t/g, '    '))
      if (indent) lines.push(drawn && indent + drawn)
      else pushText('', drawn)
    }
  }
  const visitAll = (nodes: readonly ParsedNode[], indent: string) => {
    let buttons: string[] = []
    const pushButtons = () => {
      pushText('', buttons.filter(Boolean).join(' '))
      buttons = []
    }
    for (const [index, node] of nodes.entries()) {
      if (isButton(node)) buttons.push(inlineText(node))
      else {
        pushButtons()
        visit(node, indent, nodes[index - 1])
      }
    }
    pushButtons()
  }
  const visit = (node: ParsedNode, indent: string, before?: ParsedNode, isCode = false): void => {
    const { role } = node
    const slots = grid.get(node)
    if (tableRoles.has(role)) for (const [row, each] of rowsOfTable(node).rows) if (hasSpans(row, each)) grid.set(row, each)
    if (role === 'text' && hasLines(node)) pushLines(node.text, isCode)
    else if (slots && !isLayoutRow(node, maxRowText)) pushRow(slots.map(slotText))
    else if (role === 'heading') pushText(`${'#'.repeat(Math.min(6, node.states?.level ?? 2))} `, inlineText(node))
    else if (role === 'row' && !isLayoutRow(node, maxRowText)) pushRow(rowCells(node))
    else if (items.has(role) && !holdsBlocks(node)) pushText(`${indent}- `, inlineText(node))
    else if (blocks.has(role) && !holdsBlocks(node)) pushText(role === 'blockquote' ? '> ' : '', inlineText(node))
    else if (role === 'text' || role === 'img' || isOneLine(node)) pushText('', inlineText(node, before))
    else if (role === 'code') for (const child of node.children) visit(child, indent, undefined, true)
    else if (isField(node)) {
      pushText('', fieldText(node, before))
      visitAll(partsOfField(node), indent)
    } else {
      const pieces = isControl(node) ? piecesOf(node) : [node.text, ...node.children]
      const own = pieces.filter(piece => typeof piece === 'string').join(' ')
      pushText(items.has(role) ? `${indent}- ` : '', toLink(node, escapeText(own)))
      const outer = card
      if (isShortCard(node) && !own) card = node
      if (role === 'listitem' && !own) bullet = `${indent}- `
      visitAll(
        pieces.filter(piece => typeof piece !== 'string'),
        items.has(role) ? `${indent}  ` : indent,
      )
      card = card && outer
      bullet = ''
    }
  }
  visit(root, '')
  return lines
}

/** Whether a link or another control is read in one line. A long one has lines of its own for what is in it. */
function isOneLine(node: ParsedNode): boolean {
  if (node.role === 'link' || isTitle(node)) return true
  if (!isControl(node) || (isField(node) && partsOfField(node).length > 0)) return false
  return hasControlRole(node) ? !holdsManyControls(node) : !holdsBlocks(node) && isShort(node)
}

/** Buttons and tabs one after the other are read in one line, as they are drawn. */
const isButton = (node: ParsedNode): boolean => buttonRoles.has(node.role) && !isTitle(node) && !markOf(node) && !holdsBlocks(node)
const buttonRoles = new Set(['button', 'tab', 'menuitem'])

const holdsManyControls = ({ children }: ParsedNode): boolean => children.filter(holdsControls).length > 2
const isShort = (node: ParsedNode): boolean => textIn(node, maxCardText + 1).length <= maxCardText
const isShortCard = (node: ParsedNode): boolean => node.interactive === true && isShort(node)
/** of a card, which is an element that can be clicked as a whole; others only contain parts of the page */
const maxCardText = 600

/** a longer row with a table in it is read line by line */
const maxRowText = 600

/** Whether a row is not simply its cells one after the other. */
const hasSpans = (row: ParsedNode, slots: readonly GridSlot<ParsedNode>[]): boolean =>
  slots.length !== row.children.length || slots.some(({ contents, isRepeated }) => isRepeated || contents.length !== 1)

function slotText({ contents, isRepeated }: GridSlot<ParsedNode>): string {
  const text = contents
    .map(cell => inlineText(cell))
    .filter(Boolean)
    .join(' ')
  return isRepeated && text.length > maxRepeatedChars ? '' : text
}

/** A cell that contains a single element has no node: that element is in its place. */
function rowCells(row: ParsedNode): readonly string[] {
  const hasCells = row.tag === 'tr' || row.children.some(({ role }) => cells.has(role))
  return hasCells && !row.text ? row.children.map(cell => inlineText(cell)) : [inlineText(row)]
}

/** The text of a node in one line, with `<br>` between the blocks in a cell; links and other controls are `[name](@e12)`. */
function inlineText(node: ParsedNode, before?: ParsedNode): string {
  const { role, name } = node
  if (isTitle(node)) return titleText(node)
  if (isField(node)) return [fieldText(node, before), inlineTexts(partsOfField(node))].filter(Boolean).join(' ')
  if (role === 'img') return name && toLink(node, `![${escapeText(name)}]`)
  if (isControl(node)) return clickableText(node)
  const pieces = role === 'heading' ? piecesOf(node) : [node.text, ...node.children]
  // the name of a heading is its text
  return (inlineTexts(pieces) || escapeText(name)).replace(/\s+([.,;:?)\u3002\uff0c\u3001]|!(?!\[))/g, '$1')
}

function inlineTexts(pieces: readonly (string | ParsedNode)[]): string {
  let text = ''
  let isAfterBlock = false
  for (const [index, piece] of pieces.entries()) {
    const before = pieces[index - 1]
    const part = typeof piece === 'string' ? escapeText(piece) : inlineText(piece, typeof before === 'string' ? undefined : before)
    if (!part) continue
    const isBlock = typeof piece !== 'string' && blockRoles.has(piece.role) && (piece.role !== 'code' || hasLines(piece))
    text += `${text && (isBlock || isAfterBlock ? '<br>' : ' ')}${part}`
    isAfterBlock = isBlock
  }
  return text
}

/** A link, a button or a card: what it says is its link, what the controls in it say is not part of that. */
function clickableText(node: ParsedNode): string {
  const texts: string[] = []
  let own: (string | ParsedNode)[] = []
  const takeOwn = () => {
    const text = inlineTexts(own)
    if (text) texts.push(toLink(node, text))
    own = []
  }
  for (const piece of piecesOf(node)) {
    if (typeof piece === 'string' || !holdsControls(piece)) own.push(piece)
    else {
      takeOwn()
      texts.push(inlineText(piece))
    }
  }
  takeOwn()
  const text = texts.filter(Boolean).join(' ')
  const words = text || toLink(node, escapeText(node.name || hintOf(node)))
  const mark = markOf(node)
  if (!mark) return words
  return words ? `${mark} ${words}` : toLink(node, mark.slice(1, -1))
}

/** The name of a field and its value, or the one of them that it has. */
function fieldText(field: ParsedNode, before?: ParsedNode): string {
  // the options of a list that is open say which of them are selected
  const value = field.role === 'listbox' && field.children.length > 0 ? '' : escapeText(fieldValueOf(field))
  const placeholder = escapeText(placeholderOf(field))
  const name = value && isNamedBy(field, before) ? '' : escapeText(field.name)
  if (name) return `${toLink(field, name)}${value ? `: ${value}` : placeholder ? ` (${placeholder})` : ''}`
  return toLink(field, value || placeholder || escapeText(hintOf(field)))
}

/** Text that can be clicked, with the ref to click. Text that has a ref already keeps it. */
const toLink = (node: ParsedNode, text: string): string =>
  text && node.ref && isControl(node) && !text.includes('](@') ? `[${text}](@${node.ref})${coveredMark(node)}` : text

/** Text of the page in one line, which cannot contain a link with a ref or a checkbox. */
const escapeText = (text: string): string =>
  text
    .split('\n')
    .map(line => escapeLine(line.replace(/\s+/g, ' ').trim()))
    .filter(Boolean)
    .join('<br>')
const escapeLine = (line: string): string =>
  inline(line)
    .replace(/\]\(/g, ']\\(')
    .replace(/\[(?=[ x-]\])/g, '\\[')
/** Text of the page cannot be taken for a heading, a list, a table or a note. */
const escapeStart = (text: string): string => text.replace(/^(?=[#>|\u2026]|[-+*] |\d+[.)] |note:|\[read\])/, '\\')
