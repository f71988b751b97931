// The daemon: a background process per user that keeps browser sessions between commands, and exits when it is idle.
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { messageOf } from '../../../contract/error-message.ts'
import { failure } from '../../../contract/failures.ts'
import { createPrivateFolder } from '../../../home/private-folder.ts'
import type { OpenSession } from '../../flags/session-flags.ts'
import { failureAnswer } from '../../respond/answer.ts'
import { stderr, stdout } from '../../terminal.ts'
import { parseRequest, type Request, type ResponseBody, readLines } from './messages.ts'
import { SessionRegistry } from './sessions.ts'
import { assertSocketPath, daemonPaths } from './socket-path.ts'

export interface DaemonOptions {
  /** opens a browser session as the first command of that session asks for it */
  readonly open: OpenSession
  /**
   * Exit after this long without a command.
   * @default 15 minutes
   */
  readonly idleMs?: number
  readonly env?: NodeJS.ProcessEnv
}

const maxRequestLength = 1_000_000

/** The main function of the program: prints `ready` when the daemon listens, or an error in one line. */
export async function runDaemon(options: DaemonOptions): Promise<never> {
  const daemon = await startDaemon(options).catch((error: Error) => {
    stderr.write(`${error.message}\n`)
    process.exit(1)
  })
  stdout.write('ready\n')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void daemon?.close())
  await daemon?.closed
  process.exit()
}

/** Starts to listen; null if another daemon of this user does already. */
export async function startDaemon({ open, idleMs = 15 * 60_000, env = process.env }: DaemonOptions): Promise<Daemon | null> {
  const paths = daemonPaths(env)
  assertSocketPath(paths)
  const { folder, pidFile, socket: path } = paths
  if (folder !== null) createPrivateFolder(folder)
  const server = createServer()
  if (!(await listen(server, path, { isFile: folder !== null }))) return null
  if (folder !== null) chmodSync(path, 0o600)
  if (pidFile !== null) writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  return new Daemon(server, { sessions: new SessionRegistry(open), idleMs, pidFile })
}

/** A listening daemon. */
export class Daemon {
  /** resolves when all sessions and connections are closed */
  readonly closed: Promise<void>
  readonly #server: Server
  readonly #sessions: SessionRegistry
  readonly #idleMs: number
  readonly #pidFile: string | null
  readonly #sockets = new Set<Socket>()
  #idleTimer: NodeJS.Timeout | undefined
  #pendingRequests = 0
  #finish = () => {}

  constructor(server: Server, { sessions, idleMs, pidFile }: { sessions: SessionRegistry; idleMs: number; pidFile: string | null }) {
    this.#server = server
    this.#pidFile = pidFile
    this.#sessions = sessions
    this.#idleMs = idleMs
    this.closed = new Promise(resolve => {
      this.#finish = resolve
    })
    server.on('connection', socket => this.#accept(socket))
    this.#restartIdleTimer()
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer)
    this.#server.close()
    await this.#sessions.closeAll()
    for (const socket of this.#sockets) socket.destroy()
    // from the moment at which this one stops listening, another daemon may have its own file there
    if (this.#pidFile !== null && readPid(this.#pidFile) === process.pid) rmSync(this.#pidFile, { force: true })
    this.#finish()
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket)
    socket.setEncoding('utf8')
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => socket.destroy()) // a client that is gone needs no response
    readLines(socket, {
      maxLength: maxRequestLength,
      onLine: line => void this.#handle(line, socket).catch(() => socket.destroy()), // its client reports that the connection was lost
      onOverflow: () => socket.destroy(),
    })
  }

  async #handle(line: string, socket: Socket): Promise<void> {
    const request = parseRequest(line)
    if (!request) {
      this.#restartIdleTimer()
      return void socket.destroy()
    }
    clearTimeout(this.#idleTimer)
    this.#pendingRequests++
    // a client that is gone, by Ctrl-C for example, does not want its command anymore
    const abort = new AbortController()
    const onClose = () => abort.abort()
    socket.once('close', onClose)
    const response = await this.#respond(request, abort.signal).catch(internalError)
    socket.off('close', onClose)
    this.#pendingRequests--
    const isLast = this.#isLast(request, response)
    const text = `${JSON.stringify({ ...response, id: request.id, ...(isLast && { isLast }) })}\n`
    if (isLast) {
      // clients that come from now on start another daemon, which looks for a browser again
      this.#server.close()
      socket.end(text, () => void this.close())
      return
    }
    if (!socket.destroyed) socket.write(text)
    this.#restartIdleTimer()
  }

  async #respond(request: Request, signal: AbortSignal): Promise<ResponseBody> {
    if (request.do === 'ping') return { ok: true, text: 'ok' }
    if (request.do === 'status') return this.#sessions.status()
    if (request.do === 'stop') return this.#sessions.stop(request.session)
    return this.#sessions.runVerb(request, signal)
  }

  /** A daemon that could not open any session exits: the next one may find a browser that has been installed since. */
  #isLast(request: Request, { ok }: ResponseBody): boolean {
    if (request.do === 'stop') return request.session === undefined
    return request.do !== 'ping' && !ok && this.#sessions.size === 0 && this.#pendingRequests === 0
  }

  #restartIdleTimer(): void {
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => void this.close(), this.#idleMs)
  }
}

function readPid(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return undefined // removed already
  }
}

/** A message that nothing expected must not end the daemon, and with it the sessions of other clients. */
const internalError = (error: unknown): ResponseBody =>
  failureAnswer(failure('outcome_unknown', 'the command failed.', { page: { error: messageOf(error) } }))

/** Listens, and replaces the socket of a daemon that was killed. False if another daemon answers there. */
async function listen(server: Server, path: string, { isFile }: { isFile: boolean }): Promise<boolean> {
  const error = await new Promise<NodeJS.ErrnoException | null>(resolve => {
    server.once('error', resolve)
    server.listen(path, () => resolve(null))
  })
  if (error === null) return true
  if (error.code !== 'EADDRINUSE') throw error
  // a named pipe of Windows disappears with its process
  if (!isFile || (await acceptsConnections(path))) return false
  rmSync(path, { force: true })
  return listen(server, path, { isFile })
}

const acceptsConnections = (path: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
