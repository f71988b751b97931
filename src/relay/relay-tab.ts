import { messageOf } from '../contract/error-message.ts'
import { notDebuggable } from '../contract/relay-reasons.ts'
import { refusalOf } from './allowed-commands.ts'
import { CdpError, sessionNotFound } from './cdp-error.ts'
import { ChildSession } from './child-session.ts'
import type { ExtensionLink } from './extension-link.ts'
import type { SharedTab } from './protocol.ts'
import { type CdpEvent, SessionState } from './session-state.ts'

export interface TabContext {
  /** resolves when the extension is connected */
  link(): Promise<ExtensionLink>
  /** delivers an event of the tab itself (`session` undefined) or of a child session to the client */
  deliver(event: CdpEvent, session: string | undefined): void
  isShown(origin: string): boolean
  readonly idleMs: number
}

/** how often to attach for one command */
const maxAttempts = 3

/**
 * One tab that the user shares. The debugger is attached by the first command and detached when no command has come for a while, which also
 * removes the bar that Chrome shows while a debugger is attached.
 */
export class RelayTab {
  info: SharedTab
  readonly #context: TabContext
  #root = new SessionState()
  /** by the id that the client knows */
  readonly #children = new Map<string, ChildSession>()
  #attached: Promise<void> | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #running = 0
  /** how often the debugger was attached or detached */
  #attachments = 0
  /** the dialogs that are open, by the session that reported them */
  readonly #dialogs = new Map<string | undefined, CdpEvent>()

  constructor(info: SharedTab, context: TabContext) {
    this.info = info
    this.#context = context
  }

  isAttached(): boolean {
    return this.#attached !== undefined
  }

  hasSession(id: string): boolean {
    return this.#children.has(id)
  }

