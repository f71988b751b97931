// Puts the engine into an isolated world of every document of a page, in whichever process the document lives: out-of-process frames are
// attached to as they appear, and each gets the script before its own scripts run.
import { randomUUID } from 'node:crypto'
import { say } from '../../../contract/message.ts'
import type { CopiedText } from '../../../injected/trusted/clipboard.ts'
import type { SecretSighting } from '../../../secrets/session-secrets.ts'
import { sealedScript } from '../../../webview/expressions.ts'
import type { CdpSession } from '../connection/cdp-session.ts'
import type { CdpConnection } from '../connection/connection.ts'
import type { EventPayload, ReturnValue } from '../connection/protocol.ts'
import { createEmitter } from '../emitter.ts'
import { PagehandError } from '../errors.ts'
import { script } from '../script.js'
import { withTimeout } from '../timeout.ts'
import type { FrameGuard } from './frame-guard.ts'
import type { PageTarget } from './target.ts'

/** The isolated world of one document. The page can neither see nor change nor call anything in it (A5). */
export interface IsolatedWorld {
  readonly frameId: string
  /** `uniqueContextId` of the Runtime domain */
  readonly contextId: string
  /** the id of the same context in all other domains */
  readonly executionContextId: number
  readonly session: CdpSession
  /** the frame whose viewport is the origin of coordinates in this session */
  readonly rootFrameId: string
  /** the origin of the document; `://` if it is opaque */
  readonly origin: string
}

/** Chrome gives a name the same world in all sessions: the engine of another process would be in it already, in a tab that was lent before. */
const worldName = `pagehand-${randomUUID()}`
/** the function by which the engine reports the value of a secret field; only isolated worlds of this name have it */
const secretBinding = 'pagehandSecret'
/** the function by which it reports what the page has copied */
const clipboardBinding = 'pagehandClipboard'

type FrameTree = ReturnValue<'Page.getFrameTree'>['frameTree']

interface SessionIds {
  readonly sessionId: string | undefined
  readonly rootFrameId: string
}

interface IsolatedWorldsOptions {
  /** receives every session of the page before anything is sent to it */
  onSession(session: CdpSession, rootFrameId: string): void
  /** the worlds of frames that it does not allow are not returned */
  readonly guard: FrameGuard
  /** receives the values of secret fields */
  onSecret(secret: SecretSighting): void
  /** receives what the page has copied or cut while the session operated it */
  onCopy(copied: CopiedText): void
}

export class IsolatedWorlds {
  readonly #connection: CdpConnection
  readonly #target: PageTarget
  readonly #options: IsolatedWorldsOptions
  /** by frameId */
  readonly #worlds = new Map<string, IsolatedWorld>()
  /** the parent of a frame, both as frameId */
  readonly #parents = new Map<string, string>()
  /** by sessionId */
  readonly #sessions = new Map<string | undefined, CdpSession>()
  /** the sessions whose existing frames are known to the guard */
  readonly #readySessions = new WeakSet<CdpSession>()
  /** the sessions of dedicated workers */
  readonly #workers = new Set<string>()
  readonly #created = createEmitter<IsolatedWorld>()
  /** the sessions of frames in other processes, before their scripts run */
  readonly #attached = createEmitter<CdpSession>()
  readonly #destroyed = createEmitter<IsolatedWorld>()

  constructor(connection: CdpConnection, target: PageTarget, options: IsolatedWorldsOptions) {
    this.#connection = connection
    this.#target = target
    this.#options = options
  }

  /** Attaches to the page; returns its current document. */
  async start(): Promise<{ readonly url: string; readonly loaderId: string }> {
    const { sessionId, targetId } = this.#target
    return this.#attach(this.#target, { sessionId, rootFrameId: targetId })
  }

  get(frameId: string): IsolatedWorld | undefined {
    return this.#options.guard.allows(frameId) ? this.#worlds.get(frameId) : undefined
  }

