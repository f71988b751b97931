import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CommandActivity } from '../../../src/drivers/cdp/live/command-activity.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const recordChanges = (activity: CommandActivity) => {
  const changes: boolean[] = []
  activity.onChange(isBusy => void changes.push(isBusy))
  return changes
}
const lasting = (ms: number) => () => new Promise<void>(resolve => setTimeout(resolve, ms))

test('actions that follow each other are one activity, which ends a moment after the last, also if it fails', async () => {
  const activity = new CommandActivity()
  const changes = recordChanges(activity)
  const clicked = activity.during('click', lasting(80))
  await vi.advanceTimersByTimeAsync(80)
  await clicked
  await expect(activity.during('fill', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  expect(changes).toEqual([true])
  await vi.advanceTimersByTimeAsync(150)
  expect(changes).toEqual([true, false])
})

test('people get pictures during a long action, and between actions that never rest', async () => {
  const activity = new CommandActivity()
  const changes = recordChanges(activity)
  const long = activity.during('click', lasting(5_000))
  await vi.advanceTimersByTimeAsync(600)
  expect(changes).toEqual([true, false])
  await vi.advanceTimersByTimeAsync(4_400)
  await long
  let busyMs = 0
  for (let ms = 0; ms < 7_000; ms += 50) {
    const command = activity.during('click', lasting(50))
    if (activity.isBusy) busyMs += 50
    await vi.advanceTimersByTimeAsync(50)
    await command
  }
  expect(busyMs).toBeLessThan(5_500)
})

test('while a page loads, is read, or something is awaited, people see it', async () => {
  const activity = new CommandActivity()
  for (const verb of ['open', 'back', 'reload', 'wait', 'snapshot', 'screenshot'] as const)
    await activity.during(verb, async () => expect(activity.isBusy, verb).toBe(false))
  expect(activity.isBusy).toBe(false)
})
