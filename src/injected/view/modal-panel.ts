import { roleOf } from '../../engine/accessibility/roles.ts'
import { isControl } from '../../engine/candidates.ts'
import type { Box, Dom } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import { contains, inTopPage, intersect, isEmpty, type LayoutContext, rectOf } from './boxes.ts'
import { whyClipped } from './clipping.ts'
import { isWithin } from './dom.ts'
import { pseudoElements } from './pseudo-elements.ts'

const corners = [0.02, 0.98].flatMap(x => [0.02, 0.98].map(y => [x, y] as const))
const inside = [0.5, 0.25, 0.75].flatMap(y => [0.5, 0.25, 0.75, 0.1, 0.9].map(x => [x, y] as const))
/** the share of the viewport that a veil covers at least */
const minCover = 0.9
/** a chat bubble, a header or a cookie bar may be in front of the veil at the others */
const minCorners = 2
const maxVisits = 3_000
const maxParts = 1_000
const maxHitTests = 12
/** a small panel is searched for with more hit tests, since the veil is known by then */
const maxDenseHitTests = 100

/** A text or a control in view: something that a person can read or use. */
interface Part {
  /** the control, or the element around the text */
  readonly element: Node
  readonly isControl: boolean
  readonly x: number
  readonly y: number
}

interface Search extends LayoutContext {
  readonly document: Document
  /** the result of each hit test, since elements around each other have the same parts */
  readonly hits: Map<string, Node | null>
  /** the root or body of the page if a pseudo-element of it is a veil: everything is inside it, but not on the veil */
  readonly pageVeil: Node | null
}

/**
 * The panel of a modal without a role: some corners of the viewport belong to one positioned element, the veil, which takes the clicks of
 * texts and controls below it; the panel is what can be used on the veil or in front of it, or the veil itself.
 */
export function modalPanel(context: LayoutContext, document: Document): Node | null {
  const { viewport } = context
  const hits: Search['hits'] = new Map()
  const atCorners = corners.map(([x, y]) => hitAt({ document, hits }, viewport.width * x, viewport.height * y))
  const pageVeil = atCorners.find(hit => hit && isPage(context, hit) && drawsVeil(context, hit)) ?? null
  const search: Search = { ...context, document, hits, pageVeil }
  const veils = new Set<Node>()
  atCorners.forEach((hit, i) => {
    const [x, y] = corners[i] as (typeof corners)[number]
    for (const veil of veilsAt(search, hit, viewport.width * x, viewport.height * y)) veils.add(veil)
  })
  if (pageVeil) veils.add(pageVeil)
  for (const veil of veils) {
    const panel = panelOn(search, veil, atCorners)
    if (panel) return panel
  }
  return null
}

function hitAt({ document, hits }: Pick<Search, 'document' | 'hits'>, x: number, y: number): Node | null {
  const key = `${x} ${y}`
  let hit = hits.get(key)
  if (hit === undefined) {
    hit = native.elementAt(document, x, y)
    hits.set(key, hit)
  }
  return hit
}

const isPage = ({ dom }: LayoutContext, node: Node) => /^(html|body)$/.test(dom.tag(node))

const coversViewport = ({ viewport }: LayoutContext, { width, height }: Pick<Box, 'width' | 'height'>) =>
  width >= viewport.width * minCover && height >= viewport.height * minCover

/** the positioned elements around a node that cover the viewport, the outermost first */
function veilsAt(context: LayoutContext, hit: Node | null, x: number, y: number): Node[] {
  const { dom } = context
  const veils: Node[] = []
  for (let each = hit; each && !isPage(context, each); each = dom.parent(each)) {
    if (
      /^(fixed|absolute)$/.test(native.styleValue(each, 'position')) &&
      native.styleValue(each, 'pointer-events') !== 'none' &&
      coversViewport(context, rectOf(context, each))
    )
      veils.unshift(each)
    // an element that is hit outside its own box may be hit at a pseudo-element
    else if (each === hit && !contains(rectOf(context, each), { x, y, width: 0, height: 0 }) && drawsVeil(context, each)) veils.push(each)
  }
  return veils
}

