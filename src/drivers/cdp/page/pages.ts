// The tabs of one session: those that it opened, those that its pages opened (popups), and those that a user lends to it.
import { quoted, say, term } from '../../../contract/message.ts'
import type { TabInfo } from '../../../contract/results.ts'
import { cut, quote } from '../../../render/text/quote.ts'
import { type BrowserConnection, contextOf } from '../browser/acquire.ts'
import type { CdpConnection } from '../connection/connection.ts'
import { createEmitter } from '../emitter.ts'
import { maxQuoteChars, PagehandError } from '../errors.ts'
import type { Note, NoteKind } from '../notes.ts'
import { withTimeout } from '../timeout.ts'
import type { Dialog } from './dialogs.ts'
import { emulateScreen } from './emulation.ts'
import { type PausedTarget, pauseNewTargets, resumeTarget } from './new-targets.ts'
import { Openers } from './openers.ts'
import { Page, type PageOptions } from './page.ts'
import { PopupLimit } from './popup-limit.ts'
import { attachBlockedTarget, attachDebuggerTarget, attachPausedTarget, attachTarget, openTarget, type PageTarget } from './target.ts'
import { TargetDiscovery, type TargetInfo } from './target-discovery.ts'

export interface PagesOptions extends Omit<PageOptions, 'id' | 'note' | 'blockingPage'> {
  /** a function is called when the note is read: a tab that has just opened has no URL yet */
  note(text: Note, kind?: NoteKind): void
  /** receives every page before anything else happens in it */
  onPage(page: Page): void
}

/** The note about a new tab. */
type TabNote = (id: string, url: string) => string

/** how long to wait for popups that are being attached */
const readyMs = 2_000

export class Pages {
  readonly #browser: BrowserConnection
  readonly #connection: CdpConnection
  readonly #options: PagesOptions
  readonly #popupLimit: PopupLimit
  readonly #openers = new Openers()
  readonly #dialogs = createEmitter<{ readonly targetId: string; readonly dialog: Dialog }>()
  /** by target id */
  readonly #pages = new Map<string, Page>()
  /** popups that are being attached, by target id */
  readonly #attaching = new Map<string, Promise<unknown>>()
  /** the tabs that belong to the user, by target id: they are given back, never closed */
  readonly #lent = new Set<string>()
  #discovery: TargetDiscovery | undefined
  #unsubscribe: (() => void)[] = []
  #selectedId: string | undefined
  #lastNumber = 0
  /** how many tabs are being created by the session itself */
  #creating = 0
  /** false at first: existing tabs are announced as if they were new */
  #acceptsPopups = false
  #isClosing = false

  constructor(browser: BrowserConnection, options: PagesOptions) {
    this.#browser = browser
    this.#connection = browser.connection
    this.#options = options
    this.#popupLimit = new PopupLimit(text => options.note(text, 'tab'))
  }

