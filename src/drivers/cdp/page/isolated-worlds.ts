import { sealedScript } from '../../../webview/expressions.ts'
import type { CdpSession } from '../connection/cdp-session.ts'
import type { CdpConnection } from '../connection/connection.ts'
import { PagehandError } from '../errors.ts'
import { script } from '../script.js'
import type { PageTarget } from './target.ts'

/** The isolated world of one document: the page cannot see it, change it, or call what is in it (A5). */
export interface IsolatedWorld {
  readonly frameId: string
  readonly contextId: string
  /** the same as the domains other than Runtime know it */
  readonly executionContextId: number
  readonly session: CdpSession
  /** the frame that the wire's own coordinates are counted from */
  readonly rootFrameId: string
}

export interface IsolatedWorlds {
  of(frameId: string): IsolatedWorld | undefined
  /** as `of`, but waits for a document that is only just beginning */
  when(frameId: string, withinMs?: number): Promise<IsolatedWorld>
  /** the top one first */
  all(): readonly IsolatedWorld[]
  parentOf(frameId: string): string | undefined
  isAlive(world: IsolatedWorld): boolean
  onGone(listener: (world: IsolatedWorld) => void): void
  /** every session of the tab, now and later */
  onWire(listener: (wire: CdpSession) => void): void
  wires(): readonly CdpSession[]
  /** the document that was there at first */
  readonly first: { readonly url: string; readonly loaderId: string }
}

const worldName = 'pagehand'

/** `heard` gets every session of the tab before anything is said in it. Puts the engine into every document of a tab before the page's own scripts run, in whichever process the document lives. */
export async function openIsolatedWorlds(port: CdpConnection, tab: PageTarget, heard: (wire: CdpSession) => void): Promise<IsolatedWorlds> {
  const worlds = new Map<string, IsolatedWorld>()
  const parents = new Map<string, string>()
  const wires = new Map<string | undefined, CdpSession>()
  const waiting = new Set<(world: IsolatedWorld) => void>()
  const gone: ((world: IsolatedWorld) => void)[] = []
  const wired: ((wire: CdpSession) => void)[] = [heard]

  const end = (matches: (world: IsolatedWorld) => boolean) => {
    for (const [frameId, world] of worlds) {
      if (!matches(world)) continue
      worlds.delete(frameId)
      for (const listener of gone) listener(world)
    }
  }

  const enlist = async (wire: CdpSession, { sessionId, rootFrameId }: { sessionId: string | undefined; rootFrameId: string }) => {
    wires.set(sessionId, wire)
    for (const listener of wired) listener(wire)
    wire.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name !== worldName) return
      const world = {
        frameId: context.auxData.frameId as string,
        contextId: context.uniqueId,
        executionContextId: context.id,
        session: wire,
        rootFrameId,
      }
      end(old => old.frameId === world.frameId)
      worlds.set(world.frameId, world)
      for (const listener of [...waiting]) listener(world)
    })
    wire.on('Runtime.executionContextDestroyed', ({ executionContextUniqueId }) =>
      end(world => world.contextId === executionContextUniqueId),
    )
    wire.on('Runtime.executionContextsCleared', () => end(world => world.session === wire))
    wire.on('Inspector.targetCrashed', () => end(world => world.session === wire))
    wire.on('Page.frameAttached', ({ frameId, parentFrameId }) => void parents.set(frameId, parentFrameId))
    wire.on('Page.frameDetached', ({ frameId, reason }) => {
      if (reason === 'swap') return // it goes on in another process
      parents.delete(frameId)
      end(world => world.frameId === frameId && world.session === wire)
    })
    wire.on('Target.attachedToTarget', ({ sessionId: childId, targetInfo }) => {
      if (targetInfo.parentFrameId) parents.set(targetInfo.targetId, targetInfo.parentFrameId)
      const child = wireOf(port, childId)
      // a frame can go while it is being prepared, and nobody asks for it then
      enlist(child, { sessionId: childId, rootFrameId: targetInfo.targetId }).catch(() => {})
    })
    wire.on('Target.detachedFromTarget', ({ sessionId: childId }) => {
      const child = wires.get(childId)
      wires.delete(childId)
      if (child) end(world => world.session === child)
    })
    const [, , { frameTree }] = await Promise.all([
      wire.send('Page.enable'),
      wire.send('Runtime.enable'),
      wire.send('Page.getFrameTree'),
      wire.send('Page.setLifecycleEventsEnabled', { enabled: true }),
      wire.send('Network.enable'),
      wire.send('Log.enable'),
      wire.send('Page.addScriptToEvaluateOnNewDocument', { source: sealedScript(script), worldName, runImmediately: true }),
      wire.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: [{ type: 'iframe' }, { exclude: true }],
      }),
      wire.send('Runtime.runIfWaitingForDebugger'),
    ])
    const note = (tree: typeof frameTree) => {
      if (tree.frame.parentId) parents.set(tree.frame.id, tree.frame.parentId)
      for (const child of tree.childFrames ?? []) note(child)
    }
    note(frameTree)
    return frameTree.frame
  }

  const { url, loaderId } = await enlist(tab, { sessionId: tab.sessionId, rootFrameId: tab.targetId })
  return {
    first: { url, loaderId },
    of: frameId => worlds.get(frameId),
    when: (frameId, withinMs = 2_000) => {
      const there = worlds.get(frameId)
      if (there) return Promise.resolve(there)
      return new Promise((resolve, reject) => {
        const done = () => {
          clearTimeout(timer)
          waiting.delete(listener)
          off()
        }
        const listener = (world: IsolatedWorld) => {
          if (world.frameId !== frameId) return
          done()
          resolve(world)
        }
        const timer = setTimeout(() => {
          done()
          reject(new PagehandError('no_root', 'There is no document in this tab yet.'))
        }, withinMs)
        const off = tab.onLost(why => {
          done()
          reject(why)
        })
        waiting.add(listener)
      })
    },
    all: () => [...worlds.values()].sort((a, b) => Number(b.frameId === tab.targetId) - Number(a.frameId === tab.targetId)),
    parentOf: frameId => parents.get(frameId),
    isAlive: world => worlds.get(world.frameId) === world,
    onGone: listener => void gone.push(listener),
    onWire: listener => {
      wired.push(listener)
      for (const wire of wires.values()) listener(wire)
    },
    wires: () => [...wires.values()],
  }
}

function wireOf(port: CdpConnection, sessionId: string): CdpSession {
  return {
    send: (method, params) => port.send(method, params, sessionId),
    on: (event, listener) => port.on(event, listener, sessionId),
  }
}
