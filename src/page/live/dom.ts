import type { Dom } from '../dom.ts'
import { isSecret, redacted } from '../secrets.ts'
import * as native from './natives.ts'

const svgNamespace = 'http://www.w3.org/2000/svg'
const mathNamespace = 'http://www.w3.org/1998/Math/MathML'
const maxEditableText = 1_000

/** A document in a browser, asked through accessors that the page cannot touch. */
export function liveDom(): Dom<Node> {
  // a password field stays secret for as long as it lives, also after a "show password" toggle
  const onceSecret = new WeakSet<Node>()
  const dom: Dom<Node> = {
    tag: node => (native.nodeType(node) === 1 ? (native.localName(node) ?? '').toLowerCase() : ''),
    namespace: node => {
      const uri = native.namespaceURI(node)
      return uri === svgNamespace ? 'svg' : uri === mathNamespace ? 'math' : 'html'
    },
    text: node => native.nodeValue(node) ?? '',
    drawn: node => {
      const text = native.nodeValue(node) ?? ''
      const parent = dom.parent(node)
      return parent ? transformed(text, style(parent, 'text-transform')) : text
    },
    attr: (node, name) => native.getAttribute(node, name),
    bare: node => !native.hasAttributes(node),
    children: node => {
      if (native.localName(node) === 'slot' && native.assignedNodes && isInShadow(node)) {
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
    labels: control => native.labels(dom.tag(control), control),
    value: field => {
      if (isSecret(dom, field)) onceSecret.add(field)
      if (onceSecret.has(field)) return rawValue(dom, field) ? redacted : ''
      return rawValue(dom, field)
    },
    is: (node, what) => answers[what](node),
    hidden: node => isHidden(dom, node),
    block: node => {
      const display = style(node, 'display')
      return native.localName(node) === 'br' || (display !== 'inline' && display !== 'contents' && display !== 'ruby' && display !== '')
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

function transformed(text: string, how: string): string {
  if (how === 'uppercase') return text.toUpperCase()
  if (how === 'lowercase') return text.toLowerCase()
  return how === 'capitalize' ? text.replace(/(^|\s)\S/g, start => start.toUpperCase()) : text
}

const isInShadow = (node: Node) => native.nodeType(native.getRootNode(node)) === 11

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
  checked: (node: Node) => native.localName(node) === 'input' && native.inputChecked(node) === true,
  indeterminate: (node: Node) => native.localName(node) === 'input' && native.inputIndeterminate(node) === true,
  selected: (node: Node) => native.localName(node) === 'option' && native.optionSelected(node) === true,
  open: (node: Node) => native.getAttribute(node, 'open') !== null,
  modal: matchesOr(':modal'),
  disabled: matchesOr(':disabled'),
  invalid: matchesOr(':user-invalid'),
  editable: (node: Node) => native.namespaceURI(node) !== svgNamespace && native.isContentEditable(node) === true,
}

function rawValue(dom: Dom<Node>, field: Node): string {
  const tag = dom.tag(field)
  if (tag === 'textarea') return native.textareaValue(field) ?? ''
  if (tag === 'select') return chosenOptions(field)
  if (tag === 'input') return native.inputType(field) === 'file' ? fileNames(field) : (native.inputValue(field) ?? '')
  return answers.editable(field) ? textBelow(dom, field) : ''
}

function chosenOptions(select: Node): string {
  const options = native.selectOptions(select) ?? []
  let chosen = ''
  for (let i = 0; i < options.length; i++) {
    const option = options[i]
    if (option && native.optionSelected(option))
      chosen += (chosen && ', ') + (native.optionText(option) || native.getAttribute(option, 'label') || '')
  }
  return chosen
}

function fileNames(input: Node): string {
  const files = native.inputFiles(input)
  let names = ''
  for (let i = 0; files && i < files.length; i++) names += (names && ', ') + files[i]?.name
  return names
}

function textBelow(dom: Dom<Node>, root: Node): string {
  let text = ''
  const stack: Node[] = [root]
  for (let node = stack.pop(); node && text.length < maxEditableText; node = stack.pop()) {
    if (dom.tag(node) === '') text += dom.text(node)
    else {
      if (text && dom.block(node)) text += ' '
      const children = dom.children(node)
      for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as Node)
    }
  }
  return text
}

function isHidden(dom: Dom<Node>, node: Node): boolean {
  const tag = dom.tag(node)
  if (tag === '') {
    const parent = dom.parent(node)
    return parent !== null && isHidden(dom, parent)
  }
  // these are never drawn as boxes of their own: they are there when what they belong to is
  if (tag === 'option' || tag === 'optgroup' || tag === 'area' || tag === 'map') {
    if (native.getAttribute(node, 'hidden') !== null) return true
    const parent = dom.parent(node)
    return parent !== null && isHidden(dom, parent)
  }
  if (!native.checkVisibility) return isHiddenByStyle(dom, node)
  if (native.checkVisibility(node, { visibilityProperty: true, checkVisibilityCSS: true })) return false
  // display:contents draws no box, and so checkVisibility says no, yet its children are there
  if (style(node, 'display') !== 'contents' || style(node, 'visibility') !== 'visible') return true
  const parent = dom.parent(node)
  return parent !== null && isHidden(dom, parent)
}

/** for engines without checkVisibility */
function isHiddenByStyle(dom: Dom<Node>, node: Node): boolean {
  if (style(node, 'visibility') !== 'visible') return true
  for (let each: Node | null = node, below: Node | null = null; each; below = each, each = dom.parent(each)) {
    if (style(each, 'display') === 'none') return true
    const closed = native.localName(each) === 'details' && native.getAttribute(each, 'open') === null
    if (closed && below && native.localName(below) !== 'summary') return true
  }
  return false
}

/** `"→ " / "next"` reads next: what stands behind the slash is the text for those who do not see it */
function contentText(content: string): string {
  if (!content || content === 'none' || content === 'normal') return ''
  const strings = /"((?:[^"\\]|\\.)*)"|\/|[^"/]+/g
  let text = ''
  for (let part = strings.exec(content); part; part = strings.exec(content)) {
    if (part[0] === '/') text = ''
    else if (part[1] !== undefined) text += part[1].replace(/\\([0-9a-f]{1,6} ?|.)/gi, (_, escape: string) => unescapeCss(escape))
  }
  return text
}

const unescapeCss = (escape: string) => (/^[0-9a-f]/i.test(escape) ? String.fromCodePoint(Number.parseInt(escape, 16) || 0xfffd) : escape)
