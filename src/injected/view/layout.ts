import type { Box, Dom, Layout } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import { boxOf, type LayoutContext, type Offset, offsetOf } from './boxes.ts'
import { whyClipped } from './clipping.ts'
import { coverOf, hitTest } from './hit-test.ts'
import { type BackgroundCache, whyUnreadable } from './text-contrast.ts'

/** The layout of a drawn page. Styles and boxes are read once, so an instance is only good for one command. */
export function liveLayout(
  dom: Dom<Node>,
  { document, offsets }: { document: Document; offsets: ReadonlyMap<Document, Offset> },
): Layout<Node> {
  const root = native.scrollingElement(document) ?? (native.documentElement(document) as Element)
  const width = native.clientWidth(root) ?? 0
  const height = native.clientHeight(root) ?? 0
  const viewport: Box = { x: 0, y: 0, width, height }
  const context: LayoutContext = { dom, offsets, viewport, styles: new Map(), visibleBoxes: new Map(), scrolledAway: new Map() }
  const backgrounds: BackgroundCache = new Map()
  const unreadable = new Map<Node, string>()
  return {
    width,
    height,
    box: node => boxOf(context, node),
    unseen: (node, box) => whyClipped(context, node, box),
    aim: (node, box) => hitTest(context, node, box),
    cover: (node, box) => coverOf(context, node, box),
    scrolledAway: node => context.scrolledAway.get(node),
    origin: node => offsetOf(context, node),
    transparent: node => isTransparent(dom, node),
    unreadable: node => {
      const why = unreadable.get(node) ?? whyUnreadable(dom, node, backgrounds)
      unreadable.set(node, why)
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

function isTransparent(dom: Dom<Node>, node: Node): boolean {
  if (native.checkVisibility) {
    if (native.checkVisibility(node, { opacityProperty: true, checkOpacity: true }) || dom.hidden(node)) return false
    // checkVisibility is false for display:contents, which has no box but shows its children
    const parent = native.styleOf(node)('display') === 'contents' ? dom.parent(node) : null
    return !parent || isTransparent(dom, parent)
  }
  for (let each: Node | null = node; each; each = dom.parent(each)) if (native.styleOf(each)('opacity') === '0') return true
  return false
}
