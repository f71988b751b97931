import { say } from '../../../contract/message.ts'
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

/** Paints over the secrets of a page for as long as it is watched, also in documents that it opens from now on. */
export class LiveCovers {
  readonly #page: Page
  readonly #ready: Promise<unknown>
  #end: () => void = () => {}

  constructor(page: Page) {
    this.#page = page
    const started = page.worlds.runInNewDocuments('__agentBrowser.invoke("coverLive", {})')
    this.#end = started.end
    this.#ready = withTimeout(maxCoverMs, started.ready).then(() => this.update())
  }

  /** resolves when the documents of the page are covered */
  get ready(): Promise<unknown> {
    return this.#ready
  }

  /** Call it when the session may know more secrets. */
  async update(): Promise<void> {
    const pattern = this.#page.secretPattern()
    const covers = this.#page.worlds.all().map(world => callEngine(worldEngine(world), 'coverLive', { pattern }).catch(isGone))
    await withTimeout(maxCoverMs, Promise.all(covers))
  }

  end(): void {
    this.#end()
    for (const world of this.#page.worlds.all()) callEngine(worldEngine(world), 'uncoverLive').catch(isGone)
  }
}
