import type { FailureCode, PageWords } from './failures.ts'

/**
 * A snapshot as the page returns it. An absent field has its default (no name, not interactive, visible, in view, no children), which keeps
 * 500 nodes below 100 KB. `tree` and `refs` do not repeat each other: a node says what it is, its entry in `refs` has attributes and a path.
 *
 * @example
 * const { tree, refs } = JSON.parse(json) as Snapshot
 */
export interface Snapshot {
  readonly ok: true
  readonly type: 'snapshot'
  readonly meta: SnapshotMeta
  readonly stats: PageSnapshotStats
  readonly refs: { readonly [ref: string]: RefDetail }
  readonly tree: SnapshotNode
}

/**
 * Returned by the page instead of a snapshot.
 *
 * @example
 * const error: SnapshotError = { ok: false, type: 'snapshot', error: { code: 'no_root', message: 'no body' } }
 */
export interface SnapshotError {
  readonly ok: false
  readonly type: 'snapshot'
  readonly error: { readonly code: FailureCode; readonly message: string; readonly page?: PageWords }
}

/**
 * The page and the conditions under which the snapshot was taken.
 *
 * @example
 * const { url, title, dialog } = snapshot.meta
 */
export interface SnapshotMeta {
  readonly url: string
  readonly title: string
  /** milliseconds since 1970 */
  readonly ts: number
  /** `performance.timeOrigin` of the document in milliseconds; changes whenever another document is loaded */
  readonly startedAt?: number
  readonly version: string
  /** in CSS pixels; absent if there is no layout */
  readonly viewport?: { readonly width: number; readonly height: number }
  /** the scroll position and the height of the document */
  readonly scroll?: { readonly x: number; readonly y: number; readonly height: number }
  readonly readyState?: string
  /** verified: injected before any script of the page ran; unverified: the page could have changed its built-ins before that */
  readonly integrity?: 'verified' | 'unverified' | 'tampered'
  /** the page stopped responding, so its scripts were stopped before the snapshot was taken */
  readonly scripts?: 'stopped'
  /** names of the tools that the page offers to agents (WebMCP); Chromium sessions only */
  readonly tools?: readonly string[]
  /** ref of the topmost dialog */
  readonly dialog?: string
  /** the requested scope; absent for the whole page */
  readonly scope?: string
  /** the ref after which this snapshot continues */
  readonly after?: string
}

/**
 * Counts of a snapshot.
 *
 * @example
 * const { nodesEmitted, truncated, omitted } = snapshot.stats
 */
export interface PageSnapshotStats {
  readonly nodesVisited: number
  readonly nodesEmitted: number
  readonly truncated: boolean
  readonly truncateReasons: readonly TruncateReason[]
  /** script time in the page */
  readonly elapsedMs?: number
  /** the page has not changed since the last snapshot with the same options, so that snapshot was returned again */
  readonly unchanged?: boolean
  /** elements and texts that were found but not emitted, by position */
  readonly omitted?: OmittedCounts
}

/** The limits that can truncate a snapshot, in the order in which they are reported. */
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
/**
 * A limit that truncated a snapshot.
 *
 * @example
 * const isTooLong = (reasons: readonly TruncateReason[]) => reasons.includes('maxCharsTotal')
 */
export type TruncateReason = (typeof truncateReasons)[number]

/**
 * Counts of what is on the page but not in the snapshot; a count of zero is absent.
 *
 * @example
 * const { below = 0 } = snapshot.stats.omitted ?? {}
 */
export interface OmittedCounts {
  readonly above?: number
  readonly below?: number
  /** to the left or right of the viewport */
  readonly beside?: number
  readonly covered?: number
  /** those of `covered` that are texts, or items with a text that is covered */
  readonly coveredText?: number
  /** clipped controls, and what is out of view and transparent: it may be shown by opening or scrolling to something */
  readonly concealed?: number
  /** behind a modal dialog, or inert */
  readonly inert?: number
  /** texts that interactiveOnly omits */
  readonly text?: number
  /** frames of other origins */
  readonly frames?: number
}

/**
 * An element or a run of text.
 *
 * @example
 * const button: SnapshotNode = { ref: 'e12', tag: 'button', role: 'button', name: 'Save', interactive: true }
 */
