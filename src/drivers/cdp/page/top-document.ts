import type { LoadedBy } from '../../../contract/results.ts'
import type { FormTarget } from '../../../contract/target.ts'
import type { EventPayload } from '../connection/protocol.ts'
import { loadError, type PagehandError } from '../errors.ts'
import type { NetworkMonitor } from './network.ts'
import type { PageTarget } from './target.ts'

interface DocumentState {
  readonly url: string
  readonly loaderId: string
  readonly readyState: string
  readonly title: string
  /** it is the error page of the browser for a URL that did not load */
  readonly isError: boolean
  readonly loadedBy?: LoadedBy
}

interface TopDocumentOptions {
  readonly network: NetworkMonitor
  /** called when another document has begun */
  onCommit(): void
  connectionErrorOf(url: string): string | undefined
}

/** The document of a tab and the one that is requested to replace it, as far as events have reported them. */
export class TopDocument {
  readonly #target: PageTarget
  readonly #options: TopDocumentOptions
  #state: DocumentState = { url: 'about:blank', loaderId: '', readyState: 'complete', title: '', isError: false }
  #failedNavigation: { readonly loaderId: string | undefined; readonly reason: string } | undefined
  #isLoading = false
  /** the form that an inspected element sends */
  #form: FormTarget | undefined

  constructor(target: PageTarget, options: TopDocumentOptions) {
    this.#target = target
    this.#options = options
    target.on('Page.frameNavigated', event => this.#onNavigated(event))
    target.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (frameId === target.targetId) this.#state = { ...this.#state, url }
    })
    target.on('Page.lifecycleEvent', event => this.#onLifecycle(event))
    for (const isLoading of [true, false])
      target.on(isLoading ? 'Page.frameStartedLoading' : 'Page.frameStoppedLoading', ({ frameId }) => {
        if (frameId === target.targetId) this.#isLoading = isLoading
      })
  }

  /** Call it with the document that the tab showed when it was attached. */
  start({ url, loaderId }: { readonly url: string; readonly loaderId: string }): void {
    // a document that was committed in the meantime has reported itself
    if (!this.#state.loaderId) this.#state = { ...this.#state, url: /^:?$/.test(url) ? 'about:blank' : url, loaderId }
  }

  state(): DocumentState {
    return this.#state
  }

  url(): string {
    return this.#state.url
  }

  /** The request that the document was loaded with; undefined if it was loaded before the tab was attached. */
  loadedBy(): LoadedBy | undefined {
    return this.#state.loadedBy ?? (/^https?:/.test(this.#state.url) ? undefined : { method: 'GET' })
  }

  /** Remembers the form that an element sends, so that the document that answers to it is known by the button. */
  setForm(form: FormTarget | undefined): void {
    if (form) this.#form = form
  }

  /** Remembers the title that the page has reported. */
  setTitle(title: string): void {
    this.#state = { ...this.#state, title }
  }

  /** the HTTP status */
  status(): number | undefined {
    return this.#options.network.statusOf(this.#state.loaderId)
  }

  /** whether it is the error page of the browser */
  isErrorPage(): boolean {
    return this.#state.isError
  }

  /** the failure to report instead of the content of the browser's error page */
  errorPageFailure(): PagehandError {
    const { url, loaderId } = this.#state
    const isKnown = this.#failedNavigation?.loaderId === loaderId
    const known = isKnown ? this.#failedNavigation?.reason : undefined
    return loadError(url, known ?? this.#options.connectionErrorOf(url) ?? this.loadError() ?? 'the browser shows an error page')
  }

  /** Remembers why a navigation failed that sent no request. */
  setFailedNavigation(loaderId: string | undefined, reason: string): void {
    this.#failedNavigation = { loaderId, reason }
  }

  /** the URL of a requested document that has not begun: while its server is waited for, the browser holds back all calls to the page */
  pendingNavigation(): string | undefined {
    return this.#requests().find(({ type }) => type === 'Document')?.url
  }

  /** whether the server of a requested document has not answered; once it has, the document can only be held back by the page */
  isWaitingForServer(): boolean {
    return this.#requests().some(({ type, status }) => type === 'Document' && status === undefined)
  }

  /** why the document is incomplete, if its connection broke */
  loadError(): string | undefined {
    return this.#options.network.loadErrorOf(this.#state.loaderId)
  }

  /** whether the document is a PDF, in the viewer of the browser */
  isPdf(): boolean {
    return this.#options.network.isPdf(this.#state.loaderId)
  }

  /** whether a document is requested, or has not finished loading */
  isLoading(): boolean {
    return this.#isLoading || this.pendingNavigation() !== undefined
  }

  #requests(): ReturnType<NetworkMonitor['inFlight']> {
    return this.#options.network.inFlight(this.#target.targetId)
  }

  #onNavigated({ frame: { id, parentId, url, loaderId, unreachableUrl }, type }: EventPayload<'Page.frameNavigated'>): void {
    if (parentId || id !== this.#target.targetId) return
    const readyState = type === 'BackForwardCacheRestore' ? 'complete' : 'loading'
    const loadedBy = this.#requestOf(loaderId)
    const isError = unreachableUrl !== undefined
    this.#state = { url: unreachableUrl ?? url, loaderId, readyState, title: '', isError, ...(loadedBy && { loadedBy }) }
    this.#options.onCommit()
  }

  #requestOf(loaderId: string): LoadedBy | undefined {
    const request = this.#options.network.requestOf(loaderId)
    if (!request) return undefined
    const { action, button } = this.#form ?? {}
    const isForm = request.method !== 'GET' && action?.slice(0, request.url.length) === request.url
    return { method: request.method, ...(isForm && button !== undefined && { button }) }
  }

  #onLifecycle({ frameId, loaderId, name }: EventPayload<'Page.lifecycleEvent'>): void {
    if (frameId !== this.#target.targetId || loaderId !== this.#state.loaderId) return
    if (name === 'DOMContentLoaded') this.#state = { ...this.#state, readyState: 'interactive' }
    if (name === 'load') this.#state = { ...this.#state, readyState: 'complete' }
  }
}
