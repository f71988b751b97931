// Chrome forgets the state of a debugger session when it is detached: domains that were enabled, scripts for new documents, emulation. The
// relay keeps what a client has set, and restores it when the tab is attached again, so that the client notices nothing but what the page
// has done in between.
import { CdpError } from './cdp-error.ts'

export interface RecordedCommand {
  readonly method: string
  readonly params: unknown
}
export interface CdpEvent {
  readonly method: string
  readonly params: unknown
}
export type SendCommand = (method: string, params?: unknown) => Promise<unknown>

interface FrameDocument {
  /** '' until the frame has reported a document */
  readonly loaderId: string
  readonly url: string
}
interface FrameTree {
  readonly frame: { readonly id: string; readonly parentId?: string; readonly loaderId: string; readonly url: string }
  readonly childFrames?: readonly FrameTree[]
}

interface RestoreOptions {
  readonly hasFrames: boolean
  /** whether the debugger session is still attached */
  isCurrent(): boolean
}

/** Settings, as opposed to questions and actions. */
const settings =
  /^((Page|Network|Emulation|Input|Security|Overlay|Runtime|Debugger)\.set(?!DocumentContent|Cookie)[A-Z]\w+|Target\.setAutoAttach|Page\.startScreencast)$/
/** events that describe what exists already, and are repeated when a domain is enabled */
const repeated = new Set([
  'Runtime.executionContextCreated',
  'Runtime.consoleAPICalled',
  'Runtime.exceptionThrown',
  'Log.entryAdded',
  'Page.lifecycleEvent',
  'Network.policyUpdated',
])

/** The state of the debugger session of one target: a tab, or a frame or worker in it. */
export class SessionState {
  readonly #settings = new Map<string, RecordedCommand>()
  /** the scripts for new documents, by the identifier that the client knows */
  readonly #scripts = new Map<string, { readonly params: object; identifier: string }>()
  readonly #documents = new Map<string, FrameDocument>()
  #lastScript = 0
  /** events are held back while the state is restored */
  #held: CdpEvent[] | undefined

  /** Sends a command and keeps what it sets. */
  async send(send: SendCommand, method: string, params: unknown): Promise<unknown> {
    if (method === 'Page.addScriptToEvaluateOnNewDocument') {
      const { identifier } = (await send(method, params)) as { identifier: string }
      const known = String(++this.#lastScript)
      this.#scripts.set(known, { params: params as object, identifier })
      return { identifier: known }
    }
    if (method === 'Page.removeScriptToEvaluateOnNewDocument') {
      const known = String((params as { identifier?: unknown } | undefined)?.identifier)
      const script = this.#scripts.get(known)
      this.#scripts.delete(known)
      return send(method, { identifier: script?.identifier ?? known })
    }
    const result = await send(method, params)
    if (method === 'Page.getFrameTree') this.#learn(flatten((result as { frameTree: FrameTree }).frameTree))
    this.#record(method, params)
    return result
  }

  /** Whether the page streams pictures to the client. */
  isStreaming(): boolean {
    return this.#settings.has('Page.startScreencast')
  }

  /** The events to deliver for one that arrived: none while the state is being restored. */
  receive(event: CdpEvent): readonly CdpEvent[] {
    if (this.#held) {
      this.#held.push(event)
      return []
    }
    this.#follow(event)
    return [event]
  }

  /** Restores the state in a new debugger session; returns the events that tell the client what changed in between. */
  async restore(send: SendCommand, { hasFrames, isCurrent }: RestoreOptions): Promise<readonly CdpEvent[]> {
    const arrived: CdpEvent[] = []
    this.#held = arrived
    try {
      const tree = hasFrames ? ((await send('Page.getFrameTree')) as { frameTree: FrameTree }).frameTree : undefined
      const frames = tree ? flatten(tree) : []
      const isFirst = this.#documents.size === 0
      const isSame = isFirst || this.#isSame(frames)
      // a setting that is refused now was accepted before; without a connection, the next command fails
      await Promise.allSettled([
        ...[...this.#settings.values()].map(({ method, params }) => send(method, params)),
        ...[...this.#scripts.values()].map(async script => {
          // the script has run in the document already, and would run again
          const params = isSame ? { ...script.params, runImmediately: false } : script.params
          const { identifier } = (await send('Page.addScriptToEvaluateOnNewDocument', params)) as { identifier: string }
          script.identifier = identifier
        }),
      ])
      // what was learned is not reported to the client, so it must not be kept
      if (!isCurrent()) throw new CdpError('The debugger was detached before the state was restored')
      const changes = isFirst ? [] : isSame ? this.#urlChanges(frames) : this.#documentChanges(frames)
      const held = arrived.filter(event => !isSame || isFirst || !repeated.has(event.method))
      this.#learn(frames)
      for (const event of held) this.#follow(event)
      return [...changes, ...held]
    } finally {
      // the next attachment may be restoring it already
      if (this.#held === arrived) this.#held = undefined
    }
  }

  #learn(frames: readonly FrameTree['frame'][]): void {
    this.#documents.clear()
    for (const frame of frames) this.#documents.set(frame.id, toDocument(frame))
  }

  #record(method: string, params: unknown): void {
    const [domain = '', name = ''] = method.split('.')
    if (name === 'enable') this.#settings.set(domain, { method, params })
    else if (name === 'disable') this.#settings.delete(domain)
    else if (method === 'Runtime.addBinding') this.#settings.set(`binding ${(params as { name?: string })?.name}`, { method, params })
    else if (method === 'Page.stopScreencast') this.#settings.delete('Page.startScreencast')
    else if (name.startsWith('clear')) this.#settings.delete(`${domain}.set${name.slice('clear'.length)}`)
    else if (settings.test(method)) this.#settings.set(method, { method, params })
  }