export interface SnapshotNode {
  readonly ref?: string
  /** lower-case tag; '#text' for a run of text */
  readonly tag: string
  /** ARIA role; 'text' for a run of text, 'item' for a repeated element such as a card, 'generic' if the element has none */
  readonly role: string
  readonly name?: string
  /** a guess at what an unnamed control is, and its source; never part of the name */
  readonly hint?: {
    readonly text: string
    readonly from: 'label' | 'title' | 'tooltip' | 'action' | 'svg' | 'class' | 'id' | 'src' | 'column' | 'row' | 'position'
  }
  readonly text?: string
  /** current value of a field; '[redacted]' for secrets */
  readonly value?: string
  readonly states?: NodeStates
  readonly interactive?: true
  readonly visible?: false
  /** CSS pixels to scroll until it comes into view: negative is up */
  readonly offset?: number
  /** it was not in the previous snapshot */
  readonly new?: true
  /** x, y, width, height in the viewport of the top page */
  readonly box?: readonly [number, number, number, number]
  readonly children?: readonly SnapshotNode[]
}

/**
 * The states of an element. `false` means that the state applies but is off: a collapsed menu has `expanded: false`.
 *
 * @example
 * const states: NodeStates = { checked: false, required: true }
 */
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
  /** the value of a range, such as "3 of 1..10", or its aria-valuetext */
  readonly range?: string
  /** width and height in pixels of a canvas, a video or an embedded document, whose content is drawn and cannot be read */
  readonly size?: string
  /** where the content of a part of the page goes on if it is scrolled: "down", "up" or "up and down" */
  readonly scrolls?: 'down' | 'up' | 'up and down'
  /** how many options a select has */
  readonly options?: number
  readonly multiple?: true
  readonly editable?: true
  readonly focused?: true
  /** `checked` or `selected` is read from how the element is drawn: from its class, from `data-state` or from another attribute */
  readonly stateFrom?: 'class' | 'data-state' | 'attribute'
  readonly modal?: true
  /** description of the element that covers it */
  readonly covered?: string
  readonly inert?: true
  /** the reason why it is hidden; only with includeHidden */
  readonly hidden?: string
  /** the host that the content of a frame comes from, if it has another origin than the page */
  readonly from?: string
  /** the reason why the content of a frame is not available */
  readonly unreachable?: string
}

/**
 * Attributes and position of an element with a ref.
 *
 * @example
 * const { attrs, path } = snapshot.refs.e12 ?? {}
 */
export interface RefDetail {
  readonly attrs?: { readonly [name: string]: string }
  /** a short path for people, such as main>form#search>button */
  readonly path?: string
}

/**
 * Options of `snapshot` in the injected script.
 *
 * @example
 * webView.evaluate(AgentBrowser.snapshotJs({ interactiveOnly: false, maxNodes: 200 }))
 */
export interface PageSnapshotOptions {
  /** Limit of emitted nodes. @default 500 */
  readonly maxNodes?: number
  /** Limit of visited nodes. @default 250000 */
  readonly maxVisits?: number
  /** Limit of script time in the page. @default 2000 */
  readonly maxTimeMs?: number
  /** @default 200 */
  readonly maxTextPerNode?: number
  /** @default 150 */
  readonly maxAttrValueLen?: number
  /** false adds headings, text and images. @default true */
  readonly interactiveOnly?: boolean
  /** Includes elements that are recognized as clickable only by their pointer cursor. @default true */
  readonly cursorInteractive?: boolean
  /** Attributes to report for elements with a ref. @default ['href', 'type', 'name', 'value', 'placeholder', 'aria-label', 'role'] */
  readonly includeAttrs?: readonly string[]
  /** CSS selector or ref of the element to describe. @default the whole page */
  readonly scope?: string
  /** Ref after which to continue, in document order. */
  readonly after?: string
  /** Number after which new refs begin: with the highest number of the pages before, no ref means two elements. */
  readonly refsAfter?: number
  /** `visible` limits the snapshot to elements in the viewport. @default 'all' */
  readonly viewport?: 'all' | 'visible'
  /** Which nodes are emitted if there are too many: the most important ones, or the first ones with longer texts, to read the page. @default 'importance' */
  readonly order?: 'importance' | 'document'
  /** What to do with elements that something else covers. @default 'mark' */
  readonly occluded?: 'mark' | 'drop'
  /** @default false */
  readonly includeHidden?: boolean
  /** Whether opacity: 0 counts as hidden. A control that receives clicks keeps its ref in any case. @default true */
  readonly opacityHidden?: boolean
  /** Writes the ref into the attribute `data-agent-ref` of each element. @default true */
  readonly markDom?: boolean
  /** Adds the bounding box of each node. @default false */
  readonly boxes?: boolean
  /** Name of a global function that also receives the JSON string, such as AgentBridge.onSnapshot. */
  readonly bridge?: string
}
