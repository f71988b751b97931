import { expect, test } from 'vitest'
import type { Effect } from '../../../src/contract/page-api.ts'
import { PagehandError } from '../../../src/drivers/cdp/errors.ts'
import { watchTopFrame } from '../../../src/drivers/cdp/settle/navigation-watch.ts'
import { type SettleDocument, type SettleInputs, SettleLoop, type SettleResult } from '../../../src/drivers/cdp/settle/settle-loop.ts'

/** What happens in a page, in milliseconds from the moment at which the loop starts. */
interface Timeline {
  readonly capMs?: number
  readonly networkMs?: number
  /** what the loop starts from: the document of an action, or the next document of a navigation */
  readonly starts?: 'in a document' | 'with a navigation'
  readonly requests?: readonly { readonly from: number; readonly to: number; readonly type?: string; readonly url?: string }[]
  /** a timer counts from the moment at which it is set */
  readonly timers?: readonly { readonly set: number; readonly due: number }[]
  readonly navigations?: readonly { readonly begins: number; readonly commits?: number; readonly ends: number }[]
  /** the DOM changes all the time until then */
  readonly changesUntil?: number
  /** the document goes at this time, and only whoever asks it learns so; for a frame that is removed */
  readonly documentGoneAt?: number
  /** how long the page takes to answer about its timers */
  readonly answerMs?: number
  /** a callback that never returns: timers are not answered from then on */
  readonly stuckAt?: number
  readonly effect?: Effect
  readonly committed?: boolean
  /** the document fails instead of answering */
  readonly fails?: PagehandError
}

const frameMs = 16
const never = Number.POSITIVE_INFINITY

/** A page on a fake clock: every wait moves the clock to the next event, so nothing sleeps. */
function fakePage(timeline: Timeline): { readonly inputs: SettleInputs; readonly log: string[]; now(): number } {
  const { capMs = 2_000, networkMs = 5_000, requests = [], timers = [], navigations = [], changesUntil = 0 } = timeline
  let now = 0
  const log: string[] = []
  const advance = (to: number) => {
    now = Math.max(now, to)
  }
  const commits = () => navigations.filter(({ commits = never }) => commits <= now).length
  /** waits for the first of these moments, but not longer than `ms` */
  const waitForNext = (moments: readonly number[], ms: number) => advance(Math.min(now + ms, ...moments.filter(moment => moment > now)))

  const createDocument = (born: number): SettleDocument => {
    let asked = -1
    return {
      async settle(ms) {
        log.push(`settle ${now}`)
        if (timeline.fails) throw timeline.fails
        const from = now
        const gone = born === 0 && timeline.documentGoneAt !== undefined ? timeline.documentGoneAt : never
        const replaced = Math.min(...navigations.map(({ commits = never }) => commits).filter(at => at > born))
        const until = Math.min(from + ms, Math.max(now, changesUntil) + 2 * frameMs)
        if (Math.min(gone, replaced) <= until) {
          advance(Math.min(gone, replaced))
          return undefined
        }
        advance(until)
        const isChanging = now < changesUntil
        return { pending: isChanging ? ['changes'] : [], effect: timeline.effect ?? {}, committed: timeline.committed ?? true }
      },
      async timers(ms) {
        log.push(`timers ${now}`)
        if (timeline.stuckAt !== undefined && timeline.stuckAt <= now + ms) {
          advance(now + ms + 500)
          return { waited: true, left: [], isStuck: true }
        }
        advance(now + (timeline.answerMs ?? 0))
        const known = timers.filter(({ set, due }) => set >= born && set <= now && due > asked)
        const soon = known.filter(({ due }) => due <= now + ms)
        asked = now
        // a timer that is set before the clock gets there is waited for as well
        for (const { due } of soon) advance(due)
        asked = Math.max(asked, now)
        return { waited: soon.length > 0, left: known.filter(({ due }) => due > now).map(({ due }) => due - now) }
      },
      effectWithRefs: effect => effect,
    }
  }
  const inputs: SettleInputs = {
    document: timeline.starts === 'with a navigation' ? undefined : createDocument(0),
    limits: () => ({ capMs, networkMs: timeline.starts === 'with a navigation' ? capMs : networkMs }),
    now: () => now,
    async followNavigation() {
      log.push(`follow ${now}`)
      return createDocument(now)
    },
    isNavigating: () => navigations.some(({ begins, ends }) => begins <= now && now < ends),
    commits,
    async waitForNavigation(ms) {
      waitForNext(
        navigations.flatMap(({ begins, commits = never, ends }) => [begins, commits, ends]),
        ms,
      )
    },
    openRequests: () =>
      requests
        .filter(({ from, to }) => from <= now && now < to)
        .map(({ from, type = 'Fetch', url = 'https://shop.test/data' }, index) => ({
          requestId: `${index}`,
          frameId: 'top',
          startedAt: from,
          type,
          url,
        })),
    lastRequestEndedAt: () => Math.max(0, ...requests.map(({ to }) => to).filter(to => to <= now)),
    async waitForRequest(ms) {
      waitForNext(
        requests.flatMap(({ from, to }) => [from, to]),
        ms,
      )
    },
    url: async () => 'https://shop.test/next',
  }
  return { inputs, log, now: () => now }
}

