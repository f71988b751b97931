import { expect, test } from 'vitest'
import type { IsolatedWorld } from '../../../src/drivers/cdp/page/isolated-worlds.ts'
import { createRefRegistry } from '../../../src/drivers/cdp/page/ref-registry.ts'

const world = (contextId: string, frameId = 'top') =>
  ({ contextId, frameId, executionContextId: 1, rootFrameId: frameId, session: {} }) as IsolatedWorld
const isTop = ({ frameId }: IsolatedWorld) => frameId === 'top'

test('a local ref keeps its session ref, and leads back to its document', () => {
  const refs = createRefRegistry(isTop)
  const page = world('a')
  const ref = refs.refFor(page, 'e1')
  expect(ref).toMatch(/^e\d+$/)
  expect(refs.refFor(page, 'e1')).toBe(ref)
  expect(refs.find(ref)).toEqual({ world: page, local: 'e1' })
  expect(refs.refFor(page, 'not a ref')).toBe('not a ref')
})

test('the same local ref has different session refs in different documents; frames have a prefix (X4-4)', () => {
  const refs = createRefRegistry(isTop)
  const [first, second, frame] = [refs.refFor(world('a'), 'e1'), refs.refFor(world('b'), 'e1'), refs.refFor(world('c', 'inner'), 'e1')]
  expect(first).not.toBe(second)
  expect(frame).toMatch(/^f\d+e1$/)
})

test('the refs of a document that is gone are not found any more, and are never given again', () => {
  const refs = createRefRegistry(isTop)
  const page = world('a')
  const ref = refs.refFor(page, 'e1')
  refs.forget(page)
  expect(refs.find(ref)).toBeUndefined()
  expect(refs.refFor(page, 'e1')).not.toBe(ref)
})

test('a ref of another session is foreign (F4)', () => {
  const [mine, theirs] = [createRefRegistry(isTop), createRefRegistry(isTop)]
  const ref = theirs.refFor(world('a'), 'e1')
  expect([mine.isForeign(ref), theirs.isForeign(ref)]).toEqual([true, false])
  expect(mine.isForeign('e0')).toBe(false)
})
