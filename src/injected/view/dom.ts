import { words } from '../../contract/roles.ts'
import { labelableTags } from '../../engine/accessibility/names.ts'
import { flagsOf } from '../../engine/attributes.ts'
import { isEditingHost } from '../../engine/candidates.ts'
import type { Dom } from '../../engine/dom.ts'
import { codeBoxes, hasSecretValue, isSecret, redacted } from '../../engine/secrets.ts'
import { textBelow } from '../../engine/text.ts'
import * as native from '../runtime/natives.ts'
import { generatedText } from './generated-content.ts'
import { isModal } from './modal.ts'
import { ownersById } from './owners.ts'
import type { SecretFields } from './secret-fields.ts'
import { transformText } from './text-transform.ts'

const svgNamespace = 'http://www.w3.org/2000/svg'
const mathNamespace = 'http://www.w3.org/1998/Math/MathML'
const maxEditableText = 1_000

let isUnveiled = false
/** Reads secrets as they are, to compare them; nothing that it reads may leave the page. */
export function unveiled<T>(read: () => T): T {
  const before = isUnveiled
  isUnveiled = true
  try {
    return read()
  } finally {
    isUnveiled = before
  }
}

interface LiveDomOptions {
  /** the document does not change while this is used, so each question about a style is asked once */
  readonly isStill?: boolean
  /** receives the shadow roots whose children were read */
  readonly reached?: Set<Node> | undefined
  /** whether the text of a pseudo-element can be read (default: it can) */
  readonly drawsPseudo?: (node: Node, pseudo: string) => boolean
}

/**
 * The engine's `Dom` of a live document, read through accessors that the page cannot patch; made anew for each command.
 * `secretFields` outlives it: a password field stays secret for as long as it lives, also after a "show password" toggle.
 */
export function liveDom(secretFields?: SecretFields, { isStill = false, reached, drawsPseudo }: LiveDomOptions = {}): Dom<Node> {
  const labels = labelsByControl()
  const isInSecretEditor = secretEditors()
  // every node is asked for its tag several times, and a page has few different tags
  const tags = new Map<string, string>()
  const dom: Dom<Node> = {
    tag: node => {
      const name = native.nodeName(node) ?? ''
      let tag = tags.get(name)
      if (tag === undefined) {
        // the name of a text node is #text
        tag = name[0] === '#' ? '' : name.toLowerCase()
        tags.set(name, tag)
      }
      return tag
    },
    namespace: node => {
      const uri = native.namespaceURI(node)
      return uri === svgNamespace ? 'svg' : uri === mathNamespace ? 'math' : 'html'
    },
    text: node => native.nodeValue(node) ?? '',
    drawn: node => {
      const text = native.nodeValue(node) ?? ''
      const parent = dom.parent(node)
      // the text node has the initial value of a textarea; the current value is drawn, and may be a secret
      if (parent && dom.tag(parent) === 'textarea') return dom.value(parent)
      if (parent && isInSecretEditor(dom, parent)) return text.trim() ? redacted : text
      return parent ? transformText(text, style(parent, 'text-transform')) : text
    },
    attr: (node, name) => native.getAttribute(node, name),
    attrNames: node => native.getAttributeNames(node),
    flags: memo(node => (dom.tag(node) && native.hasAttributes(node) ? flagsOf(native.getAttributeNames(node)) : 0)),
    children: node => {
      const root = native.shadowRoot(node)
      if (root) {
        reached?.add(root)
        return childrenOf(root)
      }
      if (dom.tag(node) === 'slot' && native.assignedNodes && native.nodeType(native.getRootNode(node)) === 11) {
        const assigned = native.assignedNodes(node)
        if (assigned.length > 0) return assigned
      }
      return childrenOf(node)
    },
    parent: memo(flatParent),
    byId: (near, id) => native.byId(native.getRootNode(near), id),
    labels,
    options: select => native.selectOptions(select) ?? [],
    secret: field => isSecretNow(dom, field) || isSecretByValue(field, rawValue(dom, field)),
    value: field => {
      const value = rawValue(dom, field)
      if (isUnveiled || (!isSecretNow(dom, field) && !isSecretByValue(field, value))) return value
      // the characters of a code that is split into boxes are a secret only together
      const boxes = value && codeBoxes(dom, field)
      secretFields?.add(field, boxes ? boxes.map(box => rawValue(dom, box)).join('') : value)
      return value ? redacted : ''
    },
    is: (node, state) => (formState.has(state) && !canBeDisabled.test(dom.tag(node)) ? false : states[state](node)),
    hidden: memo(node => isHidden(dom, node)),
    block: memo(node => dom.tag(node) === 'br' || !/^(inline|contents|ruby|none|)$/.test(style(node, 'display'))),
    ...(isStill && { inheritedStates: new Map() }),
    generated: (node, where) => {
      const text = tagsWithoutPseudos.has(dom.tag(node)) ? '' : generatedText(dom, node, where)
      // the glyph of an icon is no text
      return /[^\s\ue000-\uf8ff]/.test(text) && drawsPseudo && !drawsPseudo(node, `::${where}`) ? '' : text
    },
    owners: ownersById(),
  }
  return dom

  function memo<T>(read: (node: Node) => T): (node: Node) => T {
    if (!isStill) return read
    const known = new Map<Node, T>()
    return node => {
      let value = known.get(node)
      if (value === undefined) {
        value = read(node)
        known.set(node, value)
      }
      return value
    }
  }

  function isSecretByValue(field: Node, value: string): boolean {
    return hasSecretValue(dom, field, value) || isRemembered(field, value)
  }

  /** a frame of the same origin remembers its own fields, since it was there before this document knew of it */
  function isRemembered(field: Node, value: string): boolean {
    if (secretFields?.has(field, value)) return true
    const owner = native.ownerDocument(field)
    const view = owner && owner !== document ? (native.defaultView(owner) as FrameWindow | null | undefined) : null
    return !!view?.__agentBrowser?.wasSecret?.(field, value)
  }
}

