import { itemRoles } from '../../contract/roles.ts'
import type { NodeStates } from '../../contract/snapshot.ts'
import type { Box, Layout } from '../dom.ts'

/** Between texts of one line that are not drawn as one: in different blocks, or with a control between them. */
export type Separator = ' | ' | ' … '

/** An element or run of text that may get a line. Its name and states are computed only if it is selected. */
export interface Candidate<N> {
  readonly node: N
  readonly tag: string
  role: string
  kind: 'root' | 'control' | 'structure' | 'content' | 'frame' | 'text'
  readonly parent: Candidate<N> | null
  /** prefix of the refs in its document: '' in the top page, f1 in the first frame */
  readonly prefix: string
  /** the node that users see: the element itself, or the label drawn in place of a hidden checkbox */
  readonly visibleNode: N
  readonly box: Box | null
  /** pixels to scroll until it is in view: positive below, negative above, 0 in view */
  offscreenPixels: number
  /** left or right of the viewport */
  isBeside: boolean
  isInert: boolean
  /** why it is hidden; '' if it is visible */
  hiddenReason: string
  /** why a frame cannot be read; '' if it can */
  readonly unreachableReason: string
  /** it is a control only because of its pointer cursor */
  readonly cursorOnly: boolean
  /** it contains controls */
  hasControls: boolean
  /** it belongs to the first lines of the main content */
  isIntro: boolean
  /** text nodes that are printed on its own line, blank ones and separators between them; the first is a text node */
  readonly texts: (N | Separator)[]
  /** a small item: the texts inside it are printed on its line */
  gathersText: boolean
  /** something can be dropped on it */
  isDropTarget: boolean
  /** where its content goes on if it is scrolled */
  scrolls: '' | NonNullable<NodeStates['scrolls']>
  /** it lies behind the topmost dialog, and takes the clicks beside it */
  isBackdrop: boolean
  /** it scrolls much further than what it contains now */
  isVirtual: boolean
  /** number of candidates directly inside it */
  childCount: number
}

/** Where a candidate is drawn, and why it is hidden if it is. */
export type Placement<N> = Pick<Candidate<N>, 'visibleNode' | 'box' | 'hiddenReason'>

export type CandidateFields<N> = Pick<Candidate<N>, 'node' | 'tag' | 'role' | 'kind'> &
  Partial<Pick<Candidate<N>, 'cursorOnly' | 'unreachableReason' | 'gathersText'>>

/** A single object literal gives all candidates the same hidden class; a page may have a hundred thousand. */
export function createCandidate<N>(
  { node, tag, role, kind, unreachableReason = '', cursorOnly = false, gathersText = itemRoles.has(role) }: CandidateFields<N>,
  { visibleNode, box, hiddenReason }: Placement<N>,
  { parent, prefix, isInert }: Pick<Candidate<N>, 'parent' | 'prefix' | 'isInert'>,
  layout: Layout<N> | null,
): Candidate<N> {
  return {
    node,
    visibleNode,
    tag,
    role,
    kind,
    parent,
    prefix,
    isInert,
    box,
    offscreenPixels: box && layout ? offscreenDistance(box, layout) : 0,
    isBeside: !!box && !!layout && (box.x + box.width <= 0 || box.x >= layout.width),
    hiddenReason,
    unreachableReason,
    cursorOnly,
    hasControls: false,
    isIntro: false,
    texts: [],
    gathersText,
    isDropTarget: false,
    scrolls: '',
    isVirtual: false,
    isBackdrop: false,
    childCount: 0,
  }
}

/** Whether it is a part of the page to scroll in that nothing else names: controls inside it can be used for that, unless more will come. */
export const isScroller = <N>({ scrolls, hasControls, isVirtual }: Pick<Candidate<N>, 'scrolls' | 'hasControls' | 'isVirtual'>): boolean =>
  scrolls !== '' && (!hasControls || isVirtual)

/** Whether a candidate is a descendant of another one. */
export function isInside<N>(inner: Candidate<N>, outer: Candidate<N>): boolean {
  for (let up = inner.parent; up; up = up.parent) if (up === outer) return true
  return false
}

/** Makes a control by its cursor an item: something inside it works, and not the item itself. */
export function demoteToItem<N>(candidate: Candidate<N>): void {
  candidate.kind = 'structure'
  candidate.gathersText = true
  if (!itemRoles.has(candidate.role)) candidate.role = 'item'
}

/** Pixels to scroll until a box is in view: positive below, negative above, 0 in view. */
export function offscreenDistance<N>({ y, height }: Box, layout: Layout<N>): number {
  if (y + height <= 0) return Math.min(-1, Math.round(y + height))
  return y >= layout.height ? Math.max(1, Math.round(y - layout.height)) : 0
}
