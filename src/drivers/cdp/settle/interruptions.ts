import { say } from '../../../contract/message.ts'
import { PagehandError } from '../errors.ts'
import type { InputContext } from '../input/input-context.ts'
import type { Dialog } from '../page/dialogs.ts'

/** The events that end an action or a wait early: a dialog that opens, an abort by the caller, or the end of the tab. */
export function watchInterruptions(input: InputContext, signal: AbortSignal) {
  const undo: (() => void)[] = []
  const dialog = new Promise<Dialog>(resolve => {
    undo.push(input.onDialog(resolve))
  })
  const aborted = new Promise<never>((_, reject) => {
    const abort = () =>
      reject(signal.reason instanceof PagehandError ? signal.reason : new PagehandError('aborted', say`The action was stopped.`))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    undo.push(() => signal.removeEventListener('abort', abort))
  })
  const closed = new Promise<never>((_, reject) => {
    undo.push(input.target.onDisconnect(reason => reason.code === 'target_closed' && reject(reason)))
  })
  closed.catch(() => {}) // an action reports it by itself
  return {
    dialog,
    aborted,
    closed,
    end: () => {
      for (const step of undo) step()
    },
  }
}
