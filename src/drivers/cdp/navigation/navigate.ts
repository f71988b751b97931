// Navigates one page: frees the way (dialogs, endless loops), starts the navigation, waits for the load.

import type { FailureCode } from '../../../contract/failures.ts'
import { say } from '../../../contract/message.ts'
import { cut, quote } from '../../../render/text/quote.ts'
import { loadError, maxQuoteChars, PagehandError } from '../errors.ts'
import type { NoteKind } from '../notes.ts'
import { dialogNote } from '../page/dialogs.ts'
import { type LoadWait, waitForLoad } from '../page/load.ts'
import type { Page } from '../page/page.ts'
import { pause, withTimeout } from '../timeout.ts'

export interface NavigationContext {
  readonly page: Page
  readonly timeoutMs: number
  /** how long a document may take to load once it has begun */
  readonly loadMs: number
  /** a navigation whose caller has stopped it must not begin */
  readonly signal: AbortSignal
  note(text: string, kind?: NoteKind): void
}

export type LoadState = 'loaded' | 'loading'

export const navigateTo = (context: NavigationContext, url: string): Promise<LoadState> =>
  navigate(context, { url, isHistory: false, startsAnswered: true, start: () => startNavigation(context.page, url) })

export const reload = (context: NavigationContext): Promise<LoadState> =>
  navigate(context, { url: context.page.url(), isHistory: false, start: async () => void (await context.page.target.send('Page.reload')) })

export interface HistoryEntry {
  readonly id: number
  readonly url: string
}

/** The entry before (-1) or after (1) the current one. */
export async function historyEntry(page: Page, by: -1 | 1): Promise<HistoryEntry> {
  const { entries, currentIndex } = await page.target.send('Page.getNavigationHistory')
  const entry = entries[currentIndex + by]
  if (!entry) throw new PagehandError('no_history', say`There is no page to go ${by < 0 ? 'back' : 'forward'} to.`)
  await page.checkUrl(entry.url)
  return entry
}

export const goInHistory = (context: NavigationContext, { id, url }: HistoryEntry): Promise<LoadState> =>
  navigate(context, {
    url,
    isHistory: true,
    start: async () => void (await context.page.target.send('Page.navigateToHistoryEntry', { entryId: id })),
  })

interface Navigation {
  /** the URL that is being loaded, for failures */
  readonly url: string
  readonly isHistory: boolean
  /** whether `start` resolves only when the server has answered */
  readonly startsAnswered?: true
  start(): Promise<'same document' | undefined>
}

/** for the step from one document to the next, once the server has answered */
const commitMs = 5_000

async function navigate(
  { page, timeoutMs, loadMs, signal, note }: NavigationContext,
  { url, isHistory, startsAnswered, start }: Navigation,
): Promise<LoadState> {
  let isStuck = false
  // a tab that is leaving a refused document would leave the new one too; one that cannot leave it is freed below
  await page.guard.settled().catch(() => {})
  await unblock(page, note)
  page.guard.takeRefusal()
  if (signal.aborted) throw new PagehandError('aborted', say`The navigation was stopped.`)
  const { targetId: frameId, on, onDisconnect } = page.target
  const state = await page.withoutUnloadPrompt(() =>
    waitForLoad(
      { frameId, on, onDisconnect },
      {
        url,
        timeoutMs,
        loadMs,
        isHistory,
        commitMs,
        isWaitingForServer: () => !startsAnswered && page.document.isWaitingForServer(),
        signal,
        interrupt: wait => watchLoad(page, wait, { note, onStuck: () => (isStuck = true) }),
        start: async () => (await start()) ?? 'loads',
      },
    ).catch((error: PagehandError) => {
      // otherwise the page is not read until the server answers
      if (error.code === 'timeout') page.target.send('Page.stopLoading').catch(() => {}) // the tab may be gone
      throw error
    }),
  )
  const refusal = page.guard.takeRefusal()
  if (refusal) throw refusal
  if (page.document.isErrorPage()) throw page.document.errorPageFailure()
  const dialog = page.dialogs.pending()
  if (dialog) note(dialogNote(dialog), 'dialog')
  else if (page.document.loadError())
    note(`The connection broke while the page was loading (${quote(page.document.loadError() ?? '', 80)}); the page may be incomplete.`)
  else if (isStuck)
    note('A script of the page has been running without a pause; the scripts of a page that does not answer are stopped when it is read.')
  else if (state === 'loading') note(`The page has not finished loading after ${loadMs} ms; the part that has loaded can be used.`)
  return state
}

/** a page that answers at once is not asked again within this time */
const askEveryMs = 1_000
/** the event that begins a document may arrive after that of its first dialog */
const beginMs = 300

/** Ends the wait for a document that shows a dialog or does not answer any more. Dialogs of the document before it are dismissed. */
function watchLoad(
  page: Page,
  wait: LoadWait,
  { note, onStuck }: Pick<NavigationContext, 'note'> & { readonly onStuck: () => void },
): () => void {
  const controller = new AbortController()
  const { signal } = controller
  let dialogs = 0
  const onDialog = async () => {
    if (!wait.hasBegun()) await pause(beginMs, signal)
    if (signal.aborted) return
    if (wait.hasBegun() || ++dialogs > maxDialogs) wait.stop()
    else await dismissDialog(page, note)
  }
  const unsubscribe = page.dialogs.onOpen(onDialog)
  const ask = async () => {
    while (!signal.aborted) {
      await pause(askEveryMs, signal)
      if (signal.aborted || !wait.hasBegun() || (await page.isAnswering())) continue
      onStuck()
      wait.stop()
    }
  }
  ask().catch(() => {}) // the tab is gone, which ends the wait
  return () => {
    unsubscribe()
    controller.abort()
  }
}

