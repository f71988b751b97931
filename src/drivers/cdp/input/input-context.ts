import type { ClipboardCommand } from '../../../contract/clipboard-keys.ts'
import type { CommandArguments, DriverVerb } from '../../../contract/commands.ts'
import type { PageInfo, WaitCheck } from '../../../contract/page-api.ts'
import type { ActionData } from '../../../contract/results.ts'
import type { ExpandedText } from '../../../secrets/named-secrets.ts'
import type { CdpSession } from '../connection/cdp-session.ts'
import type { DrawingTab } from '../page/capture.ts'
import type { Dialog } from '../page/dialogs.ts'
import type { Frame } from '../page/frames.ts'
import type { Network } from '../page/network.ts'
import type { PageTarget } from '../page/target.ts'
import type { KeyGuard } from './key-guard.ts'
import type { InputGuard } from './session-clipboard.ts'

/** The verbs that dispatch input, and `wait`; the session performs the others itself. */
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

/** A parsed command: defaults are filled in and refs are normalized. */
export type InputCommand = { readonly [V in InputVerb]: { readonly name: V } & CommandArguments<V> }[InputVerb]

/** The data of a result; the session adds `page` and `notes`. */
export type ActionOutcome = Omit<ActionData, 'page' | 'notes'> | (WaitCheck & { readonly waitedMs: number })

/**
 * A ref with the frame whose engine created it. Frames of the same origin belong to the engine of their parent, so `ref` may be `f1e3`
 * there. Boxes of the engine are in the viewport of `frame`: map them with `frame.matrix()`.
 */
export interface ResolvedRef {
  readonly frame: Frame
  /** the ref as the engine of that frame spells it */
  readonly ref: string
  /** objectId of the element in the isolated world, for Runtime.callFunctionOn and the DOM domain; throws `ref_not_found` */
  element(): Promise<string>
}

/**
 * The part of a session that one input command uses: the selected page. The Page, Runtime, Network and Inspector domains are enabled; DOM is
 * not, since its methods with an objectId do not need that.
 */
export interface InputContext {
  /** the session of the page: input is dispatched here, in CSS pixels of the top viewport */
  readonly target: CdpSession & Pick<PageTarget, 'targetId' | 'onDisconnect'>
  /** the top frame */
  top(): Promise<Frame>
  /** the frames with their own engine, the top frame first */
  frames(): Promise<readonly Frame[]>
  /** throws `ref_not_found` */
  resolveRef(ref: string): Promise<ResolvedRef>
  /** calls the listener for each dialog that opens, since it blocks the page */
  onDialog(listener: (dialog: Dialog) => void): () => void
  readonly network: Network
  /** the URL of a document whose server is waited for: until it answers, no call to the page is */
  pendingNavigation(): string | undefined
  /** URL, title and scroll position; resolves even if the page does not respond */
  pageInfo(): Promise<PageInfo>
  /** the path of a copy of a file to upload; throws `disabled` if the file is not allowed */
  copyUpload(path: string): Promise<string>
  /** replaces {{secret:NAME}} in a text; throws `unknown_secret` or `secret_not_allowed` */
  expandSecrets(text: string): Promise<ExpandedText>
  /** a text without the secrets of the session */
  scrub(text: string): string
  /** the source of a regular expression that finds the secrets of the session; '' if there are none */
  secretPattern(): string
  /** Tells people who watch what the action operates; nothing waits for it. */
  announceTarget(verb: InputVerb, where: ResolvedRef): void
  /** copies, cuts or pastes in the frame that has the focus, with the clipboard of the session */
  runClipboardCommand(command: ClipboardCommand): Promise<void>
  /** keeps the page away from the clipboard of the user */
  guardClipboard(): InputGuard
  /** undefined if nothing was judged in this session */
  guardKeys(): KeyGuard | undefined
  /** makes the browser draw the tab until the action is over; undefined if it does so anyway */
  keepDrawing(): DrawingTab | undefined
  /** adds a note to the result */
  note(text: string): void
  /** the time limit of the command in terms of `performance.now()` */
  readonly deadline: number
  /** maximum time for the page to settle after an action, and for requests that the action started */
  readonly settle: { readonly capMs: number; readonly networkMs: number }
}
