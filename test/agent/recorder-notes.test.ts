import { expect, test } from 'vitest'
import { createRecorder } from '../../src/agent/recording-layer.ts'
import { type AnyRun, ok } from '../../src/contract/run.ts'

test('a note that comes while the recorder reads the page reaches the caller with the action', async () => {
  let notes = ['said once']
  const read: string[] = []
  const driver: AnyRun = async ({ name }) => {
    read.push(name)
    const data = { ...(notes.length > 0 && { notes }), page: { url: 'https://shop.test/', title: '' }, effect: {} }
    notes = []
    return ok(data)
  }
  const run = createRecorder().layer(driver)
  expect(await run({ name: 'click', ref: 'e1' })).toMatchObject({ ok: true, data: { notes: ['said once'] } })
  expect(read[0]).toBe('snapshot')
})
