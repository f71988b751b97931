import type { ParsedNode, ParsedSnapshot } from '../decode/snapshot.ts'
import { commandDialect, type Dialect } from '../text/dialect.ts'
import { quote } from '../text/quote.ts'
import { cardTexts, isCard, isNested, mainRefIn, nodesIn, withoutNested } from './cards.ts'
import {
  coveredMark,
  fieldWords,
  hasControlRole,
  holdsControls,
  isControl,
  isField,
  markOf,
  partsOfField,
  piecesOf,
  plainTextIn,
} from './controls.ts'
import { CurrentHeading } from './current-heading.ts'
import { excerptOf, splitText } from './excerpt.ts'
import { allTextIn, holdsBlocks, passageKinds } from './passage-text.ts'
import { formatRanked, fromAttribute, type RankedItem, type RankedResult } from './ranked.ts'
import { absentNumbers, scoreRelevance } from './relevance.ts'
import type { GridSlot } from './table-grid.ts'
import { isLayoutRow, partsOf, rowsOfTable, tableRoles } from './table-rows.ts'

/** A passage, a row of a table or an item of a list. */
interface Passage {
  readonly kind: string
  /** of the element it comes from, or '' */
  readonly ref: string
  readonly text: string
  /** of an item: its first words, usually a name */
  readonly title?: string
  /** of a table row: pairs of column header and cell */
  readonly record?: readonly (readonly [string, string])[]
  /** the heading or caption above it; of a definition, its term */
  readonly heading: string
  /** the host of the frame that it is in, if that is not the host of the page */
  readonly from?: string | undefined
}

export interface ExtractOptions {
  readonly query?: string | undefined
  readonly offset?: number
  readonly maxChars?: number
  /** parts of the page that the snapshot does not contain */
  readonly missing?: readonly string[]
  readonly dialect?: Dialect
}

/** The text of the page in passages, the best match for the query first; without a query, in document order. */
export function extract(snapshot: ParsedSnapshot, options: ExtractOptions): RankedResult {
  const { query = '', offset = 0, maxChars = 6_000, missing = [], dialect = commandDialect } = options
  const passages = passagesOf(snapshot.tree)
  const texts = passages.map(({ text, title, record, heading }) => [
    ...(title === undefined ? [] : [{ text: title, weight: 2.5 }]),
    { text: record ? record.map(pair => pair.join(' ')).join(' ') : text, weight: 2 },
    { text: heading, weight: 1 },
  ])
  const scores = scoreRelevance(query, texts)
  const absent = absentNumbers(
    query,
    texts.flatMap(each => each.map(({ text }) => text)),
  )
  const order = passages.map((_, index) => index)
  if (query) order.sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other)
  const ranked = order.map((index): RankedItem => {
    const passage = passages[index] as Passage
    return {
      text: lineOf(passage, query),
      refs: passage.ref ? [passage.ref] : [],
      score: scores[index] ?? 0,
      shorten: maxChars => lineOf(passage, query, maxChars),
    }
  })
  const instead = 'read the whole page or take a snapshot'
  return formatRanked(snapshot.meta, ranked, { title: 'extract', query, offset, maxChars, missing, absent, dialect, instead })
}

/** With `maxChars`, the context of a passage is shortened first, so that most of the line is its content. */
function lineOf({ kind, ref, text, record, heading, from }: Passage, query: string, maxChars = Number.POSITIVE_INFINITY): string {
  const context = Math.min(80, Math.floor(maxChars / 6))
  const start = `- ${kind}${heading ? ` under ${quote(heading, context)}` : ''}${ref ? ` [ref=${ref}]` : ''}${fromAttribute(from, context)}: `
  const room = Math.max(1, maxChars - start.length - 2)
  if (!record) return start + quote(excerptOf(text, query, room), room)
  const pairs = record.map(([column, cell]) => `${quote(column, Math.min(60, context))}:${quote(excerptOf(cell, query, maxCellText))}`)
  return `${start}{${pairs.join(',')}}`
}

/** a longer text is several passages */
const maxPassageText = 800
/** of a cell in a line */
const maxCellText = 200

