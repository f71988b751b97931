// Watches the timers of a page. They are visible only in the main world of the page, so functions such as setTimeout are replaced there
// for the time of one action: src/injected/entries/timer-tracker.ts.
import { randomUUID } from 'node:crypto'
import type { CdpSession } from '../connection/cdp-session.ts'
import type { InputContext, ResolvedRef } from '../input/input-context.ts'
import { timerTracker as trackerSource } from '../script.js'
import { withTimeout } from '../timeout.ts'

/** The timers that an action sets. */
export interface TimerWatch {
  /** resolves when no timer is due within `ms` */
  idle(ms: number): Promise<TimerState>
  end(): void
}

export interface TimerState {
  /** whether a timer was waited for, or fired since the last call */
  readonly waited: boolean
  /** the timers that are left, in milliseconds from now */
  readonly left: readonly number[]
  /** the page did not answer in time: a callback may be in an endless loop */
  readonly isStuck?: true
}

const idle: TimerState = { waited: false, left: [] }
/** for a page whose functions are not replaced */
const noTimers: TimerWatch = { idle: async () => idle, end: () => {} }
/** time for the round trip to the page */
const roundTripMs = 500

/** The timer trackers that new documents start with. */
export interface NewDocumentWatch {
  readonly ready: Promise<unknown>
  /** an expression that returns the tracker of a document and removes the only reference to it */
  readonly takeTracker: string
  end(): void
}

/** Starts a tracker in each new document before its scripts run, under a name that the page cannot guess. */
export function watchNewDocuments(target: CdpSession): NewDocumentWatch {
  const name = JSON.stringify(randomUUID())
  const source = `if(self===top)Object.defineProperty(self,${name},{configurable:true,value:(${trackerSource}).call(self,true)})`
  const added = target.send('Page.addScriptToEvaluateOnNewDocument', { source })
  return {
    ready: added,
    takeTracker: `(()=>{const tracker=self[${name}];delete self[${name}];return tracker})()`,
    end: () => {
      added
        .then(({ identifier }) => target.send('Page.removeScriptToEvaluateOnNewDocument', { identifier }))
        .then(() => target.send('Runtime.evaluate', { expression: `self[${name}]?.end();delete self[${name}]` }))
        .catch(() => {}) // the page is gone, or shows a dialog
    },
  }
}

interface TimerScope {
  /** watch the window of this element (default: the top window) */
  readonly where?: ResolvedRef | undefined
  /** use the tracker that the top document has started with, if there is one */
  readonly newDocuments?: NewDocumentWatch | undefined
}

/** A page in which no tracker can be started is reported as one without timers. */
export async function watchTimers(input: InputContext, { where, newDocuments }: TimerScope): Promise<TimerWatch> {
  const top = await input.top()
  const isTop = !where || (where.frame.frameId === top.frameId && !where.ref.startsWith('f'))
  const session = where?.frame.session ?? input.target
  const tracker = isTop ? trackTopWindow(input.target, newDocuments) : trackWindowOf(session, where)
  const objectId = await tracker.catch(() => undefined)
  if (objectId === undefined) return noTimers

  const call = (method: string, ms = 0) =>
    session.send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: `function(ms){return this.${method}(ms)}`,
      arguments: [{ value: ms }],
      awaitPromise: true,
      returnByValue: true,
    })
  return {
    idle: async ms => {
      const state = call('idle', ms).then(
        ({ result }) => (result.value as TimerState | undefined) ?? idle,
        () => idle, // the document is gone, and its timers with it
      )
      return (await withTimeout(ms + roundTripMs, state)) ?? { waited: true, left: [], isStuck: true }
    },
    end: () => {
      call('end')
        .then(() => session.send('Runtime.releaseObject', { objectId }))
        .catch(() => {}) // gone with its document
    },
  }
}

async function trackTopWindow(target: CdpSession, newDocuments: NewDocumentWatch | undefined): Promise<string | undefined> {
  const start = `(${trackerSource}).call(self,${newDocuments !== undefined})`
  const { result } = await target.send('Runtime.evaluate', { expression: newDocuments ? `${newDocuments.takeTracker}??${start}` : start })
  return result.objectId
}

async function trackWindowOf(session: CdpSession, where: ResolvedRef): Promise<string | undefined> {
  const { node } = await session.send('DOM.describeNode', { objectId: await where.element() })
  // without an execution context, a node is resolved in the main world
  const { object } = await session.send('DOM.resolveNode', { backendNodeId: node.backendNodeId })
  const { result } = await session.send('Runtime.callFunctionOn', {
    objectId: object.objectId as string,
    functionDeclaration: trackerSource,
    arguments: [{ value: false }],
  })
  return result.objectId
}
