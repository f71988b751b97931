import type { Dom } from './dom.ts'
import { given, roleOf, space, table, words } from './roles.ts'

export interface NameLimits {
  readonly maxChars: number
  readonly maxVisits: number
}

/** The accessible name, as https://w3c.github.io/accname/ 1.2 computes it; step numbers below are its own. */
export function nameOf<N>(dom: Dom<N>, node: N, { maxChars, maxVisits }: NameLimits = { maxChars: 1_000, maxVisits: 2_000 }): string {
  if (nameless.has(roleOf(dom, node))) return ''
  const walk: Walk<N> = { dom, root: node, seen: new Set(), visits: maxVisits, chars: maxChars }
  const name = tidy(alternative(walk, node, { embedded: false, referenced: false, hidden: isHidden(dom, node), depth: 0 }))
  return name.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')
}

interface Walk<N> {
  readonly dom: Dom<N>
  readonly root: N
  readonly seen: Set<N>
  visits: number
  chars: number
}

/** How the walk came to a node: as part of another node's name, through aria-labelledby, out of something hidden. */
interface Way {
  readonly embedded: boolean
  readonly referenced: boolean
  readonly hidden: boolean
  readonly depth: number
}

const deepest = 200
const mostIds = 50

// https://w3c.github.io/aria/#namefromprohibited without generic: pages do label a plain div, and every browser reads it
const nameless = words(
  'caption code definition deletion emphasis insertion mark none paragraph strong subscript suggestion superscript term time',
)
// https://w3c.github.io/aria/#namefromcontent, less row: its cells say it, and Chromium names no plain tr either
export const namedByContent = words(
  'button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio rowheader switch tab ' +
    'tooltip treeitem doc-backlink doc-biblioref doc-glossref doc-noteref',
)
// what stands between their tags is program, a fallback that is not drawn, or a first value that may be a secret
const opaque = words('audio iframe input object script select style template textarea video')

const tidy = (text: string) => text.replace(/ {2,}/g, ' ').replace(/^ | $/g, '')
const apart = (text: string) => (text ? ` ${text} ` : '')
const isHidden = <N>(dom: Dom<N>, node: N): boolean => dom.attr(node, 'aria-hidden') === 'true' || dom.hidden(node)

function alternative<N>(walk: Walk<N>, node: N, way: Way): string {
  const { dom, root, seen } = walk
  if (walk.visits <= 0 || walk.chars <= 0 || way.depth > deepest) return ''
  walk.visits--
  const tag = dom.tag(node)
  if (!tag) return take(walk, dom.drawn(node))
  if (seen.has(node)) return ''
  if (!way.hidden && isHidden(dom, node)) return shownInside(walk, node, way) // 2A
  if (!way.referenced) {
    const labelled = fromReferences(walk, node, way) // 2B
    if (labelled) return labelled
  }
  if (seen.has(node)) return ''
  seen.add(node)
  const role = roleOf(dom, node)
  if (way.embedded && node !== root) {
    const value = embeddedValue(walk, node, role, way) // 2C
    if (value !== undefined) return apart(take(walk, value))
  }
  const label = tag === 'slot' ? '' : given(dom, node, 'aria-label')
  if (label.trim()) return apart(take(walk, label)) // 2D
  const fromHost = role === 'none' ? '' : nativeText(walk, node, tag, way) // 2E
  if (fromHost.trim()) return fromHost
  const content = way.embedded || namedByContent.has(role) ? fromContent(walk, node, role, way) : '' // 2F
  if (content.trim() || role === 'none') return content
  return lastResort(walk, node, tag) || content // an element of nothing but a space still keeps words apart
}

// icon fonts draw their glyphs from the private use area; the letters mean nothing outside that font
function take<N>(walk: Walk<N>, text: string): string {
  // most text has nothing but single spaces, and is taken as it is
  const taken = text
    .slice(0, Math.max(0, walk.chars) * 8)
    .replace(/[\t\n\f\r ]{2,}|[\t\n\f\r\uE000-\uF8FF]/g, found => (found < '!' ? ' ' : ''))
  walk.chars -= taken.length
  return taken
}

/** visibility:visible inside visibility:hidden is drawn, so a hidden element is still looked into for elements that are not. */
function shownInside<N>(walk: Walk<N>, node: N, way: Way): string {
  const { dom } = walk
  if (!way.embedded || dom.attr(node, 'aria-hidden') === 'true' || dom.attr(node, 'hidden') !== null) return ''
  return fromEach(walk, dom.children(node), way, true)
}

function fromReferences<N>(walk: Walk<N>, node: N, way: Way): string {
  const nodes = listed(walk, node, 'aria-labelledby')
  return nodes.length ? joined(walk, nodes, { ...way, referenced: true }) : ''
}

function listed<N>(walk: Walk<N>, near: N, name: string): N[] {
  const ids = given(walk.dom, near, name)
  if (!ids) return []
  const nodes = ids.split(space, Math.min(walk.visits, mostIds)).map(id => id && walk.dom.byId(near, id))
  walk.visits -= nodes.length
  return nodes.filter((node): node is N => !!node)
}

