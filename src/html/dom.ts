import { flagOf } from '../engine/attributes.ts'
import { isEditingHost } from '../engine/candidates.ts'
import type { Dom } from '../engine/dom.ts'
import { hasSecretValue, isSecret, redacted } from '../engine/secrets.ts'
import { textBelow } from '../engine/text.ts'
import { type DocumentIndex, indexDocument } from './document-index.ts'
import { valueOfInput } from './input-value.ts'
import {
  attribute,
  closest,
  descendants,
  type Element,
  firstChild,
  htmlNamespace,
  isElement,
  type Node,
  parentOf,
  type Visibility,
} from './tree.ts'
import { createVisibility } from './visibility.ts'

const namespaces: { readonly [uri: string]: 'svg' | 'math' } = {
  'http://www.w3.org/2000/svg': 'svg',
  'http://www.w3.org/1998/Math/MathML': 'math',
}
const blocks = new Set(
  'address article aside blockquote body br button caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main marquee menu meter nav ol optgroup option p plaintext pre progress rt search section select summary table tbody td text tfoot th thead tr ul xmp'.split(
    ' ',
  ),
)
const maxEditableText = 1_000

/** Implements the engine's `Dom` for a parsed document: from its markup only, without scripts, and with CSS only where it hides elements. */
export function htmlDom(root: Element, shadowed: ReadonlySet<Element>): Dom<Node> {
  const index = indexDocument(root, shadowed)
  const visibilityOf = createVisibility(index, tagOf)
  const dom: Dom<Node> = {
    tag: node => (isElement(node) ? tagOf(node) : ''),
    namespace: node => (isElement(node) && namespaces[node.namespaceURI]) || 'html',
    text: node => (isElement(node) ? '' : node.value),
    drawn: node => (isElement(node) ? '' : isInSecretField(node) ? node.value.trim() && redacted : node.value),
    attr: (node, name) => (isElement(node) ? attribute(node, name) : null),
    attrNames: node => (isElement(node) ? node.attrs.map(({ name }) => name) : []),
    flags: node => (isElement(node) ? flagsIn(node) : 0),
    children: node => (isElement(node) ? (node.childNodes as Node[]) : []),
    parent: parentOf,
    byId: (_, id) => index.ids.get(id) ?? null,
    labels: control => index.labels.get(control as Element) ?? [],
    options: select => optionsOf(select as Element),
    secret: field =>
      isSecret(dom, field) ||
      /-webkit-text-security:(?!\s*none)/i.test(dom.attr(field, 'style') ?? '') ||
      hasSecretValue(dom, field, rawValue(field)),
    value: field => (dom.secret(field) ? rawValue(field) && redacted : rawValue(field)),
    is: (node, what) => isElement(node) && states[what](node, index),
    hidden: node => isNotRendered(visibilityOf(node)),
    block: node => isElement(node) && blocks.has(node.tagName),
    generated: () => '',
    owners: node => {
      const id = isElement(node) ? attribute(node, 'id') : null
      return (id && index.owners.get(id)) || []
    },
  }
  let secretHolders: ReadonlySet<Node> | undefined
  let isUnveiled = false
  return dom

  /** whether a text node is the value of a secret textarea or editable element */
  function isInSecretField(text: Node): boolean {
    if (isUnveiled) return false
    if (!secretHolders) {
      secretHolders = new Set() // the label of a field may be inside another one
      const holders = descendants(root, each => each.tagName === 'textarea' || isEditingHost(dom, each))
      secretHolders = new Set(holders.filter(dom.secret))
    }
    if (secretHolders.size === 0) return false
    for (let each = parentOf(text); each; each = parentOf(each)) if (secretHolders.has(each)) return true
    return false
  }

  function rawValue(field: Node): string {
    isUnveiled = true
    try {
      return readValue(field)
    } finally {
      isUnveiled = false
    }
  }

  function readValue(field: Node): string {
    if (!isElement(field)) return ''
    if (field.tagName === 'input') return valueOfInput(name => attribute(field, name))
    if (field.tagName === 'select')
      return selectedOptions(field)
        .map(option => textBelow(dom, option, everything) || (attribute(option, 'label') ?? ''))
        .join(', ')
    return field.tagName === 'textarea' || attribute(field, 'contenteditable') !== null ? textBelow(dom, field, everything) : ''
  }
}

function flagsIn(element: Element): number {
  if (element.flags >= 0) return element.flags
  const { attrs } = element
  let flags = 0
  for (let i = 0; i < attrs.length; i++) flags |= flagOf((attrs[i] as Element['attrs'][number]).name)
  element.flags = flags
  return flags
}

const isNotRendered = (visibility: Visibility): boolean => visibility === 'none' || visibility === 'hidden'
const everything = { shown: () => true, max: maxEditableText }

const tagOf = ({ namespaceURI, tagName }: Element): string => (namespaceURI === htmlNamespace ? tagName : tagName.toLowerCase())

const states: { readonly [what in Parameters<Dom<Node>['is']>[1]]: (element: Element, index: DocumentIndex) => boolean } = {
  checked: (element, index) => attribute(element, 'checked') !== null && isLastChecked(element, index),
  indeterminate: () => false,
  selected: option => {
    const select = closest(option, 'select')
    return select ? selectedOptions(select).includes(option) : attribute(option, 'selected') !== null
  },
  open: element => attribute(element, 'open') !== null,
  modal: () => false,
  invalid: () => false,
  disabled: element => isDisabled(element),
  editable: element => /^(true|plaintext-only|)$/i.test(attribute(element, 'contenteditable') ?? 'false'),
  labelling: (label, { controls }) => controls.has(label),
  raised: element => /^su[bp]$/.test(element.tagName),
  struck: element =>
    /^(s|del|strike)$/.test(element.tagName) || /text-decoration[^;]*line-through/i.test(attribute(element, 'style') ?? ''),
  preformatted: element => element.tagName === 'pre' || closest(element, 'pre') !== null,
}

// https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#concept-fe-disabled
function isDisabled(element: Element): boolean {
  if (!/^(button|input|select|textarea|optgroup|option|fieldset)$/.test(element.tagName)) return false
  if (attribute(element, 'disabled') !== null) return true
  let below: Element = element
  for (let each = parentOf(element); each; below = each, each = parentOf(each)) {
    if (each.tagName === 'optgroup' && element.tagName === 'option' && attribute(each, 'disabled') !== null) return true
    if (
      each.tagName === 'fieldset' &&
      attribute(each, 'disabled') !== null &&
      !(below.tagName === 'legend' && firstChild(each, 'legend') === below)
    )
      return true
  }
  return false
}

function selectedOptions(select: Element): Element[] {
  const options = optionsOf(select)
  const marked = options.filter(option => attribute(option, 'selected') !== null)
  if (attribute(select, 'multiple') !== null) return marked
  // the last option with `selected` wins; without one, a drop-down shows its first option that is not disabled
  const shown =
    marked[marked.length - 1] ??
    (Number(attribute(select, 'size') ?? 1) > 1 ? undefined : (options.find(option => !isDisabled(option)) ?? options[0]))
  return shown ? [shown] : []
}

function isLastChecked(radio: Element, { checked }: DocumentIndex): boolean {
  const name = attribute(radio, 'name')
  if (attribute(radio, 'type')?.toLowerCase() !== 'radio' || !name) return true
  return checked.get(closest(radio, 'form'))?.get(name) === radio
}

const optionsOf = (select: Element): Element[] => descendants(select, element => element.tagName === 'option')
