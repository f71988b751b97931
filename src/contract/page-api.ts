import type { FailureCode, PageWords } from './failures.ts'
import type { ModifierKey } from './keys.ts'
import type { TargetFacts } from './target.ts'

/**
 * The actions of the injected script on an element, with their payloads.
 *
 * @example
 * const payload: ActionPayloads['fill'] = { value: 'tea' }
 * evaluate(AgentBrowser.actionJs('e3', 'fill', payload))
 */
export interface ActionPayloads {
  readonly click: PressOptions
  readonly dblclick: PressOptions
  readonly longpress: { readonly ms?: number }
  readonly hover: NoPayload
  readonly focus: NoPayload
  readonly blur: NoPayload
  /** replaces the value; '' clears it. `commit` fires `change` at once instead of on blur (C22) */
  /** with `origins`, the value is a secret that is entered only in a document of one of them */
  readonly fill: { readonly value: string; readonly commit?: boolean; readonly origins?: readonly string[] }
  /** types at the caret, one code point at a time */
  readonly type: { readonly text: string; readonly origins?: readonly string[] }
  readonly clear: NoPayload
  /** selects options by value or by text */
  readonly select: { readonly values: readonly string[] }
  readonly check: NoPayload
  readonly uncheck: NoPayload
  readonly press: { readonly key: string }
  readonly scroll_into_view: NoPayload
  readonly scroll: ScrollOptions
  /** onto another element, or by an offset in CSS pixels */
  readonly drag: { readonly to: string } | { readonly dx: number; readonly dy: number }
  readonly upload: { readonly files: readonly UploadFile[] }
}
/**
 * An action of the injected script.
 *
 * @example
 * const kind: ActionKind = 'click'
 */
export type ActionKind = keyof ActionPayloads
type NoPayload = { readonly [none: string]: never }

export const mouseButtons = ['left', 'middle', 'right'] as const
export interface PressOptions {
  readonly button?: (typeof mouseButtons)[number]
  readonly modifiers?: readonly ModifierKey[]
}
export const scrollDirections = ['up', 'down', 'left', 'right'] as const
export interface ScrollOptions {
  readonly direction: (typeof scrollDirections)[number]
  /** CSS pixels. @default 300 */
  readonly amount?: number
}
export interface UploadFile {
  readonly name: string
  readonly type?: string
  /** the content in base64 */
  readonly base64: string
}

/** matches the options of a list that the page draws itself */
export const optionSelector = '[role=option],[role=menuitemradio],[role=menuitemcheckbox],[role=menuitem],[role=treeitem],[role=radio]'

/** replaces a secret value in every response */
export const redacted = '[redacted]'

/**
 * The observed effects of an action. A field that is absent did not change or does not apply. Page text is cut, secrets are redacted.
 *
 * @example
 * const effect: Effect = { value: 'tea', focus: 'e3' }
 */
export interface Effect {
  /** the current value of the field */
  readonly value?: string
  /** the length of a redacted value that the action set or changed */
  readonly characters?: number
  readonly checked?: boolean | 'mixed'
  /** texts of the selected options */
  readonly selected?: readonly string[]
  readonly expanded?: boolean
  readonly pressed?: boolean | 'mixed'
  /** names of the chosen files */
  readonly files?: readonly string[]
  /** the new URL, if it changed */
  readonly url?: string
  /** ref or description of the focused element; '' if none is focused */
  readonly focus?: string
  /** ref or description of the dialog that opened */
  readonly dialog?: string
  /** the browser dialog that was answered; `tab` if it is not the selected tab */
  readonly answered?: { readonly type: string; readonly message: string; readonly accepted: boolean; readonly tab?: string }
  /** the new scroll position of the document or of the scrolled element */
  readonly scroll?: { readonly x: number; readonly y: number }
  /** the element was removed from the page */
  readonly gone?: true
  /** a form was submitted: by the browser, or false if the page prevented that and handles the form itself */
  readonly submitted?: boolean
  /** the form was not sent, because this field is invalid: its ref or description, and what the browser says about it; absent if the page sent anything */
  readonly invalid?: { readonly field: string; readonly message: string }
  /** numbers of added, removed and altered nodes, and the first words of the added text */
  readonly changed?: { readonly added: number; readonly removed: number; readonly altered: number; readonly text?: string }
}

