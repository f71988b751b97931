import { evaluate } from '../page/evaluate.ts'
import type { IsolatedWorld } from '../page/isolated-worlds.ts'
import type { Page } from '../page/page.ts'
import { withTimeout } from '../timeout.ts'
import type { InputGuard } from './session-clipboard.ts'

const maxReadyMs = 500

export interface KeyGuard extends InputGuard {
  /** whether a key would have reached another control than the judged one, in any frame */
  hasStopped(): Promise<boolean>
}

/** Keeps the keys of one command on the element that was judged, in every frame of the page. See the `KeyGuard` of the engine. */
export function guardKeys(page: Page): KeyGuard {
  const call = (world: IsolatedWorld, method: string) => evaluate(world, `__agentBrowser.keyGuard().${method}`).catch(() => undefined) // the document is gone
  const stopWatching = page.worlds.onCreated(world => void call(world, 'begin()'))
  const isSet = Promise.all(page.worlds.all().map(world => call(world, 'begin()')))
  return {
    // a frame that is stuck handles no input either
    ready: withTimeout(maxReadyMs, isSet),
    async hasStopped() {
      const answers = await withTimeout(maxReadyMs, Promise.all(page.worlds.all().map(world => call(world, 'hasStopped'))))
      return answers?.includes(true) ?? false
    },
    end() {
      stopWatching()
      for (const world of page.worlds.all()) void call(world, 'end()')
    },
  }
}