  /** Sends a command to the tab, or to a child session of it. */
  async send(method: string, params: unknown, session?: string): Promise<unknown> {
    const refusal = refusalOf(method, params, origin => this.#context.isShown(origin))
    if (refusal) throw new CdpError(refusal)
    clearTimeout(this.#idleTimer)
    this.#running++
    try {
      const child = session === undefined ? undefined : await this.#readyChild(session, method)
      await this.#ensureAttached(method)
      const state = child?.state ?? this.#root
      // the dialog of a tab that has just opened is older than the client's session
      const dialog = this.#dialogs.get(child?.id)
      if (method === 'Page.enable' && dialog) this.#context.deliver(dialog, child?.id)
      return await state.send((name, given) => this.#request(name, given, child?.realId()), method, params)
    } finally {
      this.#running--
      this.#restartIdleTimer()
    }
  }

  onEvent({ method, params }: CdpEvent, real: string | undefined): void {
    const child = real === undefined ? undefined : this.#findReal(real)
    if (real !== undefined && !child) return // of a session that the client has not heard of
    if (method === 'Page.javascriptDialogOpening') this.#dialogs.set(child?.id, { method, params })
    if (method === 'Page.javascriptDialogClosed') this.#dialogs.delete(child?.id)
    if (method === 'Target.attachedToTarget') this.#addChild(params as AttachedToTarget, child)
    else if (method === 'Target.detachedFromTarget') this.#removeChild((params as { sessionId: string }).sessionId)
    else this.#deliver((child?.state ?? this.#root).receive({ method, params }), child?.id)
  }

  /** Call it when the extension has attached the debugger by itself. */
  onAttached(): void {
    this.#attached = Promise.resolve()
    this.#restartIdleTimer()
  }

  /** Call it when the debugger is no longer attached. The next command attaches it again. */
  onDetached(): void {
    clearTimeout(this.#idleTimer)
    this.#attached = undefined
    this.#attachments++
    this.#dialogs.clear()
    for (const child of this.#children.values()) child.onDetached()
  }

  /** Detaches the debugger and forgets what the client has set. */
  async release(): Promise<void> {
    const wasAttached = this.#attached !== undefined
    this.onDetached()
    for (const child of this.#children.values()) child.setReady()
    this.#children.clear()
    this.#root = new SessionState()
    if (wasAttached) await this.#detach()
  }

  /** Call it when the tab is gone. */
  end(): void {
    this.onDetached()
  }

  /** A page that extensions may not debug can be left, so that the tab is usable again. */
  async #ensureAttached(method: string): Promise<void> {
    try {
      await this.#startAttaching()
    } catch (error) {
      if (method !== 'Page.navigate' || !messageOf(error).startsWith(notDebuggable)) throw error
      const link = await this.#context.link()
      await link.request({ do: 'navigate', tab: this.info.tab, url: 'about:blank' })
      await this.#startAttaching()
    }
  }

  #startAttaching(): Promise<void> {
    if (this.#attached) return this.#attached
    const attaching = this.#attach()
    this.#attached = attaching
    attaching.catch(() => {
      // the debugger may have been detached, and attached again, in the meantime
      if (this.#attached === attaching) this.#attached = undefined
    })
    return attaching
  }

  async #attach(): Promise<void> {
    const link = await this.#context.link()
    this.info = { ...this.info, ...((await link.request({ do: 'attach', tab: this.info.tab })) as SharedTab) }
    const attachment = ++this.#attachments
    const isCurrent = () => attachment === this.#attachments
    this.#deliver(await this.#root.restore((method, params) => this.#request(method, params), { hasFrames: true, isCurrent }), undefined)
    this.#dropAbsent(undefined)
  }

  async #request(method: string, params: unknown, session?: string): Promise<unknown> {
    const link = await this.#context.link()
    return link.request({ do: 'command', tab: this.info.tab, session, method, params })
  }

  /** Attaches the tab, and waits until the session of a frame or worker is restored. */
  async #readyChild(id: string, method: string): Promise<ChildSession> {
    // the tab may be detached again meanwhile
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      await this.#ensureAttached(method)
      const child = this.#children.get(id)
      await child?.ready()
      if (child && child.realId() !== undefined) return child
      if (!this.#children.has(id)) break
    }
    // not sent at all: without a session, the command would reach the page around the frame
    throw sessionNotFound()
  }

  #findReal(realId: string | undefined): ChildSession | undefined {
    return realId === undefined ? undefined : [...this.#children.values()].find(child => child.realId() === realId)
  }

  #addChild(event: AttachedToTarget, parent: ChildSession | undefined): void {
    const { sessionId, targetInfo } = event
    const known = [...this.#children.values()].find(child => child.realId() === undefined && child.targetId === targetInfo.targetId)
    if (known) return void this.#restoreChild(known, sessionId)
    const child = new ChildSession(sessionId, targetInfo, parent)
    this.#children.set(child.id, child)
    this.#context.deliver({ method: 'Target.attachedToTarget', params: event }, parent?.id)
  }

  async #restoreChild(child: ChildSession, realId: string): Promise<void> {
    child.onAttached(realId)
    // the tab may be detached meanwhile: then the next attachment restores it
    const isCurrent = () => child.realId() === realId
    try {
      const hasFrames = child.type !== 'worker'
      const events = await child.state.restore((method, params) => this.#request(method, params, realId), { hasFrames, isCurrent })
      this.#deliver(events, child.id)
      this.#dropAbsent(child)
      child.setReady()
    } catch {
      if (isCurrent()) this.#dropChild(child) // gone already
    }
  }

  /** Those that are still there were announced while automatic attaching was restored in their parent. */
  #dropAbsent(parent: ChildSession | undefined): void {
    for (const child of [...this.#children.values()]) if (child.parent === parent && child.realId() === undefined) this.#dropChild(child)
  }

  #removeChild(real: string): void {
    const child = this.#findReal(real)
    if (child) this.#dropChild(child)
  }

  #dropChild(child: ChildSession): void {
    if (!this.#children.delete(child.id)) return
    child.onDetached()
    child.setReady()
    this.#dialogs.delete(child.id)
    for (const each of [...this.#children.values()]) if (each.parent === child) this.#dropChild(each)
    const params = { sessionId: child.id, targetId: child.targetId }
    this.#context.deliver({ method: 'Target.detachedFromTarget', params }, child.parent?.id)
  }

  #deliver(events: readonly CdpEvent[], session: string | undefined): void {
    for (const event of events) this.#context.deliver(event, session)
  }

  #restartIdleTimer(): void {
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => this.#onIdle(), this.#context.idleMs)
    this.#idleTimer.unref()
  }

  #onIdle(): void {
    if (this.#running > 0 || !this.#attached) return
    // a dialog could not be answered afterwards, and a live view would stop
    if (this.#dialogs.size > 0 || this.#root.isStreaming()) {
      this.#restartIdleTimer()
      return
    }
    this.onDetached()
    this.#detach().catch(() => {}) // the extension is gone, and the debugger with it
  }

  async #detach(): Promise<void> {
    const link = await this.#context.link()
    await link.request({ do: 'detach', tab: this.info.tab })
  }
}

interface AttachedToTarget {
  readonly sessionId: string
  readonly targetInfo: { readonly targetId: string; readonly type: string }
}
