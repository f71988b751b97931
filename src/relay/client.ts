import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import { messageOf } from '../contract/error-message.ts'
import { isOpenable } from './allowed-commands.ts'
import { CdpError, methodNotFound, sessionNotFound, targetNotFound } from './cdp-error.ts'
import type { RelayTab } from './relay-tab.ts'
import type { CdpEvent } from './session-state.ts'

export interface ClientContext {
  /** the tabs of this client */
  tabs(): readonly RelayTab[]
  /** resolves when the extension is connected */
  version(): Promise<{ readonly product: string; readonly userAgent: string }>
  open(): Promise<RelayTab>
  /** closes a tab that the client opened, and gives a tab back that the user lent */
  close(tab: RelayTab): Promise<void>
}

interface CdpCall {
  readonly id: number
  readonly method: string
  readonly params?: Record<string, unknown>
  readonly sessionId?: string
}

/** A CDP client, such as a session of pagehand. It sees a browser that has its own tabs only. */
export class RelayClient {
  readonly id = randomUUID()
  readonly name: string
  readonly #socket: WebSocket
  readonly #context: ClientContext
  /** sessions that the client attached to its tabs, by id */
  readonly #sessions = new Map<string, RelayTab>()
  readonly #browserSessions = new Set<string>()
  /** the sessions in which new targets are announced; '' is the connection itself */
  readonly #discovers = new Set<string>()
  readonly #autoAttaches = new Set<string>()

