import type { DriverVerb } from '../../contract/commands.ts'
import type { DeviceName } from '../../contract/devices.ts'
import { quoted, say, term } from '../../contract/message.ts'
import { PagehandError } from '../../contract/pagehand-error.ts'
import type { HostRules } from '../../policy/host-rules.ts'
import type { NamedSecrets } from '../../secrets/named-secrets.ts'
import type { ConnectedBrowser } from './browser/connect.ts'
import type { ConnectOptions } from './browser/endpoint.ts'
import type { Chromium, LaunchOptions } from './browser/launch.ts'
import type { Debugger } from './connection/electron.ts'
import type { ProxyOptions } from './egress/upstream.ts'
import type { DownloadRules } from './storage/downloads.ts'
import type { StorageState } from './storage/storage-state.ts'

/**
 * The options of `openSession`; all of them are optional.
 *
 * @example
 * await openSession({ profile: 'work', createProfile: true, allowEval: true })
 */
export interface SessionOptions {
  /**
   * `temporary`: launches a browser with an empty profile, which is removed afterwards. `chrome`: connects to a running browser that has a
   * debugging port. Any other name: launches a browser with a profile that is kept. Ignored if `browser` or `debugger` is set.
   * @default 'temporary', or 'chrome' with `attach`
   */
  readonly profile?: string
  /**
   * Creates the named `profile` if it does not exist; otherwise an unknown name fails with `unknown_profile`.
   * @default false
   */
  readonly createProfile?: boolean
  /**
   * The key of a login that `pagehand login` has encrypted, for a named `profile`.
   * @default none: an encrypted login fails with `login_locked`
   */
  readonly loginKey?: string
  /**
   * Whether the session has separate cookies and storage, as in a private window. Without, sessions of one browser or of one named profile
   * share its logins, each in its own tabs.
   * @default true for a launched `browser`; false for a named `profile` and in a browser that pagehand did not launch
   */
  readonly isolated?: boolean
  /** Uses a browser that is open already. Many sessions can share it; it stays open when they close. */
  readonly browser?: Chromium | ConnectedBrowser
  /** Uses one page of another program: Electron's `webContents.debugger`. */
  readonly debugger?: Debugger
  /** Options for a browser that the session launches. */
  readonly launch?: Omit<LaunchOptions, 'profileDir'>
  /** Connects to a running browser, as `profile: 'chrome'` does, at this endpoint or port. */
  readonly attach?: ConnectOptions
  /**
   * The viewport of this session.
   * @default that of `device` or of the launched browser; unchanged in a browser that pagehand did not launch
   */
  readonly viewport?: { readonly width: number; readonly height: number }
  /**
   * Imitates a device: its viewport, pixels per CSS pixel, touch events and user agent.
   * @default none
   */
  readonly device?: DeviceName
  /**
   * The user agent of the pages, their frames and their requests. Service workers and shared workers have that of the browser.
   * @default that of `device` or of the browser
   */
  readonly userAgent?: string
  /**
   * Whether `evaluate` is enabled.
   * @default false
   */
  readonly allowEval?: boolean
  /**
   * Folders, or single files, that may be opened as pages. Hidden files (`.env`, `.git/…`) only if a root names them. A root must neither be
   * the root of a drive nor contain the home folder.
   * @default [process.cwd()], or [] if that is not a valid root
   */
  readonly fileRoots?: readonly string[]
  /**
   * Hosts that the session may reach. In a browser that pagehand launches, every request is checked; elsewhere only documents are.
   * @default all
   */
  readonly hosts?: HostRules
  /**
   * A proxy through which the launched browser connects.
   * @default that of `launch`, else none
   */
  readonly proxy?: ProxyOptions
  /**
   * Folders, or single files, that may be uploaded, with the same rules as `fileRoots`. A file is copied when it is checked, and the browser
   * sends the copy; all copies of a session have at most 1 GB, and are removed when it closes.
   * @default [process.cwd()], or [] if that is not a valid root
   */
  readonly uploadRoots?: readonly string[]
  /**
   * Where downloads are saved.
   * @default downloads are refused
   */
  readonly downloads?: DownloadRules
  /**
   * Deadlines in milliseconds, by verb.
   * @default those of the verb table
   */
  readonly deadlines?: { readonly [N in DriverVerb]?: number }
  /**
   * How long a page may leave a call unanswered before its scripts are stopped, in milliseconds.
   * @default 5_000
   */
  readonly patienceMs?: number
  /**
   * How long a document may take to load before it is used as it is, in milliseconds.
   * @default 15_000
   */
  readonly loadMs?: number
  readonly settle?: {
    /**
     * How long to wait for a page to settle after an action, in milliseconds.
     * @default 2_000
     */
    readonly capMs?: number
    /**
     * The same while a request or a navigation is open.
     * @default 5_000
     */
    readonly networkMs?: number
  }
  /**
   * Secrets that `fill` and `type` replace for `{{secret:NAME}}`, only in frames of the origins they are pinned to.
   * @default none
   */
  readonly secrets?: NamedSecrets
  /** Cookies and stored data to begin with, from `Session.storageState`. */
  readonly storageState?: StorageState
}

/** A name that is missing here does not compile. */
const optionNames: { readonly [name in keyof Required<SessionOptions>]: true } = {
  profile: true,
  createProfile: true,
  loginKey: true,
  isolated: true,
  browser: true,
  debugger: true,
  launch: true,
  attach: true,
  viewport: true,
  device: true,
  userAgent: true,
  allowEval: true,
  fileRoots: true,
  hosts: true,
  proxy: true,
  uploadRoots: true,
  downloads: true,
  deadlines: true,
  patienceMs: true,
  loadMs: true,
  settle: true,
  secrets: true,
  storageState: true,
}

/** Throws for an unknown option: a misspelled rule must not leave a session without it. */
export function checkOptions(options: SessionOptions): void {
  for (const name of Object.keys(options))
    if (!Object.hasOwn(optionNames, name))
      throw new PagehandError(
        'invalid_input',
        say`${quoted(name, 40)} is not an option of openSession; there are ${term(Object.keys(optionNames).join(', '))}.`,
      )
  const { viewport } = options
  const isSize = (value: unknown) => Number.isInteger(value) && (value as number) > 0
  if (viewport !== undefined && !(isSize(viewport?.width) && isSize(viewport?.height)))
    throw new PagehandError('invalid_input', say`viewport must be { width, height } in whole pixels.`)
}