interface ResponseBase<T extends string> {
  readonly type: T
  /** `startedAt`: `performance.timeOrigin` of the document in milliseconds; it changes whenever a new document is loaded */
  readonly meta: { readonly ts: number; readonly url: string; readonly startedAt: number }
}
export interface FailureBase<T extends string> {
  readonly ok: false
  readonly type: T
  readonly error: {
    readonly code: FailureCode
    readonly message: string
    readonly hint?: string
    /** what the page says, which is no part of the message */
    readonly page?: PageWords
    /** ref of the element in the way */
    readonly by?: string | undefined
    /** the list was closed and is being opened: the same call finds its options in a moment */
    readonly opened?: true
  }
}

export type ActionSuccess = ResponseBase<'action'> & {
  readonly ok: true
  readonly action: ActionKind
  readonly ref: string
  /** false: the events are synthetic, and the page can tell */
  readonly trusted: boolean
  /** the page has not accepted the change yet, as frameworks do a moment later: page('settled') tells whether it did */
  readonly unconfirmed?: true
  readonly effect: Effect
}
export type ActionFailure = FailureBase<'action'> & { readonly action: string; readonly ref: string; readonly effect?: Effect }
/**
 * The result of an action.
 *
 * @example
 * const result: ActionResult = AgentBrowser.parseActionResult(json)
 * if (result.ok) console.log(result.effect)
 */
export type ActionResult = ActionSuccess | ActionFailure

/**
 * What can be read of an element.
 *
 * @example
 * const isKind = (word: string) => (queryKinds as readonly string[]).includes(word)
 */
export const queryKinds = [
  'text',
  'html',
  'outerHTML',
  'value',
  'attrs',
  'computed_styles',
  'isvisible',
  'isenabled',
  'ischecked',
  'box',
] as const
/**
 * A kind of query.
 *
 * @example
 * evaluate(AgentBrowser.queryJs('e3', 'value' satisfies QueryKind))
 */
export type QueryKind = (typeof queryKinds)[number]
/** The canonical spelling of a query kind (C11). A word that is not a query kind stays one that is not. */
export function spellQueryKind(given: string): string {
  const name = given.toLowerCase()
  if (/^attr(ibutes)?$/.test(name)) return 'attrs'
  if (/^outer_?html$/.test(name)) return 'outerHTML'
  return name === 'computedstyles' ? 'computed_styles' : name
}
export type QuerySuccess = ResponseBase<'query'> & {
  readonly ok: true
  readonly kind: QueryKind
  readonly ref: string
  /** text, JSON for attributes, styles and boxes, or a boolean for states */
  readonly value: string | boolean
  readonly truncated: boolean
}
export type QueryFailure = FailureBase<'query'> & { readonly kind: string; readonly ref: string }
/**
 * The result of a query.
 *
 * @example
 * const result: QueryResult = AgentBrowser.parseQueryResult(json)
 * if (result.ok) console.log(result.value)
 */
export type QueryResult = QuerySuccess | QueryFailure
/**
 * Default and maximum of `limitChars`.
 *
 * @example
 * evaluate(AgentBrowser.queryJs('e3', 'html', { limitChars: queryLimits.max }))
 */
export const queryLimits = { default: 4_000, max: 100_000 } as const

/**
 * The operations of the injected script on the page as a whole, with their payloads and results.
 *
 * @example
 * const payload: PageOperations['pressKey']['payload'] = { key: 'Enter' }
 */
