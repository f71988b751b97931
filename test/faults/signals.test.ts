import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { launch } from '../../src/browser.ts'
import { processesInGroup, until } from '../support/processes.ts'
import { openTestSession } from '../support/test-session.ts'
import { tries } from './scale.ts'

const graceMs = 2_000
/** after SIGSTOP every call takes all of its time, so it is short */
const second = tries(1_000, 300)
const deadlines = { open: 6 * second, snapshot: 4 * second, click: 4 * second, screenshot: 4 * second, wait: 3 * second, tabs: 3 * second }

/** the kinds of processes of a browser, by a word of their command line; the browser itself has no type */
const kinds = { renderer: '--type=renderer', GPU: '--type=gpu-process', network: 'NetworkService', zygote: '--type=zygote', browser: '' }
const faults = [
  ['SIGKILL', 'renderer'],
  ['SIGSTOP', 'browser'],
  ['SIGSTOP', 'renderer'],
  ['SIGKILL', 'browser'],
  ['SIGSTOP', 'GPU'],
  ['SIGKILL', 'GPU'],
  ['SIGSTOP', 'network'],
  ['SIGKILL', 'network'],
  ['SIGKILL', 'zygote'],
] as const

const counted = tries(faults.length, 2)

test.runIf(process.platform === 'linux')(
  `${counted} ways to stop or kill a process of the browser: every answer comes in time, and nothing is left (F1, F2, F3)`,
  { timeout: 900_000 },
  async ({ task }) => {
    let calls = 0
    for (const [signal, kind] of faults.slice(0, counted)) {
      await using chromium = await launch()
      await using session = await openTestSession(
        { html: '<title>t</title><button>Go</button>', files: { 'next.html': '<title>Next</title>' } },
        { browser: chromium, deadlines, patienceMs: second, loadMs: 1.5 * second },
      )
      const ref = await session.ref('button "Go"')
      const targets = await processesOf(chromium.pid, kind)
      expect(targets, kind).not.toEqual([])
      for (const pid of targets) process.kill(pid, signal)
      for (const command of [
        { name: 'snapshot' },
        { name: 'click', ref },
        { name: 'screenshot' },
        { name: 'wait', text: 'never', timeoutMs: 500 },
        { name: 'open', url: `${session.url}next.html` },
        { name: 'tabs', operation: 'list' },
      ] as const) {
        const startedAt = performance.now()
        await session.session.run(command)
        calls++
        expect(performance.now() - startedAt, `${command.name} after ${signal} of the ${kind}`).toBeLessThan(
          deadlines[command.name] + graceMs,
        )
      }
      // at once: a session alone would wait for a browser that is stopped
      await Promise.all([session.session.close(), chromium.close()])
      await until(async () => (await processesInGroup(chromium.pid)).length === 0, { what: `the end of the browser after ${signal}` })
    }
    task.meta.tries = calls
  },
)

async function processesOf(leader: number, kind: keyof typeof kinds): Promise<number[]> {
  if (kind === 'browser') return [leader]
  const lines = await Promise.all(
    (await processesInGroup(leader)).map(async pid => [pid, await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')] as const),
  )
  return lines.filter(([, line]) => line.includes(kinds[kind])).map(([pid]) => pid)
}