interface FrameWindow extends Window {
  readonly __agentBrowser?: { readonly wasSecret?: SecretFields['has'] }
}

function flatParent(node: Node): Node | null {
  const parent = native.parentNode(node)
  if (!parent) return null
  const type = native.nodeType(parent)
  if (type === 11) return native.hostOf(parent) ?? null
  if (type !== 1) return null
  // only the children of a shadow host are assigned to slots
  if (!native.shadowRoot(parent)) return parent
  return (native.nodeType(node) === 1 ? native.assignedSlot : native.textAssignedSlot)(node) ?? parent
}

/** whether the field is secret by its markup or because its characters are masked */
const isSecretNow = (dom: Dom<Node>, field: Node): boolean =>
  isSecret(dom, field) || !/^(none|)$/.test(style(field, '-webkit-text-security'))

/** Whether an element is inside an editable element whose text is secret; pages without editable elements are not searched. */
function secretEditors(): (dom: Dom<Node>, node: Node) => boolean {
  const byDocument = new Map<Document | undefined, readonly Node[]>()
  return (dom, node) => {
    if (isUnveiled) return false
    const owner = native.ownerDocument(node)
    let editors = byDocument.get(owner)
    if (!editors) {
      byDocument.set(owner, []) // a label of an editor may be in another one
      const all = owner ? Array.from(native.allOf(owner, '[contenteditable]')) : []
      editors = all.filter(each => isEditingHost(dom, each) && dom.secret(each))
      byDocument.set(owner, editors)
    }
    return editors.length > 0 && editors.some(editor => isWithin(dom, node, editor))
  }
}

const style = native.styleValue

/** `element.labels` searches the whole document at each call, so the labels of all controls are collected once */
function labelsByControl(): (control: Node) => ArrayLike<Node> {
  const roots = new Map<Node, Map<Node, Node[]>>()
  return control => {
    if (!labelableTags.test((native.nodeName(control) ?? '').toLowerCase())) return []
    const root = native.getRootNode(control)
    let found = roots.get(root)
    if (!found) {
      found = new Map()
      const labels = native.allOf(root, 'label')
      for (let i = 0; i < labels.length; i++) {
        const label = labels[i] as Node
        const owner = native.controlOf(label)
        if (owner) found.set(owner, [...(found.get(owner) ?? []), label])
      }
      roots.set(root, found)
    }
    return found.get(control) ?? []
  }
}

function childrenOf(parent: Node): Node[] {
  const found: Node[] = []
  for (let child = native.firstChild(parent); child; child = native.nextSibling(child)) {
    const type = native.nodeType(child)
    if (type === 1 || type === 3) found[found.length] = child
  }
  return found
}

