import type { FailureCode } from './failures.ts'

/**
 * What the page says about itself, as it crosses the bridge.
 * A field that is absent has its quiet value (no name, not interactive, visible, in view, no children), so that 500 nodes stay below 100 KB;
 * `tree` and `refs` share nothing: a node tells what it is, its row in `refs` tells its attributes and where it stands.
 */
export interface Snapshot {
  readonly ok: true
  readonly type: 'snapshot'
  readonly meta: SnapshotMeta
  readonly stats: PageSnapshotStats
  readonly refs: { readonly [ref: string]: RefDetail }
  readonly tree: SnapshotNode
}

export interface SnapshotError {
  readonly ok: false
  readonly type: 'snapshot'
  readonly error: { readonly code: FailureCode; readonly message: string }
}

export interface SnapshotMeta {
  readonly url: string
  readonly title: string
  /** milliseconds since 1970 */
  readonly ts: number
  /** when this document did, likewise; another number is another document */
  readonly startedAt?: number
  readonly version: string
  /** the size of what the user sees, in CSS pixels; absent where there is no layout */
  readonly viewport?: { readonly width: number; readonly height: number }
  /** how far the document is scrolled, and its whole height */
  readonly scroll?: { readonly x: number; readonly y: number; readonly height: number }
  readonly readyState?: string
  /** verified: injected before any script of the page ran; unverified: the page could have changed its own built-ins before */
  readonly integrity?: 'verified' | 'unverified' | 'tampered'
  /** the page did not answer any more: its scripts were stopped, and this is what stood there */
  readonly scripts?: 'stopped'
  /** ref of the dialog that lies on top of everything else */
  readonly dialog?: string
  /** the scope that was asked for; absent for the whole page */
  readonly scope?: string
  /** the ref after which this snapshot goes on */
  readonly after?: string
}

export interface PageSnapshotStats {
  readonly nodesVisited: number
  readonly nodesEmitted: number
  readonly truncated: boolean
  readonly truncateReasons: readonly TruncateReason[]
  /** script time of the walk */
  readonly elapsedMs?: number
  /** elements and texts that were seen but not emitted, by where they are */
  readonly omitted?: OmittedCounts
}

/** the budgets that can bite, in the order in which they are listed */
export const truncateReasons = [
  'maxCharsTotal',
  'maxNodes',
  'maxDepth',
  'maxTextPerNode',
  'maxVisits',
  'maxTime',
  'maxJsonBytes',
  'scope',
] as const
export type TruncateReason = (typeof truncateReasons)[number]

/** what is there and not shown; a count of zero is absent */
export interface OmittedCounts {
  readonly above?: number
  readonly below?: number
  /** beside the viewport, reached by scrolling sideways */
  readonly beside?: number
  readonly covered?: number
  /** behind a modal dialog, or in an inert part */
  readonly inert?: number
  /** runs of text that interactiveOnly leaves out */
  readonly text?: number
  /** frames of other origins */
  readonly frames?: number
}

export interface SnapshotNode {
  readonly ref?: string
  /** lower-case tag; '#text' for a run of text */
  readonly tag: string
  /** ARIA role; 'text' for a run of text, 'generic' where there is none */
  readonly role: string
  readonly name?: string
  /** what an unnamed control may be, and where that was read; never mixed with the name */
  readonly hint?: { readonly text: string; readonly from: 'title' | 'svg' | 'class' | 'id' | 'src' }
  readonly text?: string
  /** current value of a field; '[redacted]' for secrets */
  readonly value?: string
  readonly states?: NodeStates
  readonly interactive?: true
  readonly visible?: false
  /** CSS pixels to scroll until it comes into view: negative is up */
  readonly offset?: number
  /** it was not there at the last snapshot */
  readonly new?: true
  /** x, y, width, height in the viewport of the top page */
  readonly box?: readonly [number, number, number, number]
  readonly children?: readonly SnapshotNode[]
}

/** `true` reads "is", `false` "is not, but could be" (a collapsed menu has expanded:false) */
export interface NodeStates {
  readonly checked?: boolean | 'mixed'
  readonly selected?: boolean
  readonly expanded?: boolean
  readonly pressed?: boolean | 'mixed'
  readonly disabled?: true
  readonly readonly?: true
  readonly required?: true
  readonly invalid?: true | 'grammar' | 'spelling'
  readonly current?: true | 'page' | 'step' | 'location' | 'date' | 'time'
  readonly haspopup?: 'menu' | 'listbox' | 'tree' | 'grid' | 'dialog'
  readonly level?: number
  /** a range: "3 of 1..10", or the text the page gives for it */
  readonly range?: string
  /** how many options a select has */
  readonly options?: number
  readonly multiple?: true
  readonly editable?: true
  readonly focused?: true
  readonly modal?: true
  /** something else lies over it: what */
  readonly covered?: string
  readonly inert?: true
  /** shown only because includeHidden asked for it: why it is hidden */
  readonly hidden?: string
  /** a frame that this mode cannot look into: why */
  readonly unreachable?: string
}

export interface RefDetail {
  readonly attrs?: { readonly [name: string]: string }
  /** a short way to the element, for people: main>form#search>button */
  readonly path?: string
}

/** Options of `snapshot` in the page. */
export interface PageSnapshotOptions {
  /** emitted nodes */
  readonly maxNodes?: number
  readonly maxVisits?: number
  readonly maxTimeMs?: number
  readonly maxTextPerNode?: number
  readonly maxAttrValueLen?: number
  readonly interactiveOnly?: boolean
  readonly cursorInteractive?: boolean
  readonly includeAttrs?: readonly string[]
  /** CSS selector or ref */
  readonly scope?: string
  /** ref after which to go on, in document order */
  readonly after?: string
  readonly viewport?: 'all' | 'visible'
  readonly occluded?: 'mark' | 'drop'
  readonly includeHidden?: boolean
  /** whether opacity:0 counts as hidden; controls that take the click keep their ref either way */
  readonly opacityHidden?: boolean
  readonly markDom?: boolean
  readonly boxes?: boolean
  /** name of a global function that also gets the JSON string, such as AgentBridge.onSnapshot */
  readonly bridge?: string
}
