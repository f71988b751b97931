import { namedByContent, words } from '../../contract/roles.ts'
import { hasAria, hasAriaHidden, hasLabel, hasRole, hasTitle } from '../attributes.ts'
import type { Dom } from '../dom.ts'
import { isNewNumber } from '../text.ts'
import { ownerOf } from './owners.ts'
import { attributeOf, isBlank, parseTable, roleOf, whitespace } from './roles.ts'

export interface NameLimits {
  readonly maxChars: number
  readonly maxVisits: number
  /** of the element, if it is not the one of its markup */
  readonly role?: string
}

/** The accessible name as computed by https://w3c.github.io/accname/ 1.2; the step numbers below refer to it. */
export function nameOf<N>(dom: Dom<N>, node: N, { maxChars, maxVisits, role }: NameLimits = { maxChars: 1_000, maxVisits: 2_000 }): string {
  const rootRole = role ?? roleOf(dom, node)
  if (nameless.has(rootRole)) return ''
  const walk: Walk<N> = { dom, root: node, rootRole, seen: new Set(), visits: maxVisits, chars: maxChars }
  const name = tidy(textAlternative(walk, node, { embedded: false, referenced: false, hidden: isHidden(dom, node), depth: 0 }))
  return name.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')
}

interface Walk<N> {
  readonly dom: Dom<N>
  readonly root: N
  readonly rootRole: string
  readonly seen: Set<N>
  visits: number
  chars: number
}

/** How a node was reached: as part of another node's name, through aria-labelledby, inside a hidden element. */
interface StepContext {
  readonly embedded: boolean
  readonly referenced: boolean
  readonly hidden: boolean
  readonly depth: number
}

const maxDepth = 200
const maxIds = 50
const maxGridLevels = 9

// https://w3c.github.io/aria/#namefromprohibited without generic: pages do label a plain div, and every browser reads it
const nameless = words(
  'caption code definition deletion emphasis insertion mark none paragraph strong subscript suggestion superscript term time',
)
// their content is script, a fallback that is not drawn, or an initial value that may be secret
const opaque = words('audio iframe input object script select style template textarea video')

const tidy = (text: string) => (/^ | {2}| $/.test(text) ? text.replace(/ {2,}/g, ' ').replace(/^ | $/g, '') : text)
const spaced = (text: string) => (text ? ` ${text} ` : '')
/** Whether an element is hidden, from people or by its own aria-hidden. */
export const isHidden = <N>(dom: Dom<N>, node: N, flags = dom.flags(node)): boolean =>
  (flags & hasAriaHidden && dom.attr(node, 'aria-hidden') === 'true') || dom.hidden(node)

/** attributes that can name an element of any tag */
const naming = hasRole | hasAria | hasTitle
/** tags that nothing but the content names, unless there is such an attribute */
const contentTags = words('b br code div em font h1 h2 h3 h4 h5 h6 i p s small span strong sub sup time u')

function textAlternative<N>(walk: Walk<N>, node: N, step: StepContext): string {
  const { dom, root, seen } = walk
  if (walk.visits <= 0 || walk.chars <= 0 || step.depth > maxDepth) return ''
  walk.visits--
  const tag = dom.tag(node)
  if (!tag) return takeText(walk, dom.drawn(node))
  if (seen.has(node)) return ''
  const flags = dom.flags(node)
  if (!step.hidden && isHidden(dom, node, flags)) return textOfVisibleChildren(walk, node, step) // 2A
  if (step.embedded && node !== root && !(flags & naming) && contentTags.has(tag) && dom.namespace(node) === 'html') {
    seen.add(node)
    return fromContent(walk, node, 'generic', step) // only 2F applies to it
  }
  if (!step.referenced && flags & hasLabel) {
    const labelled = fromReferences(walk, node, step) // 2B
    if (labelled) return labelled
  }
  if (seen.has(node)) return ''
  seen.add(node)
  const role = node === root ? walk.rootRole : roleOf(dom, node)
  if (step.embedded && node !== root) {
    const value = embeddedValue(walk, node, role, step) // 2C
    if (value !== undefined) return spaced(takeText(walk, value))
  }
  const label = flags & hasLabel && tag !== 'slot' ? attributeOf(dom, node, 'aria-label') : ''
  if (!isBlank(label)) return spaced(takeText(walk, label)) // 2D
  const fromHost = role === 'none' ? '' : nativeText(walk, node, tag, step) // 2E
  if (fromHost.trim()) return fromHost
  // what is inside an image is not part of the accessibility tree
  const tooltip = step.embedded && role === 'img' && flags & hasTitle ? lastResort(walk, node, tag) : ''
  if (tooltip.trim()) return tooltip
  const isNamedByContent = step.embedded || namedByContent.has(role) || (role === 'row' && isInGrid(dom, node))
  const content = isNamedByContent ? fromContent(walk, node, role, step) : headingOf(walk, node, role, step) // 2F
  if (content.trim() || role === 'none') return content
  return (flags && lastResort(walk, node, tag)) || content // an element that contains only a space still separates words
}

