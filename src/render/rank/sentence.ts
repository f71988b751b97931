import { words } from '../../contract/roles.ts'
import type { ParsedNode } from '../decode/snapshot.ts'

const sentenceRoles = words('paragraph heading listitem term definition caption status alert')

/** Whether a code or a picture is drawn in the sentence around it: `Run <code>npm i</code> first.` */
export const isInSentence = (node: ParsedNode, parent: ParsedNode): boolean =>
  (node.role === 'code' || node.role === 'img') &&
  sentenceRoles.has(parent.role) &&
  (parent.text !== '' || parent.children.some(({ role }) => role === 'text' || role === 'link')) &&
  !hasLines(node)

/** Whether a node is a text that is drawn in several lines, such as code, or contains one. */
export const hasLines = ({ text, children }: ParsedNode): boolean => text.includes('\n') || children.some(hasLines)

/** A text whose pieces are joined by spaces, without those before punctuation. Lines of code stay as they are. */
export const joinPunctuation = (text: string): string => (text.includes('\n') ? text : text.replace(/\s+([.,;:!?。，、])/g, '$1'))
