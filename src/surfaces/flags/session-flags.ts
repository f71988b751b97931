import { resolve } from 'node:path'
import { deviceNames, findDevice } from '../../contract/devices.ts'
import type { Result } from '../../contract/run.ts'
import type { HostRules } from '../../policy/host-rules.ts'
import { parseProxyUrl, proxyUrlWithoutLogin } from '../../policy/proxy-url.ts'
import type { OpenedSession } from '../respond/lazy-session.ts'
import { flagOf, type OptionSpec, type OptionSpecs } from './option-spec.ts'
import type { OptionValues } from './parse-options.ts'

/** The rules of a session, as flags. */
export interface RuleFlags {
  readonly readOnly?: boolean
  readonly deny?: readonly string[]
  readonly allowHost?: readonly string[]
  readonly allowResources?: readonly string[]
  readonly denyHost?: readonly string[]
  readonly privateHosts?: boolean
  readonly maxSteps?: number
  /** in seconds */
  readonly maxTime?: number
  readonly totalChars?: number
}

/** The browser of a session, as flags. */
export interface BrowserFlags {
  readonly headed?: boolean
  /** the viewport: 1280x720 */
  readonly window?: string
  readonly device?: string
  readonly userAgent?: string
  readonly profile?: string
  /** endpoint of a running browser */
  readonly attach?: string
  /** http://user:password@proxy.example:3128 */
  readonly proxy?: string
  readonly allowEval?: boolean
  /** folders or files that may be opened */
  readonly fileRoot?: readonly string[]
  /** folders or files that may be uploaded */
  readonly uploadRoot?: readonly string[]
  /** folder for downloads */
  readonly downloads?: string
  /** file with cookies and stored data */
  readonly storageState?: string
  /** the origins of that file that are used */
  readonly storageOrigin?: readonly string[]
  /** separate cookies and storage */
  readonly isolated?: boolean
  /** file with named secrets */
  readonly secrets?: string
}

/** How a program wants its browser session opened. */
export interface OpenOptions extends BrowserFlags {
  readonly hosts?: HostRules
  /**
   * The folder whose files may be opened and uploaded if `fileRoot` and `uploadRoot` name none.
   * @default files of the working directory may be opened, and none uploaded
   */
  readonly folder?: string
}
export type OpenSession = (options: OpenOptions) => Promise<Result<OpenedSession>>

export const browserFlags: { readonly [field in keyof Required<BrowserFlags>]: OptionSpec } = {
  headed: { type: 'boolean', description: 'show the browser window' },
  // --window is the former name
  window: { type: 'string', flag: 'viewport', value: 'WxH', description: 'size of the viewport, such as 1280x720' },
  device: {
    type: 'string',
    value: 'NAME',
    description: `imitate the viewport, touch events and user agent of a device: ${deviceNames.join(', ')}`,
  },
  userAgent: { type: 'string', value: 'TEXT', description: 'user agent of the pages and their requests' },
  profile: {
    type: 'string',
    value: 'NAME',
    description:
      'cookies and logins to use: temporary (empty, deleted afterwards), chrome (tabs of your own browser; see docs/your-own-chrome.md), or any other name (created on first use and kept)',
    default: 'temporary',
  },
  attach: { type: 'string', value: 'ENDPOINT', description: 'use a running browser, such as http://127.0.0.1:9222' },
  proxy: {
    type: 'string',
    value: 'URL',
    description: 'connect through this proxy: http://, https:// or socks5://, with user:password@ if it needs a login',
  },
  allowEval: { type: 'boolean', description: 'allow JavaScript to be run in the page' },
  fileRoot: {
    type: 'array',
    value: 'DIR',
    isPath: true,
    description: 'files of this folder may be opened as pages; can be repeated (default: the working directory)',
  },
  uploadRoot: {
    type: 'array',
    value: 'DIR',
    isPath: true,
    description: 'files of this folder may be uploaded; can be repeated (default: the working directory)',
  },
  downloads: { type: 'string', value: 'DIR', isPath: true, description: 'save downloads to this folder (default: downloads are refused)' },
  storageState: {
    type: 'string',
    value: 'FILE',
    isPath: true,
    description: 'begin with the cookies and stored data of this file, as saved by pagehand or Playwright',
  },
  storageOrigin: {
    type: 'array',
    value: 'ORIGIN',
    description: 'with --storage-state: use only the part for this origin, such as https://shop.example; can be repeated',
  },
  isolated: {
    type: 'boolean',
    description: 'use separate cookies and storage; without it, sessions with the same profile share its logins, each in its own tab',
  },
  secrets: {
    type: 'string',
    value: 'FILE',
    isPath: true,
    description: 'JSON file, readable only by its owner, with the secrets that fill and type insert for {{secret:NAME}}',
  },
}

