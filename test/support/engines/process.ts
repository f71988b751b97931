import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { endGroup } from '../processes.ts'

/** The executable with this name on the PATH, or at this path. */
export function findExecutable(...names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const paths = names.flatMap(name => (name.includes('/') ? [name] : folders.map(folder => join(folder, name))))
  return paths.find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false // missing, or not executable
  }
}

export interface ChildGroup {
  /** resolves with the first match in its output; rejects if it exits before, or after half a minute */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>
  end(): Promise<void>
}

/** Starts a process group, noted for clean-up.ts in case the worker is torn down. */
export async function startProcess(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<ChildGroup> {
  const child = spawn(program, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const waiting = new Set<() => void>()
  const append = (text: string) => {
    output = (output + text).slice(-100_000)
    for (const check of waiting) check()
  }
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', append)
  const ended = rejectOnExit(child)
  ended.catch(() => {}) // reported to callers that wait for output
  if (child.pid !== undefined && basename(tmpdir()).startsWith('pagehand-run-')) await writeFile(join(tmpdir(), `running-${child.pid}`), '')

  return {
    waitForOutput: pattern => {
      const found = new Promise<RegExpExecArray>(resolve => {
        const check = () => {
          const match = pattern.exec(output)
          if (!match) return
          waiting.delete(check)
          resolve(match)
        }
        waiting.add(check)
        check()
      })
      const rethrow = (why: Error): never => {
        throw new Error(`${program} ${why.message} before it printed ${pattern}\n${output.slice(-2_000)}`)
      }
      return Promise.race([found, ended, timeoutAfter(30_000)]).catch(rethrow)
    },
    end: async () => {
      if (child.pid !== undefined) await endGroup(child.pid)
    },
  }
}

/** never resolves */
function rejectOnExit(child: ChildProcess): Promise<never> {
  return new Promise((_, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => reject(new Error(`ended with ${code ?? signal}`)))
  })
}

function timeoutAfter(ms: number): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`took more than ${ms / 1_000} s`)), ms).unref()
  })
}
