import { expect, test, vi } from 'vitest'
import { SaveQueue } from '../../apps/studio/server/chats/save-queue.ts'

test('while a state is being stored, later ones wait together, and the newest is stored once', async () => {
  const source = { value: 0 }
  const stored: number[] = []
  let release = () => {}
  const queue = new SaveQueue<typeof source>(async ({ value }) => {
    stored.push(value)
    if (stored.length === 1)
      await new Promise<void>(resolve => {
        release = resolve
      })
  })
  const first = queue.save(source)
  await expect.poll(() => stored).toEqual([0])
  const later = [1, 2, 3].map(value => {
    source.value = value
    return queue.save(source)
  })
  release()
  await Promise.all([first, ...later])
  expect(stored).toEqual([0, 3])
})

test('a state that cannot be stored is reported, and does not keep the next one from being stored', async () => {
  const report = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const stored: string[] = []
  const queue = new SaveQueue<string>(async source => {
    if (source === 'a') throw new Error('the disk is full')
    stored.push(source)
  })
  void queue.save('a')
  void queue.save('b')
  await queue.settled()
  expect(stored).toEqual(['b'])
  expect(report).toHaveBeenCalledOnce()
  report.mockRestore()
})
