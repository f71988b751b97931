import type { CdpSession } from '../connection/cdp-session.ts'
import { cut } from '../cut.ts'
import { PagehandError } from '../errors.ts'

/** An open alert, confirm, prompt or beforeunload dialog. */
export interface Dialog {
  readonly type: 'alert' | 'confirm' | 'prompt' | 'beforeunload'
  readonly message: string
  readonly url: string
  /** the tab of the dialog, if it is not the selected one */
  readonly tab?: string
}

export interface Dialogs {
  watch(wire: CdpSession): void
  pending(): Dialog | undefined
  /** hears each dialog that opens and waits */
  onOpen(listener: (dialog: Dialog) => void): () => void
  /** throws `invalid_input` when there is none */
  answer(accept: boolean, text?: string): Promise<Dialog>
}

interface Dialogue {
  /** whether the page may be left without asking: the caller wants to leave it */
  isLeaving(): boolean
  /** its scripts are being switched off; one that still gets through is not worth a question */
  isStopped(): boolean
  /** the page opens one dialog after the other, and nothing else gets its turn any more */
  onLoop(): void
  note(text: string): void
}

const loop = { dialogs: 5, withinMs: 1_000 }

/** alert, confirm, prompt and beforeunload of a tab: they wait for an answer, and stop every script of the page until they get it (B2). */
export function createDialogs({ isLeaving, isStopped, onLoop, note }: Dialogue): Dialogs {
  let open: { readonly dialog: Dialog; readonly wire: CdpSession; readonly since: number } | undefined
  const listeners = new Set<(dialog: Dialog) => void>()
  // the time that the page itself had: while a dialog waits, the page does not run, however slowly it is answered
  let blockedMs = 0
  const openings: number[] = []

  const settle = () => {
    if (open) blockedMs += performance.now() - open.since
    open = undefined
  }
  const isLoop = () => {
    const now = performance.now() - blockedMs
    openings.push(now)
    if (openings.length > loop.dialogs) openings.shift()
    return openings.length === loop.dialogs && now - (openings[0] ?? 0) < loop.withinMs
  }
  const handle = async (wire: CdpSession, accept: boolean, text?: string) => {
    settle()
    await wire.send('Page.handleJavaScriptDialog', { accept, ...(text !== undefined && { promptText: text }) })
  }
  const forgive = () => {
    /* the dialog, or its page, is gone already */
  }

  return {
    watch(wire) {
      wire.on('Page.javascriptDialogOpening', ({ type, message, url }) => {
        const dialog = { type: type as Dialog['type'], message: cut(message, 500), url: cut(url, 500) }
        open = { dialog, wire, since: performance.now() }
        if (type === 'beforeunload' && isLeaving()) {
          note('The page asked whether to leave it; it was left.')
          handle(wire, true).catch(forgive)
          return
        }
        if (isStopped() || isLoop()) {
          openings.length = 0
          if (!isStopped()) onLoop()
          handle(wire, false).catch(forgive)
          return
        }
        for (const listener of [...listeners]) listener(dialog)
      })
      wire.on('Page.javascriptDialogClosed', settle)
      wire.on('Inspector.targetCrashed', settle)
    },
    pending: () => open?.dialog,
    onOpen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async answer(accept, text) {
      if (!open) throw new PagehandError('invalid_input', 'There is no dialog to answer.')
      const { dialog, wire } = open
      await handle(wire, accept, text)
      return dialog
    },
  }
}
