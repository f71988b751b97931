import type { Box, Dom, Layout } from '../dom.ts'
import { type Papers, unreadable } from './ink.ts'
import * as native from './natives.ts'

interface Styled {
  readonly position: string
  readonly overflowX: string
  readonly overflowY: string
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
  const styles = new Map<Node, Styled>()
  const papers: Papers = new Map()
  const unread = new Map<Node, string>()
  const offsetOf = (node: Node) => offsets.get(native.ownerDocument(node) as Document) ?? still

  function styled(node: Node): Styled {
    const known = styles.get(node)
    if (known) return known
    const read = native.styleOf(node)
    const position = read('position')
    const clip = position === 'absolute' || position === 'fixed' ? read('clip') : ''
    const made = { position, overflowX: read('overflow-x'), overflowY: read('overflow-y'), clipped: cutsAll(read('clip-path'), clip) }
    styles.set(node, made)
    return made
  }

  function rectOf(node: Node): Box {
    const { x, y } = offsetOf(node)
    const rect = native.getBoundingClientRect(node)
    return { x: rect.left + x, y: rect.top + y, width: rect.width, height: rect.height }
  }

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
    let seen = own
    let { position, clipped } = styled(node)
    if (clipped) return 'clipped'
    let scrolls = position === 'fixed'
    let up = dom.parent(node)
    for (let steps = 0; up && steps < maxAncestors; steps++, up = dom.parent(up)) {
      const tag = dom.tag(up)
      if (tag === 'html' || tag === 'body') break
      const style = styled(up)
      if (style.clipped) return 'clipped'
      // an absolutely placed element is only held by ancestors that are placed themselves
      if (position === 'fixed' || (position === 'absolute' && style.position === 'static')) continue
      if (style.overflowX !== 'visible' || style.overflowY !== 'visible') {
        const view = rectOf(up)
        const outside = view.height <= 1 ? 'y' : apart(seen, view, style)
        if (outside && cuts(outside === 'x' ? style.overflowX : style.overflowY)) return 'clipped'
        if (outside) {
          seen = view
          scrolls = true
        }
      }
      position = style.position
    }
    // no scrolling leads to what lies left of or above the origin
    const { x, y } = offsetOf(node)
    const inner = native.scrollingElement(native.ownerDocument(node) as Document)
    if (scrolls || !inner || native.styleOf(root)('direction') === 'rtl') return ''
    const right = seen.x + seen.width - x + (native.scrollLeft(inner) ?? 0)
    const bottom = seen.y + seen.height - y + (native.scrollTop(inner) ?? 0)
    return right <= 0 || bottom <= 0 ? 'off the page' : ''
  }

  function cover(node: Node, own: Box): Node | null {
    let over: Node | null = null
    for (const [x, y] of points(node, own)) {
      if (x < 0 || y < 0 || x >= width || y >= height) continue
      const hit = hitAt(node, x, y)
      if (hit === null) continue
      if (isSame(node, hit)) return null
      over = over ?? hit
    }
    return over
  }

  /** the middle of what is in view, points around it, and the middle of each line of a link that runs over several */
  function points(node: Node, { x, y, width: w, height: h }: Box): [number, number][] {
    const list: [number, number][] = [[(Math.max(x, 0) + Math.min(x + w, width)) / 2, (Math.max(y, 0) + Math.min(y + h, height)) / 2]]
    for (const at of [0.25, 0.75]) list.push([x + w * at, y + h * at], [x + w * at, y + h * (1 - at)])
    const rects = native.getClientRects(node)
    const offset = offsetOf(node)
    for (let i = 0; i < rects.length && rects.length > 1 && i < 4; i++) {
      const rect = rects[i] as DOMRect
      list.push([rect.left + offset.x + rect.width / 2, rect.top + offset.y + rect.height / 2])
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

  function isSame(node: Node, hit: Node): boolean {
    if (isWithin(hit, node) || isWithin(node, hit)) return true
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
    cover,
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
    scrollable: node => {
      const { overflowX, overflowY } = styled(node)
      const down = /auto|scroll/.test(overflowY) && (native.scrollHeight(node) ?? 0) > (native.clientHeight(node) ?? 0) + 8
      return down || (/auto|scroll/.test(overflowX) && (native.scrollWidth(node) ?? 0) > (native.clientWidth(node) ?? 0) + 8)
    },
  }
}

const cuts = (overflow: string) => overflow === 'hidden' || overflow === 'clip'

/** the axis in which a box lies outside of what shows it */
function apart(box: Box, view: Box, { overflowX, overflowY }: Styled): 'x' | 'y' | '' {
  if (overflowY !== 'visible' && (box.y + box.height <= view.y + 1 || box.y >= view.y + view.height - 1)) return 'y'
  if (overflowX !== 'visible' && (box.x + box.width <= view.x + 1 || box.x >= view.x + view.width - 1)) return 'x'
  return ''
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
