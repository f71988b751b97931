import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { onLines, type Request, type Response } from './messages.ts'
import { hostPlace, isOurs } from './socket-path.ts'

type Asking = Request extends infer Each ? (Each extends Request ? Omit<Each, 'id'> : never) : never

export interface Client {
  ask(request: Asking): Promise<Response>
  end(): void
  /** nobody listens any more: another one must be reached */
  isOver(): boolean
}

/** The host of this user; null where none is running. */
export async function reach(): Promise<Client | null> {
  const { folder, socket: path } = hostPlace()
  const socket = await connected(path)
  if (!socket) return null
  if (!isOurs(folder)) {
    socket.destroy()
    throw new Error(`${folder} belongs to somebody else, or others may enter it: remove it, or set PAGEHAND_RUNTIME_DIR`)
  }
  let over = false
  const waiting = new Map<number, (response: Response) => void>()
  socket.setEncoding('utf8')
  onLines(socket, {
    most: 200_000_000,
    line: line => {
      const response = JSON.parse(line) as Response
      over ||= response.isLast === true
      waiting.get(response.id)?.(response)
      waiting.delete(response.id)
    },
    tooLong: () => socket.destroy(),
  })
  const lost = () => {
    over = true
    for (const [id, resolve] of waiting)
      resolve({ id, ok: false, text: 'target_closed: the host ended before it answered. Open the page again.' })
    waiting.clear()
  }
  socket.on('error', lost)
  socket.on('close', lost)
  let last = 0
  return {
    ask: request =>
      new Promise(resolve => {
        const id = ++last
        waiting.set(id, resolve)
        if (socket.writable) socket.write(`${JSON.stringify({ ...request, id })}\n`)
        else lost()
      }),
    end: () => socket.end(),
    isOver: () => over,
  }
}

const connected = (path: string): Promise<Socket | null> =>
  new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? resolve(null) : reject(error),
    )
  })

/** The host of this user, started where there is none. It outlives this process, and ends by itself when nobody needs it. */
export async function reachOrStart(): Promise<Client> {
  const running = await reach()
  if (running) return running
  const { spawn } = await import('node:child_process')
  const host = spawn(process.execPath, [fileURLToPath(new URL('./cli-daemon.js', import.meta.url))], {
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await ready(host)
  host.unref()
  const started = await reach()
  if (!started) throw new Error('the background host ended before it could be reached')
  return started
}

/** resolves at its first line, and rejects with what it says where it ends first */
function ready(
  host: import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    host.stderr.on('data', chunk => {
      said += chunk
    })
    host.stdout.once('data', () => {
      host.stdout.destroy()
      host.stderr.destroy()
      resolve()
    })
    host.once('error', reject)
    host.once('exit', code => reject(new Error(said.trim() || `the background host ended with code ${code}`)))
  })
}
