import type { Dom } from '../../engine/dom.ts'
import { isSecret, redacted } from '../../engine/secrets.ts'
import { textBelow } from '../../engine/text.ts'
import * as native from '../runtime/natives.ts'

const svgNamespace = 'http://www.w3.org/2000/svg'
const mathNamespace = 'http://www.w3.org/1998/Math/MathML'
const maxEditableText = 1_000

/**
 * A document in a browser, asked through accessors that the page cannot touch; made anew for each look.
 * `onceSecret` outlives it: a password field stays secret for as long as it lives, also after a "show password" toggle.
 */
export function liveDom(onceSecret = new WeakSet<Node>()): Dom<Node> {
  const labels = labelsByControl()
  // the tag is asked several times of every node, and there are few of them
  const tags = new Map<string, string>()
  const dom: Dom<Node> = {
    tag: node => {
      const name = native.nodeName(node) ?? ''
      let tag = tags.get(name)
      if (tag === undefined) {
        // text is #text, and has none
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
      // its text is what it began with; what it holds is drawn, and may be a secret
      if (parent && dom.tag(parent) === 'textarea') return dom.value(parent)
      return parent ? transformed(text, style(parent, 'text-transform')) : text
    },
    attr: (node, name) => native.getAttribute(node, name),
    bare: node => !native.hasAttributes(node),
    children: node => {
      if (dom.tag(node) === 'slot' && native.assignedNodes && native.nodeType(native.getRootNode(node)) === 11) {
        const assigned = native.assignedNodes(node)
        if (assigned.length > 0) return assigned
      }
      return childrenOf(native.shadowRoot(node) ?? node)
    },
    parent: node => {
      const slot = (native.nodeType(node) === 1 ? native.assignedSlot : native.textAssignedSlot)(node)
      const parent = slot ?? native.parentNode(node) ?? null
      if (!parent) return null
      const type = native.nodeType(parent)
      if (type === 11) return native.hostOf(parent) ?? null
      return type === 1 ? parent : null
    },
    byId: (near, id) => native.byId(native.getRootNode(near), id),
    labels,
    options: select => native.selectOptions(select) ?? [],
    value: field => {
      if (isSecret(dom, field)) onceSecret.add(field)
      if (onceSecret.has(field)) return rawValue(dom, field) ? redacted : ''
      return rawValue(dom, field)
    },
    is: (node, what) => answers[what](node),
    hidden: node => isHidden(dom, node),
    block: node => {
      return dom.tag(node) === 'br' || !/^(inline|contents|ruby|none|)$/.test(style(node, 'display'))
    },
    generated: (node, where) => {
      const style = native.styleOf(node, `::${where}`)
      const text = contentText(style('content'))
      return text && style('display') !== 'inline' ? ` ${text} ` : text
    },
  }
  return dom
}

const style = (node: Node, property: string): string => native.styleOf(node)(property)

/** asking an element for its labels searches the whole document, each time; so they are all looked up once */
function labelsByControl(): (control: Node) => ArrayLike<Node> {
  const roots = new Map<Node, Map<Node, Node[]>>()
  return control => {
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

function transformed(text: string, how: string): string {
  if (how === 'uppercase') return text.toUpperCase()
  if (how === 'lowercase') return text.toLowerCase()
  return how === 'capitalize' ? text.replace(/(^|\s)\S/g, start => start.toUpperCase()) : text
}

function childrenOf(parent: Node): Node[] {
  const found: Node[] = []
  for (let child = native.firstChild(parent); child; child = native.nextSibling(child)) {
    const type = native.nodeType(child)
    if (type === 1 || type === 3) found[found.length] = child
  }
  return found
}

const matchesOr = (selector: string) => (node: Node) => {
  try {
    return native.matches(node, selector)
  } catch {
    return false // an engine that does not know the pseudo-class has no element in that state
  }
}

const answers = {
  checked: (node: Node) => !!native.inputChecked(node),
  indeterminate: (node: Node) => !!native.inputIndeterminate(node),
  selected: (node: Node) => !!native.optionSelected(node),
  editable: (node: Node) => !!native.isContentEditable(node),
  labelling: (node: Node) => !!native.controlOf(node),
  open: (node: Node) => native.getAttribute(node, 'open') !== null,
  modal: matchesOr(':modal'),
  disabled: matchesOr(':disabled'),
  invalid: matchesOr(':user-invalid'),
}

function rawValue(dom: Dom<Node>, field: Node): string {
  const held = native.inputValue(field) ?? native.textareaValue(field)
  // browsers put a path of their own before the name of a chosen file
  if (held !== undefined) return held.replace(/^C:\\fakepath\\/, '')
  const options = native.selectOptions(field)
  if (!options)
    return answers.editable(field) ? textBelow(dom, field, { shown: element => !dom.hidden(element), max: maxEditableText }) : ''
  const chosen: string[] = []
  for (let i = 0; i < options.length; i++) {
    const option = options[i] as Node
    if (native.optionSelected(option)) chosen.push(native.optionText(option) || native.getAttribute(option, 'label') || '')
  }
  return chosen.join(', ')
}

function isHidden(dom: Dom<Node>, node: Node): boolean {
  const isAboveHidden = () => {
    const parent = dom.parent(node)
    return parent !== null && isHidden(dom, parent)
  }
  const tag = dom.tag(node)
  // these are never drawn as boxes of their own: they are there when what they belong to is
  if (/^(option|optgroup|area|map)$/.test(tag)) return native.getAttribute(node, 'hidden') !== null || isAboveHidden()
  if (!tag) return isAboveHidden() || isFolded(dom, node)
  if (!native.checkVisibility) return isHiddenByStyle(dom, node)
  if (native.checkVisibility(node, { visibilityProperty: true, checkVisibilityCSS: true })) return false
  // display:contents draws no box, and so checkVisibility says no, yet its children are there
  return style(node, 'display') !== 'contents' || style(node, 'visibility') !== 'visible' || isAboveHidden()
}

/** what stands directly in closed details is not drawn, although they are */
function isFolded(dom: Dom<Node>, node: Node): boolean {
  const parent = dom.parent(node)
  return !!parent && dom.tag(parent) === 'details' && dom.tag(node) !== 'summary' && !answers.open(parent)
}

/** for engines without checkVisibility */
function isHiddenByStyle(dom: Dom<Node>, node: Node): boolean {
  if (style(node, 'visibility') !== 'visible') return true
  for (let each: Node | null = node; each; each = dom.parent(each))
    if (isFolded(dom, each) || style(each, 'display') === 'none') return true
  return false
}

/** `"→ " / "next"` reads next: what stands behind the slash is the text for those who do not see it; a picture has none */
function contentText(content: string): string {
  let text = ''
  for (const part of content.match(/url\("[^"]*"\)|"(\\.|[^"\\])*"|\//g) ?? [])
    text = part === '/' ? '' : text + (part[0] === '"' ? part.slice(1, -1).replace(/\\(.)/g, '$1') : '')
  return text
}
