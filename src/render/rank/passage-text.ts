import type { ParsedNode } from '../decode/snapshot.ts'
import { plainTextIn } from './controls.ts'
import { isInSentence, joinPunctuation } from './sentence.ts'
import { tableRoles } from './table-rows.ts'

/** roles that are read as one passage, and the word for each */
export const passageKinds: { readonly [role: string]: string } = {
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

export const holdsBlocks = (node: ParsedNode): boolean =>
  node.role !== 'link' &&
  node.children.some(
    child =>
      (child.role in passageKinds && child.role !== 'link' && !isInSentence(child, node)) ||
      tableRoles.has(child.role) ||
      child.role === 'list' ||
      holdsBlocks(child),
  )

/** of a block: as much as an answer can have */
const maxNodeText = 100_000

/** The text of a node with that of its links and other controls, which are part of a sentence. */
export const allTextIn = (node: ParsedNode): string => joinPunctuation(plainTextIn(node, maxNodeText))