  constructor(socket: WebSocket, name: string, context: ClientContext) {
    this.name = name
    this.#socket = socket
    this.#context = context
    socket.on('message', data => void this.#onMessage(String(data)))
  }

  /** Call it for a tab that this client may use from now on. */
  addTab(tab: RelayTab, opener?: RelayTab): void {
    const targetInfo = this.#infoOf(tab, opener)
    for (const session of this.#discovers) this.#emit('Target.targetCreated', { targetInfo }, session)
    for (const session of this.#autoAttaches) this.#autoAttach(tab, session)
  }

  /** Call it for a tab that this client may not use any more. `reason` is a sentence. */
  removeTab(tab: RelayTab, reason: string): void {
    const { targetId } = tab.info
    for (const [sessionId, attached] of this.#sessions) {
      if (attached !== tab) continue
      this.#sessions.delete(sessionId)
      this.#emit('Inspector.detached', { reason }, sessionId)
      this.#emit('Target.detachedFromTarget', { sessionId, targetId })
    }
    for (const session of this.#discovers) this.#emit('Target.targetDestroyed', { targetId }, session)
  }

  /** Delivers an event of a tab (`session` undefined) or of a child session. */
  deliver(tab: RelayTab, { method, params }: CdpEvent, session: string | undefined): void {
    if (session !== undefined) this.#emit(method, params, session)
    else for (const [sessionId, attached] of this.#sessions) if (attached === tab) this.#emit(method, params, sessionId)
  }

  disconnect(): void {
    this.#socket.close(1000, 'disconnected by the user')
  }

  async #onMessage(text: string): Promise<void> {
    let call: CdpCall
    try {
      call = JSON.parse(text) as CdpCall
      if (!Number.isInteger(call.id) || typeof call.method !== 'string') throw new Error('not a call')
    } catch {
      return this.#socket.close(1002, 'not a CDP message')
    }
    const { id, sessionId } = call
    const of = sessionId === undefined ? {} : { sessionId }
    try {
      this.#send({ id, result: (await this.#run(call)) ?? {}, ...of })
    } catch (error) {
      this.#send({ id, error: { code: error instanceof CdpError ? error.code : -32_000, message: messageOf(error) }, ...of })
    }
  }

  #run({ method, params = {}, sessionId }: CdpCall): Promise<unknown> {
    if (sessionId === undefined || this.#browserSessions.has(sessionId)) return this.#runForBrowser(method, params, sessionId ?? '')
    const attached = this.#sessions.get(sessionId)
    const tab = attached ?? this.#context.tabs().find(each => each.hasSession(sessionId))
    if (!tab) throw sessionNotFound()
    // never takes the focus from the user
    if (method === 'Page.bringToFront') return Promise.resolve({})
    if (method === 'Page.close') return this.#context.close(tab).then(() => ({}))
    if (method === 'Target.detachFromTarget' || method === 'Target.getTargetInfo') return this.#runForBrowser(method, params, '')
    return tab.send(method, params, attached ? undefined : sessionId)
  }

  async #runForBrowser(method: string, params: Record<string, unknown>, session: string): Promise<unknown> {
    switch (method) {
      case 'Browser.getVersion':
        return { protocolVersion: '1.3', revision: '', jsVersion: '', ...(await this.#context.version()) }
      case 'Browser.close':
        throw new CdpError('The browser belongs to the user; only the user can close it')
      case 'Target.getBrowserContexts':
        return { browserContextIds: [] }
      case 'Target.getTargets':
        return { targetInfos: this.#context.tabs().map(tab => this.#infoOf(tab)) }
      case 'Target.getTargetInfo':
        return params.targetId === undefined ? { targetInfo: browserInfo } : { targetInfo: await this.#freshInfo(params.targetId) }
      case 'Target.setDiscoverTargets':
        return this.#discover(params.discover === true, session)
      case 'Target.setAutoAttach':
        return this.#setAutoAttach(params.autoAttach === true, session)
      case 'Target.attachToBrowserTarget': {
        const sessionId = randomUUID()
        this.#browserSessions.add(sessionId)
        return { sessionId }
      }
      case 'Target.attachToTarget':
        return { sessionId: this.#attach(this.#find(params.targetId)) }
      case 'Target.detachFromTarget':
        return this.#detach(String(params.sessionId))
      case 'Target.createTarget':
        return this.#create(params.url)
      case 'Target.closeTarget':
        await this.#context.close(this.#find(params.targetId))
        return { success: true }
      case 'Target.activateTarget': // never takes the focus from the user
        this.#find(params.targetId)
        return {}
      default:
        throw methodNotFound(method)
    }
  }

  #discover(isOn: boolean, session: string): object {
    if (!isOn) this.#discovers.delete(session)
    if (!isOn || this.#discovers.has(session)) return {}
    this.#discovers.add(session)
    for (const tab of this.#context.tabs()) this.#emit('Target.targetCreated', { targetInfo: this.#infoOf(tab) }, session)
    return {}
  }

  #setAutoAttach(isOn: boolean, session: string): object {
    if (!isOn) this.#autoAttaches.delete(session)
    if (!isOn || this.#autoAttaches.has(session)) return {}
    this.#autoAttaches.add(session)
    for (const tab of this.#context.tabs()) this.#autoAttach(tab, session)
    return {}
  }

  #autoAttach(tab: RelayTab, session: string): void {
    if ([...this.#sessions.values()].includes(tab)) return
    const sessionId = this.#attach(tab)
    this.#emit(
      'Target.attachedToTarget',
      { sessionId, targetInfo: { ...this.#infoOf(tab), attached: true }, waitingForDebugger: false },
      session,
    )
  }

  #attach(tab: RelayTab): string {
    const sessionId = randomUUID()
    this.#sessions.set(sessionId, tab)
    return sessionId
  }

  async #detach(sessionId: string): Promise<object> {
    if (this.#browserSessions.delete(sessionId)) {
      this.#discovers.delete(sessionId)
      this.#autoAttaches.delete(sessionId)
      return {}
    }
    const tab = this.#sessions.get(sessionId)
    if (!tab) throw sessionNotFound()
    this.#sessions.delete(sessionId)
    if ([...this.#sessions.values()].includes(tab)) return {}
    // the client is done with it: a tab that was lent goes back to the user
    await (tab.info.kind === 'lent' ? this.#context.close(tab) : tab.release())
    return {}
  }

  async #create(url: unknown): Promise<unknown> {
    if (!isOpenable(url ?? '')) throw new CdpError('Only http and https pages can be opened in the browser of the user')
    const tab = await this.#context.open()
    if (typeof url === 'string' && url !== '' && url !== 'about:blank') await tab.send('Page.navigate', { url })
    return { targetId: tab.info.targetId }
  }

  #find(targetId: unknown): RelayTab {
    const tab = this.#context.tabs().find(each => each.info.targetId === targetId)
    if (!tab) throw targetNotFound()
    return tab
  }

  /** Asks the browser if the debugger is attached anyway. */
  async #freshInfo(targetId: unknown): Promise<object> {
    const tab = this.#find(targetId)
    if (tab.isAttached()) {
      const { targetInfo } = (await tab.send('Target.getTargetInfo', {})) as { targetInfo: { title: string; url: string } }
      tab.info = { ...tab.info, title: targetInfo.title, url: targetInfo.url }
    }
    return this.#infoOf(tab)
  }

  #infoOf(tab: RelayTab, opener = this.#context.tabs().find(each => each.info.tab === tab.info.opener)): object {
    const { targetId, title, url, openerFrameId } = tab.info
    const attached = [...this.#sessions.values()].includes(tab)
    const opening = opener && { openerId: opener.info.targetId, ...(openerFrameId !== undefined && { openerFrameId }) }
    return { targetId, type: 'page', title, url, attached, canAccessOpener: false, ...opening }
  }

  #emit(method: string, params: unknown, session = ''): void {
    this.#send({ method, params, ...(session && { sessionId: session }) })
  }

  #send(message: object): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message))
  }
}

const browserInfo = { targetId: 'relay', type: 'browser', title: '', url: '', attached: true, canAccessOpener: false }
