import type { RefDetail, SnapshotNode, States } from '../contract/snapshot.ts'
import type { Dom, Scene } from './dom.ts'
import { hintOf } from './hints.ts'
import { nameOf } from './names.ts'
import type { Options } from './options.ts'
import { isSecret, redacted } from './secrets.ts'
import { statesOf } from './states.ts'
import type { Found } from './survey.ts'
import { cut, textBelow, tidy } from './text.ts'

/** a node while it is made */
export type Draft = { -readonly [key in keyof SnapshotNode]: SnapshotNode[key] }
export interface Described {
  readonly node: Draft
  readonly detail: RefDetail
  /** a name or text was longer than its limit */
  readonly shortened: boolean
}

/** what stands in them is told line by line below them, so it is not their name too */
const toldBelow = new Set(
  'row listitem article cell gridcell columnheader rowheader rowgroup paragraph blockquote caption code term definition note document'.split(
    ' ',
  ),
)
const fieldRoles = new Set('textbox searchbox combobox listbox spinbutton slider'.split(' '))

/** Everything a line can say about a thing that was found. */
export function describe<N>(scene: Scene<N>, found: Found<N>, options: Options): Described {
  const { dom } = scene
  const { node: element, tag, role } = found
  const max = options.maxTextPerNode
  const name = tidy(ownName(scene, found, max))
  const text = found.role === 'heading' ? '' : ownText(scene, found, max)
  const node: Draft = { tag, role }
  if (name) node.name = cut(name, max)
  if (text) node.text = cut(text, max)
  if (found.kind === 'control') node.interactive = true
  if (found.off) node.off = found.off
  if (found.kind === 'text') return { node, detail: {}, shortened: text.length > max }
  const value = valueOf(dom, found, max)
  if (value) node.value = value
  if (found.kind === 'control' && !name && !text) {
    const hint = dom.attr(element, 'placeholder') ? undefined : hintOf(dom, element)
    if (hint) node.hint = hint
  }
  const states: States = { ...statesOf(dom, element, role), ...situation(scene, found) }
  if (Object.keys(states).length > 0) node.states = states
  const detail = { ...attributes(dom, found, options), path: pathOf(dom, element) }
  return { node, detail, shortened: name.length > max || text.length > max }
}

function ownName<N>({ dom, layout }: Scene<N>, { node, role, kind, texts }: Found<N>, max: number): string {
  if (kind === 'text') return ''
  if (role === 'heading') {
    // a heading is read, so its name is what can be seen of it; a hidden part is not smuggled in as a name
    const shown = (element: N) => !dom.hidden(element) && !layout?.unreadable(element)
    return texts.length > 0 || kind !== 'control' ? textBelow(dom, node, { shown, max }) : ''
  }
  const labelled = dom.attr(node, 'aria-label') !== null || dom.attr(node, 'aria-labelledby') !== null
  if (toldBelow.has(role) && !labelled) return ''
  const name = nameOf(dom, node, { maxChars: max + 2, maxVisits: 1_000 })
  return isPlaceholder(dom, node, name) && !labelled ? '' : name
}

// the placeholder is printed as what it is; as a name it would look like a label
const isPlaceholder = <N>(dom: Dom<N>, node: N, name: string) =>
  name !== '' && tidy(dom.attr(node, 'placeholder') ?? '') === tidy(name) && dom.labels(node).length === 0

function ownText<N>({ dom, layout }: Scene<N>, { texts, hidden }: Found<N>, max: number): string {
  let text = ''
  for (const run of texts) {
    if (text.length > max) break
    const parent = dom.parent(run)
    if (!hidden && parent && (dom.hidden(parent) || layout?.unreadable(parent))) continue
    text += ` ${dom.drawn(run).slice(0, 20_000)}`
  }
  return tidy(text)
}

function valueOf<N>(dom: Dom<N>, { node, tag, role, kind }: Found<N>, max: number): string {
  if (kind !== 'control') return ''
  const type = tag === 'input' ? (dom.attr(node, 'type') ?? '').toLowerCase() : ''
  if (/^(checkbox|radio|button|submit|reset|image)$/.test(type)) return ''
  if (tag !== 'input' && tag !== 'select' && tag !== 'textarea' && !fieldRoles.has(role) && dom.attr(node, 'contenteditable') === null)
    return ''
  return cut(tidy(dom.value(node)), max)
}

function situation<N>({ dom, layout, focused }: Scene<N>, { node, role, hidden, inert, unreachable, kind }: Found<N>): States {
  const states: { -readonly [key in keyof States]: States[key] } = {}
  if (focused(node)) states.focused = true
  if (role === 'dialog' || role === 'alertdialog') if (dom.is(node, 'modal') || dom.attr(node, 'aria-modal') === 'true') states.modal = true
  if (kind === 'structure' && layout?.scrollable(node)) states.scrollable = true
  if (inert) states.inert = true
  if (hidden) states.hidden = hidden
  if (unreachable) states.unreachable = unreachable
  return states
}

function attributes<N>(dom: Dom<N>, { node, tag }: Found<N>, { includeAttrs, maxAttrValueLen }: Options): Pick<RefDetail, 'attrs'> {
  const attrs: Record<string, string> = {}
  const type = tag === 'input' ? (dom.attr(node, 'type') ?? '').toLowerCase() : ''
  for (const name of includeAttrs) {
    const value = dom.attr(node, name)
    if (value === null || value === '') continue
    if (name === 'value') {
      // what a field holds now is its value; the attribute is only what it began with
      if (isSecret(dom, node)) attrs[name] = redacted
      else if (tag === 'input' ? /^(checkbox|radio|button|submit|reset)$/.test(type) : tag !== 'textarea')
        attrs[name] = cut(tidy(value), maxAttrValueLen)
    } else attrs[name] = cut(name === 'href' ? address(value) : tidy(value), maxAttrValueLen)
  }
  return Object.keys(attrs).length > 0 ? { attrs } : {}
}

// a script or a picture in an address tells a model nothing, at great length
const address = (href: string): string => {
  const short = tidy(href)
  const scheme = /^(javascript|data):/i.exec(short)
  return scheme ? `${scheme[1]?.toLowerCase()}:…` : short
}

const maxSteps = 3
const maxStep = 24

/** main>form#search>button: up to the nearest id, three steps at most; for people who read the JSON */
function pathOf<N>(dom: Dom<N>, node: N): string {
  let path = ''
  let each: N | null = node
  for (let steps = 0; each && steps < maxSteps; steps++, each = dom.parent(each)) {
    const id = dom.attr(each, 'id')
    const step = cut(dom.tag(each) + (id ? `#${tidy(id)}` : ''), maxStep)
    path = path ? `${step}>${path}` : step
    if (id) break
  }
  return path
}
