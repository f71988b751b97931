import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Identifies a process even if its pid is reused later. */
export interface ProcessIdentity {
  readonly pid: number
  /** the start time in a system-specific format; '' if unknown */
  readonly started: string
  readonly host: string
}

let self: ProcessIdentity | undefined
/** The identity of this process; read once. */
export const currentProcess = (): ProcessIdentity => {
  self ??= { pid: process.pid, started: startTimeOf(process.pid), host: hostname() }
  return self
}

/** The state of a process on another machine is unknown: 'other-host'. */
export function processState({ pid, started, host }: ProcessIdentity): 'alive' | 'dead' | 'other-host' {
  if (host !== hostname()) return 'other-host'
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'dead'
  }
  const now = startTimeOf(pid)
  return started && now && started !== now ? 'dead' : 'alive'
}

export function parseProcessIdentity(json: string): ProcessIdentity | undefined {
  try {
    const { pid, started, host } = JSON.parse(json) as Partial<ProcessIdentity>
    return Number.isInteger(pid) && typeof started === 'string' && typeof host === 'string'
      ? { pid: pid as number, started, host }
      : undefined
  } catch {
    return undefined // incomplete, because its writer was killed
  }
}

function startTimeOf(pid: number): string {
  try {
    if (process.platform === 'linux') {
      // proc(5): the name in parentheses may contain anything; the 20th field after it is the start time, in ticks since boot
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
    }
    if (process.platform !== 'win32') return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    /* the process is gone, or the system does not report it */
  }
  return ''
}
