import { type Cover, describeCover, scrollIntoView } from '../actions/target.ts'
import * as native from '../runtime/native-actions.ts'
import type { Session } from '../runtime/session.ts'
import { liveDom } from '../view/dom.ts'
import { findTarget } from '../view/target.ts'
import { type AimOptions, aim, firstPress, hitResult, intercept } from './hit-target.ts'
import type { DragState, RefPayload } from './state.ts'
import { documentContext } from './watch.ts'
import { wheelMethods } from './wheel.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

export const pointerMethods = {
  aim: (session: Session, options: AimOptions) => aim(session, options),
  /** treats every press in this document as a miss; `name` is the ref of the element in a frame of another process */
  interceptAll: (session: Session, { name }: { readonly name: string }) => intercept({ ...documentContext(session), expected: name }),
  /** resolves with the first press, so that the result is known even if the page is left at once */
  firstPress: (session: Session) => firstPress(session),
  hitResult: (session: Session) => hitResult(session),
  /** the element that covers a point of this viewport, unless it is a frame */
  coverAt: (session: Session, { x, y }: Point): Cover | null => {
    const hit = native.elementAt(document, x, y)
    const { dom } = documentContext(session)
    return !hit || /^(iframe|frame|object|embed)$/.test(dom.tag(hit)) ? null : describeCover({ session, dom }, hit)
  },

  scrollIntoView: (session: Session, { ref }: RefPayload) => scrollIntoView(findTarget(session, ref)),
  ...wheelMethods,

  /** observes whether the page starts an HTML drag, which the browser continues with other events */
  watchDrag: ({ trustedState, secretFields }: Session) => {
    trustedState.dragWatch?.end()
    const state = { started: false, dropped: false, isSecret: false }
    const dom = liveDom(secretFields)
    const onPickUp = (event: Event) => {
      const [from] = event.composedPath() as Node[]
      state.isSecret = from !== undefined && dom.tag(from) !== '' && dom.secret(from)
    }
    const onDrop = (event: Event) => {
      if (event.isTrusted) state.dropped = true
    }
    // not capturing, since the page may prevent the default action
    const onStart = (event: Event) => {
      if (event.isTrusted && !event.defaultPrevented) state.started = true
    }
    native.listen(window, 'dragstart', onPickUp, { capture: true })
    native.listen(window, 'drop', onDrop, { capture: true })
    native.listen(window, 'dragstart', onStart, {})
    const end = () => {
      native.unlisten(window, 'dragstart', onPickUp, { capture: true })
      native.unlisten(window, 'drop', onDrop, { capture: true })
      native.unlisten(window, 'dragstart', onStart, {})
    }
    trustedState.dragWatch = { state, end }
  },
  dragState: ({ trustedState }: Session): DragState => trustedState.dragWatch?.state ?? { started: false, dropped: false, isSecret: false },
}
