import type { FailureCode } from './failures.ts'

/** What a page script can do to an element, each with the payload it takes. */
export interface ActionPayloads {
  readonly click: PressOptions
  readonly dblclick: PressOptions
  readonly longpress: { readonly ms?: number }
  readonly hover: NoPayload
  readonly focus: NoPayload
  readonly blur: NoPayload
  /** replaces what the field holds; '' clears it. `commit` also fires `change` at once (C22) */
  readonly fill: { readonly value: string; readonly commit?: boolean }
  /** types at the caret, one code point after the other */
  readonly type: { readonly text: string }
  readonly clear: NoPayload
  /** options by value or by text */
  readonly select: { readonly values: readonly string[] }
  readonly check: NoPayload
  readonly uncheck: NoPayload
  readonly press: { readonly key: string }
  readonly scroll_into_view: NoPayload
  readonly scroll: ScrollOptions
  /** onto another element, or by so many CSS pixels */
  readonly drag: { readonly to: string } | { readonly dx: number; readonly dy: number }
  readonly upload: { readonly files: readonly UploadFile[] }
}
export type ActionKind = keyof ActionPayloads
type NoPayload = { readonly [none: string]: never }

export interface PressOptions {
  readonly button?: 'left' | 'middle' | 'right'
  readonly modifiers?: readonly Modifier[]
}
export type Modifier = 'Alt' | 'Control' | 'Meta' | 'Shift'
export interface ScrollOptions {
  readonly direction: 'up' | 'down' | 'left' | 'right'
  /** CSS pixels; 300 unless given */
  readonly amount?: number
}
export interface UploadFile {
  readonly name: string
  readonly type?: string
  /** the bytes, in base64 */
  readonly base64: string
}

/** what stands in place of a secret, wherever it would be told */
export const redacted = '[redacted]'

/** What was seen to happen; a field that is absent did not change, or does not apply. Page text in it is cut, secrets are redacted. */
export interface Effect {
  /** what the field holds now */
  readonly value?: string
  readonly checked?: boolean | 'mixed'
  /** texts of the options that are chosen now */
  readonly selected?: readonly string[]
  readonly expanded?: boolean
  readonly pressed?: boolean | 'mixed'
  /** names of the files that the field holds now */
  readonly files?: readonly string[]
  /** where the page is now, if it moved */
  readonly url?: string
  /** ref of what has the focus now, or what it is; '' when nothing has it */
  readonly focus?: string
  /** the dialog that opened: its ref, or what it is */
  readonly dialog?: string
  /** the dialog of the browser that was answered; `tab` where it is not the one in front */
  readonly answered?: { readonly type: string; readonly message: string; readonly accepted: boolean; readonly tab?: string }
  /** where the document, or what was scrolled, stands now */
  readonly scroll?: { readonly x: number; readonly y: number }
  /** the element is not in the page any more */
  readonly gone?: true
  /** a form was sent, or is about to be */
  readonly submitted?: true
  /** nodes that came, went and changed, and the first words that came */
  readonly changed?: { readonly added: number; readonly removed: number; readonly altered: number; readonly text?: string }
}

interface ResponseBase<T extends string> {
  readonly type: T
  /** `began`: when this document did, in milliseconds since 1970; another number is another document */
  readonly meta: { readonly ts: number; readonly url: string; readonly startedAt: number }
}
export interface FailureBase<T extends string> {
  readonly ok: false
  readonly type: T
  readonly error: {
    readonly code: FailureCode
    readonly message: string
    readonly hint?: string
    /** ref of what is in the way */
    readonly by?: string
    /** the list was closed and has been opened: the same call finds its options in a moment */
    readonly opened?: true
  }
}

export type ActionSuccess = ResponseBase<'action'> & {
  readonly ok: true
  readonly action: ActionKind
  readonly ref: string
  /** false: the events were made by a script, and the page can tell */
  readonly trusted: boolean
  /** the page has not taken it over yet, as frameworks do a moment later: page('settled') tells whether it did */
  readonly unconfirmed?: true
  readonly effect: Effect
}
export type ActionFailure = FailureBase<'action'> & { readonly action: string; readonly ref: string; readonly effect?: Effect }
export type ActionResult = ActionSuccess | ActionFailure

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
export type QueryKind = (typeof queryKinds)[number]
export type QuerySuccess = ResponseBase<'query'> & {
  readonly ok: true
  readonly kind: QueryKind
  readonly ref: string
  /** text; attributes, styles and boxes as JSON; states as true or false */
  readonly value: string | boolean
  readonly truncated: boolean
}
export type QueryFailure = FailureBase<'query'> & { readonly kind: string; readonly ref: string }
export type QueryResult = QuerySuccess | QueryFailure
/** of a query: characters unless asked otherwise, and at most */
export const queryLimits = { default: 4_000, max: 100_000 } as const

/** What a page script can do to the page as a whole, each with its payload and its answer. */
export interface PageOperations {
  readonly info: { readonly payload: NoPayload; readonly data: PageInfo }
  readonly scroll: { readonly payload: ScrollOptions; readonly data: { readonly effect: Effect } }
  /** the focused element gets the key: Enter, Tab, a, Control+a */
  readonly pressKey: { readonly payload: { readonly key: string }; readonly data: { readonly effect: Effect } }
  readonly keyDown: { readonly payload: { readonly key: string }; readonly data: { readonly effect: Effect } }
  readonly keyUp: { readonly payload: { readonly key: string }; readonly data: { readonly effect: Effect } }
  readonly navigate: { readonly payload: { readonly url: string }; readonly data: { readonly url: string } }
  readonly back: { readonly payload: NoPayload; readonly data: NoPayload }
  readonly forward: { readonly payload: NoPayload; readonly data: NoPayload }
  readonly reload: { readonly payload: NoPayload; readonly data: NoPayload }
  /** whether the last action has come to rest, and what it led to until now */
  readonly settled: { readonly payload: NoPayload; readonly data: SettleReport }
  readonly waitCheck: { readonly payload: WaitCondition; readonly data: WaitCheck }
}
export type PageOperation = keyof PageOperations
export type PageSuccess<K extends PageOperation = PageOperation> = ResponseBase<'page'> & {
  readonly ok: true
  readonly kind: K
  readonly data: PageOperations[K]['data']
}
export type PageFailure = FailureBase<'page'> & { readonly kind: string }
export type PageResult<K extends PageOperation = PageOperation> = PageSuccess<K> | PageFailure

/** Where one is. */
export interface PageInfo {
  readonly url: string
  readonly title: string
  readonly readyState: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly scroll: { readonly x: number; readonly y: number; readonly height: number }
  /** HTTP status of the document, where the host can see it */
  readonly status?: number
}

export interface SettleReport {
  readonly settled: boolean
  /** what is still going on: "2 requests", "animation", "navigation", "changes" */
  readonly pending: readonly string[]
  /** what the last action has led to since it began */
  readonly effect: Effect
  /** false: what it set was changed back by the page */
  readonly committed: boolean
}

/** One thing to wait for. */
export interface WaitCondition {
  readonly selector?: string
  readonly text?: string
  readonly textGone?: string
  /** part of the address */
  readonly url?: string
  readonly load?: 'domcontentloaded' | 'load'
  /** no change of the document and no request for half a second */
  readonly domStable?: true
  readonly networkIdle?: true
  readonly ref?: string
  readonly state?: 'visible' | 'hidden' | 'enabled' | 'disabled' | 'checked' | 'unchecked' | 'attached' | 'detached'
}
export interface WaitCheck {
  readonly met: boolean
  /** what was there instead, for the message of a timeout */
  readonly saw: string
}