interface Expected extends Partial<SettleResult> {
  /** when the loop ends */
  readonly at: number | { readonly from: number; readonly to: number }
  /** how often it follows a navigation */
  readonly follows?: number
}

const cases: { readonly [title: string]: readonly [Timeline, Expected] } = {
  'nothing happens: settled after two frames': [{}, { settled: true, pending: [], at: 32, follows: 0 }],
  'the effect of the document is returned': [
    { effect: { url: 'https://shop.test/#cart' }, committed: false },
    { effect: { url: 'https://shop.test/#cart' }, committed: false, at: 32 },
  ],
  'changes of the DOM: settled two frames after the last one': [{ changesUntil: 500 }, { settled: true, at: 532 }],
  'changes without end: pending after the cap': [{ changesUntil: never }, { settled: false, pending: ['changes'], at: 2_000 }],
  'a request that ends': [{ requests: [{ from: 0, to: 300 }] }, { settled: true, pending: [], at: 332 }],
  'a request that ends in the first two frames: settled two frames later': [
    { requests: [{ from: 0, to: 20 }] },
    { settled: true, pending: [], at: 64 },
  ],
  'short requests without end: two more rounds': [
    { requests: Array.from({ length: 500 }, (_, index) => ({ from: index * 32 + 10, to: index * 32 + 20 })) },
    { settled: true, pending: [], at: 96 },
  ],
  'a request that ends after the cap, but within the network cap': [{ requests: [{ from: 0, to: 3_000 }] }, { settled: true, at: 3_032 }],
  'a request that outlives the network cap is named': [
    { requests: [{ from: 0, to: never, url: 'https://shop.test/slow' }] },
    { settled: false, pending: ['fetch https://shop.test/slow'], at: { from: 5_000, to: 5_150 } },
  ],
  'the URL of a pending request is cut after 80 characters': [
    { requests: [{ from: 0, to: never, type: 'XHR', url: `https://shop.test/${'x'.repeat(100)}` }] },
    { settled: false, pending: [`xhr https://shop.test/${'x'.repeat(61)}…`], at: { from: 5_000, to: 5_150 } },
  ],
  'of many pending requests, the first five are named': [
    { requests: Array.from({ length: 8 }, (_, index) => ({ from: 0, to: never, url: `https://shop.test/${index}` })) },
    { pending: [0, 1, 2, 3, 4].map(index => `fetch https://shop.test/${index}`), at: { from: 5_000, to: 5_150 } },
  ],
  'the network cap of 0 still lets the cap apply': [
    { networkMs: 0, requests: [{ from: 0, to: never }] },
    { settled: false, at: { from: 2_000, to: 2_150 } },
  ],
  'a timer that is due within the cap': [{ timers: [{ set: 0, due: 400 }] }, { settled: true, at: 432 }],
  'a timer that is due after the cap is named': [
    { timers: [{ set: 0, due: 3_032 }] },
    { settled: false, pending: ['timer in 3000 ms'], at: 32 },
  ],
  'a chain: timer, request, timer': [
    {
      timers: [
        { set: 0, due: 300 },
        { set: 500, due: 800 },
      ],
      requests: [{ from: 300, to: 500 }],
    },
    { settled: true, pending: [], at: 832 },
  ],
  'timers that set the next one without end: pending is empty, but the cap ends the wait': [
    { timers: Array.from({ length: 500 }, (_, index) => ({ set: index * 20, due: (index + 1) * 20 })) },
    { at: { from: 2_000, to: 2_182 } },
  ],
  'a timer callback that never returns: scripts are pending': [
    { timers: [{ set: 0, due: 100 }], stuckAt: 100 },
    { settled: false, pending: ['scripts'], at: { from: 2_500, to: 2_532 } },
  ],
  'a navigation is followed, and its document settles': [
    { navigations: [{ begins: 0, commits: 200, ends: 400 }], effect: { url: 'unused' } },
    { settled: true, effect: { url: 'https://shop.test/next' }, at: 432, follows: 1 },
  ],
  'a navigation that commits while the document is asked': [
    { navigations: [{ begins: 10, commits: 20, ends: 100 }] },
    { settled: true, effect: { url: 'https://shop.test/next' }, at: 132, follows: 1 },
  ],
  'a navigation that begins and ends while the page answers': [
    { navigations: [{ begins: 40, commits: 50, ends: 60 }], answerMs: 50 },
    { settled: true, effect: { url: 'https://shop.test/next' }, at: 164, follows: 1 },
  ],
  'a redirect by script: both documents are followed': [
    {
      navigations: [
        { begins: 0, commits: 50, ends: 80 },
        { begins: 90, commits: 200, ends: 300 },
      ],
    },
    { settled: true, effect: { url: 'https://shop.test/next' }, at: 332, follows: 2 },
  ],
  'the new document sends a request and sets a timer': [
    { navigations: [{ begins: 0, commits: 100, ends: 200 }], requests: [{ from: 150, to: 500 }], timers: [{ set: 500, due: 700 }] },
    { settled: true, at: 732, follows: 1 },
  ],
  'a navigation without a document (a download, status 204)': [
    { navigations: [{ begins: 0, ends: 300 }], effect: { url: 'https://shop.test/#same' } },
    { settled: true, effect: { url: 'https://shop.test/#same' }, at: 332, follows: 0 },
  ],
  'a navigation that never commits is pending': [
    { navigations: [{ begins: 0, ends: never }] },
    { settled: false, pending: ['navigation'], at: { from: 5_000, to: 5_150 } },
  ],
  'a navigation that commits and never ends is followed and pending': [
    { navigations: [{ begins: 0, commits: 100, ends: never }] },
    { settled: false, pending: ['navigation'], effect: { url: 'https://shop.test/next' }, at: { from: 5_000, to: 5_150 }, follows: 1 },
  ],
  'the document goes while it is asked, and nothing is committed: a frame was removed': [
    { documentGoneAt: 10, effect: { url: 'unused' } },
    { settled: true, effect: { gone: true }, at: 42, follows: 1 },
  ],
  'an opened page: its document is followed and settles': [
    { starts: 'with a navigation', requests: [{ from: 0, to: 400 }] },
    { settled: true, at: 432, follows: 1 },
  ],
  'an opened page that keeps a request open: the cap applies, not the network cap': [
    { starts: 'with a navigation', requests: [{ from: 0, to: never, url: 'https://shop.test/poll' }] },
    { settled: false, pending: ['fetch https://shop.test/poll'], at: { from: 2_000, to: 2_150 } },
  ],
  'without any time left, the document still gets two frames': [
    { capMs: 0, networkMs: 0 },
    { settled: true, at: 32 },
  ],
}

