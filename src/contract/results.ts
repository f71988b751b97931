import type { DriverVerb } from './command-inputs.generated.ts'
import type { Effect, PageInfo, WaitCheck } from './page-api.ts'
import type { Snapshot } from './snapshot.ts'

/** What every answer about a live page carries beside its own data. */
export interface PageData {
  readonly page: PageInfo
  /** what happened meanwhile that the caller should know: a tab that opened, a dialog that waits, a download that was refused */
  readonly notes?: readonly string[]
}

export interface ActionData extends PageData, SettleStatus {
  readonly effect: Effect
  /** true: the browser itself made the input; false: a script did, and the page can tell */
  readonly trusted: boolean
}

export interface SettleStatus {
  readonly settled: boolean
  /** what was still going on when the wait for it was given up */
  readonly pending?: readonly string[]
}

/** A driver that cannot tell whether a page is at rest says nothing of it. */
export type NavigationData = PageData & Partial<SettleStatus>

export interface ScreenshotData extends PageData {
  readonly mime: 'image/png' | 'image/jpeg'
  readonly base64: string
  readonly width: number
  readonly height: number
}

export interface TabInfo {
  /** t1, t2, … */
  readonly tab: string
  readonly url: string
  readonly title: string
  readonly selected: boolean
}

interface SpecificData {
  readonly open: NavigationData
  readonly back: NavigationData
  readonly forward: NavigationData
  readonly reload: NavigationData
  readonly close: PageData
  /** not yet text: `render/` makes it that */
  readonly snapshot: Snapshot & Pick<PageData, 'notes'>
  readonly query: Pick<PageData, 'notes'> & { readonly value: string | boolean; readonly truncated: boolean }
  readonly wait: PageData & WaitCheck & { readonly waitedMs: number }
  readonly screenshot: ScreenshotData
  readonly evaluate: PageData & { readonly value: string; readonly truncated: boolean }
  readonly tabs: Pick<PageData, 'notes'> & { readonly tabs: readonly TabInfo[] }
  readonly dialog: ActionData
  readonly status: { readonly running: boolean; readonly [fact: string]: unknown }
}

/** The data of a good result, by verb. */
export type CommandData = { readonly [N in DriverVerb]: N extends keyof SpecificData ? SpecificData[N] : ActionData }
