// Judges the document of every frame like that of a tab (B4). A refused document fails before it is requested. One that is committed all
// the same (it was there before the session, or a service worker answered) is never read, and is replaced by about:blank.
import { say } from '../../../contract/message.ts'
import type { CdpSession } from '../connection/cdp-session.ts'
import type { EventPayload } from '../connection/protocol.ts'
import { PagehandError } from '../errors.ts'
import { withTimeout } from '../timeout.ts'

export type FrameInfo = Pick<EventPayload<'Page.frameNavigated'>['frame'], 'id' | 'url' | 'loaderId'> &
  Partial<Pick<EventPayload<'Page.frameNavigated'>['frame'], 'unreachableUrl' | 'domainAndRegistry'>>

/** How a document can reach the caller: in a screenshot, or in text that another document of the page reads. */
export type Exposure = 'painted' | 'readable'

interface FrameGuardOptions {
  readonly topFrameId: string
  check(url: string): Promise<void>
  /** whether `check` will fail, as far as the URL alone tells */
  refuses(url: string): boolean
  parentOf(frameId: string): string | undefined
  /** shows about:blank in a frame */
  blank(frameId: string): Promise<unknown>
  onRefused(frameId: string): void
  /** the top document has no host, and a refused document made it */
  onTopRefused(url: string): void
}

/** The document of a frame. */
interface FrameDocument {
  /** for about:blank in place of a refused document: the URL of that one */
  readonly url: string
  readonly loaderId: string
  readonly site: string
  readonly session: CdpSession
  readonly isBlank: boolean
  /** it has no content: about:blank, or an error page of the browser */
  readonly isEmpty: boolean
  verdict: 'pending' | 'allowed' | 'refused'
  judged: Promise<void>
  /** resolves when the frame shows another document, or is gone */
  readonly replaced: Promise<void>
  markReplaced(): void
}

/** the extension that is part of Chromium; the PDF is in a separate frame below it, and is judged by its URL */
const pdfViewer = 'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/'
/** how long a frame may take to become blank before its scripts are ended, and again after that */
const blankMs = 1_000
/** a page that navigates a frame all the time is read after this many documents; `refusals` then tells whether one was refused */
const maxRounds = 10
const maxLoaderIds = 500

export class FrameGuard {
  readonly #options: FrameGuardOptions
  /** by frameId; that of the top frame is always allowed here, since the navigation guard judges it */
  readonly #documents = new Map<string, FrameDocument>()
  readonly #refusedLoaderIds = new Set<string>()
  #refusals = { painted: 0, readable: 0 }

  constructor(options: FrameGuardOptions) {
    this.#options = options
  }