/** Whether a row is part of a grid: rows of plain tables have no names in browsers. */
function isInGrid<N>(dom: Dom<N>, row: N): boolean {
  let above = dom.parent(row)
  for (let i = 0; above !== null && i < maxGridLevels; i++, above = dom.parent(above)) {
    const role = roleOf(dom, above)
    if (/^(tree)?grid$/.test(role)) return true
    if (role === 'table') return false
  }
  return false
}

// https://w3c.github.io/aria/#namefromheading
const namedByHeading = words('alertdialog article dialog')

/** The name of the first heading in an element that is named by it. */
function headingOf<N>(walk: Walk<N>, node: N, role: string, step: StepContext): string {
  const { dom } = walk
  const stack = namedByHeading.has(role) ? [node] : []
  for (let each = stack.pop(); each !== undefined && walk.visits > 0; each = stack.pop()) {
    if (!dom.tag(each) || (each !== node && isHidden(dom, each))) continue
    walk.visits--
    if (roleOf(dom, each) === 'heading') return joinNames(walk, [each], step)
    const children = dom.children(each)
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as N)
  }
  return ''
}

// icon fonts take their glyphs from the private use area, where characters mean nothing outside that font
function takeText<N>(walk: Walk<N>, text: string): string {
  const most = Math.max(0, walk.chars) * 8
  // most text has only single spaces and is used as it is
  const taken =
    text.length <= most && !untidy.test(text)
      ? text
      : text.slice(0, most).replace(/[\t\n\f\r ]{2,}|[\t\n\f\r\uE000-\uF8FF]/g, found => (found < '!' ? ' ' : ''))
  walk.chars -= taken.length
  return taken
}

const untidy = /[\t\n\f\r\uE000-\uF8FF]| {2}/

/** visibility:visible inside visibility:hidden is drawn, so a hidden element is still searched for visible ones. */
function textOfVisibleChildren<N>(walk: Walk<N>, node: N, step: StepContext): string {
  const { dom } = walk
  if (!step.embedded || dom.attr(node, 'aria-hidden') === 'true' || dom.attr(node, 'hidden') !== null) return ''
  return fromEach(walk, dom.children(node), step, node, true)
}

function fromReferences<N>(walk: Walk<N>, node: N, step: StepContext): string {
  const nodes = referencedNodes(walk, node, 'aria-labelledby')
  return nodes.length ? joinNames(walk, nodes, { ...step, referenced: true }) : ''
}

function referencedNodes<N>(walk: Walk<N>, near: N, name: string): N[] {
  const ids = attributeOf(walk.dom, near, name)
  if (!ids) return []
  const nodes = ids.split(whitespace, Math.min(walk.visits, maxIds)).map(id => id && walk.dom.byId(near, id))
  walk.visits -= nodes.length
  return nodes.filter((node): node is N => !!node)
}