/** whether a pseudo-element of an element covers the viewport */
const drawsVeil = (context: LayoutContext, element: Node) =>
  pseudoElements.some(pseudo => {
    if (native.contentOf(element, pseudo) === 'none') return false
    const style = native.styleOf(element, pseudo)
    const [width, height] = ['width', 'height'].map(name => Number.parseFloat(native.styleProperty(style, name))) as [number, number]
    return /^(fixed|absolute)$/.test(native.styleProperty(style, 'position')) && coversViewport(context, { width, height })
  })

function panelOn(search: Search, veil: Node, atCorners: readonly (Node | null)[]): Node | null {
  const { dom, document } = search
  const outside = partsOf(search, native.documentElement(document) as Node, veil === search.pageVeil ? null : veil)
  const tested = sample(outside)
  // a background, or a page in a positioned element, has nothing below it
  if (!isMuch(tested.filter(part => !isReachable(search, part)))) return null
  const panel = panelAtPoints(search, veil) ?? smallPanel(search, veil, outside) ?? (isFrame(dom, veil) ? veil : null)
  if (!panel) return null
  const isCovered = (hit: Node | null) => isOn(search, hit, veil) || isWithin(dom, hit, panel)
  const page = tested.filter(({ element }) => !isWithin(dom, element, panel))
  const blocked = page.filter(({ x, y }) => isCovered(hitAt(search, x, y)))
  // an application in a positioned element may lie over a link to skip to its content
  const isEnough = blocked.length > 1 || !coversViewport(search, rectOf(search, panel))
  return isEnough && isMuch(blocked) && blocked.length * 2 >= page.length && atCorners.filter(isCovered).length >= minCorners ? panel : null
}

/** one text may be a decoration, or be shown until the page has loaded */
const isMuch = (parts: readonly Part[]) => parts.length > 2 || parts.some(part => part.isControl)

function sample(parts: readonly Part[]): readonly Part[] {
  const step = Math.ceil(parts.length / maxHitTests)
  return parts.filter((_, i) => i % step === 0)
}

const isFrame = (dom: Dom<Node>, node: Node) => /^i?frame$/.test(dom.tag(node))

/** whether a hit is on a veil */
const isOn = ({ dom, pageVeil }: Search, hit: Node | null, veil: Node): boolean =>
  veil === pageVeil ? hit === veil : isWithin(dom, hit, veil)

function isReachable(search: Search, { element, x, y }: Part): boolean {
  const hit = hitAt(search, x, y)
  return !!hit && hit !== search.pageVeil && (isWithin(search.dom, hit, element) || isWithin(search.dom, element, hit))
}

/** a panel on the veil, or else one in front of it, since a menu or a list of options may lie over the panel */
function panelAtPoints(search: Search, veil: Node): Node | null {
  const { dom, viewport } = search
  for (const isOnVeil of [true, false])
    for (const [x, y] of inside) {
      const hit = hitAt(search, viewport.width * x, viewport.height * y)
      if (!hit || isWithin(dom, veil, hit) || isOn(search, hit, veil) !== isOnVeil || coversViewport(search, rectOf(search, hit))) continue
      const panel = panelAround(search, hit, veil)
      if (panel) return panel
    }
  return null
}

