import type { ChildProcessByStdio } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type Request, type Response, readLines } from './messages.ts'
import { assertPrivate, daemonPaths } from './socket-path.ts'

type WithoutId<Each> = Each extends Request ? Omit<Each, 'id'> : never

export interface DaemonClient {
  request(request: WithoutId<Request>): Promise<Response>
  end(): void
  /** the daemon has exited, or is about to: the next request needs a new connection */
  isClosed(): boolean
}

const maxResponseLength = 200_000_000

/** Connects to the daemon of this user; null if none is running. */
export async function connectToDaemon(): Promise<DaemonClient | null> {
  const { folder, socket: path } = daemonPaths()
  const socket = await openSocket(path)
  if (!socket) return null
  try {
    assertPrivate(folder)
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
  const failPending = () => {
    isClosed = true
    for (const [id, resolve] of pending)
      resolve({ id, ok: false, text: 'target_closed: the daemon exited before it answered. Open the page again.' })
    pending.clear()
  }
  socket.on('error', failPending)
  socket.on('close', failPending)
  let lastId = 0
  return {
    request: request =>
      new Promise(resolve => {
        const id = ++lastId
        pending.set(id, resolve)
        if (socket.writable) socket.write(`${JSON.stringify({ ...request, id })}\n`)
        else failPending()
      }),
    end: () => socket.end(),
    isClosed: () => isClosed,
  }
}

const openSocket = (path: string): Promise<Socket | null> =>
  new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
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
