// The state of one session: its browser, its tabs, its refs, and the notes for the next result.

import { commands } from '../../contract/commands.ts'
import { createDataKey } from '../../contract/data-key.ts'
import type { DownloadsCommand } from '../../contract/held-downloads.ts'
import { say, term } from '../../contract/message.ts'
import type { CommandData } from '../../contract/results.ts'
import type { Destination } from '../../policy/host-rules.ts'
import { cut, quote } from '../../render/text/quote.ts'
import { SessionSecrets } from '../../secrets/session-secrets.ts'
import { acquireBrowser, type BrowserConnection, egressOf, refusePermissions } from './browser/acquire.ts'
import { destinationOf } from './egress/egress-rules.ts'
import type { EgressProxyOptions } from './egress/proxy.ts'
import { createEmitter } from './emitter.ts'
import { PagehandError } from './errors.ts'
import { SessionClipboard } from './input/session-clipboard.ts'
import { CommandActivity } from './live/command-activity.ts'
import { createUrlPolicy, type UrlPolicy } from './navigation/url-policy.ts'
import { type Note, type NoteKind, Notes } from './notes.ts'
import type { SessionOptions } from './options.ts'
import type { ActionTarget } from './page/action-target.ts'
import { emulationOf } from './page/emulation.ts'
import type { Page } from './page/page.ts'
import { openPages, type Pages } from './page/pages.ts'
import { createRefRegistry, type RefRegistry } from './page/ref-registry.ts'
import type { DriverCommand } from './session.ts'
import { checkSessionRules } from './session-rules.ts'
import { activePageOf, describeStatus, type RunningBrowser } from './status.ts'
import { defaultRoots, requireNarrowRoots } from './storage/allowed-paths.ts'
import { downloadStart } from './storage/download-start.ts'
import { type Downloads, watchDownloads } from './storage/downloads.ts'
import { asksToLogIn, expiredLogins, hasLoginFor } from './storage/login-expiry.ts'
import { scopeStorageState } from './storage/storage-scope.ts'
import { loadState, type OriginReport, type StorageState, saveState } from './storage/storage-state.ts'
import { Uploads } from './storage/uploads.ts'
import { withTimeout } from './timeout.ts'

const maxOrigins = 100

export class SessionContext {
  readonly options: SessionOptions
  readonly refs: RefRegistry
  readonly patienceMs: number
  readonly loadMs: number
  readonly dataKey = createDataKey()
  readonly uploads: Uploads
  readonly #egress: EgressProxyOptions | undefined
  /** why connections failed, by host and port */
  readonly #connectionErrors = new Map<string, string>()
  readonly secrets = new SessionSecrets()
  readonly #urlPolicy: UrlPolicy
  readonly #topFrameIds = new Set<string>()
  /** the origins that were visited, for `storageState` */
  readonly #origins = new Set<string>()
  /** browsers that are being closed after a crash */
  readonly #closing = new Set<Promise<unknown>>()
  readonly activity = new CommandActivity()
  readonly clipboard = new SessionClipboard({
    hasSecret: text => this.secrets.scrub(text) !== text,
    note: text => this.note(text),
  })
  /** commands are judged before they are carried out: `inspect` was asked to guard one */
  isJudged = false
  /** the elements that actions operate, for people who watch */
  readonly targets = createEmitter<ActionTarget>()
  readonly #notes = new Notes()
  readonly #losses = createEmitter<PagehandError>()
  #running: RunningBrowser | undefined
  #unsubscribe = () => {}
  #crash: PagehandError | undefined
  #lastUrl = 'about:blank'
  #isClosed = false
  /** approvals decide about downloads: see `DownloadsCommand` */
  #holdsDownloads = false
  #restored: readonly OriginReport[] | undefined
  /** the cookies and data that the session began with */
  #loginState: StorageState | undefined
  /** the hosts for which a lost login was reported */
  readonly #askedHosts = new Set<string>()

