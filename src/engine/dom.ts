/**
 * The questions the engine may ask a document. A live page and a parsed string each answer them once.
 * Nodes are elements and runs of text; everything else (comments, doctype) is never handed out.
 */
export interface Dom<N> {
  /** lower-case local name of an element; '' for text */
  tag(node: N): string
  /** 'html', 'svg' or 'math' */
  namespace(node: N): 'html' | 'svg' | 'math'
  /** the characters of a run of text */
  text(node: N): string
  /** the same as they are drawn: CSS may show them in capitals */
  drawn(node: N): string
  attr(node: N, name: string): string | null
  /** has no attribute at all: most elements, and nothing more needs to be asked of them */
  bare(node: N): boolean
  /** children in the flat tree: a shadow root stands for its host's children, a slot for what is assigned to it */
  children(node: N): ArrayLike<N>
  /** parent in the flat tree; null at the root of a document */
  parent(node: N): N | null
  /** the element with this id in the tree (document or shadow root) that `near` belongs to */
  byId(near: N, id: string): N | null
  /** <label> elements of a control, wrapping or by `for`, in document order */
  labels(control: N): ArrayLike<N>
  /** the options of a <select> */
  options(select: N): ArrayLike<N>
  /** current value of a field, not its attribute; secrets come as '[redacted]' */
  value(field: N): string
  /** checkedness, selectedness, openness as they are now; whether a label has a control */
  is(
    node: N,
    what: 'checked' | 'selected' | 'indeterminate' | 'open' | 'modal' | 'disabled' | 'invalid' | 'editable' | 'labelling',
  ): boolean
  /** display:none, visibility:hidden and the like, of itself or an ancestor: nothing is drawn and nothing is read out */
  hidden(node: N): boolean
  /** whether it stands on lines of its own, so that its text is set apart by a space */
  block(node: N): boolean
  /** what CSS writes before or after the content; '' where there is no CSS */
  generated(node: N, where: 'before' | 'after'): string
}

/** A rectangle in the viewport of the top page. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A point of the top page at which an element can be hit. */
export interface Aim<N> {
  readonly x: number
  readonly y: number
  /** the innermost element there: the one that was aimed at, or part of it; null when nothing of it can be hit */
  readonly hit: N | null
  /** what lies over it; null when it can be hit, or is out of view */
  readonly over: N | null
}

/** What only a page that is drawn can answer. A parsed string has no layout. */
export interface Layout<N> {
  readonly width: number
  readonly height: number
  /** the drawn box; null where nothing is drawn */
  box(node: N): Box | null
  /** opacity 0, of itself or an ancestor */
  transparent(node: N): boolean
  /** why nobody sees it although it has a box: clipped away, too small, off the page …; '' when it is seen */
  unseen(node: N, box: Box): string
  /** why the letters in it cannot be read: no size, no colour, indented away …; '' when they can */
  unreadable(node: N): string
  /** where a click would hit it, or what would be hit instead; asked after `unseen`, which finds what of it is in view */
  aim(node: N, box: Box): Aim<N>
  /** where the viewport of its document lies in the top page */
  origin(node: N): { readonly x: number; readonly y: number }
  /** takes clicks at all (pointer-events) */
  clickable(node: N): boolean
  /** the cursor says it can be clicked */
  pointer(node: N): boolean
  /** a click handler was set as a property */
  listens(node: N): boolean
}

/** A document that can be looked at: its root, and the frames in it. */
export interface Scene<N> {
  readonly dom: Dom<N>
  readonly layout: Layout<N> | null
  readonly root: N
  /** refs of this document start with it: '' for the top page, f1 for its first frame */
  readonly prefix: string
  focused(node: N): boolean
  /** the last word on whether something is a control; undefined leaves it to the rules */
  control?(node: N): boolean | undefined
  /** the root of the document in a frame, or why it cannot be looked into */
  frame(element: N): { readonly root: N; readonly prefix: string } | { readonly unreachable: string }
}