  /** Like `get`, but waits for a document that is about to begin; fails with `no_root` if none does. */
  async waitFor(frameId: string, withinMs = 2_000): Promise<IsolatedWorld> {
    const existing = this.get(frameId)
    if (existing) return existing
    const undo: (() => void)[] = []
    const created = new Promise<IsolatedWorld>((resolve, reject) => {
      undo.push(this.#created.on(world => world.frameId === frameId && resolve(world)))
      undo.push(this.#target.onDisconnect(reject))
    })
    try {
      return await withTimeout(withinMs, created, () => {
        throw new PagehandError('no_root', say`There is no document in this tab yet.`)
      })
    } finally {
      for (const step of undo) step()
    }
  }

  /** The world of the top document comes first. */
  all(): readonly IsolatedWorld[] {
    const isTop = ({ frameId }: IsolatedWorld) => Number(frameId === this.#target.targetId)
    return [...this.#worlds.values()].filter(world => this.isAlive(world)).sort((a, b) => isTop(b) - isTop(a))
  }

  parentOf(frameId: string): string | undefined {
    return this.#parents.get(frameId)
  }

  isAlive(world: IsolatedWorld): boolean {
    return this.get(world.frameId) === world
  }

  onCreated(listener: (world: IsolatedWorld) => void): () => void {
    return this.#created.on(listener)
  }

  onDestroyed(listener: (world: IsolatedWorld) => void): void {
    this.#destroyed.on(listener)
  }

  /** Forgets the worlds of the frames that the guard does not allow. */
  dropRefused(): void {
    this.#destroy(({ frameId }) => this.#options.guard.isRefused(frameId))
  }

  /** Runs an expression in the isolated world of each document, also of those to come, before their own scripts. */
  runInNewDocuments(source: string): { readonly ready: Promise<unknown>; end(): void } {
    const added: { readonly session: CdpSession; readonly identifier: Promise<string> }[] = []
    const add = (session: CdpSession) => {
      const identifier = session
        .send('Page.addScriptToEvaluateOnNewDocument', { source, worldName, runImmediately: true })
        .then(answer => answer.identifier)
      identifier.catch(() => {}) // the frame is gone
      added.push({ session, identifier })
      return identifier
    }
    const ready = Promise.allSettled(this.sessions().map(add))
    const stopWatching = this.#attached.on(add)
    return {
      ready,
      end() {
        stopWatching()
        for (const { session, identifier } of added)
          identifier.then(id => session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier: id })).catch(() => {}) // gone
      },
    }
  }

  /** the number of dedicated workers that run */
  workers(): number {
    return this.#workers.size
  }

  sessions(): readonly CdpSession[] {
    return [...this.#sessions.values()]
  }

  async #attach(session: CdpSession, { sessionId, rootFrameId }: SessionIds): Promise<FrameTree['frame']> {
    this.#sessions.set(sessionId, session)
    this.#options.onSession(session, rootFrameId)
    this.#watchContexts(session, rootFrameId)
    this.#watchFrames(session)
    session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      if (name === clipboardBinding) this.#options.onCopy(JSON.parse(payload) as CopiedText)
      if (name !== secretBinding) return
      const { field, ...sighting } = JSON.parse(payload) as Omit<SecretSighting, 'field'> & { readonly field: number }
      this.#options.onSecret({ ...sighting, field: `${rootFrameId} ${executionContextId} ${field}` })
    })
    const [, , { frameTree }] = await Promise.all([
      session.send('Page.enable'),
      session.send('Runtime.enable'),
      session.send('Page.getFrameTree'),
      session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
      session.send('Network.enable'),
      session.send('Log.enable'),
      ...[secretBinding, clipboardBinding].map(name => session.send('Runtime.addBinding', { name, executionContextName: worldName })),
      session.send('Page.addScriptToEvaluateOnNewDocument', { source: sealedScript(script), worldName, runImmediately: true }),
      this.#attached.emit(session),
      session.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        // a worker is paused even if it is excluded, and could not be resumed then
        filter: [{ type: 'iframe' }, { type: 'worker' }, { exclude: true }],
      }),
      // the guard fails the requests for refused documents; the frames of another program's page are not judged
      this.#target.sessionId && session.send('Fetch.enable', { patterns: [{ resourceType: 'Document' }] }),
      session.send('Runtime.runIfWaitingForDebugger'),
    ])
    this.#addFrames(frameTree, session)
    this.#readySessions.add(session)
    return frameTree.frame
  }

  #watchContexts(session: CdpSession, rootFrameId: string): void {
    session.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name !== worldName || this.#isKnown(context.uniqueId, session)) return
      const world = {
        frameId: context.auxData.frameId as string,
        contextId: context.uniqueId,
        executionContextId: context.id,
        session,
        rootFrameId,
        origin: context.origin,
      }
      const { guard } = this.#options
      // the first, empty document of a frame is not reported otherwise
      if (this.#readySessions.has(session)) guard.discover({ id: world.frameId, url: 'about:blank', loaderId: '' }, session)
      guard.setOrigin(world.frameId, world.origin, session)
      this.#destroy(old => old.frameId === world.frameId)
      this.#worlds.set(world.frameId, world)
      this.#created.emit(world)
    })
    session.on('Runtime.executionContextDestroyed', ({ executionContextUniqueId }) =>
      this.#destroy(world => world.contextId === executionContextUniqueId),
    )
    session.on('Runtime.executionContextsCleared', () => this.#destroy(world => world.session === session))
    session.on('Inspector.targetCrashed', () => this.#destroy(world => world.session === session))
  }

  /** A relay may report a context again, for instance to another client. */
  #isKnown(contextId: string, session: CdpSession): boolean {
    return [...this.#worlds.values()].some(world => world.contextId === contextId && world.session === session)
  }

  #watchFrames(session: CdpSession): void {
    session.on('Page.frameAttached', ({ frameId, parentFrameId }) => void this.#parents.set(frameId, parentFrameId))
    session.on('Page.frameNavigated', ({ frame }) => this.#options.guard.commit(frame, session))
    session.on('Page.frameDetached', ({ frameId, reason }) => {
      if (reason === 'swap') return // the frame moves to another process
      this.#options.guard.remove(frameId)
      this.#parents.delete(frameId)
      this.#destroy(world => world.frameId === frameId && world.session === session)
    })
    session.on('Target.attachedToTarget', event =>
      event.targetInfo.type === 'worker' ? this.#resumeWorker(event) : this.#attachFrame(event),
    )
    session.on('Target.detachedFromTarget', ({ sessionId }) => {
      const frameSession = this.#sessions.get(sessionId)
      this.#sessions.delete(sessionId)
      this.#workers.delete(sessionId)
      if (frameSession) this.#destroy(world => world.session === frameSession)
    })
  }

  #resumeWorker({ sessionId }: EventPayload<'Target.attachedToTarget'>): void {
    this.#workers.add(sessionId)
    this.#connection.send('Runtime.runIfWaitingForDebugger', undefined, sessionId).catch(() => {}) // it may have ended
  }

  #attachFrame({ sessionId, targetInfo: { targetId, parentFrameId } }: EventPayload<'Target.attachedToTarget'>): void {
    if (parentFrameId) this.#parents.set(targetId, parentFrameId)
    const session: CdpSession = {
      send: (method, params) => this.#connection.send(method, params, sessionId),
      on: (event, listener) => this.#connection.on(event, listener, sessionId),
    }
    // a frame can be removed while it is being attached
    this.#attach(session, { sessionId, rootFrameId: targetId }).catch(() => {})
  }

  #addFrames({ frame, childFrames = [] }: FrameTree, session: CdpSession): void {
    if (frame.parentId) this.#parents.set(frame.id, frame.parentId)
    this.#options.guard.discover(frame, session)
    for (const child of childFrames) this.#addFrames(child, session)
  }

  #destroy(matches: (world: IsolatedWorld) => boolean): void {
    for (const [frameId, world] of this.#worlds) {
      if (!matches(world)) continue
      this.#worlds.delete(frameId)
      this.#destroyed.emit(world)
    }
  }
}
