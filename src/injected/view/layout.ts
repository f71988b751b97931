import type { Box, Dom, Layout } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import { boxOf, type LayoutContext, type Offset, offsetOf } from './boxes.ts'
import { whyClipped } from './clipping.ts'
import { drawnValue } from './drawn-value.ts'
import { coverOf, hitTest } from './hit-test.ts'
import { modalPanel } from './modal-panel.ts'
import { pointerRules } from './pointer-rules.ts'
import { type BackgroundCache, whyUnreadable } from './text-contrast.ts'

/** The elements that listen to clicks. */
export interface ClickListeners {
  /** see `Layout.listens` and `Layout.ignoresClicks` */
  listens(dom: Dom<Node>, node: Node): boolean
  ignoresClicks(dom: Dom<Node>, node: Node): boolean
}

interface LayoutInput {
  readonly document: Document
  readonly offsets: ReadonlyMap<Document, Offset>
  readonly listeners: ClickListeners | undefined
}

/** The layout of a drawn page. Styles and boxes are read once, so an instance is only good for one command. */
export function liveLayout(dom: Dom<Node>, { document, offsets, listeners }: LayoutInput): Layout<Node> {
  const root = native.scrollingElement(document) ?? (native.documentElement(document) as Element)
  const width = native.clientWidth(root) ?? 0
  const height = native.clientHeight(root) ?? 0
  const viewport: Box = { x: 0, y: 0, width, height }
  const context: LayoutContext = { dom, offsets, viewport, styles: new Map(), visibleBoxes: new Map(), scrolledAway: new Map() }
  const backgrounds: BackgroundCache = new Map()
  const unreadable = new Map<Node, string>()
  let draggables: boolean | undefined
  const hasDraggables = () => {
    draggables ??= native.allOf(document, '[draggable=true]').length > 0
    return draggables
  }
  return {
    width,
    height,
    box: node => boxOf(context, node),
    unseen: (node, box) => whyClipped(context, node, box),
    aim: (node, box) => hitTest(context, node, box),
    cover: (node, box) => coverOf(context, node, box),
    scrolledAway: node => context.scrolledAway.get(node),
    drawnValue: input => drawnValue(context, input),
    origin: node => offsetOf(context, node),
    transparent: node => isTransparent(dom, node),
    unreadable: node => {
      const why = unreadable.get(node) ?? whyUnreadable(dom, node, backgrounds)
      unreadable.set(node, why)
      return why
    },
    clickable: node => native.styleOf(node)('pointer-events') !== 'none',
    pointer: node => native.styleOf(node)('cursor') === 'pointer',
    modalPanel: () => modalPanel(context, document),
    ownPointer: pointerRules(),
    listens: node => hasHandler(native.onclick(node)) || !!listeners?.listens(dom, node),
    ignoresClicks: node => !!listeners?.ignoresClicks(dom, node),
    dropTarget: node =>
      hasHandler(native.ondrop(node)) ||
      hasHandler(native.ondragover(node)) ||
      (dom.tag(node) !== 'body' && dropWords.test(`${dom.attr(node, 'id') ?? ''} ${dom.attr(node, 'class') ?? ''}`) && hasDraggables()),
  }
}

/** words of ids and classes for an element on which something can be dropped; listeners cannot be seen */
const dropWords = /(^|[-_ ])(drop(?!down|-down)|target)/i
const hasHandler = (handler: unknown): boolean => handler !== null && handler !== undefined

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
