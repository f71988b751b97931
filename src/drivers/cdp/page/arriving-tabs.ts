// Tabs that a session did not open itself: those that its pages open (popups), and those that a user lends to it.
import { quote } from '../../../render/text/quote.ts'
import type { BrowserConnection } from '../browser/acquire.ts'
import type { CdpSession } from '../connection/cdp-session.ts'
import { maxQuoteChars } from '../errors.ts'
import type { Note } from '../notes.ts'
import { withTimeout } from '../timeout.ts'
import { discardPausedTarget, type PausedTarget, pauseNewTargets } from './new-targets.ts'
import { Openers } from './openers.ts'
import type { Page } from './page.ts'
import { PopupLimit } from './popup-limit.ts'
import { attachBlockedTarget, attachPausedTarget, type PageTarget } from './target.ts'
import { TargetDiscovery, type TargetInfo } from './target-discovery.ts'

interface ArrivingTabsOptions {
  readonly browser: BrowserConnection
  pages(): readonly Page[]
  nextId(): string
  /** the id of the selected page */
  selectedId(): string | undefined
  /** Adds a page to the session; returns it. */
  attach(target: PageTarget, id: string): Promise<Page>
  /** called before a tab that the user has lent is attached */
  onLent(targetId: string): void
  isLent(targetId: string): boolean
  /** called for every target of the browser that is gone */
  onDestroyed(targetId: string): void
  note(text: Note): void
}

/** The note about a new tab. */
type TabNote = (page: Page) => string
const selectHint = 'It is not selected; select it to go on there.'

/** A target to attach to; `sessionId` is the session of a paused one. */
type ArrivingTarget = Pick<PausedTarget, 'targetId'> & { readonly sessionId?: string | undefined }

/** how long to wait for popups that are being attached */
const readyMs = 2_000

export class ArrivingTabs {
  readonly openers = new Openers()
  readonly #options: ArrivingTabsOptions
  readonly #popupLimit: PopupLimit
  /** tabs that are being attached, by target id */
  readonly #attaching = new Map<string, Promise<unknown>>()
  /** those that take so long that no command waits for them any more, and that were reported */
  readonly #late = new Set<string>()
  #discovery: TargetDiscovery | undefined
  #unsubscribe: (() => void)[] = []
  /** how many tabs are being created by the session itself */
  #creating = 0
  #isAccepting = false
  #isLending: boolean
  #isClosing = false

  constructor(options: ArrivingTabsOptions) {
    this.#options = options
    this.#isLending = options.browser.lendsTabs === true
    this.#popupLimit = new PopupLimit(text => options.note(text))
  }

