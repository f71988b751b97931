import { createRefs, createWeakHandle, type DocumentRefs } from '../../engine/refs.ts'
import type { ChoiceBefore } from '../actions/shown-choice.ts'
import type { PendingRequests } from '../synthetic/pending-requests.ts'
import type { ClipboardGuard } from '../trusted/clipboard.ts'
import type { KeyGuard } from '../trusted/key-guard.ts'
import type { SecretCovers } from '../trusted/secret-covers.ts'
import type { TrustedState } from '../trusted/state.ts'
import type { ClickListeners, TextPixels } from '../view/layout.ts'
import type { SecretFields } from '../view/secret-fields.ts'
import type { Watch } from '../watch/watch.ts'
import * as native from './natives.ts'

declare const __VERSION__: string
export const version = __VERSION__

/** The state of the engine in one document; it lives as long as the document. */
export interface Session {
  readonly refs: DocumentRefs<Node>
  readonly secretFields: SecretFields
  /** documents of frames, with the prefix of their refs and their frame element */
  readonly frames: WeakMap<Document, { readonly prefix: string; readonly element: Element }>
  frameCount: number
  /** the options of the last snapshot: only a snapshot with the same options can tell which elements are new */
  snapshotKind: string
  /** the controls that a press on an element was judged by, with what each was then, until it is pressed */
  readonly judged: WeakMap<Node, ReadonlyMap<Node, string>>
  /** the texts that a choice was judged by: those of its list, and those that an option of it may have when it is pressed */
  readonly judgedTexts: { readonly ofList: WeakMap<Node, readonly string[]>; readonly ofOption: WeakMap<Node, readonly string[]> }
  /** the element that had the focus when the next key was judged */
  judgedFocus?: Node | undefined
  /** the effects of the last action, until the next one starts */
  watch?: Watch
  /** what the next action may send; absent if nothing was judged */
  judgedForm?: JudgedForm | undefined
  /** why a form was not sent that the action would have sent: it would have gone elsewhere, or nobody was asked about it */
  refusedForm?: 'elsewhere' | 'unasked' | undefined
  /** the elements whose action would have sent a form that nobody was asked about */
  readonly sendsForm: WeakSet<Node>
  /** receives what a snapshot covers and shows; absent if snapshots are not compared with the page afterwards */
  onSnapshot?: (roots: ReadonlySet<Node>, nodes: readonly Node[]) => void
  /** the click handlers of the page; absent if they are not known */
  clickListeners?: ClickListeners
  /** absent outside of isolated worlds, like `clipboard` and `keyGuard` */
  covers?: SecretCovers
  clipboard?: ClipboardGuard
  keyGuard?: KeyGuard
  /** decides whether texts can be read where styles do not tell; absent without a driver that takes screenshots */
  textPixels?: TextPixels
  /** counts the requests of the page; absent in an isolated world, where the driver sees them */
  readonly watchRequests?: () => PendingRequests
  /** the script ran before any script of the page could */
  readonly verified: boolean
  readonly actions: ActionState
  readonly trustedState: TrustedState
}

/** What an action may send. */
export interface JudgedForm {
  /** the element that was judged */
  readonly node: Node
  /** whether the action was judged to send something; if not, the page may send no form but a GET form to its own origin */
  sends: boolean
  /** the form that it sends by itself, with the origin and the method by which it was judged */
  readonly form?: Node
  readonly key?: string
}

/** What actions made of synthetic events must remember. */
interface ActionState {
  /** the element under the synthetic pointer */
  pointerTarget?: { deref(): Node | undefined }
  /** the elements that carry the hover mark */
  hoverMarked: readonly Node[]
  /** the list that was clicked to open it: not every page sets `aria-expanded` then */
  openingList?: Node | null
  /** what was there before `select` changed anything */
  choiceBefore?: ChoiceBefore
  /** the element that a pressed Space clicks on keyup */
  spaceTarget?: Node | null
  /** text typed into a number field that is not a number yet: the browser reports an empty value for it */
  readonly partialText: WeakMap<Node, string>
  /** the field without a readable caret whose text is selected: all of it or nothing */
  selectedField?: Node | null
}

export const createSession = (secretFields: SecretFields, watchRequests: Session['watchRequests']): Session => ({
  refs: createRefs<Node>(createWeakHandle),
  secretFields,
  frames: new WeakMap(),
  frameCount: 0,
  snapshotKind: '',
  judged: new WeakMap(),
  sendsForm: new WeakSet(),
  judgedTexts: { ofList: new WeakMap(), ofOption: new WeakMap() },
  verified: startedFirst(),
  actions: { hoverMarked: [], partialText: new WeakMap() },
  trustedState: {},
  ...(watchRequests && { watchRequests }),
})

/** whether this runs before any script of the page could: nothing is parsed yet */
function startedFirst(): boolean {
  const root = native.documentElement(document)
  return native.readyState(document) === 'loading' && (!root || !native.firstChild(root))
}
