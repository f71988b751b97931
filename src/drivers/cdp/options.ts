import type { DriverVerb } from '../../contract/commands.ts'
import type { HostRules } from '../../policy/host-rules.ts'
import type { ConnectedBrowser } from './browser/connect.ts'
import type { ConnectOptions } from './browser/endpoint.ts'
import type { Chromium, LaunchOptions } from './browser/launch.ts'
import type { Debugger } from './connection/electron.ts'
import type { DownloadRules } from './storage/downloads.ts'
import type { StorageState } from './storage/storage-state.ts'

export interface SessionOptions {
  /** openclaw: an empty profile that is removed afterwards; chrome: the browser that runs with a debugging port; or a name of one's own */
  readonly profile?: string
  /** names of one's own that may be used; those that have a folder already need not be listed */
  readonly profiles?: readonly string[]
  /** a browser that is open already, with as many sessions in it as one likes; it is not closed with them */
  readonly browser?: Chromium | ConnectedBrowser
  /** one page of another program: Electron's webContents.debugger */
  readonly debugger?: Debugger
  readonly launch?: Omit<LaunchOptions, 'profileDir'>
  readonly attach?: ConnectOptions
  /** of this session alone; that of the launch unless given, and as it is in a browser that is not ours */
  readonly viewport?: { readonly width: number; readonly height: number }
  /** whether `evaluate` runs what it is given */
  readonly allowEval?: boolean
  /** folders whose files may be opened as pages; the working directory unless given */
  readonly fileRoots?: readonly string[]
  /** whose pages may be shown; anybody's unless given. Of pages, not of what they load: this is no firewall */
  readonly hosts?: HostRules
  /** folders whose files may be uploaded; the working directory unless given */
  readonly uploadRoots?: readonly string[]
  /** refused unless given */
  readonly downloads?: DownloadRules
  /** milliseconds by verb, instead of those in the table */
  readonly deadlines?: { readonly [N in DriverVerb]?: number }
  /** how long a page may leave a question without an answer before its scripts are stopped */
  readonly patienceMs?: number
  /** how long a document that has begun may take to load before it is used as it is */
  readonly loadMs?: number
  readonly settle?: { readonly capMs?: number; readonly networkMs?: number }
  /** cookies and stored data to begin with */
  readonly storageState?: StorageState
}
