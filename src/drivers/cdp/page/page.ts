import { say } from '../../../contract/message.ts'
import type { PageInfo } from '../../../contract/page-api.ts'
import type { CopiedText } from '../../../injected/trusted/clipboard.ts'
import { cut, quote } from '../../../render/text/quote.ts'
import type { SecretSighting } from '../../../secrets/session-secrets.ts'
import type { CdpSession } from '../connection/cdp-session.ts'
import type { CdpConnection } from '../connection/connection.ts'
import { maxQuoteChars, PagehandError } from '../errors.ts'
import type { NoteKind } from '../notes.ts'
import { withTimeout } from '../timeout.ts'
import { navigationPendingError, waitForAnswer } from './answer.ts'
import { createConsole } from './console.ts'
import { Crash } from './crash.ts'
import { createDialogs, type Dialogs } from './dialogs.ts'
import { type Emulation, emulateUserAgent } from './emulation.ts'
import { evaluate, evaluateHandle, evaluateInPage } from './evaluate.ts'
import { type Exposure, FrameGuard } from './frame-guard.ts'
import { type IsolatedWorld, IsolatedWorlds } from './isolated-worlds.ts'
import { createNavigationGuard, type NavigationGuard } from './navigation-guard.ts'
import { createNetworkMonitor } from './network.ts'
import { PageTools } from './page-tools.ts'
import { ScriptExecution } from './script-execution.ts'
import type { PageTarget } from './target.ts'
import { TopDocument } from './top-document.ts'

export interface PageOptions {
  /** t1, t2, … */
  readonly id: string
  /** how long a call to the page may take */
  readonly patienceMs: number
  readonly emulation: Emulation
  /** the browser has no window, and draws tabs in the background like those in front */
  readonly isHeadlessShell: boolean
  /** whether it is a tab among those of a user, who may look at another one */
  readonly mayBeHidden: boolean
  note(text: string, kind?: NoteKind): void
  /** receives the values of secret fields */
  onSecret(secret: SecretSighting): void
  /** receives what the page has copied or cut while the session operated it */
  onCopy(copied: CopiedText): void
  /** a tab that shows a dialog and shares a thread with this page: its opener, or a tab that it opened */
  blockingPage(): Page | undefined
  /** called for the session of the page and of each frame in another process: each reports the windows that its documents open */
  watchWindows(session: CdpSession): void
  /** fails for a URL that this page must not show */
  checkUrl(url: string): Promise<void>
  /** the source of a regular expression that finds the secrets of the session; '' if there are none */
  secretPattern(): string
  /** whether `checkUrl` will fail, as far as the URL alone tells */
  refusesUrl(url: string): boolean
  /** why the last connection to the host of a URL failed, where the browser only knows that its proxy did not answer */
  connectionErrorOf(url: string): string | undefined
}

/** a page that was silent already gets at least this time to answer */
const minPatienceMs = 500
/** the part of the patience of the session after which a page counts as stuck while it loads, so that reading it takes the rest */
const answerShare = 0.8
/** how long the browser may take to answer about a page that is stuck */
const browserMs = 1_000

/** One tab of a session: its state as far as events have reported it, and calls into it that end in bounded time. */
export class Page {
  readonly id: string
  readonly target: PageTarget
  readonly isHeadlessShell: boolean
  readonly mayBeHidden: boolean
  readonly worlds: IsolatedWorlds
  readonly network = createNetworkMonitor(loaderId => this.frameGuard.isRefusedDocument(loaderId))
  readonly document: TopDocument
  readonly crash: Crash
  readonly tools = new PageTools()
  readonly console = createConsole({
    loaderIdOf: frameId => this.frameGuard.loaderIdOf(frameId) ?? '',
    isRefused: loaderId => this.frameGuard.isRefusedDocument(loaderId),
  })
  readonly dialogs: Dialogs
  readonly scripts: ScriptExecution
  /** whether the page shows a document that it may show */
  readonly guard: NavigationGuard
  /** whether its frames do */
  readonly frameGuard: FrameGuard
  readonly #connection: CdpConnection
  readonly #options: PageOptions
  #viewport = { width: 0, height: 0 }
  /** the URL of the last refusal since a document was committed */
  #refusedUrl: string | undefined
  /** the refusal of the current document was noted by its origin, because its script context was reported before its URL */
  #isReported = false
  /** when the last snapshot of the current document was taken */
  #snapshotAt: number | undefined
  /** since when the page has not answered a call that was waited for */
  #silentSince: number | undefined
  /** how many callers are leaving the page */
  #leaving = 0
  #isStarted = false
  #starting: Promise<void> = Promise.resolve()

