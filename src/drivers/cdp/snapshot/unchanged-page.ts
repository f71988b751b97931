// A snapshot of a page that has not changed since the last one is that last one. Two observers decide together whether it has: the engine
// in the isolated world (injected/trusted/change-watch.ts), and the browser, which counts how often it computed styles and layout. The
// counts grow whatever the reason is: a style sheet, a font, an image, an animation, the pointer. If in doubt, the page is read as a whole.
import type { Snapshot, SnapshotNode } from '../../../contract/snapshot.ts'
import type { CdpSession } from '../connection/cdp-session.ts'
import type { IsolatedWorld } from '../page/isolated-worlds.ts'
import type { Page } from '../page/page.ts'

interface LastSnapshot {
  /** the options it was taken with */
  readonly key: string
  readonly counts: string
  readonly snapshot: Snapshot
}

interface PageState {
  readonly isUnchanged: boolean
  /** undefined if the browser does not count */
  readonly counts: string | undefined
  readonly ts: number
  readonly elapsedMs: number
}

const lastSnapshots = new WeakMap<IsolatedWorld, LastSnapshot>()
const enabled = new WeakSet<CdpSession>()

// the number of listeners represents all of them: listing them takes longer than a snapshot
const counted = new Set(['LayoutCount', 'RecalcStyleCount', 'JSEventListeners'])

const checkExpression = `(() => {
  const start = performance.now()
  return { isUnchanged: __agentBrowser.changes.isUnchanged(), ts: Date.now(), elapsedMs: Math.round((performance.now() - start) * 10) / 10 }
})()`

/** What the engine and the browser say about the page now, with styles and layout up to date. */
export async function readPageState(page: Page, world: IsolatedWorld, withinMs: number | undefined): Promise<PageState> {
  const { session } = world
  if (!enabled.has(session)) {
    enabled.add(session)
    session.send('Performance.enable', {}).catch(() => {}) // an embedder without this domain gets a whole snapshot each time
  }
  const check = await page.evaluate<Omit<PageState, 'counts'>>(world, checkExpression, withinMs)
  // one after the other: the browser answers this out of order, and must not do so before styles and layout are up to date
  const counts = await session.send('Performance.getMetrics').then(
    ({ metrics }) => metrics.flatMap(({ name, value }) => (counted.has(name) ? `${name} ${value}` : [])).join(),
    () => undefined,
  )
  return { ...check, counts }
}

/** The last snapshot of a document, if it was taken with the same options and the document has not changed since. */
export async function repeatSnapshot(
  page: Page,
  world: IsolatedWorld,
  key: string,
  withinMs: number | undefined,
): Promise<Snapshot | undefined> {
  const last = lastSnapshots.get(world)
  if (last?.key !== key) return undefined
  const { isUnchanged, counts, ts, elapsedMs } = await readPageState(page, world, withinMs)
  if (!isUnchanged || counts !== last.counts) return undefined
  const { snapshot } = last
  return { ...snapshot, meta: { ...snapshot.meta, ts }, stats: { ...snapshot.stats, elapsedMs, unchanged: true } }
}

/** Keeps a snapshot that was taken after `counts` were read, so that everything that happens later makes a difference. */
export function rememberSnapshot(
  world: IsolatedWorld,
  snapshot: Snapshot,
  { key, counts }: { key: string; counts: string | undefined },
): void {
  if (counts === undefined || snapshot.stats.truncateReasons.includes('maxTime')) lastSnapshots.delete(world)
  else lastSnapshots.set(world, { key, counts, snapshot: { ...snapshot, tree: withoutNew(snapshot.tree) } })
}

/** What is new in one snapshot is not new in the next. */
function withoutNew({ new: _, children, ...node }: SnapshotNode): SnapshotNode {
  return children ? { ...node, children: children.map(withoutNew) } : node
}
