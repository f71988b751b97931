import type { ChildProcessByStdio } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { assertPrivate } from '../../../home/private-folder.ts'
import { type Request, type Response, readLines } from './messages.ts'
import { assertSocketPath, daemonPaths } from './socket-path.ts'

type WithoutId<Each> = Each extends Request ? Omit<Each, 'id'> : never

export interface DaemonClient {
  request(request: WithoutId<Request>): Promise<Response>
  end(): void
  /** the daemon has exited, or is about to: the next request needs a new connection */
  isClosed(): boolean
}

const maxResponseLength = 200_000_000

export interface ClientOptions {
  /**
   * After this long without an answer the daemon is asked whether it is alive, in milliseconds. It ends every command at a deadline of its
   * own, but several clients may wait for one session, so that time alone does not tell.
   * @default 10_000
   */
  readonly patienceMs?: number
  /**
   * How long the daemon may take to say that it is alive, in milliseconds.
   * @default 2_000
   */
  readonly pingMs?: number
  readonly env?: NodeJS.ProcessEnv
}

/** Connects to the daemon of this user; null if none is running. */
export async function connectToDaemon({
  patienceMs = 10_000,
  pingMs = 2_000,
  env = process.env,
}: ClientOptions = {}): Promise<DaemonClient | null> {
  const paths = daemonPaths(env)
  assertSocketPath(paths)
  const { folder, pidFile, socket: path } = paths
  const socket = await openSocket(path, patienceMs + pingMs, () => {
    const { message, hint } = noAnswerError(pidFile, patienceMs + pingMs)
    return new Error(`${message} ${hint}`)
  })
  if (!socket) return null
  try {
    if (folder !== null) assertPrivate(folder)
  } catch (error) {
    socket.destroy()
    throw error
  }
  let isClosed = false
  const pending = new Map<number, (response: Response) => void>()
  socket.setEncoding('utf8')
  readLines(socket, {
    maxLength: maxResponseLength,
    onLine: line => {
      const response = JSON.parse(line) as Response
      isClosed ||= response.isLast === true
      pending.get(response.id)?.(response)
      pending.delete(response.id)
    },
    onOverflow: () => socket.destroy(),
  })
  const failPending = (error: NonNullable<Response['error']>) => {
    isClosed = true
    for (const [id, resolve] of pending) resolve({ id, ok: false, text: `${error.code}: ${error.message} ${error.hint}`, error })
    pending.clear()
  }
  const onLost = () => failPending(lostError)
  socket.on('error', onLost)
  socket.on('close', onLost)
  let lastId = 0
  const send = (request: WithoutId<Request>): Promise<Response> =>
    new Promise(resolve => {
      const id = ++lastId
      pending.set(id, resolve)
      if (socket.writable) socket.write(`${JSON.stringify({ ...request, id })}\n`)
      else onLost()
    })
  return {
    async request(request) {
      const response = send(request)
      let waitedMs = 0
      for (;;) {
        const answer = await within(patienceMs, response)
        if (answer) return answer
        const isAlive = await within(pingMs, send({ do: 'ping' }))
        waitedMs += patienceMs + pingMs
        if (!isAlive) failPending(noAnswerError(pidFile, waitedMs))
        if (!isAlive) socket.destroy()
      }
    },
    end: () => socket.end(),
    isClosed: () => isClosed,
  }
}

const lostError = { code: 'target_closed', message: 'the daemon exited before it answered.', hint: 'Open the page again.' }

/** The result of a promise, or undefined if it takes longer. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}

/** A daemon that is stopped (SIGSTOP, a suspended terminal) or hangs, and what to do about it. */
function noAnswerError(pidFile: string | null, waitedMs: number): NonNullable<Response['error']> {
  let pid = ''
  try {
    pid = pidFile === null ? '' : (/^\d+$/m.exec(readFileSync(pidFile, 'utf8'))?.[0] ?? '')
  } catch {
    /* without the file, the user has to find the process */
  }
  return {
    code: 'timeout',
    message: `the daemon did not answer within ${Math.round(waitedMs / 1000)} s: ${pid ? `process ${pid}` : 'its process'} is stopped or overloaded.`,
    hint: pid
      ? `Continue it (kill -CONT ${pid}), or end it (kill -9 ${pid}) and open the page again.`
      : 'Continue it, or end it and open the page again.',
  }
}

const openSocket = (path: string, withinMs: number, timeoutError: () => Error): Promise<Socket | null> =>
  new Promise((resolve, reject) => {
    const socket = connect(path)
    // the queue of a stopped daemon may be full
    const timer = setTimeout(() => {
      socket.destroy()
      reject(timeoutError())
    }, withinMs)
    socket.once('close', () => clearTimeout(timer))
    socket.once('connect', () => {
      clearTimeout(timer)
      resolve(socket)
    })
    socket.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? resolve(null) : reject(error),
    )
  })

/** Connects to the daemon of this user, and starts it if none is running. The daemon outlives this process. */
export async function connectOrStart(): Promise<DaemonClient> {
  const running = await connectToDaemon()
  if (running) return running
  const { spawn } = await import('node:child_process')
  const daemon = spawn(process.execPath, [fileURLToPath(new URL('./cli-daemon.js', import.meta.url))], {
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await waitUntilReady(daemon)
  daemon.unref()
  const started = await connectToDaemon()
  if (!started) throw new Error('the daemon exited before it could be reached')
  return started
}

/** Resolves when the daemon prints its first line; rejects with its standard error if it exits first. */
function waitUntilReady(daemon: ChildProcessByStdio<null, Readable, Readable>): Promise<void> {
  return new Promise((resolve, reject) => {
    let stderr = ''
    daemon.stderr.on('data', chunk => {
      stderr += chunk
    })
    daemon.stdout.once('data', () => {
      daemon.stdout.destroy()
      daemon.stderr.destroy()
      resolve()
    })
    daemon.once('error', reject)
    daemon.once('exit', code => reject(new Error(stderr.trim() || `the daemon exited with code ${code}`)))
  })
}