/** Text of labels, legends and references; if one of them is hidden itself, its hidden content is included. */
function joinNames<N>(walk: Walk<N>, nodes: ArrayLike<N>, step: StepContext): string {
  const texts: string[] = []
  for (let i = 0; i < nodes.length && walk.visits > 0; i++) {
    const node = nodes[i] as N
    const text = textAlternative(walk, node, { ...step, embedded: true, hidden: isHidden(walk.dom, node), depth: step.depth + 1 })
    if (text.trim()) texts.push(text)
  }
  return texts.join(' ')
}

/** The value of a control inside the label of another control; undefined for other elements. */
function embeddedValue<N>(walk: Walk<N>, node: N, role: string, step: StepContext): string | undefined {
  const { dom } = walk
  const tag = dom.tag(node)
  const attr = (name: string) => attributeOf(dom, node, name)
  // as in the manual tests of accname: a menu is not part of the label around it; nor are the children of a tree item in browsers
  if (role === 'menu' || (role === 'group' && walk.rootRole === 'treeitem')) return ''
  if (/^(slider|spinbutton|progressbar|meter|scrollbar)$/.test(role))
    return attr('aria-valuetext') || attr('aria-valuenow') || dom.value(node) || attr('value')
  if (!/^(textbox|searchbox|combobox|listbox)$/.test(role)) return undefined
  const picked = role === 'listbox' || role === 'combobox' ? joinNames(walk, selectedOptions(walk, node, step.depth), step) : ''
  if (picked || tag === 'select' || role === 'listbox') return picked
  return dom.value(node) || fromContent(walk, node, role, step)
}

function selectedOptions<N>(walk: Walk<N>, node: N, depth: number): N[] {
  const { dom } = walk
  const options: N[] = []
  const children = dom.children(node)
  for (let i = 0; i < children.length && walk.visits > 0 && depth < maxDepth; i++) {
    const child = children[i] as N
    if (!dom.tag(child)) continue
    walk.visits--
    if (roleOf(dom, child) !== 'option') options.push(...selectedOptions(walk, child, depth + 1))
    else if (dom.attr(child, 'aria-selected') === 'true' || dom.is(child, 'selected')) options.push(child)
  }
  return options
}

// https://w3c.github.io/html-aam/#accname-computation and https://w3c.github.io/svg-aam/#mapping_additional_nd
function nativeText<N>(walk: Walk<N>, node: N, tag: string, step: StepContext): string {
  const { dom } = walk
  if (dom.namespace(node) === 'svg') return fromFirst(walk, node, 'title', step) || takeText(walk, attributeOf(dom, node, 'xlink:title'))
  const labelled = labelableTags.test(tag) ? joinNames(walk, labelsOf(dom, node, step.hidden), step) : ''
  if (labelled) return labelled
  const type = tag === 'input' ? attributeOf(dom, node, 'type').toLowerCase() : ''
  if (type === 'button' || type === 'submit' || type === 'reset')
    return takeText(walk, dom.attr(node, 'value') === null ? defaultLabels.get(type) || '' : dom.value(node))
  const attribute = attributes.get(type || tag)
  return fromFirst(walk, node, parts.get(tag), step) || (attribute ? takeText(walk, attributeOf(dom, node, attribute)) : '')
}

/** The labels that name a control: a hidden one names only what is hidden with it. https://github.com/w3c/html-aam/pull/533 */
export const labelsOf = <N>(dom: Dom<N>, control: N, isControlHidden = isHidden(dom, control)): N[] =>
  Array.from(dom.labels(control)).filter(label => isControlHidden || !isHidden(dom, label) || isInside(dom, control, label))

function isInside<N>(dom: Dom<N>, inner: N, outer: N): boolean {
  let each: N | null = inner
  for (let i = 0; each !== null && each !== outer && i < maxDepth; i++) each = dom.parent(each)
  return each === outer
}

// https://html.spec.whatwg.org/multipage/forms.html#category-label
export const labelableTags = /^(button|input|meter|output|progress|select|textarea)$|-/

// the attribute that names an element or an input of that type, and the child element that does
const attributes = parseTable('alt area,img,image|label optgroup,option|summary table')
const parts = parseTable('legend fieldset,optgroup|figcaption figure|caption table')