  constructor(connection: CdpConnection, target: PageTarget, options: PageOptions) {
    this.id = options.id
    this.target = target
    this.isHeadlessShell = options.isHeadlessShell
    this.mayBeHidden = options.mayBeHidden
    this.#connection = connection
    this.#options = options
    this.scripts = new ScriptExecution({
      target,
      sessions: () => this.worlds.sessions(),
      isRefused: () => this.guard.isRefused(),
      waitForAnswer: (answer, ms) => waitForAnswer(this, answer, { session: target, withinMs: Math.min(ms, options.patienceMs) }),
    })
    this.dialogs = createDialogs({
      isLeaving: () => this.#leaving > 0,
      isStopped: () => this.scripts.state() === 'stopped' || this.guard.isRefused(),
      // a frame without a host may show dialogs if the page around it may
      isRefused: url => /^(https?|file):/.test(url) && options.refusesUrl(url),
      onLoop: () => {
        options.note('The page opened one dialog after another; its scripts are disabled until it is left.')
        this.scripts.stop().catch(() => {}) // the next call to the page reports it
      },
      note: options.note,
    })
    this.guard = createNavigationGuard({
      check: url => options.checkUrl(url),
      refuses: url => options.refusesUrl(url),
      patienceMs: options.patienceMs,
      leave: (url, isCurrent) => this.#leaveRefused(url, isCurrent),
    })
    this.frameGuard = new FrameGuard({
      topFrameId: target.targetId,
      check: url => options.checkUrl(url),
      refuses: url => options.refusesUrl(url),
      parentOf: frameId => this.worlds.parentOf(frameId),
      blank: frameId => target.send('Page.navigate', { frameId, url: 'about:blank' }),
      onRefused: () => this.worlds.dropRefused(),
      onTopRefused: url => this.guard.check(url),
    })
    const onSession = (session: CdpSession, rootFrameId: string) => {
      this.network.watch(session)
      this.console.watch(session, rootFrameId)
      this.tools.watch(session)
      this.dialogs.watch(session)
      this.frameGuard.watch(session)
      options.watchWindows(session)
      emulateUserAgent(session, options.emulation).catch(() => {}) // the frame may be gone
    }
    this.worlds = new IsolatedWorlds(connection, target, {
      onSession,
      guard: this.frameGuard,
      onSecret: options.onSecret,
      onCopy: options.onCopy,
    })
    this.crash = new Crash(target, () => this.url())
    this.document = new TopDocument(target, {
      network: this.network,
      onCommit: () => this.#onCommit(),
      connectionErrorOf: url => options.connectionErrorOf(url),
    })
  }

  /** Attaches to the tab. One that shows a dialog answers only after it. */
  start(): Promise<void> {
    this.#starting = this.#start()
    return this.#starting
  }