/** Text of labels, legends and references: where one of them is hidden itself, all of it is read. */
function joined<N>(walk: Walk<N>, nodes: ArrayLike<N>, way: Way): string {
  const texts: string[] = []
  for (let i = 0; i < nodes.length && walk.visits > 0; i++) {
    const node = nodes[i] as N
    const text = alternative(walk, node, { ...way, embedded: true, hidden: isHidden(walk.dom, node), depth: way.depth + 1 })
    if (text.trim()) texts.push(text)
  }
  return texts.join(' ')
}

/** The value of a control that stands in the label of another; undefined for what is not such a control. */
function embeddedValue<N>(walk: Walk<N>, node: N, role: string, way: Way): string | undefined {
  const { dom } = walk
  const tag = dom.tag(node)
  if (role === 'menu') return '' // as the manual tests of accname have it: a menu is no part of the label around it
  if (/^(slider|spinbutton|progressbar|meter|scrollbar)$/.test(role))
    return given(dom, node, 'aria-valuetext') || given(dom, node, 'aria-valuenow') || dom.value(node)
  if (!/^(textbox|searchbox|combobox|listbox)$/.test(role)) return undefined
  const picked = role === 'listbox' || role === 'combobox' ? joined(walk, chosen(walk, node, way.depth), way) : ''
  if (picked || tag === 'select' || role === 'listbox') return picked
  return dom.value(node) || fromContent(walk, node, role, way)
}

function chosen<N>(walk: Walk<N>, node: N, depth: number): N[] {
  const { dom } = walk
  const options: N[] = []
  const children = dom.children(node)
  for (let i = 0; i < children.length && walk.visits > 0 && depth < deepest; i++) {
    const child = children[i] as N
    if (!dom.tag(child)) continue
    walk.visits--
    if (roleOf(dom, child) !== 'option') options.push(...chosen(walk, child, depth + 1))
    else if (dom.attr(child, 'aria-selected') === 'true' || dom.is(child, 'selected')) options.push(child)
  }
  return options
}

// https://w3c.github.io/html-aam/#accname-computation and https://w3c.github.io/svg-aam/#mapping_additional_nd
function nativeText<N>(walk: Walk<N>, node: N, tag: string, way: Way): string {
  const { dom } = walk
  if (dom.namespace(node) === 'svg') return fromFirst(walk, node, 'title', way) || take(walk, given(dom, node, 'xlink:title'))
  const labelled = joined(walk, dom.labels(node), way)
  if (labelled) return labelled
  const type = tag === 'input' ? given(dom, node, 'type').toLowerCase() : ''
  if (type === 'button' || type === 'submit' || type === 'reset') return take(walk, dom.value(node))
  const attribute = attributes.get(type || tag)
  return attribute ? take(walk, given(dom, node, attribute)) : fromFirst(walk, node, parts.get(tag), way)
}

/** The attribute that names an element or an input of that type, and the child that does. */
const attributes = table('alt area,img,image|label optgroup,option')
const parts = table('legend fieldset|figcaption figure|caption table')

function fromFirst<N>(walk: Walk<N>, node: N, tag: string | undefined, way: Way): string {
  if (!tag) return ''
  const children = walk.dom.children(node)
  for (let i = 0; i < children.length && walk.visits > 0; i++) {
    const child = children[i] as N
    walk.visits--
    if (walk.dom.tag(child) === tag) return joined(walk, [child], way)
  }
  return ''
}

const buttons = table('Submit submit,image|Reset reset')

/** 2I, then what HTML-AAM falls back to after the tooltip. */
function lastResort<N>(walk: Walk<N>, node: N, tag: string): string {
  const attr = (name: string) => take(walk, given(walk.dom, node, name))
  const title = attr('title')
  if (title.trim()) return apart(title)
  const hint = ((tag === 'input' || tag === 'textarea') && attr('placeholder')) || attr('aria-placeholder')
  const type = tag === 'input' ? attr('type').toLowerCase() : ''
  return hint || (type === 'file' ? 'Choose file' : buttons.get(type)) || ''
}

function fromContent<N>(walk: Walk<N>, node: N, role: string, way: Way): string {
  const { dom } = walk
  if (opaque.has(dom.tag(node))) return ''
  const before = take(walk, dom.generated(node, 'before'))
  const inside = { ...way, embedded: true }
  let text = fromEach(walk, dom.children(node), inside) + fromEach(walk, listed(walk, node, 'aria-owns'), inside)
  const after = take(walk, dom.generated(node, 'after'))
  // a tooltip stands where the content would
  if (!text.trim() && role !== 'none' && (before || after)) text += lastResort(walk, node, dom.tag(node))
  return before + text + after
}

function fromEach<N>(walk: Walk<N>, nodes: ArrayLike<N>, way: Way, elementsOnly = false): string {
  const { dom } = walk
  const deeper = { ...way, depth: way.depth + 1 }
  let text = ''
  for (let i = 0; i < nodes.length && walk.visits > 0 && walk.chars > 0; i++) {
    const node = nodes[i] as N
    if (elementsOnly && !dom.tag(node)) continue
    const part = alternative(walk, node, deeper)
    const tag = dom.tag(node)
    text += tag && (tag === 'br' || tag === 'img' || dom.block(node)) ? ` ${part} ` : part
  }
  return text
}
