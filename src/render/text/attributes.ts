import type { NodeStates } from '../../contract/snapshot.ts'
import type { Detail } from './detail.ts'
import type { View } from './passes.ts'
import { quote } from './quote.ts'

/** What all lines of one rendering share. */
export interface Page {
  readonly url: string
}

/** What a line says besides role and name, each as `word`, `word=token` or `word="text of the page"`. */
export function marks(view: View, detail: Detail, page: Page, { repeatType = false } = {}): readonly string[] {
  const written = [...hintMark(view, detail), ...attributeMarks(view, detail, page, repeatType)]
  if (view.value) written.push(`value=${quote(view.value, detail.text)}`)
  if (view.states || view.visible === false) written.push(...stateMarks(view, detail))
  if (view.new) written.push('new')
  if (view.box && detail.boxes) written.push(`box=${view.box.join()}`)
  return written
}

/** Same origin: the path is enough; same document: the fragment. */
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

// where the hint is an attribute that stands on the line anyway, it says nothing new
export const tellingHint = ({ name, hint, attrs }: View): View['hint'] =>
  name || attrs[hint?.from ?? ''] === hint?.text ? undefined : hint

function hintMark(view: View, detail: Detail): string[] {
  const hint = tellingHint(view)
  return hint ? [`hint=${quote(hint.text, detail.attribute)} from=${hint.from}`] : []
}

function attributeMarks(view: View, detail: Detail, page: Page, repeatType: boolean): string[] {
  const written: string[] = []
  for (const name of Object.keys(view.attrs)) {
    const value = view.attrs[name] as string
    // where the tag stands for the role, only the type tells a checkbox from a field
    const most = name === 'type' && repeatType ? detail.attribute : mostOf(name, view, detail)
    if (most === 0 || repeats(name, value, view, repeatType)) continue
    // an attribute with a name of ours must not read like our own mark
    const word = ours.has(name) ? `attr:${name}` : name
    written.push(`${word}=${quote(name === 'href' ? shortHref(value, page.url) : value, most)}`)
  }
  return written
}

function mostOf(name: string, { name: label }: View, detail: Detail): number {
  if (name === 'href') return label ? detail.namedHref : detail.href
  return label && !detail.more && name !== 'placeholder' ? 0 : detail.attribute
}

const labels = new Set(['aria-label', 'title', 'alt', 'placeholder', 'value'])

function repeats(name: string, value: string, view: View, repeatType: boolean): boolean {
  if (name === 'role') return value.trim().toLowerCase() === view.role
  if (name === 'type' && !repeatType) return (typesOfRole[view.role] ?? []).includes(value.toLowerCase())
  if (name === 'value' && view.value !== undefined) return true
  return labels.has(name) && value === view.name && value !== ''
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

// a false state is the quiet one and prints nothing, but for expanded: a menu that is closed can be opened
export function stateMarks({ states, visible, role }: View, detail: Detail): string[] {
  const hidden = visible === false && states?.hidden === undefined ? ['hidden'] : []
  if (!states) return hidden
  const written = stateNames.flatMap(name => {
    const value = states[name]
    if (value === undefined || (name === 'editable' && fields.has(role))) return []
    if (name === 'expanded') return value ? 'expanded' : 'collapsed'
    // covered by '' is covered all the same, by nobody knows what
    if (value === true || (name === 'covered' && value === '')) return name
    if (value === false || value === '') return []
    if (name === 'covered') return `covered by=${quote(String(value), detail.attribute)}`
    return quoted.has(name) ? `${name}=${quote(String(value), detail.attribute)}` : `${name}=${value}`
  })
  return [...written, ...hidden]
}

const fields = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton'])
const quoted = new Set<keyof NodeStates>(['range', 'hidden', 'unreachable'])
const stateNames: readonly (keyof NodeStates)[] = [
  'checked',
  'selected',
  'expanded',
  'pressed',
  'disabled',
  'readonly',
  'required',
  'invalid',
  'current',
  'haspopup',
  'level',
  'range',
  'options',
  'multiple',
  'editable',
  'focused',
  'modal',
  'covered',
  'inert',
  'hidden',
  'unreachable',
]
const ours = new Set<string>([...stateNames, 'ref', 'hint', 'from', 'new', 'box', 'collapsed', 'above', 'below', 'in-view'])
