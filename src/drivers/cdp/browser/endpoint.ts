import { readFile, stat } from 'node:fs/promises'
import { get } from 'node:http'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { quoted, say, term } from '../../../contract/message.ts'
import { PagehandError } from '../errors.ts'

/**
 * How to reach a browser that is already running.
 *
 * @example
 * const options: ConnectOptions = { endpoint: 'http://127.0.0.1:9222' }
 */
export interface ConnectOptions {
  /**
   * http://…, ws://…, or the path of a DevToolsActivePort file or of its user data folder.
   * @default `port` on this machine
   */
  readonly endpoint?: string
  /**
   * The debugging port on this machine; ignored if `endpoint` is set.
   * @default 9222
   */
  readonly port?: number
  /**
   * Allows an endpoint on another machine.
   * @default false
   */
  readonly allowRemote?: boolean
  /** @default 5_000 */
  readonly timeoutMs?: number
  /**
   * Used to find the user data folders of browsers.
   * @default process.env
   */
  readonly env?: NodeJS.ProcessEnv
}

/** Finds the WebSocket URL of a running browser. */
export async function findEndpoint({
  endpoint,
  port = 9222,
  allowRemote = false,
  timeoutMs = 5_000,
  env,
}: ConnectOptions): Promise<string> {
  const given = endpoint ?? `http://127.0.0.1:${port}`
  const url = /^(https?|wss?):/i.test(given) && URL.canParse(given) ? new URL(given) : await readActivePort(given)
  if (!url) throw new PagehandError('invalid_input', say`${quoted(given, 200)} is neither an http or ws URL nor a DevToolsActivePort file.`)
  if (!allowRemote && !isLoopback(url.hostname))
    throw new PagehandError(
      'endpoint_not_loopback',
      say`${quoted(url.host)} is not on this machine; anyone who can reach this port controls the browser.`,
    )
  if (url.protocol.startsWith('ws')) return url.href

  const answer = await fetchText(new URL('/json/version', url), timeoutMs)
  if (answer === undefined) throw new PagehandError('not_running', say`No browser answers at ${quoted(url.origin)}. ${term(howTo)}`)
  // only the path is used, so that the answer cannot lead to another host
  const path = answer.status === 200 ? webSocketPathIn(answer.text) : undefined
  if (path) return new URL(path, url.href.replace(/^http/, 'ws')).href
  // Chrome 144 and newer, enabled at chrome://inspect: a WebSocket without /json/version
  const written = (await Promise.all(userDataFolders(env).map(readActivePort))).find(found => found?.port === url.port)
  if (written) return written.href
  throw new PagehandError(
    'not_running',
    say`${quoted(url.origin)} answers, but not like a browser (status ${answer.status}). ${term(howTo)}`,
  )
}

/** Help for the restrictions that Chrome puts on its default profile. */
export const howTo = [
  'Start the browser with --remote-debugging-port=9222 and a separate --user-data-dir:',
  'Chrome 136 and newer ignore the port for the default profile.',
  'For the default profile, Chrome 144 and newer can be opened at chrome://inspect/#remote-debugging; it then asks you to allow the connection.',
].join(' ')

export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(host)

/** Reads a DevToolsActivePort file: the port is in its first line, the path in its second. */
async function readActivePort(path: string): Promise<URL | undefined> {
  try {
    const file = (await stat(path)).isDirectory() ? join(path, 'DevToolsActivePort') : path
    const [port, rest] = (await readFile(file, 'utf8')).split('\n')
    return /^\d+$/.test(port ?? '') && rest?.startsWith('/') ? new URL(`ws://127.0.0.1:${port}${rest.trim()}`) : undefined
  } catch {
    return undefined // there is no such file
  }
}

function userDataFolders(env: NodeJS.ProcessEnv = process.env): string[] {
  if (process.platform === 'win32')
    return ['Google\\Chrome', 'Microsoft\\Edge', 'Chromium'].map(name => join(env.LOCALAPPDATA ?? '', name, 'User Data'))
  if (process.platform === 'darwin')
    return ['Google/Chrome', 'Microsoft Edge', 'Chromium'].map(name => join(homedir(), 'Library', 'Application Support', name))
  return ['google-chrome', 'chromium', 'microsoft-edge'].map(name => join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), name))
}

function webSocketPathIn(text: string): string | undefined {
  try {
    const { webSocketDebuggerUrl } = JSON.parse(text) as { webSocketDebuggerUrl?: string }
    return webSocketDebuggerUrl ? new URL(webSocketDebuggerUrl).pathname : undefined
  } catch {
    return undefined // another server
  }
}

/** A GET request without extra headers or redirects; the body is limited. */
function fetchText(url: URL, timeoutMs: number): Promise<{ status: number; text: string } | undefined> {
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
