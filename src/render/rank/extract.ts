import type { ParsedNode, ParsedSnapshot } from '../decode/snapshot.ts'
import { quote } from '../text/quote.ts'
import { type Find, type Ranked, ranked } from './ranked.ts'
import { relevance } from './relevance.ts'
import { textIn } from './text-in.ts'

/** A passage, a row of a table or an item of a list, with where it comes from. */
interface Piece {
  readonly kind: string
  readonly ref: string
  readonly text: string
  /** cells by the head of their column */
  readonly record?: readonly (readonly [string, string])[]
  /** what it stands under: heading, caption */
  readonly under: string
}

export interface Extracting {
  readonly query?: string | undefined
  readonly offset?: number
  readonly maxChars?: number
}

/** What the page says, the best match for the query first; without a query, in the order of the page. */
export function extract(snapshot: ParsedSnapshot, { query = '', offset = 0, maxChars = 6_000 }: Extracting): Ranked {
  const pieces = piecesOf(snapshot.tree)
  const scores = relevance(
    query,
    pieces.map(({ text, record, under }) => [
      { text: record ? record.map(pair => pair.join(' ')).join(' ') : text, weight: 2 },
      { text: under, weight: 1 },
    ]),
  )
  const order = pieces.map((_, index) => index)
  if (query) order.sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other)
  const finds = order.map((index): Find => {
    const piece = pieces[index] as Piece
    return { text: lineOf(piece), refs: piece.ref ? [piece.ref] : [], score: scores[index] ?? 0 }
  })
  return ranked(snapshot.meta, finds, { word: 'extract', about: query, offset, maxChars, cut: snapshot.stats.truncated })
}

function lineOf({ kind, ref, text, record, under }: Piece): string {
  const said = record ? `{${record.map(([head, cell]) => `${quote(head, 60)}:${quote(cell, 200)}`).join(',')}}` : quote(text, 1_000)
  return `- ${kind}${under ? ` under ${quote(under, 80)}` : ''}${ref ? ` [ref=${ref}]` : ''}: ${said}`
}

function piecesOf(root: ParsedNode): readonly Piece[] {
  const pieces: Piece[] = []
  let heading = ''
  const visit = (node: ParsedNode, ref: string): void => {
    const source = node.ref ?? ref
    if (node.role === 'heading') heading = textIn(node, 200)
    if (tables.has(node.role)) return void pieces.push(...recordsOf(node, node.name || heading))
    const kind = whole[node.role]
    if (kind && (!holdsBlocks(node) || isCard(node))) {
      const text = allTextIn(node)
      if (text && !(kind === 'item' && isOnlyControl(node)))
        pieces.push({ kind, ref: source, text, under: kind === 'heading' ? '' : heading })
      return
    }
    // what a control says is for `observe`
    if (node.interactive) return
    if (node.text) pieces.push({ kind: 'text', ref: source, text: node.text, under: heading })
    for (const child of node.children) visit(child, source)
  }
  visit(root, '')
  return pieces
}

const tables = new Set(['table', 'grid', 'treegrid'])
/** read in one piece, and what they are called */
const whole: { readonly [role: string]: string } = {
  paragraph: 'paragraph',
  heading: 'heading',
  listitem: 'item',
  article: 'item',
  blockquote: 'quote',
  code: 'code',
  term: 'term',
  definition: 'definition',
  caption: 'caption',
  status: 'status',
  alert: 'alert',
  img: 'picture',
}

const holdsBlocks = (node: ParsedNode): boolean =>
  node.children.some(child => child.role in whole || tables.has(child.role) || child.role === 'list' || holdsBlocks(child))
// a product, a result, a post: one thing in a list, whatever it is built of
const isCard = (node: ParsedNode): boolean => cards.has(node.role) && textIn(node, mostOfCard + 1).length <= mostOfCard && !holdsList(node)
const cards = new Set(['listitem', 'article'])
const mostOfCard = 600
const holdsList = (node: ParsedNode): boolean =>
  node.children.some(child => child.role === 'list' || cards.has(child.role) || tables.has(child.role) || holdsList(child))
const isOnlyControl = (node: ParsedNode): boolean => !node.text && node.children.length === 1 && node.children[0]?.interactive === true

/** all that is said in a node, links included, because a sentence needs their words; buttons only say what they do */
function allTextIn(node: ParsedNode): string {
  return textIn(node, 1_200, each => each === node || each.role !== 'button').replace(/\s+([.,;:!?。，、])/g, '$1')
}

function recordsOf(table: ParsedNode, under: string): readonly Piece[] {
  const rows = rowsOf(table)
  const headRow = rows.find(row => row.children.length > 1 && row.children.every(cell => cell.role === 'columnheader'))
  const heads = headRow?.children.map(cell => textIn(cell, 200)) ?? []
  return rows.flatMap(row => {
    if (row === headRow) return []
    const cells = row.children.filter(cell => cell.role !== 'caption')
    const record = cells
      .map((cell, index) => [heads[index] || `${index + 1}`, textIn(cell, 300)] as const)
      .filter(([, said]) => said !== '')
    return record.length > 0 ? [{ kind: 'row', ref: row.ref ?? table.ref ?? '', text: '', record, under }] : []
  })
}

function rowsOf(node: ParsedNode): readonly ParsedNode[] {
  return node.children.flatMap(child => (child.role === 'row' ? [child] : tables.has(child.role) ? [] : rowsOf(child)))
}
