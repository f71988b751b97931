import type { ParsedNode } from '../decode/snapshot.ts'
import { hasControlRole, holdsControls, isField, markOf, plainTextIn } from './controls.ts'
import { allTextIn, holdsBlocks, passageKinds } from './passage-text.ts'
import { joinPunctuation } from './sentence.ts'
import { tableRoles } from './table-rows.ts'

/** A product, a search result, a post: one short item of a list, whatever its markup. */
export const isCard = (node: ParsedNode): boolean =>
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
/** Whether a card is inside another of its kind, such as the answer to a comment, and says more than a feature of it. */
export const isNested = (node: ParsedNode, card: ParsedNode): boolean =>
  node !== card && node.role === card.role && cardRoles.has(node.role) && (holdsControls(node) || node.children.length > 1)

/** A card without the cards of its kind that are inside it; the node itself if there are none. */
export function withoutNested(card: ParsedNode): ParsedNode {
  if (!cardRoles.has(card.role)) return card
  const prune = (node: ParsedNode): ParsedNode => {
    const children = node.children.filter(child => !isNested(child, card)).map(prune)
    return children.length === node.children.length && children.every((child, index) => child === node.children[index])
      ? node
      : { ...node, children }
  }
  return prune(card)
}

/** The outermost nodes of a kind, in document order. */
export const nodesIn = (node: ParsedNode, fits: (each: ParsedNode) => boolean): readonly ParsedNode[] =>
  fits(node) ? [node] : node.children.flatMap(child => nodesIn(child, fits))

const isOnlyControl = (node: ParsedNode): boolean => !node.text && node.children.length === 1 && node.children[0]?.interactive === true

/** The element of a card to use: its first link, else what comes first. */
export function mainRefIn(card: ParsedNode): string | undefined {
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
export function cardTexts(card: ParsedNode): readonly string[] {
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
  before.text === after.text && [before, after].some(({ role }) => role === 'link' || role === 'heading') && /\p{L}/u.test(after.text)

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
