import { type Message, quoted, say, term } from '../../../contract/message.ts'
import { takenBackReason } from '../../../contract/relay-reasons.ts'
import type { TabInfo } from '../../../contract/results.ts'
import { quote } from '../../../render/text/quote.ts'
import { type BrowserConnection, contextOf } from '../browser/acquire.ts'
import type { CdpSession } from '../connection/cdp-session.ts'
import type { CdpConnection } from '../connection/connection.ts'
import { createEmitter } from '../emitter.ts'
import { maxQuoteChars, PagehandError } from '../errors.ts'
import type { Note, NoteKind } from '../notes.ts'
import { ArrivingTabs } from './arriving-tabs.ts'
import type { Dialog } from './dialogs.ts'
import { emulateScreen } from './emulation.ts'
import { Page, type PageOptions } from './page.ts'
import { describeTab } from './tab-info.ts'
import { attachDebuggerTarget, attachTarget, openTarget, type PageTarget } from './target.ts'

export interface PagesOptions extends Omit<PageOptions, 'id' | 'note' | 'blockingPage' | 'watchWindows'> {
  /** a function is called when the note is read: a tab that has just opened has no URL yet */
  note(text: Note, kind?: NoteKind): void
  /** receives every page before anything else happens in it */
  onPage(page: Page): void
}

/** A relay that shares more lends the whole browser, whose tabs the user did not choose. */
const maxLentTabs = 20