  constructor(options: SessionOptions) {
    const { patienceMs = 5_000, loadMs = 15_000, fileRoots = defaultRoots(), uploadRoots = defaultRoots(), hosts } = options
    this.options = options
    this.patienceMs = patienceMs
    this.loadMs = loadMs
    this.uploads = new Uploads(requireNarrowRoots(uploadRoots, 'uploadRoots'))
    this.refs = createRefRegistry(({ frameId, rootFrameId }) => frameId === rootFrameId && this.#topFrameIds.has(frameId))
    this.#urlPolicy = createUrlPolicy({
      fileRoots: requireNarrowRoots(fileRoots, 'fileRoots'),
      hosts,
      egress: () => this.#egress?.rules,
      endpoint: () => this.#running?.browser.statusFields.endpoint,
    })
    const egress = egressOf(options)
    this.#egress = egress && { ...egress, onError: (to, reason) => this.#keepConnectionError(to, reason) }
  }

  /** Starts or connects to the browser that the options ask for. */
  async start(): Promise<void> {
    const browser = await acquireBrowser(this.options, this.#egress)
    const undo = [() => browser.close()]
    try {
      this.#unsubscribe = browser.connection.onDisconnect(reason => this.#onDisconnect(browser, reason))
      await refusePermissions(browser)
      const downloads = await this.#watchDownloads(browser)
      undo.push(() => downloads.remove())
      undo.push(async () => downloads.end())
      const pages = await this.#openPages(browser)
      undo.push(() => closePages(browser, pages))
      this.#running = { browser, pages, downloads }
      await this.#restoreState(this.#running)
    } catch (error) {
      this.#unsubscribe()
      this.#running = undefined
      for (const step of undo.reverse()) await step()
      throw error
    }
  }

  /** Starts the browser again if it is gone. */
  async restart(): Promise<void> {
    if (this.#running || this.#isClosed) return
    if (this.options.browser || this.options.debugger)
      throw new PagehandError('not_running', say`The browser of this session is gone; open a new session with another browser.`)
    await Promise.all(this.#closing)
    await this.start()
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#unsubscribe()
    const running = this.#running
    this.#running = undefined
    if (running) {
      running.downloads.end()
      await closePages(running.browser, running.pages)
      await withTimeout(15_000, running.browser.close())
      await running.downloads.remove()
    }
    await Promise.all(this.#closing)
    await this.uploads.remove()
  }

  /** Fails with `not_running` if there is no browser; `open` starts one again. */
  pages(): Pages {
    if (this.#isClosed) throw new PagehandError('not_running', say`The session is closed.`)
    if (!this.#running) throw new PagehandError('not_running', say`The browser is not running. Open a page to start it again.`)
    return this.#running.pages
  }

  /** The selected page, if there is one. */
  activePage(): Page | undefined {
    return this.#running && activePageOf(this.#running.pages)
  }

  /** Returns the normalized URL; fails with `invalid_url` or `url_not_allowed`. */
  checkUrl(url: string): Promise<string> {
    return this.#urlPolicy.check(url)
  }

  /** Adds a note to the next result. */
  readonly note = (note: Note, kind: NoteKind = 'page'): void => this.#notes.add(note, kind)

  /** Returns each note once. */
  takeNotes(): readonly string[] {
    return this.#notes.take()
  }

  /** Calls the listener when the browser is gone: a command that waits for a page would wait for nothing. */
  onLost(listener: (reason: PagehandError) => void): () => void {
    return this.#losses.on(listener)
  }

  /** Returns a crash of the browser or of the selected page once. */
  takeCrash(): PagehandError | undefined {
    const crash = this.#crash ?? this.activePage()?.crash.take()
    this.#crash = undefined
    return crash
  }

  timeoutOf(command: DriverCommand): number {
    const custom = this.options.deadlines?.[command.name]
    if (custom !== undefined) return custom
    // `wait` ends by itself, and reports the state of the page then
    if (command.name === 'wait') return Math.max(command.timeoutMs, command.ms ?? 0) + 2_000
    return commands[command.name].deadlineMs
  }

  status(): CommandData['status'] {
    return this.secrets.scrub(describeStatus({ running: this.#running, options: this.options, restored: this.#restored }))
  }

  /** Holds downloads from now on, and settles those that wait. */
  async settleDownloads({ save = [], discard = [] }: DownloadsCommand) {
    this.#holdsDownloads = true
    const downloads = this.#running?.downloads
    for (const id of discard) await downloads?.discard(id)
    for (const id of save) await downloads?.save(id)
    const notes = save.length > 0 ? this.takeNotes() : []
    return { held: downloads?.held() ?? [], ...(notes.length > 0 && { notes }) }
  }

  async storageState({ origins }: { readonly origins?: readonly string[] } = {}): Promise<StorageState> {
    if (!this.#running) throw new PagehandError('not_running', say`The browser is not running.`)
    const state = await saveState(this.#running, origins?.map(each => each.replace(/\/$/, '')) ?? [...this.#origins])
    return origins ? scopeStorageState(state, origins) : state
  }

  /** Adds a note if the page that was opened asks to log in, although there is a stored login for it. */
  async checkLogin(requested: string): Promise<void> {
    const page = this.activePage()
    const { host } = URL.canParse(requested) ? new URL(requested) : { host: '' }
    if (!page || !this.#loginState || this.#askedHosts.has(host) || !hasLoginFor(this.#loginState, requested)) return
    const asks = await withTimeout(
      1_000,
      asksToLogIn(page, requested).catch(() => false), // the page is busy or gone
    )
    if (!asks) return
    this.#askedHosts.add(host)
    const { login } = this.#running?.browser ?? {}
    const stored = login ? ` on ${login.savedAt.slice(0, 10)}` : ''
    const renew = login ? ` A person can log in again: pagehand login URL --profile ${this.options.profile}.` : ''
    this.note(`The page led to one with a password field, although a login for ${host} was stored${stored}: it may have expired.${renew}`)
  }

  async #restoreState(running: RunningBrowser): Promise<void> {
    const { storageState } = this.options
    const { login } = running.browser
    if (storageState) this.#restored = await loadState(running, storageState)
    else if (login?.isSealed) this.#restored = await loadState(running, login.state)
    // the profile keeps everything else, and may have newer values
    else if (login) await loadState(running, { ...login.state, cookies: login.state.cookies.filter(({ session }) => session), origins: [] })
    this.#loginState = storageState ?? login?.state
    for (const { domain, cookies, endedAt } of this.#loginState ? expiredLogins(this.#loginState) : [])
      this.note(`The stored login for ${quote(domain, 60)} has expired: its cookies (${names(cookies)}) ended on ${endedAt.slice(0, 10)}.`)
  }

  #onDisconnect(browser: BrowserConnection, reason: PagehandError): void {
    // a connection to a single page reports the crash of that page here too; the page handles it
    if (this.#running?.browser !== browser || reason.code === 'page_crashed') return
    this.#lastUrl = this.activePage()?.url() ?? this.#lastUrl
    const { downloads } = this.#running
    downloads.end()
    this.#running = undefined
    this.#crash = new PagehandError(reason.code, reason.parts ?? term(reason.message), {
      page: { ...reason.page, url: this.#lastUrl },
    })
    this.#losses.emit(this.#crash)
    const closed = browser
      .close()
      .catch(() => {}) // it is gone already
      .then(() => downloads.remove())
      .catch(() => {}) // at the latest, the next process removes them
    this.#closing.add(closed)
    closed.finally(() => this.#closing.delete(closed))
  }

  #watchDownloads(browser: BrowserConnection): Promise<Downloads> {
    const pages = () => this.#running?.pages.all() ?? []
    // a download that a refused document starts, or that comes from a refused host; a data: URL has the content of its document
    const isRefused = (frameId: string, url: string) =>
      (!url.startsWith('data:') && this.#urlPolicy.refuses(url.replace(/^blob:/, ''))) ||
      pages().some(({ frameGuard }) => frameGuard.isRefused(frameId))
    return watchDownloads(browser, {
      rules: this.options.downloads,
      note: text => this.note(text, 'download'),
      startOf: (frameId, url) => downloadStart(pages(), frameId, url),
      isRefused,
      isHeld: () => this.#holdsDownloads,
    })
  }

  #openPages(browser: BrowserConnection): Promise<Pages> {
    // another program navigates its own window; only navigations of this session are checked there
    const isForeign = browser.kind === 'page'
    const isHeadlessShell = /^HeadlessChrome/.test(String(browser.statusFields.browser))
    return openPages(browser, {
      emulation: emulationOf(this.options, { viewport: browser.viewport, product: browser.statusFields.browser }),
      isHeadlessShell,
      mayBeHidden: browser.kind === 'attached' && !isHeadlessShell,
      patienceMs: this.patienceMs,
      note: this.note,
      onSecret: secret => this.secrets.see(secret),
      secretPattern: () => this.secrets.scrubber.pattern,
      onCopy: copied => this.clipboard.keep(copied),
      onPage: page => this.#onPage(page),
      checkUrl: async url => void (isForeign || (await this.#urlPolicy.check(url))),
      refusesUrl: url => !isForeign && this.#urlPolicy.refuses(url),
      connectionErrorOf: url => this.#connectionErrors.get(keyOf(destinationOf(url))),
    })
  }

  #keepConnectionError(to: Destination, reason: string): void {
    if (this.#connectionErrors.size >= maxOrigins) this.#connectionErrors.clear()
    this.#connectionErrors.set(keyOf(to), cut(reason, 200))
  }

  #onPage(page: Page): void {
    this.#topFrameIds.add(page.target.targetId)
    page.worlds.onDestroyed(world => this.refs.forget(world))
    page.target.on('Page.frameNavigated', ({ frame: { securityOrigin } }) => {
      if (/^https?:/.test(securityOrigin ?? '') && this.#origins.size < maxOrigins) this.#origins.add(securityOrigin)
    })
  }
}

/** servers choose the names of cookies */
const names = (cookies: readonly string[]): string =>
  cookies
    .slice(0, 3)
    .map(name => quote(name, 40))
    .join(', ')

const keyOf = ({ hostname, port }: Destination): string => `${hostname}:${port}`

export async function createSessionContext(options: SessionOptions): Promise<SessionContext> {
  await checkSessionRules(options)
  const context = new SessionContext(options)
  await context.start()
  return context
}

/** A launched browser that ends closes its tabs itself. A browser that hangs is not waited for. */
async function closePages({ kind, hasOtherSessions }: BrowserConnection, pages: Pages): Promise<void> {
  if (kind !== 'launched' || hasOtherSessions?.())
    await withTimeout(
      2_000,
      pages.closeAll().catch(() => {}),
    )
}
