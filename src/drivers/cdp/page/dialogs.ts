import { type Message, say, term, textOf } from '../../../contract/message.ts'
import { cut, quote } from '../../../render/text/quote.ts'
import type { CdpSession } from '../connection/cdp-session.ts'
import { createEmitter } from '../emitter.ts'
import { maxQuoteChars, PagehandError } from '../errors.ts'

/** An open alert, confirm, prompt or beforeunload dialog. */
export interface Dialog {
  readonly type: 'alert' | 'confirm' | 'prompt' | 'beforeunload'
  readonly message: string
  readonly url: string
  /** the tab of the dialog, if it is not the selected one */
  readonly tab?: string
}

export interface Dialogs {
  watch(session: CdpSession): void
  pending(): Dialog | undefined
  /** calls the listener for each dialog that opens and is not answered by itself */
  onOpen(listener: (dialog: Dialog) => void): () => void
  /** fails with `invalid_input` if no dialog is open */
  answer(accept: boolean, text?: string): Promise<Dialog>
}

interface DialogsOptions {
  /** the caller is leaving the page, so beforeunload dialogs are accepted */
  isLeaving(): boolean
  /** the scripts of the page are being disabled, so dialogs are dismissed */
  isStopped(): boolean
  /** whether the document that opens a dialog is not allowed, so that its dialogs are not reported */
  isRefused(url: string): boolean
  /** the page opens one dialog after another, so that nothing else can happen */
  onLoop(): void
  note(text: string): void
}

/** this many dialogs within this time are a loop */
const loop = { dialogs: 5, withinMs: 1_000 }

/** The alert, confirm, prompt and beforeunload dialogs of a tab. All scripts of the page are blocked until they are answered (B2). */
export function createDialogs({ isLeaving, isStopped, isRefused, onLoop, note }: DialogsOptions): Dialogs {
  let open: { readonly dialog: Dialog; readonly session: CdpSession; readonly since: number } | undefined
  const opened = createEmitter<Dialog>()
  // excluded from the time between two dialogs: the page does not run while one is open
  let blockedMs = 0
  const openings: number[] = []

  const close = () => {
    if (open) blockedMs += performance.now() - open.since
    open = undefined
  }
  const isLoop = () => {
    const now = performance.now() - blockedMs
    openings.push(now)
    if (openings.length > loop.dialogs) openings.shift()
    return openings.length === loop.dialogs && now - (openings[0] ?? 0) < loop.withinMs
  }
  const handle = async (session: CdpSession, accept: boolean, text?: string) => {
    close()
    await session.send('Page.handleJavaScriptDialog', { accept, ...(text !== undefined && { promptText: text }) })
  }
  const ignore = () => {
    /* the dialog, or its page, is gone already */
  }

  return {
    watch(session) {
      session.on('Page.javascriptDialogOpening', ({ type, message, url }) => {
        const dialog = { type: type as Dialog['type'], message: cut(message, 500), url: cut(url, 500) }
        open = { dialog, session, since: performance.now() }
        if (isRefused(url)) {
          // the document is being left
          handle(session, type === 'beforeunload').catch(ignore)
          return
        }
        if (type === 'beforeunload' && isLeaving()) {
          note('The page asked for confirmation before it was left; it was left anyway.')
          handle(session, true).catch(ignore)
          return
        }
        if (isStopped() || isLoop()) {
          openings.length = 0
          if (!isStopped()) onLoop()
          handle(session, false).catch(ignore)
          return
        }
        opened.emit(dialog)
      })
      session.on('Page.javascriptDialogClosed', close)
      session.on('Inspector.targetCrashed', close)
    },
    pending: () => open?.dialog,
    onOpen: opened.on,
    async answer(accept, text) {
      if (!open) throw new PagehandError('invalid_input', say`There is no dialog to answer.`)
      const { dialog, session } = open
      await handle(session, accept, text)
      return dialog
    },
  }
}

type OpenDialog = Pick<Dialog, 'type' | 'message' | 'tab'> & Partial<Pick<Dialog, 'url'>>

export const dialogOpenError = (dialog: OpenDialog): PagehandError =>
  new PagehandError('dialog_open', say`${describe(dialog)} and waits for the answer.`, {
    page: { dialog: dialog.message, ...(dialog.url && { url: dialog.url }) },
  })

/** The open dialog as a note of a result. */
export const dialogNote = (dialog: OpenDialog): string =>
  `${textOf(describe(dialog))} and waits for the answer: ${quote(dialog.message, maxQuoteChars)}.`

const describe = ({ type, tab }: OpenDialog): Message =>
  say`${tab ? say`Tab ${term(tab)}` : 'The page'} shows a dialog (${dialogTypes.has(type) ? type : 'unknown'})`
const dialogTypes: ReadonlySet<string> = new Set(['alert', 'confirm', 'prompt', 'beforeunload'] satisfies Dialog['type'][])
