import { say } from '../../../contract/message.ts'
import { embed } from '../../../webview/embed.ts'
import { PagehandError } from '../errors.ts'
import { withTimeout } from '../timeout.ts'
import { callEngine } from './engine.ts'
import { evaluate } from './evaluate.ts'
import type { IsolatedWorld } from './isolated-worlds.ts'
import type { Page } from './page.ts'

/** a frame that does not answer in this time draws nothing new either */
const maxCoverMs = 1_500
const worldEngine = (world: IsolatedWorld) => ({
  evaluate: <T>(expression: string) => evaluate<T>(world, expression),
  spell: (ref: string) => ref,
})

/**
 * Paints over the secrets of a page while `capture` takes a picture of it. Fails if a frame does not answer, and could show a secret of the
 * session.
 */
export async function withSecretsCovered<T>(page: Page, capture: () => Promise<T>): Promise<T> {
  const pattern = page.secretPattern()
  const worlds = page.worlds.all()
  const covers = worlds.map(world => callEngine(worldEngine(world), 'coverPicture', { pattern }).then(() => true, isGone))
  try {
    const answers = await withTimeout(maxCoverMs, Promise.all(covers))
    if (!answers?.every(Boolean) && pattern) throw uncoveredError(page)
    return await capture()
  } finally {
    for (const world of worlds) callEngine(worldEngine(world), 'uncoverPicture').catch(isGone)
  }
}

/** A page whose server is waited for answers later; the scripts of another one are stopped. */
function uncoveredError(page: Page): PagehandError {
  const code = page.document.pendingNavigation() === undefined ? 'page_unresponsive' : 'screenshot_failed'
  return new PagehandError(code, say`The page does not answer, so the secrets in it cannot be painted over.`)
}

const isGone = (error: unknown): boolean => /gone|closed|detached/i.test(String(error))

/** a busy page paints a cover up to so long after it was added */
const paintMs = 250

/** Paints over the secrets of a page for as long as it is watched, also in documents that it opens from now on. */
export class LiveCovers {
  readonly #page: Page
  /** how often elements of a document were covered */
  readonly #counts = new WeakMap<IsolatedWorld, number>()
  #pattern: string | undefined
  #newDocuments: { readonly ready: Promise<unknown>; end(): void } | undefined
  #isEnded = false
  /** when something was last found uncovered, in ISO 8601: a picture from before may show a secret */
  changedAt = ''

  constructor(page: Page) {
    this.#page = page
  }

  /** Whether the session knows secrets that a page could show. */
  get isNeeded(): boolean {
    return this.#page.secretPattern() !== ''
  }

  /** Paints over the secrets that the session knows now. Every picture is preceded and followed by it. Returns whether all frames answered. */
  async update(): Promise<boolean> {
    const answers = await withTimeout(maxCoverMs, this.#update())
    return answers !== undefined
  }

  async #update(): Promise<true | undefined> {
    const pattern = this.#page.secretPattern()
    if (pattern !== this.#pattern) await this.#coverNewDocuments(pattern)
    if (this.#isEnded) return undefined
    try {
      await Promise.all(this.#page.worlds.all().map(world => this.#cover(world, pattern)))
      return true
    } catch {
      return undefined
    }
  }

  #coverNewDocuments(pattern: string): Promise<unknown> {
    this.#pattern = pattern
    this.#noteChange()
    const before = this.#newDocuments
    this.#newDocuments = this.#page.worlds.runInNewDocuments(`__agentBrowser.invoke("coverLive", ${embed({ pattern })})`)
    before?.end()
    return this.#newDocuments.ready
  }

  #noteChange(): void {
    this.changedAt = new Date(Date.now() + paintMs).toISOString()
  }

  async #cover(world: IsolatedWorld, pattern: string): Promise<void> {
    try {
      const count = await callEngine(worldEngine(world), 'coverLive', { pattern })
      const before = this.#counts.get(world) ?? 0
      this.#counts.set(world, count)
      if (count > before) this.#noteChange()
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }

  end(): void {
    this.#isEnded = true
    this.#newDocuments?.end()
    for (const world of this.#page.worlds.all()) callEngine(worldEngine(world), 'uncoverLive').catch(isGone)
  }
}