function passagesOf(root: ParsedNode): readonly Passage[] {
  const passages: Passage[] = []
  const push = ({ text, ...rest }: Passage) => {
    for (const piece of rest.record ? [''] : splitText(text, maxPassageText)) passages.push({ ...rest, text: piece })
  }
  const heading = new CurrentHeading()
  /** The terms just before a definition, which say nothing without it; of a second definition, those of the first. */
  const takeTerms = (): string => {
    const last = passages.at(-1)
    if (last?.kind === 'definition') return last.heading
    const terms: string[] = []
    while (passages.at(-1)?.kind === 'term') terms.unshift(passages.pop()?.text ?? '')
    return terms.join(', ') || heading.text
  }
  const visit = (node: ParsedNode, ref: string, from: string | undefined): void =>
    heading.within(node, () => visitContent(node, ref, node.states?.from ?? from))
  const visitContent = (node: ParsedNode, ref: string, from: string | undefined): void => {
    const source = node.ref ?? ref
    if (tableRoles.has(node.role)) return void visitTable(node, from)
    const own = withoutNested(node)
    if (isCard(own) && (own === node || cardTexts(own).length > 1)) {
      const texts = cardTexts(own)
      const text = texts.join(' | ')
      const title = texts[0]?.split(' | ')[0] ?? ''
      if (text) push({ kind: 'item', ref: node.ref ?? mainRefIn(own) ?? ref, text, title, heading: heading.text, from })
      const [ownHeading] = own === node ? [] : nodesIn(own, each => each.role === 'heading')
      if (ownHeading) heading.within(ownHeading, () => {})
      for (const nested of own === node ? [] : nodesIn(node, each => isNested(each, node))) visit(nested, source, from)
      return
    }
    const kind = passageKinds[node.role]
    if (kind && !holdsBlocks(node)) {
      const text = allTextIn(node)
      if (text)
        push({
          kind,
          ref: source,
          text,
          heading: kind === 'heading' ? '' : kind === 'definition' ? takeTerms() : heading.text,
          from,
        })
      return
    }
    if (isControl(node)) return void visitControl(node, source, from)
    if (node.text) push({ kind: 'text', ref: source, text: node.text, heading: heading.text, from })
    for (const child of node.children) visit(child, source, from)
  }
  /** A control is a passage, and so is each control in it. */
  const visitControl = (node: ParsedNode, ref: string, from: string | undefined): void => {
    const pieces = isField(node) ? [fieldWords(node), ...partsOfField(node)] : piecesOf(node)
    // what a card or another part of the page contains has passages of its own
    const isOther = (piece: string | ParsedNode): piece is ParsedNode =>
      typeof piece !== 'string' && (holdsControls(piece) || !hasControlRole(node))
    const others = pieces.filter(isOther)
    const own = pieces.filter(piece => !isOther(piece)).map(piece => (typeof piece === 'string' ? piece.trim() : allTextIn(piece)))
    const words = own.filter(Boolean).join(' ') || (others.length > 0 ? '' : node.name)
    const text = words && [markOf(node), words].filter(Boolean).join(' ') + coveredMark(node)
    if (text) push({ kind: hasControlRole(node) ? node.role : 'text', ref, text, heading: heading.text, from })
    for (const part of others) visit(part, ref, from)
  }
  /** The rows of a table are records, unless they only place other content, which has its own passages. */
  const visitTable = (table: ParsedNode, from: string | undefined): void => {
    const { rows, header } = rowsOfTable(table)
    const columns = (header && rows.get(header))?.map(slot => textOf(slot, 200)) ?? []
    for (const part of partsOf(table)) {
      if (part === header) continue
      const slots = rows.get(part)
      const record = slots && (part.interactive || !isLayoutRow(part, 0)) ? recordOf(slots, columns) : undefined
      if (!record) visit(part, table.ref ?? '', from)
      else if (record.length > 0)
        push({ kind: 'row', ref: part.ref ?? table.ref ?? '', text: '', record, heading: table.name || heading.text, from })
    }
  }
  visit(root, '', undefined)
  return passages
}

const textOf = ({ contents }: GridSlot<ParsedNode>, maxChars: number): string =>
  contents
    .map(cell => plainTextIn(cell, maxChars))
    .filter(Boolean)
    .join(' ')

const recordOf = (slots: readonly GridSlot<ParsedNode>[], columns: readonly string[]): NonNullable<Passage['record']> =>
  slots.map((slot, index) => [columns[index] || `${index + 1}`, textOf(slot, 2_000)] as const).filter(([, text]) => text !== '')
