import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { say } from '../../../src/contract/message.ts'
import { PagehandError } from '../../../src/contract/pagehand-error.ts'
import { CommandActivity } from '../../../src/drivers/cdp/live/command-activity.ts'
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
  // no document, and so no secrets to paint over
  const worlds = { all: () => [], runInNewDocuments: () => ({ ready: Promise.resolve(), end() {} }) }
  const page = {
    id: 't1',
    url: () => 'https://a.test/',
    target,
    frameGuard,
    guard: { isRefused: () => false },
    worlds,
    secretPattern: () => '',
  } as unknown as Page
  const activity = new CommandActivity()
  const shown: string[] = []
  const watcher = new Screencast({ page: () => page, activity }).watch(({ base64 }) => {
    shown.push(base64)
    queueMicrotask(() => watcher.ready())
  })
  const commit = (url: string) => frameGuard.commit({ id: 'frame', url, loaderId: url }, session)
  const paint = async (data: string) => {
    listeners.get('Page.screencastFrame')?.({ data, metadata: { deviceWidth: 1, deviceHeight: 1 }, sessionId: 1 })
    await vi.advanceTimersByTimeAsync(0)
  }
  return { activity, shown, calls, commit, paint, allow: () => allow(), stop: () => watcher.stop() }
}

/** The beginning of a JPEG: a comment of two bytes, and the frame header with its size. */
const jpeg = (width: number, height: number): string => {
  const header = Buffer.alloc(24)
  header.set([0xff, 0xd8, 0xff, 0xfe, 0, 4, 1, 2, 0xff, 0xc0, 0, 11, 8])
  header.writeUInt16BE(height, 13)
  header.writeUInt16BE(width, 15)
  return header.toString('base64')
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

test('while actions are carried out the browser makes no picture, and afterwards one of what they changed', async () => {
  const { activity, shown, calls, paint, stop } = watchPage()
  await paint('before')
  let finish = () => {}
  const command = activity.during(
    'click',
    () =>
      new Promise<void>(resolve => {
        finish = resolve
      }),
  )
  expect(calls.at(-1)).toBe('Page.stopScreencast')
  await paint('on its way')
  await vi.advanceTimersByTimeAsync(400)
  expect(shown).toEqual(['before'])
  finish()
  await command
  // the next action of a step comes at once
  await activity.during('fill', async () => {})
  expect(calls.filter(method => method === 'Page.startScreencast')).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(200)
  expect(calls.filter(method => method === 'Page.startScreencast')).toHaveLength(2)
  expect(shown).toEqual(['before', 'captured'])
  stop()
})

test('a picture that only keeps the tab drawn is not shown, and a real one is made instead', async () => {
  const { shown, paint, stop } = watchPage()
  // the screencast starts once the secrets of the page are painted over
  await vi.advanceTimersByTimeAsync(0)
  await paint(jpeg(16, 10))
  expect(shown).toEqual([])
  await vi.advanceTimersByTimeAsync(100)
  expect(shown).toEqual(['captured'])
  await paint(jpeg(1280, 800))
  expect(shown).toHaveLength(2)
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
