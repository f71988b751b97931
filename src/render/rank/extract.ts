import type { ParsedNode, ParsedSnapshot } from '../decode/snapshot.ts'
import { commandDialect, type Dialect } from '../text/dialect.ts'
import { quote } from '../text/quote.ts'
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
import { formatRanked, fromAttribute, type RankedItem, type RankedResult } from './ranked.ts'
import { absentNumbers, scoreRelevance } from './relevance.ts'
import { isInSentence, joinPunctuation } from './sentence.ts'
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
    if (isCard(node)) {
      const texts = cardTexts(node)
      const text = texts.join(' | ')
      const title = texts[0]?.split(' | ')[0] ?? ''
      if (text) push({ kind: 'item', ref: node.ref ?? mainRefIn(node) ?? ref, text, title, heading: heading.text, from })
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

/** roles that are read as one passage, and the word for each */
const passageKinds: { readonly [role: string]: string } = {
  paragraph: 'paragraph',
  heading: 'heading',
  listitem: 'item',
  article: 'item',
  item: 'item',
  blockquote: 'quote',
  code: 'code',
  term: 'term',
  definition: 'definition',
  caption: 'caption',
  status: 'status',
  alert: 'alert',
  img: 'picture',
  link: 'link',
}

const holdsBlocks = (node: ParsedNode): boolean =>
  node.role !== 'link' &&
  node.children.some(
    child =>
      (child.role in passageKinds && child.role !== 'link' && !isInSentence(child, node)) ||
      tableRoles.has(child.role) ||
      child.role === 'list' ||
      holdsBlocks(child),
  )

/** A product, a search result, a post: one short item of a list, whatever its markup. */
const isCard = (node: ParsedNode): boolean =>
  (cardRoles.has(node.role) || isClickableCard(node)) &&
  !isOnlyControl(node) &&
  plainTextIn(node, maxCardText + 1).length <= maxCardText &&
  !holdsCards(node)
/** Whether an element can be clicked as a whole and has several texts. One that contains a form or other cards is a part of the page. */
const isClickableCard = (node: ParsedNode): boolean =>
  node.interactive === true &&
  !hasControlRole(node) &&
  !(node.role in passageKinds) &&
  !isField(node) &&
  (node.children.length > 0 || node.text.includes(' | ')) &&
  !node.children.some(holdsForm)
const holdsForm = (node: ParsedNode): boolean =>
  isField(node) || markOf(node) !== '' || (node.interactive === true && !hasControlRole(node)) || node.children.some(holdsForm)
const cardRoles = new Set(['listitem', 'article', 'item'])
const maxCardText = 600
/** Whether a node is a list of other things. Items of one text, such as the features of a product, are part of it. */
const holdsCards = (node: ParsedNode): boolean =>
  node.children.some(
    child =>
      tableRoles.has(child.role) || (cardRoles.has(child.role) && (holdsControls(child) || child.children.length > 1)) || holdsCards(child),
  )
const isOnlyControl = (node: ParsedNode): boolean => !node.text && node.children.length === 1 && node.children[0]?.interactive === true

/** The element of a card to use: its first link, else what comes first. */
function mainRefIn(card: ParsedNode): string | undefined {
  const find = (node: ParsedNode, fits: (each: ParsedNode) => boolean): string | undefined => {
    if (node.ref && fits(node)) return node.ref
    for (const child of node.children) {
      const found = find(child, fits)
      if (found !== undefined) return found
    }
    return undefined
  }
  return find(card, ({ role }) => role === 'link') ?? find(card, ({ role }) => role === 'heading') ?? find(card, () => true)
}

/** The texts of a card, one beside the other. A picture that only repeats the heading is omitted. */
function cardTexts(card: ParsedNode): readonly string[] {
  const parts: TextPart[] = []
  const pictures: string[] = []
  const visit = (node: ParsedNode): void => {
    if (node.role === 'img') return void pictures.push(node.name)
    const isWhole =
      node.name || (hasControlRole(node) && node !== card) || (node.role in passageKinds && node !== card && !holdsBlocks(node))
    const text = isWhole ? allTextIn(node) : node.text
    const last = parts.at(-1)
    const part = { text, role: node.role }
    if (last && text && isSameSentence(last, part)) parts.splice(-1, 1, { text: `${last.text} ${text}`, role: 'text' })
    else if (text && !(last && isRepetition(last, part))) parts.push(part)
    if (!isWhole) for (const child of node.children) visit(child)
  }
  visit(card)
  const words = parts.map(({ text }) => joinPunctuation(text))
  const own = pictures.filter(name => name && !words.some(each => name.includes(each) || each.includes(name)))
  return [...words, ...own]
}

interface TextPart {
  readonly text: string
  readonly role: string
}

/** Whether a title says what the link of the picture before it says. Equal numbers, prices and answers are two facts. */
const isRepetition = (before: TextPart, after: TextPart): boolean =>
  before.text === after.text && [before, after].every(({ role }) => role === 'link' || role === 'heading') && /\p{L}/u.test(after.text)

/** Whether a link continues the sentence before it, or a text the sentence of a link or a checkbox. */
function isSameSentence(before: TextPart, after: TextPart): boolean {
  // a checkbox without a name is before the text that says what it is for
  if (/^\[.\]$/.test(before.text)) return after.role === 'text'
  if (/\n/.test(before.text + after.text)) return false
  if (after.role === 'code' || before.role === 'code') return after.role === 'text' || before.role === 'text'
  const isLower = (text: string) => /^\p{Ll}/u.test(text)
  if (after.role === 'link')
    return before.role === 'text' && (isLower(before.text) || isLower(after.text) || before.text.split(/\s+/).length > 2)
  return after.role === 'text' && before.role !== 'heading' && /^[\p{Ll}.,;:!?)。，、]/u.test(after.text)
}

/** of a block: as much as an answer can have */
const maxNodeText = 100_000

/** The text of a node with that of its links and other controls, which are part of a sentence. */
const allTextIn = (node: ParsedNode): string => joinPunctuation(plainTextIn(node, maxNodeText))

const textOf = ({ contents }: GridSlot<ParsedNode>, maxChars: number): string =>
  contents
    .map(cell => plainTextIn(cell, maxChars))
    .filter(Boolean)
    .join(' ')

const recordOf = (slots: readonly GridSlot<ParsedNode>[], columns: readonly string[]): NonNullable<Passage['record']> =>
  slots.map((slot, index) => [columns[index] || `${index + 1}`, textOf(slot, 2_000)] as const).filter(([, text]) => text !== '')
