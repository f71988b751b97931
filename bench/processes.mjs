import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** the variable by which processes of one run are known, also those that their parent has left */
export const markName = 'PAGEHAND_BENCH'

/** only where /proc tells of processes */
export const canTell = existsSync('/proc/self/environ')

/** Every process that has the mark in its environment, and what those have started; Chromium's rewrite their environment. */
export function processesOf(mark) {
  if (!canTell) return []
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

/** Those that live on although they should have ended within two seconds; they are ended here. */
export async function leftOf(processes) {
  const enough = performance.now() + 2_000
  while (processes.some(isAlive) && performance.now() < enough) await pause(20)
  const left = processes.filter(isAlive)
  for (const { pid } of left) end(pid)
  return left
}

/** Resident memory in bytes. */
export function residentOf(processes) {
  return processes.reduce((sum, { pid }) => sum + 1_024 * Number(/VmRSS:\s+(\d+)/.exec(text(`/proc/${pid}/status`))?.[1] ?? 0), 0)
}

/** What a command writes, and how long it takes from start to end; never in the way of a server in this process. */
export function runProgram([file, ...words], env) {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    execFile(file, words, { env, maxBuffer: 1e9 }, (error, stdout, stderr) => {
      const ms = performance.now() - start
      if (error) reject(new Error(`${words.join(' ')}: ${stderr || error.message}`))
      else resolve({ text: (stdout + stderr).trim(), ms })
    })
  })
}

// a pid may have been given to another since: who started when is the same for ever
const isAlive = ({ pid, started }) => read(String(pid)).some(now => now.started === started)

function read(name) {
  // the name of the program, in brackets, may hold spaces
  const [state, parent, ...rest] = text(`/proc/${name}/stat`).split(') ').at(-1).split(' ')
  const started = rest[17]
  return started === undefined || state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), started, program: programOf(name) }]
}

const environmentOf = pid => text(`/proc/${pid}/environ`).split('\0')

function programOf(name) {
  try {
    return readlinkSync(`/proc/${name}/exe`)
  } catch {
    return '' // gone, or not ours to look at
  }
}

function text(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // gone, or not ours to look at
  }
}

function end(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // gone in the meantime
  }
}
