import { expect, test, vi } from 'vitest'
import { ok } from '../../src/contract/run.ts'
import { type BrowserCommandPart, type BrowserCommandReport, createCommandClient, createRemoteDriver } from '../../src/wire.ts'

const place = { sessionId: 's1', clientId: 'c1', tabId: 't1', viewKey: 'v1', cdpTargetId: 'A1' }
const done = ok({ done: true })

function remote(patienceMs?: number) {
  const sent: BrowserCommandPart[] = []
  const driver = createRemoteDriver({ place, send: command => void sent.push(command), ...(patienceMs !== undefined && { patienceMs }) })
  const reportFor = (index: number, change: Partial<BrowserCommandReport> = {}): BrowserCommandReport => ({
    sessionId: 's1',
    clientId: 'c1',
    tabId: 't1',
    commandId: sent[index]?.commandId ?? '',
    result: done,
    ...change,
  })
  return { driver, sent, reportFor }
}

test('a command is sent with its ids, and its result comes back (S3-33 S3-34 S3-35 S3-36)', async () => {
  const { driver, sent, reportFor } = remote()
  const result = driver.run({ name: 'click', ref: 'e1' })
  expect(sent).toEqual([
    {
      commandId: expect.stringMatching(/^[0-9a-f]{32}$/),
      tabId: 't1',
      viewKey: 'v1',
      cdpTargetId: 'A1',
      command: { name: 'click', ref: 'e1' },
    },
  ])
  expect(driver.report(reportFor(0))).toBe(true)
  expect(await result).toEqual(done)
})

test('a result counts only if session, client, tab and command are those of an open command, and only once (X3-7)', async () => {
  const { driver, reportFor } = remote()
  const result = driver.run({ name: 'click', ref: 'e1' })
  for (const change of [{ sessionId: 's2' }, { clientId: 'c2' }, { tabId: 't2' }, { commandId: 'guessed' }, { result: 'yes' as never }])
    expect(driver.report(reportFor(0, change))).toBe(false)
  expect(driver.report(reportFor(0))).toBe(true)
  expect(driver.report(reportFor(0))).toBe(false)
  await result
})

test('an unanswered command fails at its deadline, and the outcome of an action is unknown', async () => {
  vi.useFakeTimers()
  try {
    const { driver, reportFor } = remote(1_000)
    const click = driver.run({ name: 'click', ref: 'e1' })
    const look = driver.run({ name: 'query', ref: 'e1', kind: 'text' })
    await vi.advanceTimersByTimeAsync(11_000)
    expect(await click).toMatchObject({ ok: false, error: { code: 'outcome_unknown' } })
    expect(await look).toMatchObject({ ok: false, error: { code: 'timeout' } })
    expect(driver.report(reportFor(0))).toBe(false)
  } finally {
    vi.useRealTimers()
  }
})

test('an abort ends the wait and leaves neither a listener nor a timer (X3-9)', async () => {
  vi.useFakeTimers()
  try {
    const { driver, reportFor } = remote()
    const controller = new AbortController()
    const removed = vi.spyOn(controller.signal, 'removeEventListener')
    const stopped = driver.run({ name: 'click', ref: 'e1' }, controller.signal)
    controller.abort()
    expect(await stopped).toMatchObject({ ok: false, error: { code: 'aborted', message: expect.stringContaining('may have happened') } })
    const answered = driver.run({ name: 'click', ref: 'e2' }, new AbortController().signal)
    driver.report(reportFor(1))
    await answered
    expect(removed).toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('a command is settled once: by its result, its deadline or an abort', async () => {
  const settled: string[] = []
  const sent: BrowserCommandPart[] = []
  const driver = createRemoteDriver({
    place,
    send: command => void sent.push(command),
    settled: ({ commandId }) => void settled.push(commandId),
  })
  const controller = new AbortController()
  const [answered, stopped] = [driver.run({ name: 'click', ref: 'e1' }), driver.run({ name: 'click', ref: 'e2' }, controller.signal)]
  driver.report({ sessionId: 's1', clientId: 'c1', tabId: 't1', commandId: sent[0]?.commandId ?? '', result: done })
  controller.abort()
  await Promise.all([answered, stopped])
  expect(settled).toEqual(sent.map(({ commandId }) => commandId))
})

test('after an abort nothing is sent', async () => {
  const { driver, sent } = remote()
  expect(await driver.run({ name: 'click', ref: 'e1' }, AbortSignal.abort())).toMatchObject({ ok: false, error: { code: 'aborted' } })
  expect(sent).toEqual([])
})

test('an invalid command is refused before it is sent', async () => {
  const { driver, sent } = remote()
  expect(await driver.run({ name: 'click' } as never)).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  expect(sent).toEqual([])
})

test('a client carries out a command once, however often it arrives, and reports the same result again (X3-8)', async () => {
  const run = vi.fn(async () => done)
  const report = vi.fn(async () => {})
  const execute = createCommandClient({ sessionId: 's1', clientId: 'c1', run, report })
  const command: BrowserCommandPart = {
    commandId: 'x',
    tabId: 't1',
    viewKey: 'v1',
    cdpTargetId: 'A1',
    command: { name: 'click', ref: 'e1' },
  }
  await Promise.all([execute(command), execute(command)])
  await execute(command)
  expect(run).toHaveBeenCalledTimes(1)
  expect(report.mock.calls).toEqual(Array(3).fill([{ sessionId: 's1', clientId: 'c1', tabId: 't1', commandId: 'x', result: done }]))
})

test('a client reports again if a report is lost, and reports a crash as an unknown outcome', async () => {
  const reports: BrowserCommandReport[] = []
  const report = vi.fn(async (given: BrowserCommandReport) => {
    if (report.mock.calls.length < 3) throw new Error('offline')
    reports.push(given)
  })
  const execute = createCommandClient({ sessionId: 's1', clientId: 'c1', run: () => Promise.reject(new Error('crash')), report })
  await execute({ commandId: 'x', tabId: 't1', viewKey: 'v1', cdpTargetId: 'A1', command: { name: 'click', ref: 'e1' } })
  expect(reports).toMatchObject([{ commandId: 'x', result: { ok: false, error: { code: 'outcome_unknown' } } }])
})
