import type { Aim, Box, Dom, Layout } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import { type BackgroundCache, unreadable } from './text-contrast.ts'

interface Styled {
  readonly position: string
  readonly overflowX: string
  readonly overflowY: string
  readonly scrolls: boolean
  readonly clipped: boolean
}

/** where the viewport of a document lies in the viewport of the top page */
export interface Offset {
  readonly x: number
  readonly y: number
  /** the frame element that shows the document; null for the top page */
  readonly frame: Element | null
}

const still: Offset = { x: 0, y: 0, frame: null }
const maxAncestors = 200

/** What is drawn where, asked of the browser once per snapshot: nothing here outlives the look it was made for. */
export function liveLayout(
  dom: Dom<Node>,
  { document, offsets }: { document: Document; offsets: ReadonlyMap<Document, Offset> },
): Layout<Node> {
  const root = native.scrollingElement(document) ?? (native.documentElement(document) as Element)
  const width = native.clientWidth(root) ?? 0
  const height = native.clientHeight(root) ?? 0
  const viewport: Box = { x: 0, y: 0, width, height }
  const styles = new Map<Node, Styled>()
  /** what is in view of an element, as far as its scrollers and frames let it through */
  const shown = new Map<Node, Box>()
  const papers: BackgroundCache = new Map()
  const unread = new Map<Node, string>()
  const offsetOf = (node: Node) => offsets.get(native.ownerDocument(node) as Document) ?? still

  function styled(node: Node): Styled {
    const known = styles.get(node)
    if (known) return known
    const read = native.styleOf(node)
    const position = read('position')
    const clip = position === 'absolute' || position === 'fixed' ? read('clip') : ''
    const [overflowX, overflowY] = [read('overflow-x'), read('overflow-y')]
    const scrolls = overflowX !== 'visible' || overflowY !== 'visible'
    const made = { position, overflowX, overflowY, scrolls, clipped: cutsAll(read('clip-path'), clip) }
    styles.set(node, made)
    return made
  }

  function placed(node: Node, { left, top, width, height }: DOMRect): Box {
    const { x, y } = offsetOf(node)
    return { x: left + x, y: top + y, width, height }
  }
  const rectOf = (node: Node): Box => placed(node, native.getBoundingClientRect(node))

  function box(node: Node): Box | null {
    const rect = rectOf(node)
    if (rect.width > 0 && rect.height > 0) return rect
    // an element without a size of its own is where its floated or positioned children are
    return childBox(node, 0)
  }

  function childBox(node: Node, depth: number): Box | null {
    const children = dom.children(node)
    for (let i = 0; i < children.length && i < 6; i++) {
      const child = children[i] as Node
      if (dom.tag(child) === '' || dom.hidden(child)) continue
      const rect = rectOf(child)
      if (rect.width > 0 && rect.height > 0) return rect
      const below = depth < 3 ? childBox(child, depth + 1) : null
      if (below) return below
    }
    return null
  }

  function unseen(node: Node, own: Box): string {
    if (own.width <= 1 || own.height <= 1) return 'too small'
    let { position, clipped } = styled(node)
    let reachable = own // what scrolling can bring into view
    let part = meet(own, viewport) // what is in view now
    let scrolled = false
    let up = dom.parent(node)
    for (let steps = 0; up && steps < maxAncestors; steps++, up = dom.parent(up)) {
      const style = styled(up)
      clipped = clipped || style.clipped
      if (clipped) return 'clipped'
      // what is fixed is held by nothing, and what is placed absolutely only by ancestors that are placed themselves
      if (position === 'fixed' || (position === 'absolute' && style.position === 'static')) continue
      const view = style.scrolls && !/^(html|body)$/.test(dom.tag(up)) ? rectOf(up) : own
      // display:contents has no box to cut with
      if (view.width || view.height) {
        const through = meet(reachable, view)
        part = meet(part, view)
        if (isEmpty(through)) {
          if (cuts(through.height <= 1 ? style.overflowY : style.overflowX)) return 'clipped'
          reachable = view
          scrolled = true
        }
      }
      position = style.position
    }
    const { x, y, frame } = offsetOf(node)
    shown.set(node, frame ? meet(part, rectOf(frame)) : part)
    const page = native.scrollingElement(native.ownerDocument(node) as Document)
    if (clipped || scrolled || !page) return clipped ? 'clipped' : ''
    if (position === 'fixed') return isEmpty(meet(own, viewport)) ? 'off the page' : ''
    // no scrolling leads to what lies left of or above the origin
    const right = own.x + own.width - x + (native.scrollLeft(page) ?? 0)
    const bottom = own.y + own.height - y + (native.scrollTop(page) ?? 0)
    return bottom <= 0 || (right <= 0 && native.styleOf(page)('direction') !== 'rtl') ? 'off the page' : ''
  }

  function aim(node: Node, own: Box): Aim<Node> {
    let over: Node | null = null
    for (const [x, y] of points(node, shown.get(node) ?? meet(own, viewport))) {
      const hit = hitAt(node, x, y)
      if (hit && isSame(node, own, hit)) return { x, y, hit, over: null }
      over = over ?? hit
    }
    return { x: 0, y: 0, hit: null, over }
  }

  /** of what is in view: the middle of each line (a link may run over several), and points around */
  function points(node: Node, part: Box): [number, number][] {
    const list: [number, number][] = []
    const add = ({ x, y, width, height }: Box, dx: number, dy: number) => {
      if (width > 0 && height > 0) list.push([x + width * dx, y + height * dy])
    }
    const rects = native.getClientRects(node)
    for (let i = 0; i < rects.length && i < 4; i++) add(meet(placed(node, rects[i] as DOMRect), part), 0.5, 0.5)
    for (const at of [0.25, 0.75]) {
      add(part, at, at)
      add(part, at, 1 - at)
    }
    return list
  }

  /** what a click at this point of the top page would reach in the node's own document */
  function hitAt(node: Node, x: number, y: number): Node | null {
    const document = native.ownerDocument(node) as Document
    const { x: dx, y: dy, frame } = offsetOf(node)
    if (frame) {
      const outer = hitAt(frame, x, y)
      if (outer && outer !== frame) return outer
    }
    return native.elementAt(document, x - dx, y - dy)
  }

  function isSame(node: Node, { width, height }: Box, hit: Node): boolean {
    let widget = node
    // what a widget draws over its own field takes the click for it; the boxes around it are hardly larger
    for (let up = dom.parent(node); up && dom.tag(node) === 'input'; up = dom.parent(up)) {
      const around = rectOf(up)
      if (around.width * around.height > width * height * 3) break
      widget = up
    }
    if (isWithin(hit, widget) || isWithin(node, hit)) return true
    const labels = dom.labels(node)
    for (let i = 0; i < labels.length; i++) if (isWithin(hit, labels[i] as Node)) return true
    return false
  }

  function isWithin(inner: Node, outer: Node): boolean {
    for (let each: Node | null = inner; each; each = dom.parent(each)) if (each === outer) return true
    return false
  }

  return {
    width,
    height,
    box,
    unseen,
    aim,
    origin: offsetOf,
    transparent: node => isTransparent(dom, node),
    unreadable: node => {
      const why = unread.get(node) ?? unreadable(dom, node, papers)
      unread.set(node, why)
      return why
    },
    clickable: node => native.styleOf(node)('pointer-events') !== 'none',
    pointer: node => native.styleOf(node)('cursor') === 'pointer',
    listens: node => {
      const handler = native.onclick(node)
      return handler !== null && handler !== undefined
    },
  }
}

