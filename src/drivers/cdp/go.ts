import { Failed } from './failed.ts'
import { loaded } from './loaded.ts'
import { cut, quote } from './said.ts'
import type { View } from './view.ts'

export interface Going {
  readonly view: View
  /** how long the whole step may take, and how long a document that has begun */
  readonly timeoutMs: number
  readonly loadMs: number
  note(text: string): void
}

export const open = (going: Going, url: string): Promise<void> =>
  leave(going, { what: quote(url), isHistory: false, start: () => navigate(going.view, url) })

export const reload = (going: Going): Promise<void> =>
  leave(going, { what: 'the page', isHistory: false, start: async () => void (await going.view.tab.send('Page.reload')) })

/** -1 is back, 1 is forward. */
export async function step(going: Going, by: -1 | 1): Promise<void> {
  const { entries, currentIndex } = await going.view.tab.send('Page.getNavigationHistory')
  const entry = entries[currentIndex + by]
  if (!entry) throw new Failed('no_history', `There is no page to go ${by < 0 ? 'back' : 'forward'} to.`)
  await going.view.check(entry.url)
  const start = async () => void (await going.view.tab.send('Page.navigateToHistoryEntry', { entryId: entry.id }))
  await leave(going, { what: quote(entry.url), isHistory: true, start })
}

interface Leaving {
  readonly what: string
  readonly isHistory: boolean
  start(): Promise<'same document' | undefined>
}

async function leave({ view, timeoutMs, loadMs, note }: Going, { what, isHistory, start }: Leaving): Promise<void> {
  // a tab that is being led away from where it must not be would be led away from here too; one that does not go is freed below
  await view.verdicts.allowed().catch(() => {})
  await dismiss(view, note)
  await freeTheWay(view)
  view.verdicts.takeRefusal()
  const { targetId: frameId, on, onLost } = view.tab
  const state = await view.leaving(() =>
    loaded(
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
  const refusal = view.verdicts.takeRefusal()
  if (refusal) throw refusal
  if (view.isErrorPage()) throw new Failed('navigation_failed', `${quote(view.url())} did not load: ${whyNot(view)}.`)
  const dialog = view.dialogs.pending()
  if (dialog) note(`The page shows a dialog (${dialog.type}) and waits for the answer: ${quote(dialog.message)}.`)
  else if (view.broken()) note(`The connection broke while the page came (${view.broken()}); what is there may be only a part.`)
  else if (state === 'loading') note(`The page has begun but not finished loading after ${loadMs} ms; what is there can be used.`)
}

async function navigate({ tab }: View, url: string): Promise<'same document' | undefined> {
  const { loaderId, errorText, isDownload } = await tab.send('Page.navigate', { url })
  if (isDownload) throw new Failed('navigation_failed', `${quote(url)} is a download, not a page.`)
  if (errorText) throw new Failed('navigation_failed', `${quote(url)} did not load: ${cut(errorText, 100)}.`)
  return loaderId === undefined ? 'same document' : undefined
}

const whyNot = ({ network }: View) =>
  network
    .lines()
    .filter(line => line.type === 'Document' && line.failed)
    .at(-1)?.failed ?? 'the browser shows an error page'

/** A dialog would keep the page where it is. */
async function dismiss({ dialogs }: View, note: Going['note']): Promise<void> {
  const dialog = dialogs.pending()
  if (!dialog) return
  note(`The dialog (${dialog.type}) was dismissed because the page is left: ${quote(dialog.message)}.`)
  await dialogs.answer(dialog.type === 'beforeunload')
}

/** for the step from one document to the next, once the server has answered */
const commitMs = 5_000
/** a page that does not answer for this long is in the way */
const stuckMs = 1_000

/** A page in an endless loop cannot be left: the next document may need the same thread, and nothing can be sent any more once it comes. */
async function freeTheWay(view: View): Promise<void> {
  const world = view.worlds.of(view.tab.targetId)
  const isStuck =
    world !== undefined &&
    (await view.ask(world, '1', stuckMs).then(
      () => false,
      (why: Error) => why instanceof Failed && why.code === 'page_unresponsive',
    ))
  if (isStuck) await view.stopScripts()
  await view.allowScripts()
}
