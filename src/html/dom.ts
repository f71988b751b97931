import type { DefaultTreeAdapterTypes } from 'parse5'
import type { Dom } from '../page/dom.ts'
import { isSecret, redacted } from '../page/secrets.ts'
import { textBelow } from '../page/text.ts'
import { inlineStyle, styleSheet } from './css.ts'
import { valueOfInput } from './input-value.ts'

export type Element = DefaultTreeAdapterTypes.Element
export type Text = DefaultTreeAdapterTypes.TextNode
export type Node = Element | Text

const html = 'http://www.w3.org/1999/xhtml'
const namespaces: { readonly [uri: string]: 'svg' | 'math' } = {
  'http://www.w3.org/2000/svg': 'svg',
  'http://www.w3.org/1998/Math/MathML': 'math',
}
const blocks = new Set(
  'address article aside blockquote body br button caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main marquee menu meter nav ol optgroup option p plaintext pre progress rt search section select summary table tbody td text tfoot th thead tr ul xmp'.split(
    ' ',
  ),
)
/** never drawn, whatever a style sheet says */
const undrawn = new Set(
  'base basefont col colgroup datalist head link meta noembed noframes noscript param rp script source style template title track annotation annotation-xml symbol metadata clippath pattern mask marker lineargradient radialgradient filter'.split(
    ' ',
  ),
)
const maxEditableText = 1_000

/** A parsed document answers the engine's questions from its markup alone: there are no scripts, and of CSS only rules that hide. */
export function htmlDom(root: Element): Dom<Node> {
  const index = indexOf(root)
  const sheet = styleSheet(index.styles)
  const drawn = new Map<Node, Drawing>()
  const dom: Dom<Node> = {
    tag: node => (isElement(node) ? (node.namespaceURI === html ? node.tagName : node.tagName.toLowerCase()) : ''),
    namespace: node => (isElement(node) && namespaces[node.namespaceURI]) || 'html',
    text: node => (isElement(node) ? '' : node.value),
    drawn: node => (isElement(node) ? '' : node.value),
    attr: (node, name) => (isElement(node) ? attribute(node, name) : null),
    bare: node => !isElement(node) || node.attrs.length === 0,
    children,
    parent: node => (node.parentNode && 'tagName' in node.parentNode ? (node.parentNode as Element) : null),
    byId: (_, id) => index.ids.get(id) ?? null,
    labels: control => index.labels.get(control as Element) ?? [],
    options: select => optionsOf(select as Element),
    value: field => (isSecret(dom, field) ? rawValue(field) && redacted : rawValue(field)),
    is: (node, what) => isElement(node) && answers[what](node),
    hidden: node => drawingOf(node) !== 'visible',
    block: node => isElement(node) && blocks.has(node.tagName),
    generated: () => '',
  }
  return dom

  function rawValue(field: Node): string {
    if (!isElement(field)) return ''
    if (field.tagName === 'input') return valueOfInput(name => attribute(field, name))
    if (field.tagName === 'select')
      return chosen(field)
        .map(option => textBelow(dom, option, everything) || (attribute(option, 'label') ?? ''))
        .join(', ')
    return field.tagName === 'textarea' || attribute(field, 'contenteditable') !== null ? textBelow(dom, field, everything) : ''
  }

  // remembered on the way back down, so that a hundred thousand levels cost one pass and no recursion
  function drawingOf(node: Node): Drawing {
    const passed: Node[] = []
    let each: Node | null = node
    while (each && !drawn.has(each)) {
      passed.push(each)
      each = dom.parent(each)
    }
    let drawing = (each && drawn.get(each)) || 'visible'
    for (let i = passed.length - 1; i >= 0; i--) {
      drawing = drawing === 'none' ? drawing : ownDrawing(passed[i] as Node, drawing)
      drawn.set(passed[i] as Node, drawing)
    }
    return drawing
  }

  function ownDrawing(node: Node, around: Drawing): Drawing {
    const parent = dom.parent(node)
    const holder = parent && isElement(parent) ? parent : null
    if (holder?.tagName === 'details' && attribute(holder, 'open') === null && firstOf(holder, 'summary') !== node) return 'none'
    if (holder && /^(video|audio)$/.test(holder.tagName)) return 'none'
    if (!isElement(node)) return around
    const tag = dom.tag(node)
    if (undrawn.has(tag) || (tag === 'dialog' && attribute(node, 'open') === null)) return 'none'
    if (attribute(node, 'hidden') !== null || attribute(node, 'popover') !== null) return 'none'
    if (tag === 'input' && attribute(node, 'type')?.toLowerCase() === 'hidden') return 'none'
    const style = attribute(node, 'style')
    const { display, visibility } = { ...sheet(node), ...(style ? inlineStyle(style) : {}) }
    if (display === 'none') return 'none'
    // visibility is inherited, and what is below may take it back
    return visibility ?? around
  }
}

type Drawing = 'none' | 'hidden' | 'visible'

const everything = { shown: () => true, max: maxEditableText }
export const isElement = (node: Node): node is Element => 'tagName' in node

// asked some ten times of every element: no iterator, and prefixes only where there are any
export function attribute({ attrs, namespaceURI }: Element, name: string): string | null {
  for (let i = 0; i < attrs.length; i++) if (attrs[i]?.name === name && !attrs[i]?.prefix) return attrs[i]?.value ?? null
  if (namespaceURI === html) return null
  return attrs.find(each => each.prefix && `${each.prefix}:${each.name}` === name)?.value ?? null
}

function children(node: Node): readonly Node[] {
  if (!isElement(node)) return []
  const all = node.childNodes
  for (const child of all)
    if (child.nodeName[0] === '#' && child.nodeName !== '#text')
      return all.filter(each => each.nodeName === '#text' || 'tagName' in each) as Node[]
  return all as Node[]
}

