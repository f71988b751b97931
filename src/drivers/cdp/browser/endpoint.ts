import { readFile, stat } from 'node:fs/promises'
import { get } from 'node:http'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { PagehandError } from '../errors.ts'

export interface ConnectOptions {
  /** http://…, ws://…, or the path of a DevToolsActivePort file or of the user data folder that holds it */
  readonly endpoint?: string
  /** of this machine; 9222 unless given */
  readonly port?: number
  /** also an endpoint on another machine */
  readonly allowRemote?: boolean
  readonly timeoutMs?: number
  readonly env?: NodeJS.ProcessEnv
}

/** The WebSocket address of a browser that somebody else has started. */
export async function findEndpoint({
  endpoint,
  port = 9222,
  allowRemote = false,
  timeoutMs = 5_000,
  env,
}: ConnectOptions): Promise<string> {
  const given = endpoint ?? `http://127.0.0.1:${port}`
  const url = /^(https?|wss?):/i.test(given) && URL.canParse(given) ? new URL(given) : await activePort(given)
  if (!url)
    throw new PagehandError(
      'invalid_input',
      `${JSON.stringify(given.slice(0, 200))} is neither an http or ws address nor a DevToolsActivePort file.`,
    )
  if (!allowRemote && !isLoopback(url.hostname))
    throw new PagehandError('endpoint_not_loopback', `${url.host} is not this machine; whoever has this port has the whole browser.`)
  if (url.protocol.startsWith('ws')) return url.href

  const answer = await ask(new URL('/json/version', url), timeoutMs)
  if (answer === undefined) throw new PagehandError('not_running', `No browser answers at ${url.origin}. ${howTo}`)
  // only its path is taken: an answer must not lead elsewhere
  const path = answer.status === 200 ? pathIn(answer.text) : undefined
  if (path) return new URL(path, url.href.replace(/^http/, 'ws')).href
  // Chrome 144 and newer, switched on at chrome://inspect: a WebSocket without the list of what is there
  const written = (await Promise.all(userDataFolders(env).map(activePort))).find(found => found?.port === url.port)
  if (written) return written.href
  throw new PagehandError('not_running', `${url.origin} answers, but not as a browser does (status ${answer.status}). ${howTo}`)
}

/** What people run into since Chrome has guarded its daily profile. */
export const howTo = [
  'Start the browser with --remote-debugging-port=9222 and a --user-data-dir of its own:',
  'Chrome 136 and newer ignore the port for the default profile.',
  'For the default profile, Chrome 144 and newer can be opened at chrome://inspect/#remote-debugging; it then asks you to allow the connection.',
].join(' ')

export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(host)

/** a DevToolsActivePort file: the port in its first line, the path in its second */
async function activePort(path: string): Promise<URL | undefined> {
  try {
    const file = (await stat(path)).isDirectory() ? join(path, 'DevToolsActivePort') : path
    const [port, rest] = (await readFile(file, 'utf8')).split('\n')
    return /^\d+$/.test(port ?? '') && rest?.startsWith('/') ? new URL(`ws://127.0.0.1:${port}${rest.trim()}`) : undefined
  } catch {
    return undefined // not there
  }
}

function userDataFolders(env: NodeJS.ProcessEnv = process.env): string[] {
  if (process.platform === 'win32')
    return ['Google\\Chrome', 'Microsoft\\Edge', 'Chromium'].map(name => join(env.LOCALAPPDATA ?? '', name, 'User Data'))
  if (process.platform === 'darwin')
    return ['Google/Chrome', 'Microsoft Edge', 'Chromium'].map(name => join(homedir(), 'Library', 'Application Support', name))
  return ['google-chrome', 'chromium', 'microsoft-edge'].map(name => join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), name))
}

function pathIn(text: string): string | undefined {
  try {
    const { webSocketDebuggerUrl } = JSON.parse(text) as { webSocketDebuggerUrl?: string }
    return webSocketDebuggerUrl ? new URL(webSocketDebuggerUrl).pathname : undefined
  } catch {
    return undefined // some other server
  }
}

/** No header but those that HTTP needs, no redirect followed, no more read than an answer can be. */
function ask(url: URL, timeoutMs: number): Promise<{ status: number; text: string } | undefined> {
  return new Promise(resolve => {
    const request = get(url, { agent: false, timeout: timeoutMs }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
        if (text.length > 65_536) request.destroy()
      })
      response.on('close', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(undefined))
  })
}
