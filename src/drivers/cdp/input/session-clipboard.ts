import type { ClipboardCommand } from '../../../contract/clipboard-keys.ts'
import type { CopiedText } from '../../../injected/trusted/clipboard.ts'
import { callEngine } from '../page/engine.ts'
import { evaluate } from '../page/evaluate.ts'
import type { IsolatedWorld } from '../page/isolated-worlds.ts'
import type { Page } from '../page/page.ts'
import { withTimeout } from '../timeout.ts'

interface SessionClipboardOptions {
  /** whether a text contains a secret of the session */
  hasSecret(text: string): boolean
  note(text: string): void
}

const maxReadyMs = 500

/**
 * The clipboard of one session: plain text, kept in memory. The session never reads or writes the clipboard of the user. A secret is never
 * copied, so none can be pasted into another origin.
 */
export class SessionClipboard {
  readonly #options: SessionClipboardOptions
  #text = ''

  constructor(options: SessionClipboardOptions) {
    this.#options = options
  }

  /** Carries out a command in the frame that has the focus. */
  async use(page: Page, command: ClipboardCommand): Promise<void> {
    // it may have become known as a secret after it was copied
    const text = command === 'paste' && !this.#options.hasSecret(this.#text) ? this.#text : ''
    if (command === 'paste' && !text)
      this.#options.note('Nothing was copied in this session, so its clipboard is empty. Use fill to enter a text.')
    for (const world of page.worlds.all()) {
      const frame = { evaluate: <T>(expression: string) => page.evaluate<T>(world, expression), spell: (ref: string) => ref }
      // a frame that is loading does not answer, and does not have the focus
      const answer = await callEngine(frame, 'useClipboard', { command, text }).catch(() => null)
      if (answer && answer !== 'done') this.keep(answer)
      if (answer) return
    }
  }

  /** Keeps what was copied or cut. As in a browser, copying nothing changes nothing. */
  keep({ text, isSecret }: CopiedText): void {
    if (!text) return
    const isRefused = isSecret || this.#options.hasSecret(text)
    this.#text = isRefused ? '' : text
    if (isRefused) this.#options.note('The selection contains a secret, so it was not copied.')
  }

  /** Keeps a page away from the clipboard of the user while input is dispatched to it. See the `ClipboardGuard` of the engine. */
  guard(page: Page): InputGuard {
    const set = (world: IsolatedWorld, isActing: boolean) => evaluate(world, `__agentBrowser.guardClipboard(${isActing})`).catch(() => {}) // the document is gone
    const stopWatching = page.worlds.onCreated(world => void set(world, true))
    const isSet = Promise.all(page.worlds.all().map(world => set(world, true)))
    return {
      // a frame that is stuck handles no input either
      ready: withTimeout(maxReadyMs, isSet),
      end() {
        stopWatching()
        for (const world of page.worlds.all()) void set(world, false)
      },
    }
  }
}

export interface InputGuard {
  /** resolves when input may be dispatched */
  readonly ready: Promise<unknown>
  end(): void
}