const answers: { readonly [what in Parameters<Dom<Node>['is']>[1]]: (element: Element) => boolean } = {
  checked: element => attribute(element, 'checked') !== null && isLastChecked(element),
  indeterminate: () => false,
  selected: option => {
    const select = nearest(option, 'select')
    return select ? chosen(select).includes(option) : attribute(option, 'selected') !== null
  },
  open: element => attribute(element, 'open') !== null,
  modal: () => false,
  invalid: () => false,
  disabled: element => isDisabled(element),
  editable: element => /^(true|plaintext-only|)$/i.test(attribute(element, 'contenteditable') ?? 'false'),
  labelling: label => labelled(label) !== null,
}

// https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#concept-fe-disabled
function isDisabled(element: Element): boolean {
  if (!/^(button|input|select|textarea|optgroup|option|fieldset)$/.test(element.tagName)) return false
  if (attribute(element, 'disabled') !== null) return true
  let below: Element = element
  for (let each = above(element); each; below = each, each = above(each)) {
    if (each.tagName === 'optgroup' && element.tagName === 'option' && attribute(each, 'disabled') !== null) return true
    if (
      each.tagName === 'fieldset' &&
      attribute(each, 'disabled') !== null &&
      !(below.tagName === 'legend' && firstOf(each, 'legend') === below)
    )
      return true
  }
  return false
}

const above = (element: Element): Element | null =>
  element.parentNode && 'tagName' in element.parentNode ? (element.parentNode as Element) : null
const firstOf = (parent: Element, tag: string) => parent.childNodes.find(child => child.nodeName === tag)

function nearest(element: Element, tag: string): Element | null {
  for (let each = above(element); each; each = above(each)) if (each.tagName === tag) return each
  return null
}

function chosen(select: Element): Element[] {
  const options = optionsOf(select)
  const marked = options.filter(option => attribute(option, 'selected') !== null)
  if (attribute(select, 'multiple') !== null) return marked
  // the last marked one wins; without a mark a drop-down shows its first option that can be chosen
  const shown =
    marked[marked.length - 1] ??
    (Number(attribute(select, 'size') ?? 1) > 1 ? undefined : (options.find(option => !isDisabled(option)) ?? options[0]))
  return shown ? [shown] : []
}

/** of several radios of one name that are marked as checked, the last one is */
function isLastChecked(radio: Element): boolean {
  const name = attribute(radio, 'name')
  if (attribute(radio, 'type')?.toLowerCase() !== 'radio' || !name) return true
  const form = nearest(radio, 'form')
  const isRival = (each: Element) =>
    each.tagName === 'input' &&
    attribute(each, 'type')?.toLowerCase() === 'radio' &&
    attribute(each, 'name') === name &&
    attribute(each, 'checked') !== null &&
    nearest(each, 'form') === form
  const rivals = below(form ?? rootOf(radio), isRival)
  return rivals[rivals.length - 1] === radio
}

const optionsOf = (select: Element): Element[] => below(select, element => element.tagName === 'option')

/** elements below, in document order */
function below(root: Element, wanted: (element: Element) => boolean): Element[] {
  const found: Element[] = []
  const stack: Node[] = [root]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!isElement(node)) continue
    if (node !== root && wanted(node)) found.push(node)
    for (let i = node.childNodes.length - 1; i >= 0; i--) stack.push(node.childNodes[i] as Node)
  }
  return found
}

const labelable = /^(button|input|meter|output|progress|select|textarea)$/
const isLabelable = (element: Element) => labelable.test(element.tagName) && attribute(element, 'type')?.toLowerCase() !== 'hidden'

interface Index {
  readonly ids: ReadonlyMap<string, Element>
  readonly labels: ReadonlyMap<Element, readonly Element[]>
  /** the text of style blocks */
  readonly styles: readonly string[]
}

// made once per document; labels ask for ids, so they come second
const indices = new WeakMap<Element, Index>()
function indexOf(root: Element): Index {
  const known = indices.get(root)
  if (known) return known
  const ids = new Map<string, Element>()
  const found: Element[] = []
  const styles: string[] = []
  const stack: Node[] = [root]
  for (let node = stack.pop(); node; node = stack.pop()) {
    // what is meant for browsers without scripts is neither drawn nor obeyed
    if (!isElement(node) || node.tagName === 'noscript') continue
    const id = attribute(node, 'id')
    if (id && !ids.has(id)) ids.set(id, node)
    if (node.tagName === 'label') found.push(node)
    if (node.tagName === 'style' && /^\s*(all|screen)?\s*$/i.test(attribute(node, 'media') ?? ''))
      styles.push(node.childNodes.map(child => ('value' in child ? child.value : '')).join(''))
    for (let i = node.childNodes.length - 1; i >= 0; i--) stack.push(node.childNodes[i] as Node)
  }
  const labels = new Map<Element, Element[]>()
  const index: Index = { ids, labels, styles }
  indices.set(root, index)
  for (const label of found) {
    const control = labelled(label, ids)
    if (control) labels.set(control, [...(labels.get(control) ?? []), label])
  }
  return index
}

function labelled(label: Element, ids?: ReadonlyMap<string, Element>): Element | null {
  const target = attribute(label, 'for')
  if (target === null) return below(label, isLabelable)[0] ?? null
  const control = (ids ?? indexOf(rootOf(label)).ids).get(target)
  return control && isLabelable(control) ? control : null
}

function rootOf(element: Element): Element {
  let root = element
  for (let up = above(root); up; up = above(root)) root = up
  return root
}