function fromFirst<N>(walk: Walk<N>, node: N, tag: string | undefined, step: StepContext): string {
  if (!tag) return ''
  // the title of a graphic, and the legend of options in a closed list
  const isNeverDrawn = step.hidden || tag === 'title' || walk.dom.tag(node) === 'optgroup'
  const children = walk.dom.children(node)
  for (let i = 0; i < children.length && walk.visits > 0; i++) {
    const child = children[i] as N
    walk.visits--
    if (walk.dom.tag(child) === tag && (isNeverDrawn || !isHidden(walk.dom, child))) return joinNames(walk, [child], step)
  }
  return ''
}

const defaultLabels = parseTable('Submit submit,image|Reset reset')

/** 2I, then the fallbacks of HTML-AAM after the tooltip. */
function lastResort<N>(walk: Walk<N>, node: N, tag: string): string {
  const attr = (name: string) => takeText(walk, attributeOf(walk.dom, node, name))
  const title = attr('title')
  if (title.trim()) return spaced(title)
  const type = tag === 'input' ? attr('type').toLowerCase() : ''
  const isTextField = tag === 'textarea' || (tag === 'input' && !withoutPlaceholder.test(type))
  const hint = isTextField && attr('placeholder')
  const takesHint = isTextField || /^(textbox|searchbox)$/.test(roleOf(walk.dom, node))
  return hint || (takesHint && attr('aria-placeholder')) || (type === 'file' ? 'Choose File' : defaultLabels.get(type)) || ''
}

// https://html.spec.whatwg.org/multipage/input.html#do-not-apply
const withoutPlaceholder = /^(button|checkbox|color|date|datetime-local|file|hidden|image|month|radio|range|reset|submit|time|week)$/

function fromContent<N>(walk: Walk<N>, node: N, role: string, step: StepContext): string {
  const { dom } = walk
  if (opaque.has(dom.tag(node))) return ''
  // the bullet or number is part of the text of an item that labels something else
  const marker = step.referenced && role === 'listitem' ? takeText(walk, dom.generated(node, 'marker')) : ''
  const before = marker + takeText(walk, dom.generated(node, 'before'))
  const inside = step.embedded ? step : { ...step, embedded: true }
  let text = fromEach(walk, dom.children(node), inside, node)
  if (dom.flags(node) & hasAria) {
    const owned = referencedNodes(walk, node, 'aria-owns').filter(each => ownerOf(dom, each) === node)
    text += spaced(fromEach(walk, owned, inside, null))
  }
  const after = takeText(walk, dom.generated(node, 'after'))
  // a tooltip takes the place of missing content
  if (!text.trim() && role !== 'none' && (before || after)) text += lastResort(walk, node, dom.tag(node))
  return before + text + after
}

/** The names of nodes, which are the children of `parent` unless that is null. */
function fromEach<N>(walk: Walk<N>, nodes: ArrayLike<N>, step: StepContext, parent: N | null, elementsOnly = false): string {
  const { dom } = walk
  const deeper = { embedded: step.embedded, referenced: step.referenced, hidden: step.hidden, depth: step.depth + 1 }
  // an element is asked whether it is hidden, but text directly in a closed <details> has only its parent to ask
  const isFolded = !step.hidden && parent !== null && dom.tag(parent) === 'details' && !dom.is(parent, 'open')
  let text = ''
  for (let i = 0; i < nodes.length && walk.visits > 0 && walk.chars > 0; i++) {
    const node = nodes[i] as N
    const tag = dom.tag(node)
    // content that another element owns is part of that element
    if (tag ? parent !== null && (ownerOf(dom, node) ?? parent) !== parent : elementsOnly || isFolded) continue
    const part = textAlternative(walk, node, deeper)
    text += tag && isSeparate(dom, node, tag) ? ` ${part} ` : tag && isNewNumber(dom, text, part, node) ? ` ${part}` : part
  }
  return text
}

/** Whether words before and after it are two words. A decorative image is as if it were not there. */
const isSeparate = <N>(dom: Dom<N>, node: N, tag: string): boolean =>
  tag === 'br' || tag === 'slot' || (tag === 'img' && dom.attr(node, 'alt') !== '') || dom.block(node)
