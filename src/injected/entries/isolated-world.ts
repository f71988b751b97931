import { isEngineError, unexpectedError } from '../runtime/errors.ts'
import * as native from '../runtime/natives.ts'
import type { Session } from '../runtime/session.ts'
import { createChangeWatch } from '../trusted/change-watch.ts'
import { createClickListeners } from '../trusted/click-listeners.ts'
import { ClipboardGuard, type CopiedText } from '../trusted/clipboard.ts'
import { interceptors } from '../trusted/hit-target.ts'
import { KeyGuard } from '../trusted/key-guard.ts'
import { type EngineMethod, methods } from '../trusted/methods.ts'
import { coverMethods, SecretCovers } from '../trusted/secret-covers.ts'
import { createTextPixels } from '../trusted/text-pixels.ts'
import { liveDom } from '../view/dom.ts'
import { pageInfo } from '../view/page-info.ts'
import { resolve } from '../view/scene.ts'
import { install } from './install.ts'

// The script of the isolated world that a CDP driver creates in each document. It takes snapshots, finds the point to press and observes the
// effects; the driver dispatches the input itself, so that it is trusted.

/** a person, or the driver, is entering the value that is read */
let isTyped = false

/** the binding of the driver: only isolated worlds of its name have it */
const reportSecret = (value: string, field: number) =>
  (globalThis as { pagehandSecret?: (text: string) => void }).pagehandSecret?.(
    native.stringify({ value, field, origin: location.origin, isTyped }),
  )

const reportCopied = (copied: CopiedText) =>
  (globalThis as { pagehandClipboard?: (text: string) => void }).pagehandClipboard?.(native.stringify(copied))

const clickListeners = createClickListeners()
const changes = createChangeWatch()
const textPixels = createTextPixels(() => session)

const session: Session = install({
  isIsolated: true,
  reportSecret,
  internals: session => ({
    element: (ref: string) => resolve(session, ref),
    /** records a closed shadow root, which only the protocol gives access to */
    adopt: native.adopt,
    interceptors,
    clickListeners,
    changes,
    /** the driver begins and ends its input */
    guardClipboard: (isActing: boolean) => (isActing ? session.clipboard?.begin() : session.clipboard?.end()),
    keyGuard: () => session.keyGuard,
    isGuarded: () => session.clipboard?.isActing === true,
    textPixels,
    info: () => native.stringify(pageInfo()),
    /** calls an engine method; resolves with its result, or its failure, as JSON */
    invoke: async (name: EngineMethod, payload: never) => {
      try {
        return native.stringify({ ok: true, data: await callMethod(name, payload) })
      } catch (error) {
        const failure = isEngineError(error) ? error : unexpectedError('outcome_unknown', error)
        return native.stringify({ ok: false, error: failure })
      }
    },
  }),
})

/** those that paint over secrets see their covers, all others the page without them */
const callMethod = (name: EngineMethod, payload: never): unknown => {
  const call = () => methods[name](session, payload)
  return session.covers && !(name in coverMethods) ? session.covers.lifted(call) : call()
}

session.clickListeners = clickListeners
session.textPixels = textPixels
session.onSnapshot = changes.start
const { secretFields } = session
session.covers = new SecretCovers(session)
session.clipboard = new ClipboardGuard({ secretFields, isFirst: session.verified, report: reportCopied })
session.keyGuard = new KeyGuard(session)

// reading a secret field reports its value, before a script of the page can put it anywhere else
addEventListener(
  'input',
  event => {
    const [field] = event.composedPath() as Node[]
    // a script of the page cannot make a trusted event
    isTyped = event.isTrusted
    if (field && native.nodeType(field) === 1) liveDom(secretFields).value(field)
    isTyped = false
  },
  true,
)
