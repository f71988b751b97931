import type { Box, Cursor, Dom, Layout } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import { inTopPage, intersect, isEmpty, type LayoutContext, type Offset, pointInFrame, rectOf } from './boxes.ts'
import { whyClipped } from './clipping.ts'
import { boxOf } from './drawn-box.ts'
import { drawnValue } from './drawn-value.ts'
import { coverOf, hitTest } from './hit-test.ts'
import { modalPanel } from './modal-panel.ts'
import { opacityOf } from './paint.ts'
import { coverOutOfView } from './paint-order.ts'
import { pointerRules } from './pointer-rules.ts'
import { createBackgrounds, whyUnreadable } from './text-contrast.ts'

/** The elements that listen to clicks. */
export interface ClickListeners {
  /** see `Layout.listens` and `Layout.ignoresClicks` */
  listens(dom: Dom<Node>, node: Node): boolean
  ignoresClicks(dom: Dom<Node>, node: Node): boolean
  /** whether it listens to drops */
  takesDrops(dom: Dom<Node>, node: Node): boolean
}

/** What the drawn pixels say about texts of which styles do not tell whether they can be read. */
export interface TextPixels {
  /** why the text of an element cannot be read; '' if it can, or if its pixels are not known yet */
  whyUnreadable(element: Node): string
}

interface LayoutInput {
  readonly document: Document
  readonly offsets: ReadonlyMap<Document, Offset>
  readonly listeners: ClickListeners | undefined
  readonly pixels?: TextPixels | undefined
  /** documents and shadow roots that were reached so far */
  readonly reached: ReadonlySet<Node>
  /** nothing changes while this is used */
  readonly isStill: boolean
}

/** The layout of a drawn page. Styles and boxes are read once, so an instance is only good for one command. */
export function liveLayout(dom: Dom<Node>, input: LayoutInput): Layout<Node> {
  const { document, offsets, listeners, isStill } = input
  const root = native.scrollingElement(document) ?? (native.documentElement(document) as Element)
  const width = native.clientWidth(root) ?? 0
  const height = native.clientHeight(root) ?? 0
  const viewport: Box = { x: 0, y: 0, width, height }
  const context: LayoutContext = {
    dom,
    offsets,
    viewport,
    frames: new Map(),
    opacities: new Map(),
    veils: new Set(),
    visibleBoxes: new Map(),
    scrolledAway: new Map(),
    freeColumns: new Set(),
    clickThrough: new Map(),
    childBoxes: new Map(),
    clipping: new Map(),
    pinned: new Map(),
    places: new Map(),
    scrollPositions: new Map(),
  }
  const backgrounds = createBackgrounds()
  const unreadable = new Map<Node, string>()
  const transparent = new Map<Node, boolean>()
  let draggables: boolean | undefined
  const hasDraggables = () => {
    draggables ??= native.allOf(document, '[draggable=true]').length > 0
    return draggables
  }
  let searched = 0
  let isFaint = false
  // the opacity of every element would take long to read, and hardly any is nearly transparent
  const hasFaint = () => {
    if (searched < input.reached.size) isFaint = [...input.reached].some(hasFaintElement)
    searched = input.reached.size
    return isFaint
  }
  return {
    width,
    height,
    box: node => boxOf(context, node),
    unseen: (node, box) => whyClipped(context, node, box),
    aim: (node, box, avoid) => hitTest(context, node, box, avoid),
    cover: (node, box) => (isEmpty(intersect(box, viewport)) ? coverOutOfView(context, node, box) : coverOf(context, node, box)),
    scrolledAway: node => context.scrolledAway.get(node),
    drawnValue: input => drawnValue(context, input),
    inFrame: (node, point) => pointInFrame(context, node, point),
    inTopPage: (node, { x, y, width, height }) => inTopPage(context, node, { left: x, top: y, width, height }),
    transparent: node => {
      const isKnown = isStill ? transparent.get(node) : undefined
      const value = isKnown ?? (isTransparent(dom, node) || (isStill && hasFaint() && opacityOf(context, node) < minOpacity))
      transparent.set(node, value)
      return value
    },
    unreadable: node => {
      let why = unreadable.get(node)
      if (why === undefined) {
        why = whyUnreadable(context, node, backgrounds) ?? (input.pixels?.whyUnreadable(node) || '')
        unreadable.set(node, why)
      }
      return why
    },
    drawsPseudo: (node, pseudo) => !whyUnreadable(context, node, backgrounds, pseudo),
    clickable: node => native.styleValue(node, 'pointer-events') !== 'none',
    cursor: node => cursors.get(native.styleValue(node, 'cursor')) ?? '',
    modalPanel: () => modalPanel(context, document),
    ownPointer: pointerRules(input.reached),
    scrolls: scrollDirections,
    contentEnd: node => rectOf(context, node).y - (native.scrollTop(node) ?? 0) + (native.scrollHeight(node) ?? 0),
    listens: node => !!listeners?.listens(dom, node),
    ignoresClicks: node => !!listeners?.ignoresClicks(dom, node),
    dropTarget: node =>
      listeners?.takesDrops(dom, node) ||
      (hasDraggables() && dom.tag(node) !== 'body' && dropWords.test(`${dom.attr(node, 'id') ?? ''} ${dom.attr(node, 'class') ?? ''}`)),
  }
}

const cursors = new Map<string, Cursor>([
  ['pointer', 'pointer'],
  ['grab', 'grab'],
  ['grabbing', 'grab'],
  ['move', 'grab'],
])

const minScrollerHeight = 40

function scrollDirections(node: Node): '' | 'down' | 'up' | 'up and down' {
  // the overflow of most elements is visible
  if (!/auto|scroll/.test(native.styleValue(node, 'overflow-y'))) return ''
  const height = native.clientHeight(node) ?? 0
  const hidden = (native.scrollHeight(node) ?? 0) - height
  if (height < minScrollerHeight || hidden < 2) return ''
  const top = native.scrollTop(node) ?? 0
  return top < 1 ? 'down' : top > hidden - 2 ? 'up' : 'up and down'
}

/** words of ids and classes for an element on which something can be dropped, for pages whose listeners cannot be seen */
const dropWords = /(^|[-_ ])(drop(?!down|-down)|target)/i

/** what is more transparent than this is not meant to be seen */
const minOpacity = 0.1
/** an element that is more transparent than this may be too faint together with others around it */
const maxFaintOpacity = 0.5

/** whether the style attribute of an element in a document or shadow root makes it nearly transparent */
function hasFaintElement(root: Node): boolean {
  const elements = native.allOf(root, '[style*="opacity"]')
  for (let i = 0; i < elements.length; i++) {
    const opacity = Number(native.styleValue(elements[i] as Node, 'opacity'))
    if (opacity > 0 && opacity < maxFaintOpacity) return true
  }
  return false
}

// the second name is that of older browsers
const visibleByOpacity = { opacityProperty: true, checkOpacity: true }

function isTransparent(dom: Dom<Node>, node: Node): boolean {
  if (native.checkVisibility) {
    if (native.isDrawn(node) || native.checkVisibility(node, visibleByOpacity) || dom.hidden(node)) return false
    // checkVisibility is false for display:contents, which has no box but shows its children
    const parent = native.styleValue(node, 'display') === 'contents' ? dom.parent(node) : null
    return !parent || isTransparent(dom, parent)
  }
  for (let each: Node | null = node; each; each = dom.parent(each)) if (native.styleValue(each, 'opacity') === '0') return true
  return false
}
