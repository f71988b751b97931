import type { Name } from './commands.ts'
import type { Effect, PageInfo, WaitCheck } from './page-api.ts'
import type { SnapshotJson } from './snapshot.ts'

/** What every answer about a live page carries beside its own data. */
export interface Seen {
  readonly page: PageInfo
  /** what happened meanwhile that the caller should know: a tab that opened, a dialog that waits, a download that was refused */
  readonly notes?: readonly string[]
}

export interface Acted extends Seen, Settled {
  readonly effect: Effect
  /** true: the browser itself made the input; false: a script did, and the page can tell */
  readonly trusted: boolean
}

export interface Settled {
  readonly settled: boolean
  /** what was still going on when the wait for it was given up */
  readonly pending?: readonly string[]
}

/** A driver that cannot tell whether a page is at rest says nothing of it. */
export type Arrived = Seen & Partial<Settled>

export interface Picture extends Seen {
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

interface Others {
  readonly open: Arrived
  readonly back: Arrived
  readonly forward: Arrived
  readonly reload: Arrived
  readonly close: Seen
  /** not yet text: `render/` makes it that */
  readonly snapshot: SnapshotJson & Pick<Seen, 'notes'>
  readonly query: Pick<Seen, 'notes'> & { readonly value: string | boolean; readonly truncated: boolean }
  readonly wait: Seen & WaitCheck & { readonly waitedMs: number }
  readonly screenshot: Picture
  readonly evaluate: Seen & { readonly value: string; readonly truncated: boolean }
  readonly tabs: Pick<Seen, 'notes'> & { readonly tabs: readonly TabInfo[] }
  readonly dialog: Acted
  readonly status: { readonly running: boolean; readonly [fact: string]: unknown }
}

/** The data of a good result, by verb. */
export type Data = { readonly [N in Name]: N extends keyof Others ? Others[N] : Acted }
