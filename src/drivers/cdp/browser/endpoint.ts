import { readFile, stat } from 'node:fs/promises'
import { get } from 'node:http'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { quoted, say, term } from '../../../contract/message.ts'
import { relayFolder } from '../../../home/relay-address.ts'
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
   * @default 9222, or the port that a running Chrome, Chromium or Edge has written into its user data folder
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
   * How long to wait while the browser asks its user to allow the connection, in milliseconds.
   * @default 120_000
   */
  readonly consentMs?: number
  /** Called when the browser is about to ask its user. */
  readonly onConsent?: () => void
  /**
   * For a browser that asks its user: keeps the connection for later sessions of this process, and does not ask again after a refusal.
   * @default false: the connection ends with the last session that uses it
   */
  readonly keepConnection?: boolean
  /**
   * The name under which the extension of pagehand shows this client to the user.
   * @default 'CDP client'
   */
  readonly client?: string
  /**
   * Used to find the user data folders of browsers.
   * @default process.env
   */
  readonly env?: NodeJS.ProcessEnv
}

/** Where a running browser accepts a connection. */
export interface BrowserEndpoint {
  /** the WebSocket URL */
  readonly url: string
  /** the browser shows a dialog for every new connection, and accepts it when its user clicks Allow */
  readonly asksUser: boolean
}

/** Finds the WebSocket URL of a running browser. */
export async function findEndpoint(options: ConnectOptions): Promise<BrowserEndpoint> {
  const { endpoint, port, allowRemote = false, timeoutMs = 5_000, client, env } = options
  const given = endpoint ?? `http://127.0.0.1:${port ?? defaultPort}`
  const url = /^(https?|wss?):/i.test(given) && URL.canParse(given) ? new URL(given) : await readActivePort(given)
  if (!url) throw new PagehandError('invalid_input', say`${quoted(given, 200)} is neither an http or ws URL nor a DevToolsActivePort file.`)
  if (!allowRemote && !isLoopback(url.hostname))
    throw new PagehandError(
      'endpoint_not_loopback',
      say`${quoted(url.host)} is not on this machine; anyone who can reach this port controls the browser.`,
    )
  const { pathname } = url
  if (client !== undefined && given === relayFolder(env)) url.searchParams.set('client', client)
  // the endpoint of a relay: it need not have the HTTP interface of a browser
  if (/^wss?:$/.test(url.protocol) && !pathname.startsWith('/devtools/browser')) return { url: url.href, asksUser: false }

  const origin = new URL(url.href.replace(/^ws/, 'http')).origin
  const answer = await fetchText(new URL('/json/version', origin), timeoutMs)
  if (answer?.status === 404) return askingEndpoint(url, { given, env })
  if (answer === undefined) {
    const others = endpoint === undefined && port === undefined ? await activePorts(env) : []
    const [other] = others.filter(each => each.port !== url.port)
    if (other) return findEndpoint({ ...options, endpoint: other.href })
    throw new PagehandError('not_running', say`No browser answers at ${quoted(origin)}. ${term(howTo)}`)
  }
  if (url.protocol.startsWith('ws')) return { url: url.href, asksUser: false }
  // only the path is used, so that the answer cannot lead to another host
  const path = answer.status === 200 ? webSocketPathIn(answer.text) : undefined
  if (path) return { url: new URL(path, url.href.replace(/^http/, 'ws')).href, asksUser: false }
  if (answer.status === 401 || answer.status === 403)
    throw new PagehandError(
      'not_running',
      say`${quoted(origin)} needs a token (status ${answer.status}). If it is a relay, use its WebSocket URL with the token, such as ws://127.0.0.1:18799/cdp?token=TOKEN.`,
    )
  if (answer.status === 200 && isRelayAnswer(answer.text))
    throw new PagehandError(
      'not_running',
      say`The relay at ${quoted(origin)} is running, but its extension is not connected. Open its browser.`,
    )
  throw notLikeBrowser(origin, answer.status)
}

/** Chrome 144 and newer, turned on at chrome://inspect: a WebSocket without /json/version, whose path is only in the user data folder. */
async function askingEndpoint(url: URL, { given, env }: { given: string; env: NodeJS.ProcessEnv | undefined }): Promise<BrowserEndpoint> {
  if (url.protocol.startsWith('ws')) return { url: url.href, asksUser: true }
  const written = (await activePorts(env)).find(({ port }) => port === url.port)
  if (written) return { url: written.href, asksUser: true }
  throw notLikeBrowser(new URL(given).origin, 404)
}

const notLikeBrowser = (origin: string, status: number) =>
  new PagehandError('not_running', say`${quoted(origin)} answers, but not like a browser (status ${status}). ${term(howTo)}`)

/** The debugging ports that browsers of this user have written into their usual user data folders. */
export const activePorts = async (env?: NodeJS.ProcessEnv): Promise<readonly URL[]> =>
  (await Promise.all(userDataFolders(env).map(readActivePort))).filter(url => url !== undefined)

const defaultPort = 9222

/** Help for the restrictions that Chrome puts on its default profile. */
export const howTo = [
  'To use the browser you are logged in with, open chrome://inspect/#remote-debugging in it (Chrome 144 or newer) and turn on remote debugging;',
  'Chrome then asks once per connection, and you click Allow.',
  'To use a separate profile, start the browser with --remote-debugging-port=9222 --user-data-dir=FOLDER:',
  'Chrome 136 and newer ignore the port without a separate folder.',
].join(' ')

export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(host)

/** Reads a DevToolsActivePort file: the port is in its first line, the path in its second. */
export async function readActivePort(path: string): Promise<URL | undefined> {
  try {
    const file = (await stat(path)).isDirectory() ? join(path, 'DevToolsActivePort') : path
    const [port, rest] = (await readFile(file, 'utf8')).split('\n')
    return /^\d+$/.test(port ?? '') && rest?.startsWith('/') ? new URL(`ws://127.0.0.1:${port}${rest.trim()}`) : undefined
  } catch {
    return undefined // there is no such file
  }
}

/** The usual user data folders of Chrome, Chromium and Edge. */
export function userDataFolders(env: NodeJS.ProcessEnv = process.env): string[] {
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

/** What answers at a port of this machine, without connecting to it; undefined if nothing does. */
export async function probePort(
  port: number,
): Promise<{ readonly debugging: 'open' | 'asks' | 'other'; readonly version: number | undefined } | undefined> {
  const answer = await fetchText(new URL(`http://127.0.0.1:${port}/json/version`), 2_000)
  if (!answer) return undefined
  const version = Number(/"Browser"\s*:\s*"[^"/]*\/(\d+)/.exec(answer.text)?.[1]) || undefined
  const isBrowser = answer.status === 200 && webSocketPathIn(answer.text) !== undefined
  return { debugging: isBrowser ? 'open' : answer.status === 404 ? 'asks' : 'other', version }
}

/** OpenClaw's relay has no WebSocket URL while its extension is not connected. */
const isRelayAnswer = (text: string): boolean => /"Browser"\s*:\s*"[^"]*relay/i.test(text)

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
