import type { Effect } from '../../../contract/page-api.ts'
import { callEngine, isGone } from '../input/action.ts'
import type { InputContext, ResolvedRef } from '../input/context.ts'
import type { Frame } from '../page/frames.ts'
import type { NetworkRequest } from '../page/network.ts'
import { createSignal } from './signal.ts'
import { type NewDocumentWatch, noTimers, type TimerWatch, watchNewDocuments, watchTimers } from './timers.ts'

/** What came of an action by the time that the page was at rest, or was not waited for any longer. */
export interface SettleResult {
  readonly effect: Effect
  readonly settled: boolean
  readonly pending: readonly string[]
  /** false: what was set was changed back, or never taken over */
  readonly committed: boolean
}

export interface SettleWatcher {
  /** the page is watched from here on */
  readonly ready: Promise<unknown>
  /** waits as long as something is under way that the action began, and no longer than the caps */
  outcome(): Promise<SettleResult>
  end(): void
}

interface Rest {
  readonly pending: readonly string[]
  readonly effect: Effect
  readonly committed: boolean
}

/** what brings text and controls; a picture may come when it likes */
const awaited = new Set(['Document', 'XHR', 'Fetch', 'Script', 'Stylesheet'])
/** after a long wait there is still time for two frames */
const least = 150

/** Watches an action in a document from before it begins. */
export function watchAction(hands: InputContext, { frame, where }: { frame: Frame; where: ResolvedRef | undefined }): SettleWatcher {
  const travel = watchTravel(hands)
  const arrivals = watchNewDocuments(hands)
  const causes = watchTimers(hands, where)
  const begun = callEngine(hands, frame, 'begin', where && { ref: where.ref })
  const ready = Promise.all([begun, causes, arrivals.ready])
  // whoever waits for it hears of a failure; nobody else must
  ready.catch(() => {})
  return { ready, ...watched(hands, { travel, arrivals, since: performance.now(), from: { document: frame, causes } }) }
}

/**
 * Watches a page that is gone to from before it comes; `outcome` is for when it has loaded. Its timers are not seen: to see them, functions
 * of the page would have to be stood in for while its scripts take hold of them.
 */
export const watchNavigation = (hands: InputContext): Omit<SettleWatcher, 'ready'> =>
  watched(hands, { travel: watchTravel(hands), since: performance.now() })

interface Watching {
  readonly travel: ReturnType<typeof watchTravel>
  readonly since: number
  /** both absent: all that happens is in the page that comes */
  readonly arrivals?: NewDocumentWatch
  readonly from?: { readonly document: Frame; readonly causes: Promise<TimerWatch> }
}

function watched(hands: InputContext, { travel, arrivals, since, from }: Watching): Omit<SettleWatcher, 'ready'> {
  let here = from
  /** how many of the documents that came were gone to; another than 0, or a frame that went, and what was watched is gone */
  let followed = 0
  let left = false

  const requests = () => hands.network.since(since).filter(request => request.endedAt === undefined && awaited.has(request.type))

  /** the document that is there now, watched from its beginning as far as that is still possible */
  async function follow(): Promise<NonNullable<typeof here>> {
    left = true
    followed = travel.arrivals()
    const document = await hands.top()
    const causes = arrivals ? watchTimers(hands, undefined, followed > 0 ? arrivals : undefined) : Promise.resolve(noTimers)
    here = { document, causes }
    await callEngine(hands, document, 'begin').catch(() => {}) // it may be leaving already, and is followed then
    return here
  }
  async function restIn(document: Frame, ms: number): Promise<Rest> {
    try {
      return await callEngine<Rest>(hands, document, 'rest', { ms })
    } catch (error) {
      if (!isGone(error)) throw error
      await follow()
      return { pending: ['navigation'], effect: {}, committed: true }
    }
  }

  async function outcome(): Promise<SettleResult> {
    const { capMs } = hands.settle
    // a page that is opened may hold a request open for as long as it is there
    const networkMs = from ? hands.settle.networkMs : capMs
    const began = performance.now()
    let cap = capMs
    const timeLeft = () => Math.max(began + cap - performance.now(), 0)
    for (;;) {
      // at once: what the new document arms while it loads is seen only by who is there
      let now = travel.arrivals() > followed || !here ? await follow() : here
      if (travel.isUnderWay()) {
        cap = Math.max(networkMs, capMs)
        await travel.changed(timeLeft())
        if (timeLeft()) continue
      }
      const rest = await restIn(now.document, Math.max(timeLeft(), least))
      now = here ?? now
      const timers = await (await now.causes).idle(timeLeft())
      const open = requests()
      const isOver = timeLeft() === 0 || timers.isStuck === true
      const isBusy = timers.waited || open.length > 0 || travel.isUnderWay() || rest.pending.length > 0 || travel.arrivals() > followed
      if (isBusy && !isOver) {
        if (open.length) {
          cap = Math.max(networkMs, capMs)
          await networkChange(hands, timeLeft())
        }
        continue
      }
      const pending = [
        ...(travel.isUnderWay() ? ['navigation'] : []),
        ...open.slice(0, 5).map(nameOf),
        ...timers.left.slice(0, 3).map(ms => `timer in ${ms} ms`),
        ...(timers.isStuck ? ['scripts'] : []),
        ...rest.pending,
      ]
      return {
        effect: await told(now.document, rest.effect),
        settled: !pending.length,
        pending: [...new Set(pending)],
        committed: rest.committed,
      }
    }
  }

  /** in another document nothing is left of what was watched but where it is */
  async function told(document: Frame, effect: Effect): Promise<Effect> {
    if (!left) return spelled(hands, document, effect)
    return travel.arrivals() ? { url: (await hands.pageInfo()).url } : { gone: true }
  }

  return {
    outcome,
    end: () => {
      travel.end()
      arrivals?.end()
      here?.causes.then(each => each.end()).catch(() => {}) // it was never there
    },
  }
}

function spelled(hands: InputContext, frame: Frame, effect: Effect): Effect {
  const { focus, dialog } = effect
  return {
    ...effect,
    ...(focus && { focus: hands.spell(frame, focus) }),
    ...(dialog && { dialog: hands.spell(frame, dialog) }),
  }
}

const nameOf = ({ type, url }: NetworkRequest): string => `${type.toLowerCase()} ${url.length > 80 ? `${url.slice(0, 79)}…` : url}`

function networkChange(hands: InputContext, ms: number): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      off()
      resolve()
    }
    const timer = setTimeout(done, ms)
    const off = hands.network.onChange(done)
  })
}

/** Whether the tab is on its way to another document. */
function watchTravel(hands: InputContext) {
  const { target: tab } = hands
  let isUnderWay = false
  let arrivals = 0
  const { notify: ring, wait: heard } = createSignal()
  const set = (on: boolean) => {
    isUnderWay = on
    ring()
  }
  const top = tab.targetId
  const off = [
    tab.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
      if (frameId === top && disposition === 'currentTab') set(true)
    }),
    tab.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId !== undefined) return
      arrivals++
      set(true)
    }),
    tab.on('Page.navigatedWithinDocument', ({ frameId }) => {
      if (frameId === top) set(false)
    }),
    // also where it came to nothing: a download, an empty answer, a navigation that was stopped
    tab.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId === top) set(false)
    }),
  ]
  return {
    isUnderWay: () => isUnderWay,
    /** how many documents came */
    arrivals: () => arrivals,
    changed: heard,
    end: () => {
      for (const step of off) step()
    },
  }
}