/** elements without ::before and ::after that are part of many names */
const tagsWithoutPseudos = words('area br circle g img line path polygon polyline rect source svg use wbr')

const matchesOr = (selector: string) => (node: Node) => {
  try {
    return native.matches(node, selector)
  } catch {
    return false // a browser without the pseudo-class has no element in that state
  }
}

/** the states of form controls, and of custom elements that act as such */
const formState = new Set<string>(['disabled', 'invalid'])
const canBeDisabled = /^(button|input|select|textarea|optgroup|option|fieldset|output|object)$|-/

const states = {
  checked: (node: Node) => !!native.inputChecked(node),
  indeterminate: (node: Node) => !!native.inputIndeterminate(node),
  selected: (node: Node) => !!native.optionSelected(node),
  editable: (node: Node) => !!native.isContentEditable(node),
  labelling: (node: Node) => !!native.controlOf(node),
  preformatted: (node: Node) => /^(pre|break-spaces)/.test(style(node, 'white-space')),
  struck: (node: Node) => style(node, 'text-decoration-line').includes('line-through'),
  raised: (node: Node) => /^(super|sub|text-top|top)$/.test(style(node, 'vertical-align')),
  open: (node: Node) => native.getAttribute(node, 'open') !== null,
  modal: isModal,
  disabled: matchesOr(':disabled'),
  invalid: matchesOr(':user-invalid'),
}

function rawValue(dom: Dom<Node>, field: Node): string {
  const tag = dom.tag(field)
  // a getter of another interface throws, which takes long
  const held = tag === 'input' ? native.inputValue(field) : tag === 'textarea' ? native.textareaValue(field) : undefined
  // browsers put this path before the name of a chosen file
  if (held !== undefined) return held.replace(/^C:\\fakepath\\/, '')
  const options = tag === 'select' && native.selectOptions(field)
  if (!options)
    return states.editable(field)
      ? unveiled(() => textBelow(dom, field, { shown: element => !dom.hidden(element), max: maxEditableText }))
      : ''
  const chosen: string[] = []
  for (let i = 0; i < options.length; i++) {
    const option = options[i] as Node
    if (native.optionSelected(option)) chosen.push(native.optionText(option) || native.getAttribute(option, 'label') || '')
  }
  return chosen.join(', ')
}

// the second name is that of older browsers
const visibleByStyle = { visibilityProperty: true, checkVisibilityCSS: true }

function isHidden(dom: Dom<Node>, node: Node): boolean {
  const isParentHidden = () => {
    const parent = dom.parent(node)
    return parent !== null && dom.hidden(parent)
  }
  const tag = dom.tag(node)
  // these have no box; they are shown if their parent is
  if (/^(option|optgroup|area|map)$/.test(tag)) return native.getAttribute(node, 'hidden') !== null || isParentHidden()
  if (!tag) return isParentHidden() || isInClosedDetails(dom, node) || hidesContent(dom.parent(node))
  if (!native.checkVisibility) return isHiddenByStyle(dom, node)
  if (native.isDrawn(node) || native.checkVisibility(node, visibleByStyle)) return false
  // checkVisibility is false for display:contents, which has no box but shows its children
  return style(node, 'display') !== 'contents' || style(node, 'visibility') !== 'visible' || isParentHidden()
}

/** whether an element is drawn without its content; elements inside it know by themselves */
const hidesContent = (element: Node | null): boolean => element !== null && style(element, 'content-visibility') === 'hidden'

/** whether it is directly inside a closed <details>, which hides everything but its summary */
function isInClosedDetails(dom: Dom<Node>, node: Node): boolean {
  const parent = dom.parent(node)
  return !!parent && dom.tag(parent) === 'details' && dom.tag(node) !== 'summary' && !states.open(parent)
}

/** for browsers without checkVisibility */
function isHiddenByStyle(dom: Dom<Node>, node: Node): boolean {
  if (style(node, 'visibility') !== 'visible') return true
  for (let each: Node | null = node; each; each = dom.parent(each))
    if (isInClosedDetails(dom, each) || style(each, 'display') === 'none') return true
  return false
}

/** whether `inner` is `outer` or a descendant of it in the flat tree */
export function isWithin(dom: Dom<Node>, inner: Node | null, outer: Node): boolean {
  for (let each = inner; each; each = dom.parent(each)) if (each === outer) return true
  return false
}
