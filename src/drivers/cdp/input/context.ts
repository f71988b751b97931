import type { CommandArguments, DriverVerb } from '../../../contract/commands.ts'
import type { PageInfo, WaitCheck } from '../../../contract/page-api.ts'
import type { ActionData } from '../../../contract/results.ts'
import type { CdpSession } from '../connection/cdp-session.ts'
import type { Dialog } from '../page/dialogs.ts'
import type { Frame } from '../page/frames.ts'
import type { Network } from '../page/network.ts'

/** The verbs that the hands carry out; the session does the others itself. */
export const inputVerbs = [
  'click',
  'dblclick',
  'longpress',
  'hover',
  'focus',
  'blur',
  'fill',
  'type',
  'select',
  'check',
  'uncheck',
  'press',
  'scrollIntoView',
  'scroll',
  'drag',
  'upload',
  'wait',
] as const satisfies readonly DriverVerb[]
export type InputVerb = (typeof inputVerbs)[number]

/** A command whose arguments are whole: defaults are filled in, refs are spelled as the snapshot spells them. */
export type InputCommand = { readonly [V in InputVerb]: { readonly name: V } & CommandArguments<V> }[InputVerb]

/** What the hands answer; the session adds where the page is and what happened meanwhile. */
export type ActionOutcome = Omit<ActionData, 'page' | 'notes'> | (WaitCheck & { readonly waitedMs: number })

/**
 * Where a ref leads. `frame` is the document whose engine gave it; frames of the same origin are part of their parent's engine,
 * so `ref` may be `f1e3` there, and boxes that the engine tells are in the viewport of `frame`: add `frame.offset()`.
 */
export interface ResolvedRef {
  readonly frame: Frame
  /** as `__agentBrowser` of that frame knows it */
  readonly ref: string
  /** objectId of the element in that world, for Runtime.callFunctionOn and the DOM domain; throws `ref_not_found` */
  element(): Promise<string>
}

/**
 * What the hands get for one command: the tab in front and nothing else of the session. Page, Runtime, Network, Inspector and lifecycle
 * events are on; DOM is not, and need not be for calls that take an objectId.
 */
export interface InputContext {
  /** the page's own session: mouse and keyboard go here, in CSS pixels of the top viewport */
  readonly target: CdpSession & { readonly targetId: string }
  /** the top document */
  top(): Promise<Frame>
  /** every frame with an engine of its own, the top one first */
  frames(): Promise<readonly Frame[]>
  /** throws `invalid_ref` or `ref_not_found` as Failed; the session turns what is thrown into a failure */
  resolveRef(ref: string): Promise<ResolvedRef>
  /** the dialog that waits for an answer; while there is one, no script of the page runs and no evaluate answers */
  dialog(): Dialog | undefined
  /** hears each dialog that opens: whoever waits for the page stops waiting then */
  onDialog(listener: (dialog: Dialog) => void): () => void
  readonly network: Network
  /** where the page is; answers also while it is stuck */
  pageInfo(): Promise<PageInfo>
  /** the real path of a file that may be uploaded; throws `disabled` when it lies outside of the folders that were allowed */
  resolveUpload(path: string): Promise<string>
  /** something that the caller should know beside the effect */
  note(text: string): void
  /** performance.now() at which this command is given up; `signal` is aborted then, and when the caller stops it */
  readonly deadline: number
  /** how long to wait for the page to come to rest after an action, and for requests that it began */
  readonly settle: { readonly capMs: number; readonly networkMs: number }
}
