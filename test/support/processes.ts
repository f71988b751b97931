import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** Polls a condition until it holds; these tests have no fixed waits. */
export async function until(condition: () => boolean | Promise<boolean>, { withinMs = 5_000, what = 'the condition' } = {}): Promise<void> {
  const start = performance.now()
  while (!(await condition())) {
    if (performance.now() - start > withinMs) throw new Error(`${what} did not hold within ${withinMs} ms`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

/** The live processes of a group. Without /proc, the leader represents all of them. */
export async function processesInGroup(leader: number): Promise<number[]> {
  if (!existsSync('/proc/self/stat')) return signal(leader, 0) ? [leader] : []
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const members = pids.map(async pid => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '') // the process may end meanwhile
    // proc(5): the name in parentheses may contain anything; state, parent and group follow it
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const isAlive = state !== 'Z' && state !== 'X'
    return isAlive && Number(group) === leader ? [Number(pid)] : []
  })
  return (await Promise.all(members)).flat()
}

/** Kills a process group and waits until it is gone. */
export async function endGroup(leader: number): Promise<void> {
  signal(leader, 'SIGKILL')
  await until(async () => (await processesInGroup(leader)).length === 0, { withinMs: 30_000, what: `the end of process group ${leader}` })
}

function signal(leader: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, name)
  } catch {
    return false // gone
  }
}