for (const [title, [timeline, { at, follows, ...expected }]] of Object.entries(cases))
  test(`settle: ${title}`, async () => {
    const page = fakePage(timeline)
    expect(await new SettleLoop(page.inputs).run()).toMatchObject(expected)
    const { from, to } = typeof at === 'number' ? { from: at, to: at } : at
    expect(page.now()).toBeGreaterThanOrEqual(from)
    expect(page.now()).toBeLessThanOrEqual(to)
    if (follows !== undefined) expect(page.log.filter(step => step.startsWith('follow'))).toHaveLength(follows)
  })

test('settle: a dialog or a page that does not answer ends the loop with its failure', async () => {
  for (const code of ['dialog_open', 'page_unresponsive', 'page_crashed'] as const) {
    const page = fakePage({ fails: new PagehandError(code, ['The page does not answer.']) })
    await expect(new SettleLoop(page.inputs).run()).rejects.toMatchObject({ code })
  }
})

test('settle: a new document is followed before anything else is waited for', async () => {
  const page = fakePage({ navigations: [{ begins: 0, commits: 0, ends: 50 }] })
  await new SettleLoop(page.inputs).run()
  expect(page.log[0]).toBe('follow 0')
})

/** A CDP session whose events the test sends. */
function fakeTarget() {
  const listeners = new Map<string, (payload: unknown) => void>()
  return {
    target: {
      targetId: 'top',
      send: () => Promise.reject(new Error('nothing is sent')),
      on: (event: string, listener: (payload: never) => void) => {
        listeners.set(event, listener as (payload: unknown) => void)
        return () => void listeners.delete(event)
      },
    },
    emit: (event: string, payload: object) => listeners.get(event)?.(payload),
    listeners,
  }
}