  async start(): Promise<void> {
    const { connection, kind, lendsTabs = false } = this.#options.browser
    this.#unsubscribe.push(
      connection.on('Target.targetDestroyed', ({ targetId }) => {
        this.#options.onDestroyed(targetId)
        this.openers.delete(targetId)
      }),
    )
    if (kind === 'attached') {
      // targets of a browser that is not ours are never paused
      const discovery = new TargetDiscovery(connection, { isAlwaysOn: lendsTabs, onTarget: info => this.#onTarget(info) })
      this.#discovery = discovery
      this.#unsubscribe.push(() => discovery.end())
      return discovery.start()
    }
    const claim = (target: PausedTarget) => {
      const isOurs = this.#isPopup(target)
      if (isOurs) this.#attachPopup(target)
      return isOurs
    }
    this.#unsubscribe.push(await pauseNewTargets(connection, claim))
    await connection.send('Target.setDiscoverTargets', { discover: true })
  }

  /** Call it when the session has its first tab: until then, existing tabs are announced as if they were new. */
  accept(): void {
    this.#isAccepting = true
  }

  /** Call it if the user lends so many tabs that the session takes none of them. */
  ignoreLent(): void {
    this.#isLending = false
  }

  /** Watches for the windows that the documents of a session open; `openerId` is their tab. */
  watch(session: CdpSession, openerId: string): void {
    session.on('Page.windowOpen', ({ url }) => this.openers.request(openerId, url))
    this.#discovery?.watch(session, openerId)
  }

  /** Allows pages to open as many tabs again as they may per command. */
  resetPopupLimit(): void {
    this.#popupLimit.reset()
    this.openers.resetRequests()
  }

  /** Runs `create`, which opens a tab for the session itself. */
  async whileCreating<T>(create: () => Promise<T>): Promise<T> {
    this.#creating++
    try {
      return await create()
    } finally {
      this.#creating--
    }
  }

  /** Waits for popups that are being attached. In a browser that is not ours one may be blocked by a dialog that only its user can answer. */
  async ready(): Promise<void> {
    const opened = async () => {
      await this.#discovery?.windows().catch(() => {}) // the extension of a relay is not connected
      await Promise.all([...this.#attaching].map(([targetId, attached]) => !this.#late.has(targetId) && attached))
    }
    await withTimeout(readyMs, opened(), () => this.#noteLate())
  }

  /** Chrome attaches an extension to a tab only after its server has answered. */
  #noteLate(): void {
    for (const targetId of this.#attaching.keys()) {
      if (this.#late.has(targetId)) continue
      this.#late.add(targetId)
      const url = this.openers.requestedUrl(targetId)
      const isShown = url && !this.#options.pages().some(page => page.refusesUrl(url))
      this.#options.note(`A tab${isShown ? ` for ${quote(url, maxQuoteChars)}` : ''} is opening; it cannot be used yet.`)
    }
  }

  /** Closes the popups that are being attached, and those that arrive from now on. */
  discardAll(): void {
    this.#isClosing = true
    for (const targetId of this.#attaching.keys()) if (!this.#options.isLent(targetId)) this.#discard({ targetId })
  }

  end(): void {
    for (const step of this.#unsubscribe.splice(0)) step()
  }

  /** A tab of a browser that we did not launch: a popup of this session, a tab that its user has just lent, or an unrelated tab. */
  #onTarget(info: TargetInfo): void {
    const { type, targetId, openerFrameId, browserContextId } = info
    if (type !== 'page') return
    if (this.#isPopup({ targetId, openerId: this.#discovery?.openerOf(info), browserContextId })) {
      this.#discovery?.extend()
      this.#discovery?.onWindow()
      this.#attachPopup({ targetId, openerFrameId })
    } else if (this.#isLending && this.#isAccepting && this.#creating === 0 && !this.#isKnown(targetId)) {
      this.#options.onLent(targetId)
      this.#attach({ targetId }, page => `The user lent tab ${page.id}, which shows ${urlOf(page)}. ${this.#selectionNote(page)}`)
    }
  }

  #isKnown(targetId: string): boolean {
    return this.#isPage(targetId) || this.#attaching.has(targetId)
  }

  #isPage(targetId: string): boolean {
    return this.#options.pages().some(page => page.target.targetId === targetId)
  }

  /** Whether a new target was opened by a page of this session. */
  #isPopup({ targetId, openerId, browserContextId }: Omit<PausedTarget, 'sessionId' | 'openerFrameId'>): boolean {
    if (!this.#isAccepting || this.#isKnown(targetId)) return false
    const isOpenerOurs = openerId !== undefined && (this.#isKnown(openerId) || this.openers.has(openerId))
    if (isOpenerOurs) this.openers.add(targetId, openerId)
    // without an opener, only a browser context that belongs to the session alone identifies its tabs
    const { contextId } = this.#options.browser
    return isOpenerOurs || (contextId !== undefined && browserContextId === contextId && this.#creating === 0)
  }

  #attachPopup({ openerFrameId, ...target }: ArrivingTarget & Pick<PausedTarget, 'openerFrameId'>): void {
    // a refused document could put its text into the window, or into its URL
    const isRefused = openerFrameId !== undefined && this.#options.pages().some(({ frameGuard }) => frameGuard.isRefused(openerFrameId))
    if (this.#isClosing || isRefused || !this.#popupLimit.allows()) this.#discard(target)
    else this.#attach(target, page => `Tab ${page.id} opened at ${this.#popupUrl(page)}. ${this.#selectionNote(page)}${this.#focusNote()}`)
  }

  /** A tab is empty until its server has answered; the URL that it was opened for says more. */
  #popupUrl(page: Page): string {
    const requested = page.document.pendingNavigation() ?? this.openers.requestedUrl(page.target.targetId)
    const isEmpty = page.url() === 'about:blank' && requested && requested !== 'about:blank' && !page.refusesUrl(requested)
    return isEmpty ? `${quote(requested, maxQuoteChars)}, which has not answered yet` : urlOf(page)
  }

  #selectionNote({ id }: Page): string {
    return this.#options.selectedId() === id ? 'It is selected.' : selectHint
  }

  /** A window that a page opens is the only thing that takes the focus from the user. */
  #focusNote(): string {
    return this.#options.browser.kind === 'attached' ? ' Opening it may have brought the browser to the front.' : ''
  }

  /** Attaches to a tab that was opened or lent, and adds a note about it. */
  #attach({ targetId, sessionId }: ArrivingTarget, note: TabNote): void {
    const { browser } = this.#options
    const id = this.#options.nextId()
    const attach = async () => {
      const target = sessionId
        ? attachPausedTarget(browser.connection, { targetId, sessionId })
        : await attachBlockedTarget(browser.connection, targetId)
      const page = await this.#options.attach(target, id)
      this.#options.note(() => note(page))
    }
    const attached = attach()
      .catch(() => {}) // the tab was closed before it was attached
      .finally(() => {
        this.#attaching.delete(targetId)
        this.#late.delete(targetId)
      })
    this.#attaching.set(targetId, attached)
  }

  /** Closes a tab that is not attached. */
  #discard({ targetId, sessionId }: ArrivingTarget): void {
    const { connection } = this.#options.browser
    const close = () => connection.send('Target.closeTarget', { targetId }).catch(() => {}) // it may be closed already
    if (sessionId) discardPausedTarget(connection, sessionId).then(close, close)
    else close()
  }
}

const urlOf = (page: Page): string => quote(page.url(), maxQuoteChars)