  async #start(): Promise<void> {
    this.document.start(await this.worlds.start())
    this.guard.check(this.url()) // a tab that a page has opened may have navigated already
    this.#isStarted = true
  }

  /** the URL that the browser has reported */
  url(): string {
    return this.document.url()
  }

  /** the URL that the page itself reports; fails if it is refused */
  async readUrl(): Promise<string> {
    return (await this.#readInfo()).url
  }

  blockingPage(): Page | undefined {
    return this.#options.blockingPage()
  }

  secretPattern(): string {
    return this.#options.secretPattern()
  }

  checkUrl(url: string): Promise<void> {
    return this.#options.checkUrl(url)
  }

  refusesUrl(url: string): boolean {
    return this.#options.refusesUrl(url)
  }

  connectionErrorOf(url: string): string | undefined {
    return this.#options.connectionErrorOf(url)
  }

  async topWorld(): Promise<IsolatedWorld> {
    await this.settled()
    return this.worlds.waitFor(this.target.targetId)
  }

  /** Resolves when the page and its frames show only documents that they may show. */
  async settled(exposure: Exposure = 'readable'): Promise<void> {
    if (!this.#isStarted) await waitForAnswer(this, this.#starting, { session: this.target, withinMs: this.#options.patienceMs })
    await this.guard.settled()
    // a frame in another process reports its document before it answers
    if (exposure === 'painted')
      await withTimeout(browserMs, Promise.allSettled(this.worlds.sessions().map(session => session.send('Page.getFrameTree'))))
    await this.frameGuard.settled(exposure)
  }

  /** Whether the page answers within most of the patience of the session; a page that waits for a server or a dialog does. */
  async isAnswering(): Promise<boolean> {
    const answer = this.target.send('Runtime.evaluate', { expression: '0' })
    const ended = waitForAnswer(this, answer, { session: this.target, withinMs: this.#options.patienceMs * answerShare })
    return ended.then(
      () => true,
      (error: Error) => !(error instanceof PagehandError && error.code === 'page_unresponsive'),
    )
  }

  /** How much longer to wait for an answer of the page: the time for which it has been silent already counts. */
  patienceLeft(ms: number): number {
    if (this.#silentSince === undefined) return ms
    return Math.max(Math.min(ms, this.#silentSince + this.#options.patienceMs - performance.now()), Math.min(ms, minPatienceMs))
  }

  /** Remembers that the page has not answered since a moment, until it does. */
  markSilent(since: number, answer: Promise<unknown>): void {
    this.#silentSince ??= since
    const clear = () => {
      this.#silentSince = undefined
    }
    answer.then(clear, clear)
  }

  /** Evaluates an expression in an isolated world (default: within the patience of the session). */
  evaluate<T>(world: IsolatedWorld, expression: string, withinMs = this.#options.patienceMs): Promise<T> {
    return waitForAnswer(this, evaluate<T>(world, expression), { session: world.session, withinMs })
  }

  /** Evaluates an expression in the main world; returns JSON text, or "undefined". */
  evaluateInPage(expression: string, withinMs: number): Promise<string> {
    return waitForAnswer(this, evaluateInPage(this.target, expression), { session: this.target, withinMs })
  }

  /** The objectId of the element that the engine of a world knows by this ref. */
  async element(world: IsolatedWorld, localRef: string): Promise<string> {
    const handle = evaluateHandle(world, `__agentBrowser.element(${JSON.stringify(localRef)})`)
    const objectId = await waitForAnswer(this, handle, { session: world.session, withinMs: this.#options.patienceMs })
    if (!objectId) throw new PagehandError('ref_not_found', say`${{ ref: localRef }} is not on the page any more.`)
    return objectId
  }

  /** Answers also while the page is stuck, crashed or navigating: then with what the browser knows. */
  async info(): Promise<PageInfo> {
    await this.guard.settled().catch(() => {}) // of a refused page only the URL is reported
    const status = this.document.status()
    const known = { ...this.document.state(), viewport: this.#viewport, scroll: { x: 0, y: 0, height: 0 } }
    const read = await this.#readInfo().catch(() => this.#browserTitle().catch(() => ({})))
    const { url, title, readyState, scroll, viewport } = { ...known, ...read }
    this.document.setTitle(cut(title, 500))
    this.#viewport = viewport
    return {
      url: cut(url, 2_000),
      title: cut(title, 500),
      readyState,
      viewport,
      scroll,
      ...(status !== undefined && { status }),
    }
  }

  /** Resolves when everything that the browser has done before this call is reported. */
  async catchUp(): Promise<void> {
    await withTimeout(browserMs, this.target.send('Page.getFrameTree')).catch(() => {}) // a page that does not answer has no news
  }

  /** Call it when a snapshot of the page has been taken. */
  markSnapshot(): void {
    this.#snapshotAt = performance.now()
  }

  /** What the browser still knows about a page that does not answer, because it is stuck in layout or its process is stopped (B3). */
  async stuckFailure(): Promise<PagehandError> {
    const title = await withTimeout(
      browserMs,
      this.#browserTitle().then(
        known => known.title,
        () => undefined,
      ),
    )
    const seconds = this.#snapshotAt === undefined ? undefined : Math.round((performance.now() - this.#snapshotAt) / 1_000)
    const last = seconds === undefined ? say`no snapshot of it was taken` : say`the last snapshot was taken ${seconds} s ago`
    return new PagehandError('page_unresponsive', say`The page does not answer; ${last}.`, {
      page: { url: this.url(), ...(title && { title }) },
    })
  }

  /** Runs `work`, which leaves the page; beforeunload dialogs are accepted until it ends. */
  async withoutUnloadPrompt<T>(work: () => Promise<T>): Promise<T> {
    this.#leaving++
    try {
      return await work()
    } finally {
      this.#leaving--
    }
  }

  #onCommit(): void {
    this.#isReported = this.#refusedUrl !== undefined && this.#refusedUrl === originUrlOf(this.url())
    this.#refusedUrl = undefined
    this.crash.end()
    this.console.startDocument()
    this.#snapshotAt = undefined
    if (this.guard.isRefused()) this.scripts.resumeAfterRefusal()
    this.guard.check(this.url())
  }

  /** Navigates away from a document that must not be shown. */
  #leaveRefused(url: string, isCurrent: () => boolean): void {
    if (!this.#isReported) {
      this.#refusedUrl = url
      this.#options.note(`The page went to ${quote(url, maxQuoteChars)}, which is not allowed; the tab is at about:blank now.`, 'refused')
    }
    if (this.dialogs.pending()) this.dialogs.answer(false).catch(() => {}) // it may be closed already
    const leave = async () => {
      // a dialog that opens between two documents cannot be answered, and keeps the next document from loading
      await this.scripts.end()
      if (isCurrent()) await this.target.send('Page.navigate', { url: 'about:blank' })
    }
    leave().catch(() => {}) // the tab may be gone
  }

  /** Reads the page info from the page; fails if its URL is refused, which the page can report sooner than the browser. */
  async #readInfo(): Promise<PageInfo> {
    if (this.document.pendingNavigation() !== undefined) throw navigationPendingError(this)
    const json = await this.evaluate<string>(await this.topWorld(), '__agentBrowser.info()', Math.min(this.#options.patienceMs, 1_000))
    const info = JSON.parse(json) as PageInfo
    if (!this.document.isErrorPage() && this.refusesUrl(info.url)) await this.checkUrl(info.url)
    return info
  }

  /** The title that the browser knows. For a document without a title the browser uses the URL, which is not a title. */
  async #browserTitle(): Promise<{ readonly title?: string }> {
    if (this.target.sessionId === undefined) return {}
    const { targetInfo } = await this.#connection.send('Target.getTargetInfo', { targetId: this.target.targetId })
    const { title, url } = targetInfo
    return url === this.url() && !this.guard.isRefused() && !url.includes(title) ? { title } : {}
  }
}

const originUrlOf = (url: string): string | undefined => (URL.canParse(url) ? `${new URL(url).origin}/` : undefined)