const cuts = (overflow: string) => overflow === 'hidden' || overflow === 'clip'

const isEmpty = ({ width, height }: Box) => width <= 1 || height <= 1

/** what two boxes have in common; of no size, or less, where they lie apart */
function meet(one: Box, other: Box): Box {
  const x = Math.max(one.x, other.x)
  const y = Math.max(one.y, other.y)
  const width = Math.min(one.x + one.width, other.x + other.width) - x
  const height = Math.min(one.y + one.height, other.y + other.height) - y
  return { x, y, width, height }
}

/** clip-path and clip in the forms that are used to hide: inset(50%), circle(0), polygon(0 0, 0 0), rect(0 0 0 0), rect(1px 1px 1px 1px) */
const cutsAll = (path: string, clip: string): boolean =>
  /^rect\(([01]px,? ?){4}\)/.test(clip) ||
  /^(inset\((100|[5-9]\d)(\.\d+)?%|(circle|ellipse)\(0(px|%)?[ )]|polygon\(([^,]+)(, *\6)+\)$)/.test(path)

function isTransparent(dom: Dom<Node>, node: Node): boolean {
  if (native.checkVisibility) return !native.checkVisibility(node, { opacityProperty: true, checkOpacity: true }) && !dom.hidden(node)
  for (let each: Node | null = node; each; each = dom.parent(each)) if (native.styleOf(each)('opacity') === '0') return true
  return false
}
