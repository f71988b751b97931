import { expect, test } from 'vitest'
import { createQueue } from '../../src/contract/queue.ts'

test('tasks run one at a time, in order, and a failing task does not stop the next', async () => {
  const enqueue = createQueue()
  const log: string[] = []
  const task =
    (name: string, isFailing = false) =>
    async () => {
      log.push(`${name} starts`)
      await Promise.resolve()
      log.push(`${name} ends`)
      if (isFailing) throw new Error(name)
      return name
    }
  const results = await Promise.allSettled([enqueue(task('first')), enqueue(task('second', true)), enqueue(task('third'))])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(log).toEqual(['first starts', 'first ends', 'second starts', 'second ends', 'third starts', 'third ends'])
})