export const ruleFlags: { readonly [field in keyof Required<RuleFlags>]: OptionSpec } = {
  readOnly: { type: 'boolean', isRule: true, description: 'only look, scroll and open pages: no actions, no JavaScript, no uploads' },
  deny: {
    type: 'array',
    value: 'NAME',
    description: 'refuse a verb, a tool or a class of verbs (look, move, act, leave, power); can be repeated',
  },
  allowHost: {
    type: 'array',
    value: 'HOST',
    description: 'connect only to this host and its site, and show only its pages; such as *.example.com; can be repeated',
  },
  allowResources: {
    type: 'array',
    value: 'HOST',
    description:
      'with --allow-host: let pages load scripts, images and data from this host too, * for all; hosts of the same site are always allowed; can be repeated',
  },
  denyHost: { type: 'array', value: 'HOST', description: 'never connect to this host; can be repeated' },
  privateHosts: { type: 'boolean', isRule: true, description: 'never connect to this machine or its private network', default: true },
  maxSteps: { type: 'integer', description: 'end the session after so many calls' },
  maxTime: { type: 'integer', value: 'SECONDS', description: 'end the session after this time' },
  totalChars: { type: 'integer', description: 'end the session after so many characters of answers' },
}

/** Flags of the command that opens a session; they apply until it is stopped. */
export const sessionFlags: OptionSpecs = { ...browserFlags, ...ruleFlags }

/** The value of `--viewport`; null if it is not a size. */
export function parseSize(text: string): { readonly width: number; readonly height: number } | null {
  const [, width, height] = /^(\d{2,5})x(\d{2,5})$/.exec(text) ?? []
  return width && height ? { width: Number(width), height: Number(height) } : null
}
/** the name of a profile becomes the name of a folder */
export const isProfileName = (name: string): boolean => /^\w[\w.-]{0,63}$/.test(name)

/** Whether these flags connect to the own browser of the user. */
export const isUserBrowser = ({ profile, attach }: BrowserFlags): boolean => attach !== undefined || profile === 'chrome'

/** The browser flags among the values of a command line; paths are resolved, because the daemon has another working directory. */
export function pickBrowserFlags(values: OptionValues): BrowserFlags {
  const picked = Object.entries(browserFlags).flatMap(([field, { isPath }]) => {
    const value = values[field]
    if (value === undefined) return []
    if (!isPath) return [[field, value]]
    return [[field, Array.isArray(value) ? value.map(each => resolve(each)) : resolve(String(value))]]
  })
  return Object.fromEntries(picked)
}

/** The first browser flag whose value is invalid, as a sentence; '' if all are valid. */
export function invalidBrowserFlag(flags: BrowserFlags): string {
  const { window, device, userAgent, profile, proxy, downloads } = flags
  if (window !== undefined && !parseSize(window)) return `--viewport is a size such as 1280x720, not ${window}`
  if (device !== undefined && !findDevice(device)) return `--device is one of ${deviceNames.join(', ')}, not ${device}`
  if (userAgent !== undefined && !/^[\x20-\x7e]+$/.test(userAgent)) return '--user-agent is a text of ASCII characters'
  if (profile !== undefined && !isProfileName(profile)) return `--profile is a name of letters, digits, dots and dashes, not ${profile}`
  if (proxy !== undefined && !parseProxyUrl(proxy)) return '--proxy is a URL such as http://proxy.example:3128 or socks5://127.0.0.1:1080'
  if (proxy !== undefined && isUserBrowser(flags))
    return '--proxy is for a browser that pagehand starts; set the proxy of your own browser in its settings'
  if (downloads !== undefined && isUserBrowser(flags))
    return '--downloads is for a browser that pagehand starts; your own browser keeps its own download folder'
  return ''
}

/**
 * The flags that were given, in one canonical spelling, so that equal flags give equal text; '' for none.
 * A flag that only repeats its default is left out.
 */
export function formatFlags(specs: OptionSpecs, given: BrowserFlags & RuleFlags): string {
  const values: { readonly [field: string]: unknown } = { ...given }
  const flags = Object.entries(specs).flatMap(([field, spec]) => {
    const [flag, value] = [flagOf(field, spec), values[field]]
    if (value === undefined || value === (spec.default ?? false)) return []
    // the login of the proxy is not printed
    if (spec === browserFlags.proxy) return [`${flag} ${proxyUrlWithoutLogin(String(value))}`]
    if (Array.isArray(value)) return value.map(each => `${flag} ${asWord(each)}`)
    return [spec.type === 'boolean' ? flag : `${flag} ${asWord(value)}`]
  })
  return flags.join(' ')
}

/** The flags that refuse verbs. */
export const formatPolicyFlags = ({ readOnly, deny }: RuleFlags): string =>
  formatFlags(ruleFlags, { ...(readOnly !== undefined && { readOnly }), ...(deny && { deny }) })

/** in quotes if a shell would split it */
const asWord = (value: unknown): string => (/\s/.test(String(value)) ? JSON.stringify(value) : String(value))
