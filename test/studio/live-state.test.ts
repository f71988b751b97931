import { expect, test } from 'vitest'
import { badgeOf, type LiveAction, noLiveState, reduceLive } from '../../apps/studio/web/browser/live-state.ts'

const tab = (id: string, selected = true) => ({ id, url: 'https://a.test/', title: 'A', selected })
const page = (url: string, live = true, tabs = [tab('t1')]): LiveAction => ({ type: 'page', url, title: 'A', loading: false, live, tabs })
const frameOf = (url: string, of = 't1', at = '2026-01-01T00:00:00.000Z'): LiveAction => {
  const picture = { mime: 'image/jpeg', base64: '', width: 1280, height: 800, at } as const
  return { type: 'frame', seq: 1, ...picture, tab: of, url }
}
const frame = frameOf('https://a.test/')
const target = (step: number): LiveAction => ({
  type: 'target',
  verb: 'click',
  element: { role: 'button', name: 'Save' },
  box: { x: 0, y: 0, width: 1, height: 1 },
  step,
})
const after = (...actions: LiveAction[]) => actions.reduce(reduceLive, noLiveState)

test('the badge says live only with a connection, a live page and a picture of it', () => {
  expect(badgeOf(noLiveState)).toBe('connecting')
  expect(badgeOf(after({ type: 'connected' }))).toBe('still')
  expect(badgeOf(after({ type: 'connected' }, page('https://a.test/')))).toBe('still')
  expect(badgeOf(after({ type: 'connected' }, page('https://a.test/'), frame))).toBe('live')
})

test('the badge never calls an old picture live: after a navigation, a cut, another tab, or if the server says so', () => {
  const live = [{ type: 'connected' } as const, page('https://a.test/'), frame]
  expect(badgeOf(after(...live, page('https://b.test/')))).toBe('still')
  expect(badgeOf(after(...live, page('https://b.test/'), frame))).toBe('still')
  expect(badgeOf(after(...live, page('https://b.test/'), frameOf('https://b.test/')))).toBe('live')
  expect(badgeOf(after(...live, page('https://a.test/', true, [tab('t2')]), frame))).toBe('still')
  expect(badgeOf(after(...live, page('https://a.test/', true, [tab('t2')])))).toBe('still')
  expect(badgeOf(after(...live, page('https://a.test/', false)))).toBe('still')
  expect(badgeOf(after(...live, { type: 'disconnected' }))).toBe('reconnecting')
  expect(badgeOf(after(...live, { type: 'disconnected' }, { type: 'connected' }))).toBe('still')
  expect(badgeOf(after(...live, { type: 'disconnected' }, { type: 'connected' }, frame))).toBe('live')
})

test('the badge says live only after a picture newer than the last input, action or navigation', () => {
  const changed = (at: string): LiveAction => ({ type: 'changed', at })
  const live = [{ type: 'connected' } as const, changed('2025-12-31T23:59:59.000Z'), page('https://a.test/'), frame]
  expect(badgeOf(after(...live))).toBe('live')
  expect(badgeOf(after(...live, changed('2026-01-01T00:00:01.000Z')))).toBe('still')
  expect(badgeOf(after(...live, changed('2026-01-01T00:00:01.000Z'), frame))).toBe('still')
  expect(badgeOf(after(...live, changed('2026-01-01T00:00:01.000Z'), frameOf('https://a.test/', 't1', '2026-01-01T00:00:01.050Z')))).toBe(
    'live',
  )
})

test('a picture that comes before the news of its page is live as soon as the news come', () => {
  const live = [{ type: 'connected' } as const, page('https://a.test/'), frame, frameOf('https://b.test/')]
  expect(badgeOf(after(...live))).toBe('still')
  expect(badgeOf(after(...live, page('https://b.test/')))).toBe('live')
})

test('a page that only changes its title stays live', () => {
  expect(badgeOf(after({ type: 'connected' }, page('https://a.test/'), frame, page('https://a.test/')))).toBe('live')
})

test('a window that lost its connection does not believe that it operates the page', () => {
  const state = after({ type: 'connected' }, { type: 'controller', controller: 'person', you: true, viewers: 2 }, { type: 'disconnected' })
  expect(state.you).toBe(false)
})

test('the trail keeps the newest targets, and none of another page or tab', () => {
  const many = after({ type: 'connected' }, page('https://a.test/'), ...Array.from({ length: 9 }, (_, step) => target(step)))
  expect(many.targets.map(each => each.step)).toEqual([3, 4, 5, 6, 7, 8])
  expect(reduceLive(many, page('https://b.test/')).targets).toEqual([])
  expect(reduceLive(many, page('https://a.test/', true, [tab('t2')])).targets).toEqual([])
})

test('refs of another page are not shown', () => {
  const refs: LiveAction = { type: 'refs', refs: [{ ref: 'e1', role: 'link', name: '', box: { x: 0, y: 0, width: 1, height: 1 } }] }
  expect(after({ type: 'connected' }, page('https://a.test/'), refs).refs).toHaveLength(1)
  expect(after({ type: 'connected' }, page('https://a.test/'), refs, page('https://b.test/')).refs).toEqual([])
})
