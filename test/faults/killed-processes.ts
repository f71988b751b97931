import { expect } from 'vitest'
import type { RunStore } from '../../src/contract/journal.ts'
import { fileRunStore } from '../../src/evidence.ts'
import { startProgram } from '../support/child-program.ts'

interface KillPlan {
  /** the folder of the runs */
  readonly folder: string
  /** a program that takes the folder, a URL and the id of the run to go on with, and prints the id and another line once it works */
  readonly file: string
  readonly url: string
  readonly maxKills: number
  /** each process lives at most this long, but for the last one, which is left alone */
  readonly maxMs: number
  readonly env?: NodeJS.ProcessEnv
}

/** Starts a program again and again, and kills it at random moments, until its run has ended. */
export async function killAtRandom(plan: KillPlan): Promise<{ readonly id: string; readonly kills: number }> {
  const { folder, file, url, maxKills, maxMs, env } = plan
  let id = ''
  let kills = 0
  for (;;) {
    const { child, line, exit } = startProgram(file, [folder, url, ...(id ? [id] : [])], env)
    id ||= await line
    await line
    const timer = kills < maxKills ? setTimeout(() => child.kill('SIGKILL'), Math.random() * maxMs) : undefined
    const code = await exit
    clearTimeout(timer)
    if (code === 0) return { id, kills }
    expect(code, 'the run fails').toBeNull()
    kills++
    // killed between the end of the run and the exit of the process: there is nothing left to do
    if ((await fileRunStore({ folder }).read(id)).events.at(-1)?.type === 'run.ended') return { id, kills }
  }
}

/** Two windows that approve everything at the same time, until they are closed: the first decision counts. */
export function openTwoWindows(store: RunStore): AsyncDisposable {
  let isClosed = false
  const deciding = (async () => {
    while (!isClosed) {
      for (const { request } of await store.approvals({ pending: true })) {
        const decide = (by: string) => store.decide(request.id, { approved: true, scope: 'once', by, at: new Date().toISOString() })
        await Promise.all([decide('ann'), decide('bob')])
      }
      await new Promise(done => setTimeout(done, 10))
    }
  })()
  return {
    async [Symbol.asyncDispose]() {
      isClosed = true
      await deciding
    },
  }
}
