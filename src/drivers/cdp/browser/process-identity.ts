import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** A process, so that no later process with the same number passes for it. */
export interface ProcessIdentity {
  readonly pid: number
  /** when it began, in whatever words the system has for it; '' where it has none */
  readonly started: string
  readonly host: string
}

let self: ProcessIdentity | undefined
/** This process; asked once, since it never changes. */
export const currentProcess = (): ProcessIdentity => {
  self ??= { pid: process.pid, started: startOf(process.pid), host: hostname() }
  return self
}

/** Processes of other machines cannot be seen from here. */
export function processState({ pid, started, host }: ProcessIdentity): 'alive' | 'dead' | 'elsewhere' {
  if (host !== hostname()) return 'elsewhere'
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'dead'
  }
  const now = startOf(pid)
  return started && now && started !== now ? 'dead' : 'alive'
}

export function parseProcessIdentity(json: string): ProcessIdentity | undefined {
  try {
    const { pid, started, host } = JSON.parse(json) as Partial<ProcessIdentity>
    return Number.isInteger(pid) && typeof started === 'string' && typeof host === 'string'
      ? { pid: pid as number, started, host }
      : undefined
  } catch {
    return undefined // torn by a process that was killed while it wrote
  }
}

function startOf(pid: number): string {
  try {
    if (process.platform === 'linux') {
      // proc(5): the name in parentheses may hold anything; the 20th field after it is the start, in ticks since boot
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
    }
    if (process.platform !== 'win32') return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    /* it is gone, or this system does not tell */
  }
  return ''
}