  async start(): Promise<void> {
    if (this.#browser.kind === 'page') return this.#adopt(await attachDebuggerTarget(this.#connection))
    await this.#watchTargets()
    const { firstTargetId } = this.#browser
    if (firstTargetId !== undefined) await this.#adopt(await attachTarget(this.#connection, firstTargetId))
    else if (!(await this.#adoptLentTabs())) await this.#create()
    this.#acceptsPopups = true
  }

  /** The selected page; fails with `target_closed` if no tab is open. */
  current(): Page {
    const page = this.#selectedId === undefined ? undefined : this.#pages.get(this.#selectedId)
    if (!page) throw new PagehandError('target_closed', say`No tab is open.`)
    return page
  }

  all(): readonly Page[] {
    return [...this.#pages.values()]
  }

  /** In the order of their ids, so that a replaced tab keeps its place. */
  async list(): Promise<readonly TabInfo[]> {
    await this.ready()
    const pages = [...this.#pages.values()].sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)))
    return Promise.all(pages.map(page => this.#describe(page)))
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
    this.#popupLimit.reset()
  }

  /** Calls the listener for each dialog of a tab that `page` opened, or that opened `page`. */
  onRelatedDialog(page: Page, listener: (dialog: Dialog) => void): () => void {
    return this.#dialogs.on(({ targetId, dialog }) => {
      if (this.#openers.areRelated(targetId, page.target.targetId)) listener(dialog)
    })
  }

  /** Waits for popups that are being attached. In a browser that is not ours one may be blocked by a dialog that only its user can answer. */
  async ready(): Promise<void> {
    const opened = async () => {
      await this.#discovery?.windows()
      await Promise.all(this.#attaching.values())
    }
    await withTimeout(readyMs, opened())
  }

  async closeAll(): Promise<void> {
    this.#isClosing = true
    if (this.#browser.kind !== 'page') {
      for (const targetId of this.#attaching.keys()) this.#discard(targetId)
      // attaching a popup fails when its tab is closed
      await Promise.all([this.ready(), ...this.all().map(page => this.#release(page))])
    }
    for (const step of this.#unsubscribe.splice(0)) step()
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
      this.#onGone(targetId, id)
    })
    this.#discovery?.watch(target)
    const { onPage, ...pageOptions } = this.#options
    // not awaited yet: a paused target answers only after the page has started
    const prepared = Promise.all([
      emulateScreen(target, pageOptions.emulation),
      // pages in background tabs behave as if they had the focus
      target.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
    ])
    prepared.catch(() => {}) // reported below
    const blockingPage = () => this.all().find(page => this.#openers.areRelated(page.target.targetId, targetId) && page.dialogs.pending())
    const page = new Page(this.#connection, target, { ...pageOptions, id, blockingPage })
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

  async #create(id = this.#nextId()): Promise<Page> {
    this.#creating++
    try {
      const target = await this.#openTarget()
      const page = await this.#attach(target, id).catch(async (error: Error) => {
        await target.close()
        throw error
      })
      this.#selectedId = target.targetId
      return page
    } finally {
      this.#creating--
    }
  }

  async #openTarget(): Promise<PageTarget> {
    this.#creating++
    try {
      return await openTarget(this.#connection, { ...contextOf(this.#browser), background: !this.#isOurs() })
    } finally {
      this.#creating--
    }
  }

  async #watchTargets(): Promise<void> {
    const { kind, lendsTabs = false } = this.#browser
    this.#unsubscribe.push(
      this.#connection.on('Target.targetDestroyed', ({ targetId }) => {
        this.#drop(targetId)
        this.#openers.delete(targetId)
      }),
    )
    if (kind === 'attached') {
      // targets of a browser that is not ours are never paused
      const discovery = new TargetDiscovery(this.#connection, { isAlwaysOn: lendsTabs, onTarget: info => this.#onTarget(info) })
      this.#discovery = discovery
      this.#unsubscribe.push(() => discovery.end())
      return discovery.start()
    }
    const claim = (target: PausedTarget) => {
      const isOurs = this.#isPopup(target)
      if (isOurs) this.#attachPopup(target)
      return isOurs
    }
    this.#unsubscribe.push(await pauseNewTargets(this.#connection, claim))
    await this.#connection.send('Target.setDiscoverTargets', { discover: true })
  }

  /** A tab of a browser that we did not launch: a popup of this session, a tab that its user has just lent, or an unrelated tab. */
  #onTarget({ type, targetId, openerId, openerFrameId, browserContextId }: TargetInfo): void {
    if (type !== 'page') return
    if (this.#isPopup({ targetId, openerId, browserContextId })) {
      this.#discovery?.extend()
      this.#discovery?.onWindow()
      this.#attachPopup({ targetId, openerFrameId })
    } else if (this.#browser.lendsTabs && this.#acceptsPopups && this.#creating === 0 && !this.#isKnown(targetId)) {
      this.#lent.add(targetId)
      this.#attachTab({ targetId }, (id, url) => `The user lent tab ${id}, which shows ${url}. Select it to go on there.`)
    }
  }

  #isKnown(targetId: string): boolean {
    return this.#pages.has(targetId) || this.#attaching.has(targetId)
  }

  /** Whether a new target was opened by a page of this session. */
  #isPopup({ targetId, openerId, browserContextId }: Omit<PausedTarget, 'sessionId' | 'openerFrameId'>): boolean {
    if (!this.#acceptsPopups || this.#isKnown(targetId)) return false
    const isOpenerOurs = openerId !== undefined && [this.#pages, this.#attaching, this.#openers].some(known => known.has(openerId))
    if (isOpenerOurs) this.#openers.add(targetId, openerId)
    // without an opener, only a browser context that belongs to the session alone identifies its tabs
    const { contextId } = this.#browser
    return isOpenerOurs || (contextId !== undefined && browserContextId === contextId && this.#creating === 0)
  }

  /** `sessionId` is the session of a paused target. */
  #attachPopup({
    targetId,
    sessionId,
    openerFrameId,
  }: Pick<PausedTarget, 'targetId' | 'openerFrameId'> & { readonly sessionId?: string }): void {
    // a refused document could put its text into the window, or into its URL
    const isRefused = openerFrameId !== undefined && this.all().some(({ frameGuard }) => frameGuard.isRefused(openerFrameId))
    if (this.#isClosing || isRefused || !this.#popupLimit.allows()) {
      this.#discard(targetId, sessionId)
      return
    }
    this.#attachTab({ targetId, sessionId }, (id, url) => `Tab ${id} opened at ${url}. It is not selected; select it to go on there.`)
  }

  /** Attaches to a tab that was opened or lent, and adds a note about it. */
  #attachTab({ targetId, sessionId }: Pick<PausedTarget, 'targetId'> & { readonly sessionId?: string | undefined }, note: TabNote): void {
    const id = this.#nextId()
    const attach = async () => {
      const target = sessionId
        ? attachPausedTarget(this.#connection, { targetId, sessionId })
        : await attachBlockedTarget(this.#connection, targetId)
      const page = await this.#attach(target, id)
      this.#options.note(() => note(id, quote(page.url(), maxQuoteChars)), 'tab')
    }
    const attached = attach()
      .catch(() => {}) // the tab was closed before it was attached
      .finally(() => this.#attaching.delete(targetId))
    this.#attaching.set(targetId, attached)
  }

  /** Closes a tab that is not attached. */
  #discard(targetId: string, pausedSessionId?: string): void {
    if (pausedSessionId) resumeTarget(this.#connection, pausedSessionId).catch(() => {}) // it may be closed already
    this.#connection.send('Target.closeTarget', { targetId }).catch(() => {}) // it may be closed already
  }

  /** A tab is gone, and this session did not close it. */
  #onGone(targetId: string, id: string): void {
    const wasSelected = this.#selectedId === targetId && this.#pages.has(targetId)
    this.#drop(targetId)
    const next = this.#selectedId === undefined ? undefined : this.#pages.get(this.#selectedId)
    if (wasSelected && next)
      this.#options.note(() => `Tab ${id} is gone. Tab ${next.id} is selected now, which shows ${quote(next.url(), maxQuoteChars)}.`, 'tab')
  }

  #drop(targetId: string): void {
    this.#pages.delete(targetId)
    this.#lent.delete(targetId)
    if (this.#selectedId === targetId) this.#selectedId = [...this.#pages.keys()].at(-1)
  }

  #find(id: string): Page {
    const page = this.all().find(each => each.id === id)
    if (page) return page
    const ids = this.all().map(each => each.id)
    throw new PagehandError('invalid_input', say`There is no tab ${quoted(id, 20)}. There are: ${term(ids.join(', '))}.`)
  }

  async #describe(page: Page): Promise<TabInfo> {
    const title = await this.#titleOf(page)
    return {
      tab: page.id,
      url: cut(page.url(), 500),
      title: cut(title, 200),
      selected: page.target.targetId === this.#selectedId,
    }
  }

  /** The browser is asked, not the page, so that stuck pages have a title too. */
  async #titleOf(page: Page): Promise<string> {
    const isAllowed = await page.guard.settled().then(
      () => true,
      () => false,
    )
    if (!isAllowed || this.#browser.kind === 'page') return ''
    const { targetId } = page.target
    const answer = await this.#connection.send('Target.getTargetInfo', { targetId }).catch(() => undefined)
    const targetInfo: TargetInfo | undefined = answer?.targetInfo
    // the browser may still report the previous page, which may be one that must not be shown; a relay may report nothing
    return targetInfo && isSamePage(targetInfo.url, page.url()) ? targetInfo.title : ''
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

const isSamePage = (one: string, other: string) => one.split('#')[0] === other.split('#')[0]
