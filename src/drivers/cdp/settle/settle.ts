// Connects the settle loop to a page: what an action started is watched from before the action until the page has settled.
import type { InputContext, ResolvedRef } from '../input/input-context.ts'
import { callEngine, isTargetClosed } from '../page/engine.ts'
import type { Frame } from '../page/frames.ts'
import { waitForEvent, withTimeout } from '../timeout.ts'
import { type NavigationWatch, watchTopFrame } from './navigation-watch.ts'
import { type SettleDocument, type SettleInputs, SettleLoop, type SettleResult } from './settle-loop.ts'
import { type NewDocumentWatch, type TimerWatch, watchNewDocuments, watchTimers } from './timers.ts'

export type { SettleResult } from './settle-loop.ts'

export interface SettleWatcher {
  /** resolves when the page is watched; the action may begin */
  readonly ready: Promise<unknown>
  /** waits for everything that the action started, within the limits of the session */
  outcome(): Promise<SettleResult>
  end(): void
}

interface ActionTarget {
  readonly frame: Frame
  /** the element that is acted on, if any */
  readonly where: ResolvedRef | undefined
}

/** Watches an action; call it before the action begins. */
export function watchAction(input: InputContext, { frame, where }: ActionTarget): SettleWatcher {
  const navigation = watchTopFrame(input.target)
  const newDocuments = watchNewDocuments(input.target)
  const timers = watchTimers(input, { where })
  const begun = callEngine(frame, 'startWatch', where ? { ref: where.ref } : {})
  const ready = Promise.all([begun, timers, newDocuments.ready])
  ready.catch(() => {}) // reported to callers that await it
  return { ready, ...watchPage(input, { navigation, newDocuments, first: { frame, timers } }) }
}

/** Watches a navigation; the navigation may begin when it is ready. Call `outcome` once the document has loaded. */
export function watchNavigation(input: InputContext): SettleWatcher {
  const newDocuments = watchNewDocuments(input.target)
  // a page that hangs does not answer, and can be left all the same
  const ready = withTimeout(maxReadyMs, newDocuments.ready).catch(() => {})
  return { ready, ...watchPage(input, { navigation: watchTopFrame(input.target), newDocuments }) }
}
const maxReadyMs = 300

/** Watches what the answer to a dialog starts: the script that the dialog has blocked continues, as if the action went on. */
export function watchDialogAnswer(input: InputContext): SettleWatcher {
  const newDocuments = watchNewDocuments(input.target)
  // the page may not answer before the dialog is closed
  const ready = withTimeout(maxReadyMs, newDocuments.ready).catch(() => {})
  return { ready, ...watchPage(input, { navigation: watchTopFrame(input.target), newDocuments, isAction: true }) }
}

interface WatchedDocument {
  readonly frame: Frame
  readonly timers: Promise<TimerWatch>
}

interface PageWatches {
  readonly navigation: NavigationWatch
  readonly newDocuments: NewDocumentWatch
  /** the document of the action; undefined if only the next document counts */
  readonly first?: WatchedDocument
  /** the requests of an action get extra time; default: whether there is a first document */
  readonly isAction?: boolean
}

/** the requests that bring text and controls; images may arrive later */
const awaitedTypes = new Set(['Document', 'XHR', 'Fetch', 'Script', 'Stylesheet'])

function watchPage(
  input: InputContext,
  { navigation, newDocuments, first, isAction = first !== undefined }: PageWatches,
): Omit<SettleWatcher, 'ready'> {
  const startedAt = performance.now()
  let current = first

  async function followNavigation(): Promise<SettleDocument> {
    const hasCommitted = navigation.commits() > 0
    const frame = await input.top()
    const timers = watchTimers(input, { newDocuments: hasCommitted ? newDocuments : undefined })
    current = { frame, timers }
    await callEngine(frame, 'startWatch').catch(() => {}) // if the document is already being unloaded, its successor is followed
    return settleDocument(current)
  }

  const awaitedRequests = () => input.network.since(startedAt).filter(({ type }) => awaitedTypes.has(type))
  const inputs: SettleInputs = {
    document: first && settleDocument(first),
    // a page may keep a request open for as long as it lives, so after a navigation requests get no extra time
    limits: () => {
      const { capMs, networkMs } = input.settle
      return { capMs, networkMs: isAction ? networkMs : capMs }
    },
    now: () => performance.now(),
    followNavigation,
    isNavigating: navigation.isNavigating,
    commits: navigation.commits,
    waitForNavigation: navigation.waitForChange,
    openRequests: () => awaitedRequests().filter(request => request.endedAt === undefined),
    lastRequestEndedAt: () => Math.max(0, ...awaitedRequests().map(({ endedAt = 0 }) => endedAt)),
    waitForRequest: ms => waitForEvent(listener => input.network.onChange(listener), ms),
    url: async () => (await input.pageInfo()).url,
  }
  return {
    outcome: async () => {
      const result = await new SettleLoop(inputs).run()
      const { invalid, ...others } = result.effect
      // a page can send the data of an invalid form itself
      return invalid && input.network.lastSentAt() >= startedAt ? { ...result, effect: others } : result
    },
    end: () => {
      navigation.end()
      newDocuments.end()
      current?.timers.then(timers => timers.end()).catch(() => {}) // the watch was never set up
    },
  }
}

function settleDocument({ frame, timers }: WatchedDocument): SettleDocument {
  return {
    async settle(ms) {
      try {
        return await callEngine(frame, 'settle', { ms })
      } catch (error) {
        if (!isTargetClosed(error)) throw error
        return undefined
      }
    },
    timers: async ms => (await timers).idle(ms),
    effectWithRefs: effect => ({
      ...effect,
      ...(effect.focus && { focus: frame.spell(effect.focus) }),
      ...(effect.invalid && { invalid: { ...effect.invalid, field: frame.spell(effect.invalid.field) } }),
      ...(effect.dialog && { dialog: frame.spell(effect.dialog) }),
    }),
  }
}
