import { randomUUID } from 'node:crypto'
import type { CdpSession } from '../connection/cdp-session.ts'
import type { InputContext, ResolvedRef } from '../input/context.ts'
import type { Frame } from '../page/frames.ts'
import { causes as source } from '../script.js'
import { withTimeout } from '../timeout.ts'

/** The timers that an action arms in the page's own world. */
export interface TimerWatch {
  /** resolves when none is due within `ms`; tells whether one was, and what is left, in milliseconds from now */
  idle(ms: number): Promise<Idle>
  end(): void
}

interface Idle {
  readonly waited: boolean
  readonly left: readonly number[]
  /** the page did not answer in time: one of them may do something that never ends */
  readonly isStuck?: true
}
const none: Idle = { waited: false, left: [] }
/** of a page whose functions are left alone */
export const noTimers: TimerWatch = { idle: async () => none, end: () => {} }
/** for the way there and back */
const aMoment = 500

/** The documents that an action leads to, watched from their very beginning. */
export interface NewDocumentWatch {
  readonly ready: Promise<unknown>
  /** as an expression: the watch that was set up in a document, once */
  readonly take: string
  end(): void
}

/** Who comes to a document after its scripts have run has missed what they armed; so each sets up its own watch, under a name that nobody can guess. */
export function watchNewDocuments({ target: tab }: InputContext): NewDocumentWatch {
  const name = JSON.stringify(randomUUID())
  const begin = `if(self===top)Object.defineProperty(self,${name},{configurable:true,value:(${source}).call(self,true)})`
  const added = tab.send('Page.addScriptToEvaluateOnNewDocument', { source: begin })
  return {
    ready: added,
    take: `(()=>{const watch=self[${name}];delete self[${name}];return watch})()`,
    end: () => {
      added
        .then(({ identifier }) => tab.send('Page.removeScriptToEvaluateOnNewDocument', { identifier }))
        .then(() => tab.send('Runtime.evaluate', { expression: `self[${name}]?.end();delete self[${name}]` }))
        .catch(() => {}) // the page is gone, or shows a dialog
    },
  }
}

/** Watches the window of an element, or of the top page. A page that cannot be watched so has no timers to tell of. */
export async function watchTimers(hands: InputContext, where: ResolvedRef | undefined, arrivals?: NewDocumentWatch): Promise<TimerWatch> {
  const top = await hands.top()
  const isTop = !where || (where.frame.frameId === top.frameId && !where.ref.startsWith('f'))
  const wire = where?.frame.session ?? hands.target
  const objectId = await (isTop ? inTop(hands.target, arrivals) : inFrame(wire, where)).catch(() => undefined)
  const call = (method: string, ms = 0) =>
    wire.send('Runtime.callFunctionOn', {
      objectId: objectId as string,
      functionDeclaration: `function(ms){return this.${method}(ms)}`,
      arguments: [{ value: ms }],
      awaitPromise: true,
      returnByValue: true,
    })
  return {
    idle: async ms => {
      if (objectId === undefined) return none
      let idle: Idle = { waited: true, left: [], isStuck: true }
      const answer = call('idle', ms).then(
        ({ result }) => {
          idle = (result.value as Idle | undefined) ?? none
        },
        () => {
          idle = none // the document is gone, and its timers with it
        },
      )
      await withTimeout(ms + aMoment, answer)
      return idle
    },
    end: () => {
      if (objectId === undefined) return
      call('end')
        .then(() => wire.send('Runtime.releaseObject', { objectId }))
        .catch(() => {}) // gone with its document
    },
  }
}

async function inTop(wire: CdpSession, arrivals: NewDocumentWatch | undefined): Promise<string | undefined> {
  const fresh = `(${source}).call(self,${arrivals !== undefined})`
  const { result } = await wire.send('Runtime.evaluate', { expression: arrivals ? `${arrivals.take}??${fresh}` : fresh })
  return result.objectId
}

/** the page's own world is the one in which a node is resolved when none is named */
async function inFrame(wire: Frame['session'], where: ResolvedRef): Promise<string | undefined> {
  const { node } = await wire.send('DOM.describeNode', { objectId: await where.element() })
  const { object } = await wire.send('DOM.resolveNode', { backendNodeId: node.backendNodeId })
  const { result } = await wire.send('Runtime.callFunctionOn', {
    objectId: object.objectId as string,
    functionDeclaration: source,
    arguments: [{ value: false }],
  })
  return result.objectId
}
