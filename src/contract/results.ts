import type { DriverVerb } from './command-inputs.generated.ts'
import type { Effect, PageInfo, WaitCheck } from './page-api.ts'
import type { ConsoleEntry, RequestEntry } from './page-log.ts'
import type { Snapshot } from './snapshot.ts'
import type { TargetFacts } from './target.ts'

/**
 * What results about a live page have in common.
 *
 * @example
 * const { page, notes = [] } = await session.open('https://example.org/')
 * console.log(page.title, notes)
 */
export interface PageData {
  readonly page: PageInfo
  /** Events that the caller should know about: a tab that opened, a dialog that waits for an answer, a download that was refused. */
  readonly notes?: readonly string[]
}

/**
 * The data of an action.
 *
 * @example
 * const { effect, settled } = await session.click({ ref: 'e12' })
 * if (settled && effect.url) console.log(`now at ${effect.url}`)
 */
export interface ActionData extends PageData, SettleStatus {
  readonly effect: Effect
  /** True if the browser made the input; false if a script dispatched it, which the page can detect. */
  readonly trusted: boolean
}

export interface SettleStatus {
  readonly settled: boolean
  /** What was still running when the wait for the page ended, such as "fetch /save" or "timer in 3000 ms". */
  readonly pending?: readonly string[]
  /** What may change the page at any time: open connections and workers, such as "WebSocket wss://…" and "1 worker"; absent if there is nothing. */
  readonly live?: readonly string[]
}

/** `settled` is absent if the driver cannot observe it. */
export type NavigationData = PageData & Partial<SettleStatus>

/**
 * The data of `screenshot`.
 *
 * @example
 * const { base64 } = await session.screenshot({ fullPage: true })
 * await writeFile('page.png', Buffer.from(base64, 'base64'))
 */
export interface ScreenshotData extends PageData {
  readonly mime: 'image/png' | 'image/jpeg'
  readonly base64: string
  readonly width: number
  readonly height: number
}

/**
 * An open tab.
 *
 * @example
 * const { tabs } = await session.tabs()
 * const front = tabs.find(({ selected }) => selected)
 */
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
  /** a tree, which `renderSnapshot` turns into text */
  readonly snapshot: Snapshot & Pick<PageData, 'notes'>
  readonly query: Pick<PageData, 'notes'> & { readonly value: string | boolean; readonly truncated: boolean }
  readonly inspect: Pick<PageData, 'notes'> & TargetFacts
  readonly wait: PageData & WaitCheck & { readonly waitedMs: number }
  readonly screenshot: ScreenshotData
  readonly evaluate: PageData & { readonly value: string; readonly truncated: boolean }
  readonly tabs: Pick<PageData, 'notes'> & { readonly tabs: readonly TabInfo[] }
  readonly dialog: ActionData
  /** errors first; of the document that the tab shows */
  readonly console: Pick<PageData, 'notes'> & {
    readonly counts: { readonly [level in ConsoleEntry['level']]: number }
    readonly entries: readonly ConsoleEntry[]
  }
  /** failed ones first; of the document that the tab shows */
  readonly requests: Pick<PageData, 'notes'> & {
    readonly counts: { readonly failed: number; readonly all: number }
    readonly requests: readonly RequestEntry[]
  }
  readonly status: { readonly running: boolean; readonly [fact: string]: unknown }
}

/**
 * The data of a successful result, by verb.
 *
 * @example
 * const read = ({ tree }: CommandData['snapshot']) => tree.children
 */
export type CommandData = { readonly [V in DriverVerb]: V extends keyof SpecificData ? SpecificData[V] : ActionData }
