import { expect, test } from 'vitest'
import { createEmitter } from '../../../src/drivers/cdp/emitter.ts'
import { waitForEvent, withTimeout } from '../../../src/drivers/cdp/timeout.ts'

const never = new Promise<string>(() => {})

test('withTimeout settles like the promise', async () => {
  expect(await withTimeout(60_000, Promise.resolve('done'))).toBe('done')
  await expect(withTimeout(60_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
})

test('withTimeout resolves with undefined, or as onTimeout says, when the time is up', async () => {
  expect(await withTimeout(1, never)).toBeUndefined()
  expect(await withTimeout(1, never, () => 'late')).toBe('late')
  const fail = () => {
    throw new Error('too late')
  }
  await expect(withTimeout(1, never, fail)).rejects.toThrow('too late')
})

test('waitForEvent resolves with the next event, or when the time is up, and removes its listener', async () => {
  let listeners = 0
  const events = createEmitter()
  const subscribe = (listener: () => void) => {
    listeners++
    const off = events.on(listener)
    return () => {
      listeners--
      off()
    }
  }
  const next = waitForEvent(subscribe, 60_000)
  expect(listeners).toBe(1)
  events.emit()
  await next
  await waitForEvent(subscribe, 1)
  expect(listeners).toBe(0)
})

test('an emitter calls each listener until it is removed, also if that happens during emit', () => {
  const events = createEmitter<string>()
  const heard: string[] = []
  const off = events.on(value => {
    heard.push(`once ${value}`)
    off()
  })
  events.on(value => heard.push(`always ${value}`))
  events.emit('a')
  events.emit('b')
  expect(heard).toEqual(['once a', 'always a', 'always b'])
})
