import { PagehandError } from '../errors.ts'
import type { InputContext } from '../input/context.ts'
import type { Dialog } from '../page/dialogs.ts'

/** What ends an action or a wait early: a dialog that opens, or whoever asked for it. */
export function watchInterruptions(hands: InputContext, signal: AbortSignal) {
  const undo: (() => void)[] = []
  const dialog = new Promise<Dialog>(resolve => {
    undo.push(hands.onDialog(resolve))
  })
  const aborted = new Promise<never>((_, reject) => {
    const stop = () =>
      reject(signal.reason instanceof PagehandError ? signal.reason : new PagehandError('aborted', 'The action was stopped.'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    undo.push(() => signal.removeEventListener('abort', stop))
  })
  return {
    dialog,
    aborted,
    end: () => {
      for (const step of undo) step()
    },
  }
}