export interface PageOperations {
  readonly info: { readonly payload: NoPayload; readonly data: PageInfo }
  /** what an element is and does; without a ref, the focused one */
  readonly inspect: { readonly payload: { readonly ref?: string }; readonly data: TargetFacts }
  readonly scroll: { readonly payload: ScrollOptions; readonly data: { readonly effect: Effect } }
  /** presses a key on the focused element: Enter, Tab, a, Control+a */
  readonly pressKey: { readonly payload: { readonly key: string }; readonly data: { readonly effect: Effect } }
  readonly keyDown: { readonly payload: { readonly key: string }; readonly data: { readonly effect: Effect } }
  readonly keyUp: { readonly payload: { readonly key: string }; readonly data: { readonly effect: Effect } }
  readonly navigate: { readonly payload: { readonly url: string }; readonly data: { readonly url: string } }
  readonly back: { readonly payload: NoPayload; readonly data: NoPayload }
  readonly forward: { readonly payload: NoPayload; readonly data: NoPayload }
  readonly reload: { readonly payload: NoPayload; readonly data: NoPayload }
  /** whether the page has settled after the last action, and its effect so far */
  readonly settled: { readonly payload: NoPayload; readonly data: SettleReport }
  readonly waitCheck: { readonly payload: WaitCondition; readonly data: WaitCheck }
}
/**
 * An operation of the injected script on the page.
 *
 * @example
 * evaluate(AgentBrowser.pageJs('info' satisfies PageOperation))
 */
export type PageOperation = keyof PageOperations
export type PageSuccess<K extends PageOperation = PageOperation> = ResponseBase<'page'> & {
  readonly ok: true
  readonly kind: K
  readonly data: PageOperations[K]['data']
}
export type PageFailure = FailureBase<'page'> & { readonly kind: string }
/**
 * The result of a page operation.
 *
 * @example
 * const result: PageResult<'info'> = AgentBrowser.parsePageResult(json)
 * if (result.ok) console.log(result.data.title)
 */
export type PageResult<K extends PageOperation = PageOperation> = PageSuccess<K> | PageFailure

/**
 * URL, title and scroll position of a page.
 *
 * @example
 * const { url, title }: PageInfo = (await session.open('https://example.org/')).page
 */
export interface PageInfo {
  readonly url: string
  readonly title: string
  readonly readyState: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly scroll: { readonly x: number; readonly y: number; readonly height: number }
  /** HTTP status of the document, if the driver knows it */
  readonly status?: number
}

/**
 * Whether a page has settled after the last action.
 *
 * @example
 * const report: SettleReport = { settled: false, pending: ['2 requests'], effect: {}, committed: true }
 */
export interface SettleReport {
  readonly settled: boolean
  /** reasons why the page has not settled: "2 requests", "animation", "navigation", "changes" */
  readonly pending: readonly string[]
  /** the effect of the last action so far */
  readonly effect: Effect
  /** false: the page reverted the change */
  readonly committed: boolean
}

/** The conditions of `wait` that a page can check. */
export const waitConditionNames = ['selector', 'text', 'textGone', 'url', 'load', 'networkIdle', 'domStable', 'ref'] as const
export type WaitConditionName = (typeof waitConditionNames)[number]

export const waitStates = ['visible', 'hidden', 'enabled', 'disabled', 'checked', 'unchecked', 'attached', 'detached'] as const

/**
 * One condition; `state` belongs to `ref`.
 *
 * @example
 * const condition: WaitCondition = { ref: 'e3', state: 'enabled' }
 */
export interface WaitCondition {
  readonly selector?: string
  readonly text?: string
  readonly textGone?: string
  /** part of the URL */
  readonly url?: string
  readonly load?: 'domcontentloaded' | 'load'
  /** no DOM change for half a second */
  readonly domStable?: true
  /** no request for half a second */
  readonly networkIdle?: true
  readonly ref?: string
  readonly state?: (typeof waitStates)[number]
  /** @internal with `text` and `textGone`: a regular expression of what counts as redacted */
  readonly hide?: string
  /** @internal with `text` and `textGone`: characters that are read as others, each followed by the other one */
  readonly variants?: string
}
/**
 * Whether a condition is met.
 *
 * @example
 * const { met, saw }: WaitCheck = { met: false, saw: 'disabled' }
 */
export interface WaitCheck {
  readonly met: boolean
  /** the actual state, for the message of a timeout */
  readonly saw: string
}