  #follow({ method, params }: CdpEvent): void {
    if (method === 'Page.frameNavigated') {
      const { frame } = params as FrameTree
      if (frame.parentId === undefined) this.#documents.clear()
      this.#documents.set(frame.id, toDocument(frame))
    }
    if (method === 'Page.navigatedWithinDocument') {
      const { frameId, url } = params as { frameId: string; url: string }
      const known = this.#documents.get(frameId)
      if (known) this.#documents.set(frameId, { ...known, url })
    }
    if (method === 'Page.frameAttached') {
      const { frameId: id } = params as { frameId: string }
      if (!this.#documents.has(id)) this.#documents.set(id, { loaderId: '', url: '' })
    }
    if (method === 'Page.frameDetached') this.#documents.delete((params as { frameId: string }).frameId)
  }

  #isSame(frames: readonly FrameTree['frame'][]): boolean {
    return frames.length === this.#documents.size && frames.every(frame => isSameDocument(frame, this.#documents.get(frame.id)))
  }

  #urlChanges(frames: readonly FrameTree['frame'][]): CdpEvent[] {
    const moved = frames.filter(({ id, url }) => this.#documents.get(id)?.url !== url && this.#documents.get(id)?.url !== '')
    return moved.map(({ id, url }) => ({
      method: 'Page.navigatedWithinDocument',
      params: { frameId: id, url, navigationType: 'other' },
    }))
  }

  #documentChanges(frames: readonly FrameTree['frame'][]): CdpEvent[] {
    const present = new Set(frames.map(({ id }) => id))
    const removed = [...this.#documents.keys()].filter(id => !present.has(id))
    return [
      { method: 'Runtime.executionContextsCleared', params: {} },
      ...removed.map(frameId => ({ method: 'Page.frameDetached', params: { frameId, reason: 'remove' } })),
      ...frames.flatMap(frame => {
        const known = this.#documents.get(frame.id)
        const attached = { method: 'Page.frameAttached', params: { frameId: frame.id, parentFrameId: frame.parentId } }
        const navigated = { method: 'Page.frameNavigated', params: { frame, type: 'Navigation' } }
        return [...(known || frame.parentId === undefined ? [] : [attached]), ...(isSameDocument(frame, known) ? [] : [navigated])]
      }),
    ]
  }
}

const flatten = ({ frame, childFrames = [] }: FrameTree): FrameTree['frame'][] => [frame, ...childFrames.flatMap(flatten)]
const toDocument = (frame: FrameTree['frame']): FrameDocument => ({ loaderId: frame.loaderId, url: frame.url })
/** a frame that has not reported a document yet shows its first one */
const isSameDocument = ({ loaderId }: FrameTree['frame'], known: FrameDocument | undefined): boolean =>
  known !== undefined && (known.loaderId === loaderId || known.loaderId === '')
