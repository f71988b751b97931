import type { NodeStates } from '../contract/snapshot.ts'
import type { Point } from './matrix.ts'

/**
 * What the engine needs to know about a document, implemented once for a live page and once for a parsed string.
 * Nodes are elements and text nodes only; comments and doctypes are never returned.
 */
export interface Dom<N> {
  /** lower-case local name of an element; '' for a text node */
  tag(node: N): string
  /** 'html', 'svg' or 'math' */
  namespace(node: N): 'html' | 'svg' | 'math'
  /** the characters of a text node */
  text(node: N): string
  /** the characters of a text node as rendered, after CSS text-transform */
  drawn(node: N): string
  attr(node: N, name: string): string | null
  /** what the names of its attributes say, as the bits of attributes.ts; 0 if it has none */
  flags(node: N): number
  attrNames(node: N): readonly string[]
  /** children in the flat tree: those of the shadow root for a shadow host, the assigned nodes for a slot */
  children(node: N): ArrayLike<N>
  /** parent in the flat tree; null for the root of a document */
  parent(node: N): N | null
  /** the element with this id in the same document or shadow root as `near` */
  byId(near: N, id: string): N | null
  /** the <label> elements of a control, in document order */
  labels(control: N): ArrayLike<N>
  /** the options of a <select> */
  options(select: N): ArrayLike<N>
  /** whether the value of a field must not leave the page */
  secret(field: N): boolean
  /** current value of a field, not its attribute; '[redacted]' for secrets */
  value(field: N): string
  /**
   * the current state of an element; `labelling`: whether a label has a control; `preformatted`: whether line breaks of its text are drawn;
   * `struck`: whether a line is drawn through its text; `raised`: whether its text is above or below the line around it
   */
  is(
    node: N,
    what:
      | 'checked'
      | 'selected'
      | 'indeterminate'
      | 'open'
      | 'modal'
      | 'disabled'
      | 'invalid'
      | 'editable'
      | 'labelling'
      | 'preformatted'
      | 'struck'
      | 'raised',
  ): boolean
  /** not rendered because of display:none, visibility:hidden or similar, on itself or an ancestor */
  hidden(node: N): boolean
  /** whether it is block-level, so that its text is separated by a space */
  block(node: N): boolean
  /** text of ::before, ::after or ::marker, or '' */
  generated(node: N, where: 'before' | 'after' | 'marker'): string
  /** the elements that claim it as a child by aria-owns, in document order */
  owners(node: N): readonly N[]
  /** of a document that does not change: which elements are known to be in a disabled part of it, by themselves or by an ancestor */
  readonly inheritedStates?: Map<N, boolean>
}

/** A rectangle in viewport coordinates of the top page. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The result of hit-testing an element, in viewport coordinates of the top page. */
export interface Aim<N> {
  readonly x: number
  readonly y: number
  /** the innermost element at the point: the tested element or a descendant; null if it cannot be hit */
  readonly hit: N | null
  /** the element on top of it; null if it can be hit or is out of view */
  readonly over: N | null
}

/** What the cursor over an element promises: a click, or that it can be dragged. */
export type Cursor = '' | 'pointer' | 'grab'

/** What only a rendered page knows. A parsed string has no layout. */
export interface Layout<N> {
  readonly width: number
  readonly height: number
  /** the bounding box of an element or a text node; null if nothing is rendered */
  box(node: N): Box | null
  /** opacity 0, on itself or an ancestor */
  transparent(node: N): boolean
  /** why it is invisible although it has a box: clipped, too small, outside the page …; '' if it is visible */
  unseen(node: N, box: Box): string
  /** why its text is unreadable: font size 0, transparent colour, negative indent …; '' if it is readable */
  unreadable(node: N): string
  /** whether the text of a pseudo-element can be read */
  drawsPseudo(node: N, pseudo: string): boolean
  /** where a click would hit it, or what it would hit instead; call `unseen` first, which computes the visible part */
  aim(node: N, box: Box): Aim<N>
  /** the opaque element in front of an element or a text node; null if some of it can be seen; call `unseen` first */
  cover(node: N, box: Box): N | null
  /**
   * pixels that a scroll container must scroll to show it, negative upwards, 0 if it must scroll sideways; undefined if no scroll container
   * hides it; call `unseen` first
   */
  scrolledAway(node: N): number | undefined
  /** the text that a widget draws in place of the value of its empty input */
  drawnValue(input: N): string
  /** a point of the top page in the viewport of the node's document */
  inFrame(node: N, point: Point): Point
  /** a box in the viewport of the node's document as a box of the top page */
  inTopPage(node: N, box: Box): Box
  /** the panel of a modal that covers the page without saying so, or null */
  modalPanel(): N | null
  /** receives pointer events (CSS pointer-events) */
  clickable(node: N): boolean
  cursor(node: N): Cursor
  /** the pointer cursor is set for the element itself by a style rule, not only inherited */
  ownPointer(node: N): boolean
  /** has a handler for clicks on itself, as far as this is known; one that only serves what is inside it does not count */
  listens(node: N): boolean
  /** all handlers of the page are known, and none reacts to a click on it */
  ignoresClicks(node: N): boolean
  /** where its content goes on if it is scrolled; '' if it does not scroll, or is too small to read in */
  scrolls(node: N): '' | NonNullable<NodeStates['scrolls']>
  /** where the content of an element that scrolls ends, in pixels from the top of the viewport */
  contentEnd(node: N): number
  /** has a handler for what is dropped on it, or is called so in a document with draggable elements */
  dropTarget(node: N): boolean
}

/** A document to take a snapshot of, with access to its frames. */
export interface Scene<N> {
  readonly dom: Dom<N>
  readonly layout: Layout<N> | null
  readonly root: N
  /** prefix of the refs in this document: '' in the top page, f1 in the first frame */
  readonly prefix: string
  focused(node: N): boolean
  /** overrides whether an element is a control; undefined leaves the decision to the rules */
  control?(node: N): boolean | undefined
  /** the root of the document in a frame, or why it cannot be read */
  frame(element: N): { readonly root: N; readonly prefix: string } | { readonly unreachable: string }
}
