import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { say } from '../../../src/contract/message.ts'
import { PagehandError } from '../../../src/contract/pagehand-error.ts'
import { Screencast } from '../../../src/drivers/cdp/live/screencast.ts'
import { FrameGuard } from '../../../src/drivers/cdp/page/frame-guard.ts'
import type { Page } from '../../../src/drivers/cdp/page/page.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A page whose pictures and frames the test decides about, and a watcher of it. */
function watchPage() {
  const session = { send: async () => ({}) as never, on: () => () => {} }
  let allow = () => {}
  const frameGuard = new FrameGuard({
    topFrameId: 'top',
    check: url =>
      url.includes('slow')
        ? new Promise(resolve => {
            allow = resolve
          })
        : Promise.reject(new PagehandError('url_not_allowed', say`not allowed`)),
    refuses: url => url.includes('denied'),
    parentOf: () => 'top',
    blank: async () => {},
    onRefused() {},
    onTopRefused() {},
  })
  const listeners = new Map<string, (payload: unknown) => void>()
  const calls: string[] = []
  const answers: { readonly [method: string]: unknown } = {
    'Page.getLayoutMetrics': { cssVisualViewport: { clientWidth: 1, clientHeight: 1 } },
    'Page.captureScreenshot': { data: 'captured' },
  }
  const target = {
    on: (event: string, listener: (payload: unknown) => void) => {
      listeners.set(event, listener)
      return () => {}
    },
    send: async (method: string) => {
      calls.push(method)
      return answers[method] ?? {}
    },
  }
  const page = { id: 't1', url: () => 'https://a.test/', target, frameGuard, guard: { isRefused: () => false } } as unknown as Page
  const action: { since: number | undefined } = { since: undefined }
  const shown: string[] = []
  const watcher = new Screencast({ page: () => page, actingSince: () => action.since }).watch(({ base64 }) => {
    shown.push(base64)
    queueMicrotask(() => watcher.ready())
  })
  const commit = (url: string) => frameGuard.commit({ id: 'frame', url, loaderId: url }, session)
  const paint = async (data: string) => {
    listeners.get('Page.screencastFrame')?.({ data, metadata: { deviceWidth: 1, deviceHeight: 1 }, sessionId: 1 })
    await vi.advanceTimersByTimeAsync(0)
  }
  return { action, shown, calls, commit, paint, allow: () => allow(), stop: () => watcher.stop() }
}

test('a picture of a page with a refused document in a frame is not shown, nor one that arrives late (B4)', async () => {
  const { shown, calls, commit, paint, stop } = watchPage()
  await paint('before')
  commit('http://denied.test/')
  await paint('refused')
  // while it cannot be shown, no picture is made
  await vi.advanceTimersByTimeAsync(2_000)
  expect(calls).not.toContain('Page.captureScreenshot')
  commit('about:blank')
  await paint('after')
  expect(shown).toEqual(['before', 'after'])
  commit('http://denied.test/2')
  commit('about:blank')
  await paint('late')
  expect(shown).toEqual(['before', 'after'])
  // the browser would say nothing more of a page at rest
  await vi.advanceTimersByTimeAsync(500)
  expect(shown).toEqual(['before', 'after', 'captured'])
  stop()
})

test('a picture of a page with a frame that is not judged yet is not shown, and one is made afterwards (B4)', async () => {
  const { shown, commit, paint, allow, stop } = watchPage()
  commit('http://slow.test/')
  await paint('pending')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(shown).toEqual([])
  allow()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(shown).toEqual(['captured'])
  stop()
})

test('while an action is performed the browser makes no further picture, unless it takes long', async () => {
  const { action, calls, paint, stop } = watchPage()
  const acks = () => calls.filter(method => method === 'Page.screencastFrameAck').length
  await paint('before')
  expect(acks()).toBe(1)
  action.since = performance.now()
  await paint('during')
  await vi.advanceTimersByTimeAsync(400)
  expect(acks()).toBe(1)
  action.since = undefined
  await vi.advanceTimersByTimeAsync(50)
  expect(acks()).toBe(2)
  action.since = performance.now()
  await paint('long')
  await vi.advanceTimersByTimeAsync(600)
  expect(acks()).toBe(3)
  stop()
})

test('the browser is asked for at most 15 pictures in a second', async () => {
  const { calls, paint, stop } = watchPage()
  const start = performance.now()
  let painted = 0
  while (performance.now() - start < 1_000) {
    const before = calls.length
    await paint(String(painted++))
    while (calls.length === before && performance.now() - start < 1_000) await vi.advanceTimersByTimeAsync(5)
  }
  expect(painted).toBeGreaterThan(10)
  expect(painted).toBeLessThan(18)
  stop()
})