const frameId = 'top'
const navigationEvents: {
  readonly [title: string]: readonly [readonly (readonly [string, object])[], { navigating: boolean; commits: number }]
} = {
  'nothing has happened': [[], { navigating: false, commits: 0 }],
  'a navigation of the top frame has begun': [
    [['Page.frameRequestedNavigation', { frameId, disposition: 'currentTab' }]],
    { navigating: true, commits: 0 },
  ],
  'a link opened another tab': [[['Page.frameRequestedNavigation', { frameId, disposition: 'newTab' }]], { navigating: false, commits: 0 }],
  'a frame navigates': [
    [
      ['Page.frameRequestedNavigation', { frameId: 'inner', disposition: 'currentTab' }],
      ['Page.frameNavigated', { frame: { id: 'inner', parentId: 'top' } }],
    ],
    { navigating: false, commits: 0 },
  ],
  'a document was committed and is loading': [[['Page.frameNavigated', { frame: { id: frameId } }]], { navigating: true, commits: 1 }],
  'a document was restored from the back/forward cache, which has loaded before': [
    [
      ['Page.frameRequestedNavigation', { frameId, disposition: 'currentTab' }],
      ['Page.frameNavigated', { frame: { id: frameId }, type: 'BackForwardCacheRestore' }],
    ],
    { navigating: false, commits: 1 },
  ],
  'a document was committed and has loaded': [
    [
      ['Page.frameNavigated', { frame: { id: frameId } }],
      ['Page.frameStoppedLoading', { frameId }],
    ],
    { navigating: false, commits: 1 },
  ],
  'the navigation came to nothing': [
    [
      ['Page.frameRequestedNavigation', { frameId, disposition: 'currentTab' }],
      ['Page.frameStoppedLoading', { frameId }],
    ],
    { navigating: false, commits: 0 },
  ],
  'the navigation stayed within the document': [
    [
      ['Page.frameRequestedNavigation', { frameId, disposition: 'currentTab' }],
      ['Page.navigatedWithinDocument', { frameId, url: 'https://shop.test/#a' }],
    ],
    { navigating: false, commits: 0 },
  ],
}

for (const [title, [events, { navigating, commits }]] of Object.entries(navigationEvents))
  test(`navigation watch: ${title}`, () => {
    const { target, emit, listeners } = fakeTarget()
    const watch = watchTopFrame(target as never)
    for (const [event, payload] of events) emit(event, payload)
    expect([watch.isNavigating(), watch.commits()]).toEqual([navigating, commits])
    watch.end()
    expect(listeners.size).toBe(0)
  })

test('navigation watch: a change ends the wait', async () => {
  const { target, emit } = fakeTarget()
  const watch = watchTopFrame(target as never)
  const changed = watch.waitForChange(60_000)
  emit('Page.frameStoppedLoading', { frameId })
  await changed
})
