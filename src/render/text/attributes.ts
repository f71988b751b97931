import type { NodeStates } from '../../contract/snapshot.ts'
import { hasLetters } from '../../contract/text.ts'
import type { Detail } from './detail.ts'
import type { RenderNode } from './passes.ts'
import { quote } from './quote.ts'

interface AttributeOptions {
  readonly detail: Detail
  /** of the page: links to the same origin are written as paths */
  readonly url: string
  /** write the type even where the role implies it */
  readonly repeatType?: boolean
}

/** The parts of a line besides role and name, each as `word`, `word=token` or `word="text of the page"`. */
export function formatAttributes(node: RenderNode, options: AttributeOptions): readonly string[] {
  const { detail } = options
  const hint = visibleHint(node)
  // one list without spreading: every line is written several times to find out what fits
  const written = hint ? [`hint=${quote(hint.text, detail.attribute)} from=${hint.from}`] : []
  addHtmlAttributes(written, node, options)
  if (node.value) written.push(`value=${quote(node.value, detail.text)}`)
  formatStates(node, detail, written)
  if (node.new) written.push('new')
  if (node.box && detail.boxes) written.push(`box=${node.box.join()}`)
  return written
}

/** A link within the document as its fragment, a link to the same origin as its path. */
export function shortHref(href: string, url: string): string {
  if (url === '') return href
  const [document = ''] = url.split('#')
  if (document !== '' && href.startsWith(`${document}#`)) return href.slice(document.length)
  const [origin = ''] = originForm.exec(url) ?? []
  if (origin === '' || href.slice(0, origin.length).toLowerCase() !== origin.toLowerCase()) return href
  const rest = href.slice(origin.length)
  if (rest === '') return '/'
  return /^[/?#]/.test(rest) ? rest : href
}
const originForm = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i

/** The hint of a node whose name has no letters, unless the line has an attribute with the same text. */
export const visibleHint = ({ name, hint, attrs }: RenderNode): RenderNode['hint'] =>
  !hint?.text || hasLetters(name) || attrs[hint.from] === hint.text ? undefined : hint

function addHtmlAttributes(written: string[], node: RenderNode, { detail, url, repeatType = false }: AttributeOptions): void {
  for (const name of Object.keys(node.attrs)) {
    const value = node.attrs[name] as string
    // where the line has the tag instead of the role, only the type tells a checkbox from a text field
    const maxChars = name === 'type' && repeatType ? detail.attribute : maxCharsOf(name, node, detail)
    if (maxChars === 0 || isRedundant(name, value, { node, repeatType })) continue
    // an attribute of the page must not look like one of the renderer's own words
    const word = reservedWords.has(name) ? `attr:${name}` : name
    written.push(`${word}=${quote(name === 'href' ? shortHref(value, url) : value, maxChars)}`)
  }
}

function maxCharsOf(attribute: string, { name }: RenderNode, detail: Detail): number {
  if (attribute === 'href') return name ? detail.namedHref : detail.href
  return name && !detail.more && attribute !== 'placeholder' ? 0 : detail.attribute
}

const labelAttributes = new Set(['aria-label', 'title', 'alt', 'placeholder', 'value'])

/** Whether the line says the same without this attribute. */
function isRedundant(name: string, value: string, { node, repeatType }: { node: RenderNode; repeatType: boolean }): boolean {
  if (name === 'role') return value.trim().toLowerCase() === node.role
  if (name === 'type' && !repeatType) return (typesOfRole[node.role] ?? []).includes(value.toLowerCase())
  if (name === 'value' && node.value !== undefined) return true
  return labelAttributes.has(name) && value === node.name && value !== ''
}

const typesOfRole: { readonly [role: string]: readonly string[] } = {
  textbox: ['text'],
  searchbox: ['search'],
  combobox: ['text', 'search'],
  button: ['button', 'submit', 'reset'],
  checkbox: ['checkbox'],
  switch: ['checkbox'],
  radio: ['radio'],
  spinbutton: ['number'],
  slider: ['range'],
}

/** A false state prints nothing, except for expanded: a collapsed menu can be opened. */
export function formatStates({ states, visible, role }: RenderNode, detail: Detail, written: string[] = []): string[] {
  if (states)
    for (const name of stateNames) {
      const value = states[name]
      if (value === undefined || (name === 'editable' && fieldRoles.has(role))) continue
      if (name === 'expanded') written.push(value ? 'expanded' : 'collapsed')
      // an empty string means covered by an unknown element
      else if (value === true || (name === 'covered' && value === '')) written.push(name)
      else if (value === false || value === '') continue
      else if (name === 'covered') written.push(`covered by=${quote(String(value), detail.attribute)}`)
      else written.push(textStates.has(name) ? `${name}=${quote(String(value), detail.attribute)}` : `${name}=${value}`)
    }
  if (visible === false && states?.hidden === undefined) written.push('hidden')
  return written
}

const fieldRoles = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton'])
const textStates = new Set<keyof NodeStates>(['range', 'size', 'scrolls', 'hidden', 'from', 'unreachable'])
const stateNames: readonly (keyof NodeStates)[] = [
  'checked',
  'selected',
  'expanded',
  'pressed',
  'stateFrom',
  'disabled',
  'readonly',
  'required',
  'invalid',
  'current',
  'haspopup',
  'level',
  'range',
  'size',
  'scrolls',
  'options',
  'multiple',
  'editable',
  'focused',
  'modal',
  'covered',
  'inert',
  'hidden',
  'from',
  'unreachable',
]
/** words that the renderer itself writes between brackets */
const reservedWords = new Set<string>([...stateNames, 'ref', 'hint', 'in', 'new', 'box', 'collapsed', 'above', 'below', 'in-view'])