  /** Fails the requests for refused documents. It works while the Fetch domain of the session is enabled for documents. */
  watch(session: CdpSession): void {
    session.on('Fetch.requestPaused', ({ requestId, request: { url }, frameId }) => {
      const judged = frameId === this.#options.topFrameId ? Promise.resolve() : this.#options.check(url)
      judged
        .then(
          () => session.send('Fetch.continueRequest', { requestId }),
          () => session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }),
        )
        .catch(() => {}) // the frame is gone
    })
  }

  /** Call it for each document that is committed. */
  commit(frame: FrameInfo, session: CdpSession): void {
    // the frames of the previous page are gone with it
    if (frame.id === this.#options.topFrameId) for (const id of [...this.#documents.keys()]) if (id !== frame.id) this.remove(id)
    this.#add(frame, session)
  }

  /** Call it for each frame that existed before its session. A frame in another process may be known sooner than the page around it. */
  discover(frame: FrameInfo, session: CdpSession): void {
    if (!this.#documents.has(frame.id)) this.#add(frame, session)
  }

  #add(frame: FrameInfo, session: CdpSession): void {
    const before = this.#documents.get(frame.id)
    const document = this.#createDocument(frame, session, before)
    this.#documents.set(frame.id, document)
    before?.markReplaced()
    this.#judge(frame, document, before?.verdict === 'refused')
  }

  /** Call it for each script context. Documents without a host, such as about:blank, have the origin of the document that made them. */
  setOrigin(frameId: string, origin: string, session: CdpSession): void {
    if (!/^https?:/.test(origin)) return
    const document = this.#documents.get(frameId)
    const isRefused = this.#options.refuses(`${origin}/`)
    if (frameId === this.#options.topFrameId) {
      if (isRefused && !/^https?:/.test(document?.url ?? '')) this.#options.onTopRefused(`${origin}/`)
      return
    }
    if (isRefused && document?.verdict !== 'refused')
      this.commit({ id: frameId, url: `${origin}/`, loaderId: document?.loaderId ?? '' }, session)
    // the page has put an empty document into the frame
    if (!isRefused && document?.isBlank) document.verdict = 'allowed'
  }

  remove(frameId: string): void {
    this.#documents.get(frameId)?.markReplaced()
    this.#documents.delete(frameId)
  }

  /** Whether the document of a frame may be read. That of a frame in a refused document may not. */
  allows(frameId: string): boolean {
    return this.#withAncestors(frameId).every(id => this.#documents.get(id)?.verdict === 'allowed')
  }

  isRefused(frameId: string): boolean {
    return this.#withAncestors(frameId).some(id => this.#documents.get(id)?.verdict === 'refused')
  }

  isRefusedDocument(loaderId: string): boolean {
    return this.#refusedLoaderIds.has(loaderId)
  }

  urlOf(frameId: string): string | undefined {
    return this.#documents.get(frameId)?.url
  }

  /** the document that a frame shows */
  loaderIdOf(frameId: string): string | undefined {
    return this.#documents.get(frameId)?.loaderId
  }

  /** the documents that may be read, of all frames */
  loaderIds(): readonly string[] {
    return [...this.#documents].flatMap(([frameId, { loaderId }]) => (this.allows(frameId) ? [loaderId] : []))
  }

  /** The number of refused documents that were committed with content, and could be exposed in this way. */
  refusals(kind: Exposure): number {
    return this.#refusals[kind]
  }

  /** Resolves when every frame is judged, and no refused document can be exposed in this way; fails if one could not be left. */
  async settled(kind: Exposure = 'readable'): Promise<void> {
    for (let round = 0; round < maxRounds; round++) {
      const waiting = [...this.#documents.values()].flatMap(document => {
        if (document.verdict === 'pending') return [document.judged]
        return isShown(document) && (kind === 'painted' || this.#isReadable(document)) ? [this.#waitForReplacement(document)] : []
      })
      if (waiting.length === 0) return
      await Promise.all(waiting)
    }
  }

  /** Whether every frame is judged, and none shows a refused document, as far as the browser has told. */
  isPresentable(): boolean {
    for (const document of this.#documents.values()) if (document.verdict === 'pending' || isShown(document)) return false
    return true
  }

  #createDocument(frame: FrameInfo, session: CdpSession, before: FrameDocument | undefined): FrameDocument {
    const url = frame.unreachableUrl ?? (frame.url || 'about:blank')
    const isBlank = url === 'about:blank'
    let markReplaced = () => {}
    const replaced = new Promise<void>(resolve => {
      markReplaced = resolve
    })
    return {
      url: isBlank && before?.verdict === 'refused' ? before.url : url,
      loaderId: frame.loaderId,
      site: siteOf(url, frame.domainAndRegistry),
      session,
      isBlank,
      isEmpty: isBlank || frame.unreachableUrl !== undefined,
      verdict: 'pending',
      judged: Promise.resolve(),
      replaced,
      markReplaced,
    }
  }

  #judge({ id, unreachableUrl, url }: FrameInfo, document: FrameDocument, wasRefused: boolean): void {
    const source = sourceOf(unreachableUrl ?? url)
    // what a refused document leaves behind: about:blank, or a URL that contains its text
    const isLeftBehind = source === 'any' && wasRefused
    if (id === this.#options.topFrameId && URL.canParse(source))
      this.#options.check(source).catch(() => this.#rememberRefused(document.loaderId))
    if (id === this.#options.topFrameId || source === 'embedder' || (source === 'any' && !wasRefused)) document.verdict = 'allowed'
    else if (isLeftBehind || this.#options.refuses(source)) this.#refuse(id, document)
    else
      document.judged = this.#options.check(source).then(
        () => {
          if (document.verdict === 'pending') document.verdict = 'allowed'
        },
        () => this.#refuse(id, document),
      )
  }

  #refuse(frameId: string, document: FrameDocument): void {
    document.verdict = 'refused'
    this.#rememberRefused(document.loaderId)
    this.#options.onRefused(frameId)
    if (document.isEmpty) return
    this.#refusals.painted++
    if (this.#isReadable(document)) this.#refusals.readable++
    if (this.#documents.get(frameId) === document) this.#blank(frameId, document).catch(() => {}) // the frame is gone
  }

  #rememberRefused(loaderId: string): void {
    this.#refusedLoaderIds.add(loaderId)
    const [oldest] = this.#refusedLoaderIds
    if (this.#refusedLoaderIds.size > maxLoaderIds && oldest !== undefined) this.#refusedLoaderIds.delete(oldest)
  }

  async #blank(frameId: string, document: FrameDocument): Promise<void> {
    this.#options.blank(frameId).catch(() => {}) // the frame is gone
    let isReplaced = false
    await withTimeout(
      blankMs,
      document.replaced.then(() => {
        isReplaced = true
      }),
    )
    // a script that does not end keeps the next document from being committed
    if (!isReplaced) await document.session.send('Runtime.terminateExecution')
  }

  async #waitForReplacement(document: FrameDocument): Promise<void> {
    await withTimeout(2 * blankMs, document.replaced, () => {
      throw new PagehandError('url_not_allowed', say`A frame of the page shows a URL that is not allowed, and it could not be left.`)
    })
  }

  /** A document can read another one of the same site if both set `document.domain`, and files can if the browser was told so. */
  #isReadable(document: FrameDocument): boolean {
    return [...this.#documents.values()].some(other => other !== document && other.verdict === 'allowed' && other.site === document.site)
  }

  /** A frame and those around it, up to the top frame, which is not included. */
  #withAncestors(frameId: string): readonly string[] {
    const ids: string[] = []
    for (let id: string | undefined = frameId; id !== undefined && id !== this.#options.topFrameId; id = this.#options.parentOf(id)) {
      if (ids.includes(id)) break // the ids come from outside
      ids.push(id)
    }
    return ids
  }
}

const isShown = ({ verdict, isEmpty }: FrameDocument) => verdict === 'refused' && !isEmpty

/**
 * The URL that decides about a document: its own, or that of the document that made a blob. `embedder`: only the document around the frame
 * can have made it. `any`: it has no host, and any document may have made it.
 */
function sourceOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || url === 'about:blank' || parsed.protocol === 'data:') return 'any'
  if (parsed.protocol === 'about:' || parsed.protocol === 'chrome-error:' || url.startsWith(pdfViewer)) return 'embedder'
  if (parsed.protocol !== 'blob:') return url
  return parsed.origin === 'null' ? 'any' : `${parsed.origin}/`
}

function siteOf(url: string, domain: string | undefined): string {
  if (!URL.canParse(url)) return ''
  const { protocol, hostname } = new URL(url)
  return `${protocol}//${domain || hostname}`
}