const errorPageMs = 500

async function startNavigation(page: Page, url: string): Promise<'same document' | undefined> {
  const { target } = page
  const startedAt = performance.now()
  let unsubscribe = () => {}
  const errorPage = new Promise<void>(resolve => {
    unsubscribe = target.on('Page.frameNavigated', ({ frame }) => frame.id === target.targetId && frame.unreachableUrl && resolve())
  })
  try {
    const { loaderId, errorText, isDownload } = await target.send('Page.navigate', { url })
    if (isDownload) throw new PagehandError('navigation_failed', say`The URL is a download, not a page.`, { page: { url } })
    if (!errorText) return loaderId === undefined ? 'same document' : undefined
    const failedUrl = lastDocumentSince(page, startedAt) ?? url
    await page.checkUrl(failedUrl).catch(async (refusal: Error) => {
      // the guard leaves the error page, which would also end the next navigation
      await withTimeout(commitMs, errorPage)
      await page.guard.settled().catch(() => {}) // the next navigation frees the tab
      throw refusal
    })
    const reason = page.connectionErrorOf(failedUrl) ?? cut(errorText, 100)
    page.document.setFailedNavigation(loaderId, reason)
    // the browser shows its error page a moment later, and a navigation that was aborted has none
    if (errorText !== 'net::ERR_ABORTED') await withTimeout(errorPageMs, errorPage)
    throw loadError(url, reason)
  } finally {
    unsubscribe()
  }
}

/** The URL that a navigation was redirected to. A host that is not allowed fails there like one that does not answer. */
const lastDocumentSince = ({ target: { targetId }, network }: Page, moment: number): string | undefined =>
  network
    .since(moment)
    .filter(({ type, frameId }) => type === 'Document' && frameId === targetId)
    .at(-1)?.url

/** a page that does not answer for this long blocks the navigation */
const stuckMs = 1_000
/** after this many dialogs in a row the page counts as stuck */
const maxDialogs = 10

/**
 * Removes what would block the navigation: a dialog of this page, or of a tab that shares its thread; an endless loop, since the next
 * document may need the same thread, and calls sent later are not handled.
 */
async function unblock(page: Page, note: NavigationContext['note']): Promise<void> {
  // while the server of another document is waited for, the page answers no call; requests that never end, such as long polling, keep
  // their connections until the page is left, which it cannot be without a connection
  const isOccupied = page.network.occupiesHost()
  if (isOccupied || page.document.pendingNavigation() !== undefined) await page.target.send('Page.stopLoading').catch(() => {}) // a dialog may hold the next document
  let obstacle = await findObstacle(page)
  // scripts that were stopped because of their dialogs are still ending
  for (let dialogs = 0; obstacle === 'dialog_open' && dialogs < maxDialogs && page.scripts.state() === 'running'; dialogs++) {
    await dismissDialog(page, note)
    obstacle = await findObstacle(page)
  }
  const opensDialogs = obstacle === 'dialog_open' || page.scripts.state() === 'stopped'
  // a page behind a dialog that opened between two documents does not react either, and that dialog cannot be answered; a navigation that is
  // still pending could not be stopped
  const isStuck = (opensDialogs || obstacle === 'page_unresponsive' || obstacle === 'timeout') && !(await stopScripts(page, note))
  // the page has sent its requests again
  const staysOccupied = isOccupied && obstacle === undefined && page.network.occupiesHost()
  if (isStuck || staysOccupied) throw new PagehandError('page_unresponsive', say`The page could not be unloaded.`)
  await page.scripts.resume()
}

/** Stops the scripts of a page that is left. False if it does not react. */
async function stopScripts(page: Page, note: NavigationContext['note']): Promise<boolean> {
  const stopped = page.scripts.stop()
  // one that opens from now on is dismissed by itself
  if (page.dialogs.pending()) await dismissDialog(page, note)
  return (await stopped) || page.scripts.stop()
}

async function findObstacle(page: Page): Promise<FailureCode | undefined> {
  const world = page.worlds.get(page.target.targetId)
  if (page.dialogs.pending()) return 'dialog_open'
  return (
    world &&
    page.evaluate(world, '1', stuckMs).then(
      () => undefined,
      (error: Error) => (error instanceof PagehandError ? error.code : undefined),
    )
  )
}

async function dismissDialog(page: Page, note: NavigationContext['note']): Promise<void> {
  const own = page.dialogs.pending()
  const other = own ? undefined : page.blockingPage()
  const dialog = own ?? other?.dialogs.pending()
  if (!dialog) return // it was closed meanwhile
  const owner = other ? ` of tab ${other.id}` : ''
  const reason = other ? 'it blocked the navigation' : 'the page is left'
  note(`The dialog (${dialog.type})${owner} was dismissed because ${reason}: ${quote(dialog.message, maxQuoteChars)}.`, 'dialog')
  const accept = !other && dialog.type === 'beforeunload'
  await (other ?? page).dialogs.answer(accept).catch(() => {}) // it may be closed meanwhile
}
