import { redacted } from '../../contract/page-api.ts'
import { namedByContent, words } from '../../contract/roles.ts'
import { hasWords } from '../../contract/text.ts'
import type { ParsedNode } from '../decode/snapshot.ts'
import { textIn } from './text-in.ts'

const fieldRoles = words('textbox searchbox combobox listbox slider spinbutton')
const controlRoles = words(
  'link button tab menuitem menuitemcheckbox menuitemradio treeitem checkbox radio switch option textbox searchbox combobox listbox slider spinbutton',
)

/** Whether an element has a role of a control. Cards, rows and other elements that react to a click are not among them. */
export const hasControlRole = ({ role }: ParsedNode): boolean => controlRoles.has(role)
export const isControl = (node: ParsedNode): boolean => node.interactive === true || hasControlRole(node)
export const holdsControls = (node: ParsedNode): boolean => isControl(node) || node.children.some(holdsControls)
export const isField = (node: ParsedNode): boolean => fieldRoles.has(node.role) || (isControl(node) && node.value !== undefined)

/** `[x]` or `[ ]` of a checkbox, a radio button, a switch or an option in a list, `[-]` if it is mixed; '' of other controls. */
export function markOf({ role, states }: ParsedNode): string {
  const isOn = states?.checked ?? (role === 'option' ? states?.selected : undefined)
  return isOn === undefined ? '' : isOn === 'mixed' ? '[-]' : isOn ? '[x]' : '[ ]'
}

/** Says after the words of a control that something lies on top of it: people may not see it, and cannot click it. */
export const coveredMark = (node: ParsedNode): string => (isControl(node) && node.states?.covered !== undefined ? ' (covered)' : '')

/** The current value of a field; '' if it is a secret. */
export const fieldValueOf = ({ value = '', states }: ParsedNode): string => (value === redacted ? '' : value || (states?.range ?? ''))

/** What a person reads of a field that is empty; '' if its name says the same. */
export const placeholderOf = (field: ParsedNode): string => {
  const { placeholder = '' } = field.attrs
  return field.value || !hasWords(placeholder) || hasWordsOf(field.name, placeholder) ? '' : placeholder
}

/** The parts of a field that are read apart from it. A select that is closed shows its value only, an editor is its value. */
export const partsOfField = ({ tag, role, value, children }: ParsedNode): readonly ParsedNode[] =>
  role === 'listbox' || (tag !== 'select' && (role === 'combobox' || value === undefined)) ? children : []

/** Whether the text before a field is its name, which is not repeated then. */
export const isNamedBy = ({ name }: ParsedNode, before: ParsedNode | undefined): boolean =>
  name !== '' &&
  before?.role === 'text' &&
  before.text
    .toLowerCase()
    .replace(/[\s:*\uff1a]+$/, '')
    .endsWith(name.toLowerCase().replace(/[\s:*\uff1a]+$/, ''))

/**
 * What a person reads of an element that can be clicked, or of a heading: its own words, and the elements in it that are read by
 * themselves. A name that is computed from the content has the words of the controls in it, which are removed from it.
 */
export function piecesOf(node: ParsedNode): readonly (string | ParsedNode)[] {
  const { role, name, text, children } = node
  // what a person reads, where a label says something else
  if (text) return [text, ...(namedByContent.has(role) ? children.filter(child => child.role !== 'img') : children)]
  if (!name || !namedByContent.has(role)) return children
  const inner = children.map(child => textIn(child, maxChars, each => each.role !== 'img' && !isControl(each))).join(' ')
  if (hasWordsOf(name, inner)) return splitName(name, children.flatMap(controlsIn))
  return name.endsWith('…') ? [name, ...children] : children
}

const maxChars = 2_000

const controlsIn = (node: ParsedNode): readonly ParsedNode[] => (isControl(node) ? [node] : node.children.flatMap(controlsIn))

/** Controls that the name does not mention, such as the items below an item of a tree, come after it. */
function splitName(name: string, controls: readonly ParsedNode[]): readonly (string | ParsedNode)[] {
  const pieces: (string | ParsedNode)[] = []
  const others: ParsedNode[] = []
  let rest = name
  for (const control of controls) {
    const label = control.name || control.text
    const at = label ? rest.indexOf(label) : -1
    if (at < 0) others.push(control)
    else {
      pieces.push(rest.slice(0, at), control)
      rest = rest.slice(at + label.length)
    }
  }
  return [...pieces, rest, ...others].filter(piece => typeof piece !== 'string' || piece.trim() !== '')
}

/** Whether a name has all words of a text. */
const hasWordsOf = (name: string, text: string): boolean => {
  const said = name.toLowerCase()
  return text
    .toLowerCase()
    .split(/[\s|…~]+/)
    .every(word => said.includes(word))
}

/** What a person reads of a node in one line, a little more than `maxChars`: as `textIn`, but a field is its value, not its options. */
export function plainTextIn(root: ParsedNode, maxChars: number): string {
  const texts: string[] = []
  let used = 0
  const add = (text: string) => {
    if (text) texts.push(text)
    used += text.length + 1
  }
  const visitAll = (pieces: readonly (string | ParsedNode)[]) => {
    for (const [index, piece] of pieces.entries()) {
      if (used > maxChars) return
      const before = pieces[index - 1]
      if (typeof piece === 'string') add(piece.trim())
      else visit(piece, typeof before === 'string' ? undefined : before)
    }
  }
  const visit = (node: ParsedNode, before?: ParsedNode): void => {
    if (isField(node)) {
      add(withMark(node, fieldWords(node, before)))
      if (node.tag !== 'select') visitAll(partsOfField(node))
    } else if (node.role === 'img') add(node.name)
    else if (isControl(node) || node.role === 'heading') {
      add(markOf(node))
      const start = texts.length
      visitAll(piecesOf(node))
      if (texts.length === start) add(node.name)
      if (texts.length > start) texts.push(withMark(node, texts.pop() ?? ''))
    } else {
      add(node.name || node.text)
      if (!node.name) visitAll(node.children)
    }
  }
  visit(root)
  return texts.reduce((said, text) => (said ? `${said}${text.includes('\n') ? '\n' : ' '}${text}` : text), '')
}

const withMark = (node: ParsedNode, words: string): string => words && words + coveredMark(node)

/** The name of a field and its value, or the one of them that it has. */
export function fieldWords(field: ParsedNode, before?: ParsedNode): string {
  const value = fieldValueOf(field)
  const name = value && isNamedBy(field, before) ? '' : field.name
  return [name, value || placeholderOf(field)].filter(Boolean).join(': ')
}

/** A guess at what the icon of a control says. The words beside it are read anyway, and names in the markup of fields are not read. */
export const hintOf = ({ role, hint }: ParsedNode): string =>
  hint && (role === 'link' || /^(title|tooltip|action|svg|class)$/.test(hint.from)) && hasWords(hint.text) ? hint.text : ''