/** The tabs of one session: those that it opened, those that its pages opened (popups), and those that a user lends to it. */
export class Pages {
  readonly #browser: BrowserConnection
  readonly #connection: CdpConnection
  readonly #options: PagesOptions
  readonly #arriving: ArrivingTabs
  readonly #dialogs = createEmitter<{ readonly targetId: string; readonly dialog: Dialog }>()
  /** by target id */
  readonly #pages = new Map<string, Page>()
  /** the tabs that belong to the user, by target id: they are given back, never closed */
  readonly #lent = new Set<string>()
  #selectedId: string | undefined
  #lastNumber = 0
  /** for the case that no tab is open */
  #whyNoTab: Message = say`No tab is open.`
  constructor(browser: BrowserConnection, options: PagesOptions) {
    this.#browser = browser
    this.#connection = browser.connection
    this.#options = options
    this.#arriving = new ArrivingTabs({
      browser,
      pages: () => this.all(),
      nextId: () => this.#nextId(),
      selectedId: () => this.#selected()?.id,
      attach: (target, id) => this.#arrive(target, id),
      onLent: targetId => this.#lent.add(targetId),
      isLent: targetId => this.#lent.has(targetId),
      onDestroyed: targetId => this.#drop(targetId),
      note: text => options.note(text, 'tab'),
    })
  }

  async start(): Promise<void> {
    if (this.#browser.kind === 'page') return this.#adopt(await attachDebuggerTarget(this.#connection))
    await this.#arriving.start()
    const { firstTargetId } = this.#browser
    if (firstTargetId !== undefined) await this.#adopt(await attachTarget(this.#connection, firstTargetId))
    else if (!(await this.#adoptLentTabs())) await this.#create()
    this.#arriving.accept()
  }

  /** The selected page; fails with `target_closed` if no tab is open. */
  current(): Page {
    const page = this.#selected()
    if (!page) throw new PagehandError('target_closed', this.#whyNoTab)
    return page
  }

  all(): readonly Page[] {
    return [...this.#pages.values()]
  }

  /** In the order of their ids, so that a replaced tab keeps its place. */
  async list(): Promise<readonly TabInfo[]> {
    await this.ready()
    const pages = [...this.#pages.values()].sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)))
    const describe = async (page: Page) => ({
      ...(await describeTab(this.#browser, page)),
      selected: page.target.targetId === this.#selectedId,
    })
    return Promise.all(pages.map(describe))
  }

  /** Opens a tab and selects it. */
  async open(): Promise<Page> {
    this.#requireOwnTabs()
    return this.#create()
  }

  /** Opens a new tab under the id of a page that cannot be used any more. */
  async replace(page: Page): Promise<Page> {
    this.#requireOwnTabs()
    const replacement = await this.#create(page.id)
    this.#release(page).catch(() => {}) // a stuck page closes late, or never answers
    return replacement
  }

  async select(id: string): Promise<Page> {
    await this.ready()
    const page = this.#find(id)
    const { targetId } = page.target
    this.#selectedId = targetId
    // shows the tab in the browser's own window; a window of the user must not come to the front
    if (this.#isOurs()) await this.#connection.send('Target.activateTarget', { targetId })
    return page
  }

  /** Closes a tab (default: the selected one). A tab of the user is given back instead. */
  async close(id?: string): Promise<void> {
    this.#requireOwnTabs()
    await this.ready()
    const page = id === undefined ? this.current() : this.#find(id)
    if (this.#lent.has(page.target.targetId)) this.#options.note(`Tab ${page.id} was given back to the user; it is still open.`, 'tab')
    await page.withoutUnloadPrompt(() => this.#release(page))
  }

  /** A tab for the work of the session itself: it is not listed, and the caller closes it. */
  async openHiddenTarget(): Promise<PageTarget> {
    this.#requireOwnTabs()
    return this.#openTarget()
  }

  /** Allows pages to open as many tabs again as they may per command. */
  resetPopupLimit(): void {
    this.#arriving.resetPopupLimit()
  }

  /** Calls the listener for each dialog of a tab that `page` opened, or that opened `page`. */
  onRelatedDialog(page: Page, listener: (dialog: Dialog) => void): () => void {
    return this.#dialogs.on(({ targetId, dialog }) => {
      if (this.#arriving.openers.areRelated(targetId, page.target.targetId)) listener(dialog)
    })
  }

  /** Waits for popups that are being attached. In a browser that is not ours one may be blocked by a dialog that only its user can answer. */
  ready(): Promise<void> {
    return this.#arriving.ready()
  }

  async closeAll(): Promise<void> {
    if (this.#browser.kind !== 'page') {
      this.#arriving.discardAll()
      // attaching a popup fails when its tab is closed
      await Promise.all([this.ready(), ...this.all().map(page => this.#release(page))])
      // tabs that the user lent at this moment
      await Promise.all(this.all().map(page => this.#release(page)))
    }
    this.#arriving.end()
  }

  /** Closes a tab of the session, or gives a tab of the user back. */
  async #release({ target }: Page): Promise<void> {
    const isLent = this.#lent.delete(target.targetId)
    this.#drop(target.targetId)
    await (isLent ? target.detach() : target.close())
  }

  async #attach(target: PageTarget, id: string): Promise<Page> {
    const { targetId } = target
    let isClosed = false
    target.onDisconnect(reason => {
      if (reason.code !== 'target_closed') return
      isClosed = true
      this.#onGone(targetId, id, reason)
    })
    const { onPage, ...pageOptions } = this.#options
    // not awaited yet: a paused target answers only after the page has started
    const prepared = Promise.all([
      emulateScreen(target, pageOptions),
      // pages in background tabs behave as if they had the focus
      target.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
    ])
    prepared.catch(() => {}) // reported below
    const blockingPage = () =>
      this.all().find(page => this.#arriving.openers.areRelated(page.target.targetId, targetId) && page.dialogs.pending())
    const watchWindows = (session: CdpSession) => this.#arriving.watch(session, targetId)
    const page = new Page(this.#connection, target, { ...pageOptions, id, blockingPage, watchWindows })
    const dialogOpened = this.#forwardDialogs(page)
    const started = Promise.all([page.start(), prepared])
    started.catch(() => {}) // reported here or, after the dialog, by the next call to the page
    // a tab that shows a dialog answers nothing else before it
    await Promise.race([started, dialogOpened])
    if (isClosed) throw new PagehandError('target_closed', say`The tab was closed while it opened.`)
    onPage(page)
    this.#pages.set(targetId, page)
    return page
  }

  /** Adds a tab that a page opened or the user lent. A session without a tab goes on in it. */
  async #arrive(target: PageTarget, id: string): Promise<Page> {
    const page = await this.#attach(target, id)
    this.#selectedId ??= target.targetId
    return page
  }

  #selected(): Page | undefined {
    return this.#selectedId === undefined ? undefined : this.#pages.get(this.#selectedId)
  }

  /** Resolves with the first dialog. */
  #forwardDialogs({ id, dialogs, target: { targetId } }: Page): Promise<void> {
    return new Promise(resolve =>
      dialogs.onOpen(dialog => {
        this.#dialogs.emit({ targetId, dialog: { ...dialog, tab: id } })
        resolve()
      }),
    )
  }

  /** Takes the tabs that the user of a relay has lent; returns whether there are any. */
  async #adoptLentTabs(): Promise<boolean> {
    if (!this.#browser.lendsTabs) return false
    const { targetInfos } = await this.#connection.send('Target.getTargets')
    const lent = targetInfos.filter(({ type }) => type === 'page')
    if (lent.length > maxLentTabs) {
      this.#arriving.ignoreLent()
      this.#options.note(
        `The relay shares ${lent.length} tabs; a session takes at most ${maxLentTabs}, so this one has its own tab.`,
        'tab',
      )
      return false
    }
    for (const { targetId } of lent.reverse()) {
      this.#lent.add(targetId)
      await this.#adopt(await attachTarget(this.#connection, targetId))
    }
    return lent.length > 0
  }

  /** Takes a tab that exists already. */
  async #adopt(target: PageTarget): Promise<void> {
    await this.#attach(target, this.#nextId())
    this.#selectedId = target.targetId
  }

  #create(id = this.#nextId()): Promise<Page> {
    return this.#arriving.whileCreating(async () => {
      const target = await this.#openTarget()
      const page = await this.#attach(target, id).catch(async (error: Error) => {
        await target.close()
        throw error
      })
      this.#selectedId = target.targetId
      return page
    })
  }

  #openTarget(): Promise<PageTarget> {
    return this.#arriving.whileCreating(() => openTarget(this.#connection, { ...contextOf(this.#browser), background: !this.#isOurs() }))
  }

  /** A tab is gone, and this session did not close it. */
  #onGone(targetId: string, id: string, reason: PagehandError): void {
    const wasSelected = this.#selectedId === targetId && this.#pages.has(targetId)
    this.#drop(targetId)
    if (reason.message === takenBackReason) this.#whyNoTab = say`No tab is open: the user took the lent tab back.`
    const next = this.#selected()
    const what = reason.message === takenBackReason ? `The user took tab ${id} back; it is still open.` : `Tab ${id} is gone.`
    if (wasSelected && next)
      this.#options.note(() => `${what} Tab ${next.id} is selected now, which shows ${quote(next.url(), maxQuoteChars)}.`, 'tab')
  }

  #drop(targetId: string): void {
    const isLent = this.#lent.delete(targetId)
    if (this.#pages.delete(targetId))
      this.#whyNoTab = isLent ? say`No tab is open: the user took the lent tab back, or closed it.` : say`No tab is open.`
    if (this.#selectedId === targetId) this.#selectedId = [...this.#pages.keys()].at(-1)
  }

  #find(id: string): Page {
    const page = this.all().find(each => each.id === id)
    if (page) return page
    const ids = this.all().map(each => each.id)
    throw new PagehandError('invalid_input', say`There is no tab ${quoted(id, 20)}. There are: ${term(ids.join(', '))}.`)
  }

  #nextId(): string {
    return `t${++this.#lastNumber}`
  }

  #isOurs(): boolean {
    return this.#browser.kind === 'launched' || this.#browser.kind === 'shared'
  }

  #requireOwnTabs(): void {
    if (this.#browser.kind === 'page')
      throw new PagehandError('disabled', say`This page belongs to another program; only that program can open and close tabs.`)
  }
}

export async function openPages(browser: BrowserConnection, options: PagesOptions): Promise<Pages> {
  const pages = new Pages(browser, options)
  await pages.start().catch(async (error: Error) => {
    await pages.closeAll()
    throw error
  })
  return pages
}
