import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** The environment variable that marks all processes of one run, even orphans. */
export const markName = 'PAGEHAND_BENCH'

/** Processes can only be listed on systems with /proc. */
export const canListProcesses = existsSync('/proc/self/environ')

/** All processes with the mark in their environment and their descendants, because Chromium processes rewrite their environment. */
export function processesOf(mark) {
  if (!canListProcesses) return []
  const all = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(read)
  const found = new Set(all.filter(({ pid }) => environmentOf(pid).includes(`${markName}=${mark}`)).map(({ pid }) => pid))
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid)
  }
  return all.filter(({ pid }) => found.has(pid))
}

/** Whether it is a process of the browser: the path to start it may be a script that starts another program. */
export const isBrowser = ({ program }) => /chrom/i.test(basename(program))

/** Waits up to two seconds for the processes to exit, kills the rest and returns them. */
export async function leftOf(processes) {
  const deadline = performance.now() + 2_000
  while (processes.some(isAlive) && performance.now() < deadline) await pause(20)
  const left = processes.filter(isAlive)
  for (const { pid } of left) end(pid)
  return left
}

/** Resident memory in bytes. */
export function residentOf(processes) {
  return processes.reduce((sum, { pid }) => sum + 1_024 * Number(/VmRSS:\s+(\d+)/.exec(text(`/proc/${pid}/status`))?.[1] ?? 0), 0)
}

/** Runs a program without blocking this process; returns its output and its time from start to end. */
export function runProgram([file, ...args], env) {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    execFile(file, args, { env, maxBuffer: 1e9 }, (error, stdout, stderr) => {
      const ms = performance.now() - start
      if (error) reject(new Error(`${args.join(' ')}: ${stderr || error.message}`))
      else resolve({ text: (stdout + stderr).trim(), ms })
    })
  })
}

// a pid may be reused, so the start time is compared too
const isAlive = ({ pid, started }) => read(String(pid)).some(now => now.started === started)

function read(name) {
  // the program name, in parentheses, may contain spaces
  const [state, parent, ...rest] = text(`/proc/${name}/stat`).split(') ').at(-1).split(' ')
  const started = rest[17]
  return started === undefined || state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), started, program: programOf(name) }]
}

const environmentOf = pid => text(`/proc/${pid}/environ`).split('\0')

function programOf(name) {
  try {
    return readlinkSync(`/proc/${name}/exe`)
  } catch {
    return '' // the process is gone or not readable
  }
}

function text(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // the process is gone or not readable
  }
}

function end(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has exited
  }
}
