import type { FailureCode } from '../../../contract/failures.ts'
import { cut, quote } from '../cut.ts'
import { PagehandError } from '../errors.ts'
import type { Page } from '../page/page.ts'
import { waitForLoad } from './load.ts'

export interface NavigationContext {
  readonly view: Page
  /** how long the whole step may take, and how long a document that has begun */
  readonly timeoutMs: number
  readonly loadMs: number
  note(text: string): void
}

/** how far the document has come */
export type Arrival = 'loaded' | 'loading'

export const navigateTo = (going: NavigationContext, url: string): Promise<Arrival> =>
  leave(going, { what: quote(url), isHistory: false, start: () => navigate(going.view, url) })

export const reload = (going: NavigationContext): Promise<Arrival> =>
  leave(going, { what: 'the page', isHistory: false, start: async () => void (await going.view.target.send('Page.reload')) })

/** -1 is back, 1 is forward. */
export async function goInHistory(going: NavigationContext, by: -1 | 1): Promise<Arrival> {
  const { entries, currentIndex } = await going.view.target.send('Page.getNavigationHistory')
  const entry = entries[currentIndex + by]
  if (!entry) throw new PagehandError('no_history', `There is no page to go ${by < 0 ? 'back' : 'forward'} to.`)
  await going.view.check(entry.url)
  const start = async () => void (await going.view.target.send('Page.navigateToHistoryEntry', { entryId: entry.id }))
  return leave(going, { what: quote(entry.url), isHistory: true, start })
}

interface Leaving {
  readonly what: string
  readonly isHistory: boolean
  start(): Promise<'same document' | undefined>
}

async function leave({ view, timeoutMs, loadMs, note }: NavigationContext, { what, isHistory, start }: Leaving): Promise<Arrival> {
  // a tab that is being led away from where it must not be would be led away from here too; one that does not go is freed below
  await view.guard.settled().catch(() => {})
  await freeTheWay(view, note)
  view.guard.takeRefusal()
  const { targetId: frameId, on, onLost } = view.target
  const state = await view.leaving(() =>
    waitForLoad(
      { frameId, on, onLost },
      {
        what,
        timeoutMs,
        loadMs,
        isHistory,
        commitMs,
        interrupt: stop => view.dialogs.onOpen(stop),
        start: async () => (await start()) ?? 'loads',
      },
    ),
  )
  const refusal = view.guard.takeRefusal()
  if (refusal) throw refusal
  if (view.isErrorPage()) throw new PagehandError('navigation_failed', `${quote(view.url())} did not load: ${whyNot(view)}.`)
  const dialog = view.dialogs.pending()
  if (dialog) note(`The page shows a dialog (${dialog.type}) and waits for the answer: ${quote(dialog.message)}.`)
  else if (view.broken()) note(`The connection broke while the page came (${view.broken()}); what is there may be only a part.`)
  else if (state === 'loading') note(`The page has begun but not finished loading after ${loadMs} ms; what is there can be used.`)
  return state
}

async function navigate({ target: tab }: Page, url: string): Promise<'same document' | undefined> {
  const { loaderId, errorText, isDownload } = await tab.send('Page.navigate', { url })
  if (isDownload) throw new PagehandError('navigation_failed', `${quote(url)} is a download, not a page.`)
  if (errorText) throw new PagehandError('navigation_failed', `${quote(url)} did not load: ${cut(errorText, 100)}.`)
  return loaderId === undefined ? 'same document' : undefined
}

const whyNot = ({ network }: Page) =>
  network
    .lines()
    .filter(line => line.type === 'Document' && line.failed)
    .at(-1)?.failed ?? 'the browser shows an error page'

/** for the step from one document to the next, once the server has answered */
const commitMs = 5_000
/** a page that does not answer for this long is in the way */
const stuckMs = 1_000

/** so many dialogs, one after the other, are dismissed before the page is taken for stuck */
const mostDialogs = 10

/**
 * What would keep the page where it is: a dialog of its own, or of a tab that shares its thread; an endless loop, since the next document
 * may need the same thread, and nothing can be sent any more once it comes.
 */
async function freeTheWay(view: Page, note: NavigationContext['note']): Promise<void> {
  let inTheWay = await obstacle(view)
  for (let dialogs = 0; inTheWay === 'dialog_open' && dialogs < mostDialogs; dialogs++) {
    await dismiss(view, note)
    inTheWay = await obstacle(view)
  }
  // deaf as behind a dialog that opened between two documents, which nobody can answer
  if (inTheWay === 'page_unresponsive' && !(await view.stopScripts()))
    throw new PagehandError('page_unresponsive', 'The page does not let itself be left.')
  await view.allowScripts()
}

async function obstacle(view: Page): Promise<FailureCode | undefined> {
  const world = view.worlds.of(view.target.targetId)
  if (view.dialogs.pending()) return 'dialog_open'
  return (
    world &&
    view.evaluate(world, '1', stuckMs).then(
      () => undefined,
      (why: Error) => (why instanceof PagehandError ? why.code : undefined),
    )
  )
}

async function dismiss(view: Page, note: NavigationContext['note']): Promise<void> {
  const own = view.dialogs.pending()
  const other = own ? undefined : view.blocker()
  const dialog = own ?? other?.dialogs.pending()
  if (!dialog) return // it closed by itself
  const which = other ? ` of tab ${other.id}` : ''
  const why = other ? 'it kept the page from being left' : 'the page is left'
  note(`The dialog (${dialog.type})${which} was dismissed because ${why}: ${quote(dialog.message)}.`)
  const isLeft = !other && dialog.type === 'beforeunload'
  await (other ?? view).dialogs.answer(isLeft).catch(() => {}) // it may close by itself meanwhile
}