/** a panel between the points: on the veil, or else the one in front of it that is nearest to the middle of the viewport */
function smallPanel(search: Search, veil: Node, outside: readonly Part[]): Node | null {
  const { dom, viewport } = search
  const own = sample(partsOf(search, veil)).find(part => isReachable(search, part))
  if (own) return panelAround(search, own.element, veil)
  const distance = ({ x, y }: Part) => Math.hypot(x / viewport.width - 0.5, y / viewport.height - 0.5)
  let nearest: Part | null = null
  // what is in front of a veil is positioned, and all of it is in front if a part of it is
  const tested = new Set<Node>()
  // pages append their panels
  for (const part of outside.slice().reverse()) {
    let layer: Node | null = part.element
    while (layer && native.styleValue(layer, 'position') === 'static') layer = dom.parent(layer)
    if (!layer || tested.has(layer) || tested.size > maxDenseHitTests || isWithin(dom, veil, layer)) continue
    tested.add(layer)
    if ((!nearest || distance(part) < distance(nearest)) && isReachable(search, part)) nearest = part
  }
  return nearest && panelAround(search, nearest.element, veil)
}

/**
 * The largest element around a node whose content can be used: neither around the veil nor around the page below it. Elements as large as
 * the viewport, the veil among them, count if they add something, such as the header of a sheet or a button to close it.
 */
function panelAround(search: Search, hit: Node, veil: Node): Node | null {
  const { dom } = search
  let panel: Node | null = null
  for (let each: Node | null = hit; each && (each === veil || !isWithin(dom, veil, each)); each = dom.parent(each)) {
    const added = sample(partsOf(search, each, panel))
    if (added.filter(part => !isReachable(search, part)).length * 3 > added.length) break
    const box = rectOf(search, each)
    const isLarger = () => !coversViewport(search, box) && contains(box, rectOf(search, panel as Node))
    if (!panel || isContent(dom, panel) || added.length > 0 || isLarger()) panel = each
    if (each === veil) break
  }
  return panel && !isContent(dom, panel) ? panel : null
}

/** whether an element can only be a part of a panel */
const isContent = (dom: Dom<Node>, element: Node) =>
  /^(a|button|input|select|textarea|label|p|h\d|img|video)$/.test(dom.tag(element)) ||
  /^(inline|contents)$/.test(native.styleValue(element, 'display'))

/** the texts and controls in view inside an element, without those of one of its descendants */
function partsOf(context: LayoutContext, root: Node, except: Node | null = null): Part[] {
  const { dom, viewport, visibleBoxes } = context
  const parts: Part[] = []
  let visits = 0
  const add = (node: Node, element: Node, box: Box): boolean => {
    if (dom.hidden(element) || isTransparent(context, element) || whyClipped(context, node, box)) return false
    const part = visibleBoxes.get(node) ?? box
    if (isEmpty(part)) return false
    parts.push({ element, isControl: node === element, x: part.x + part.width / 2, y: part.y + part.height / 2 })
    return true
  }
  const visit = (parent: Node) => {
    const children = dom.children(parent)
    for (let i = 0; i < children.length && parts.length < maxParts && ++visits < maxVisits; i++) {
      const node = children[i] as Node
      const tag = dom.tag(node)
      if (!tag && /\S/.test(dom.text(node))) add(node, parent, inTopPage(context, node, native.textRect(node)))
      if (!tag || node === except) continue
      const box = rectOf(context, node)
      const seen = intersect(box, viewport)
      // an element without a size may have content that has one
      if (box.width && box.height ? seen.width <= 0 || seen.height <= 0 : dom.hidden(node)) continue
      const isUsable =
        isControl({ dom, layout: null }, node, tag, roleOf(dom, node)) && !isWithin(dom, except, node) && !isBackground(context, node, box)
      if (!isUsable || !add(node, node, box)) visit(node)
    }
  }
  visit(root)
  return parts
}

/** whether a control is as large as the viewport, or has an image that is */
function isBackground(context: LayoutContext, control: Node, box: Box): boolean {
  const children = context.dom.children(control)
  for (let i = 0; i < children.length; i++)
    if (context.dom.tag(children[i] as Node) && coversViewport(context, rectOf(context, children[i] as Node))) return true
  return coversViewport(context, box)
}

function isTransparent({ dom }: LayoutContext, element: Node): boolean {
  for (let each: Node | null = element; each; each = dom.parent(each)) if (Number(native.styleValue(each, 'opacity')) < 0.1) return true
  return false
}
