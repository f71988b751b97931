import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withProgressLine } from '../../../src/surfaces/cli/progress-line.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubEnv('TERM', 'xterm')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

/** What a terminal shows after the texts that were written to it. */
function terminal({ isTTY = true, columns = 80 } = {}) {
  const written: string[] = []
  const shown = () => written.join('').split('\r\u001b[2K').at(-1) ?? ''
  return { stream: { isTTY, columns, write: (text: string) => void written.push(text) }, written, shown }
}

/** Work that ends when it is told to. */
function openWork() {
  let end = (_: string) => {}
  const work = new Promise<string>(resolve => {
    end = resolve
  })
  return { work, end }
}

test('a terminal shows what takes longer than a second, and nothing afterwards', async () => {
  const { stream, shown } = terminal()
  const { work, end } = openWork()
  const done = withProgressLine('open', work, stream)
  await vi.advanceTimersByTimeAsync(900)
  expect(shown()).toBe('')
  await vi.advanceTimersByTimeAsync(2_200)
  expect(shown()).toBe('open: 3 s, Ctrl-C to cancel')
  end('answer')
  expect(await done).toBe('answer')
  expect(shown()).toBe('')
})

test('quick commands, pipes and files get no progress', async () => {
  for (const [isTTY, ms] of [
    [true, 500],
    [false, 5_000],
  ] as const) {
    const { stream, written } = terminal({ isTTY })
    const { work, end } = openWork()
    const done = withProgressLine('open', work, stream)
    await vi.advanceTimersByTimeAsync(ms)
    end('')
    await done
    expect(written).toEqual([])
  }
})

test('the line is erased if the work fails, and never wraps', async () => {
  const { stream, shown } = terminal({ columns: 10 })
  const failing = withProgressLine('a long label', new Promise((_, reject) => setTimeout(reject, 1_500, new Error('no'))), stream)
  const failed = expect(failing).rejects.toThrow('no')
  await vi.advanceTimersByTimeAsync(1_100)
  expect(shown()).toBe('a long la')
  await vi.advanceTimersByTimeAsync(500)
  await failed
  expect(shown()).toBe('')
})
