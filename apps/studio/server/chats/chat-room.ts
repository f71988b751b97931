import type { LanguageModel, UIMessageChunk } from 'ai'
import { type AgentLimits, createBrowserAgent } from 'pagehand/agent'
import type { LiveFrame, SessionOptions } from 'pagehand/browser'
import { type AnyRun, wrap } from 'pagehand/tools'
import {
  type BrowserCommandReport,
  type BrowserPlace,
  type ChatSummary,
  createRemoteDriver,
  type RemoteDriver,
  type RunUsageLimits,
  type StudioInfo,
  type StudioMessage,
  type StudioSettings,
} from 'pagehand/wire'
import type { ChatStore, RunRow } from '../store/chat-store.ts'
import { type RunParts, RunWriter } from './agent-run.ts'
import type { Approvals } from './approvals.ts'
import { Broadcast } from './broadcast.ts'
import { ChatBrowser } from './chat-browser.ts'
import { hostsIn } from './named-hosts.ts'

export interface ChatRoomOptions {
  readonly store: ChatStore
  readonly approvals: Approvals
  settings(): Promise<StudioSettings>
  model(): Promise<LanguageModel>
  readonly session: SessionOptions
  /** `local`: a browser of this machine; `remote`: the window that sent the message carries the commands out */
  readonly drive: StudioInfo['drive']
  /** Reads a message while it is being written, and calls `keep` for each state of it. */
  saveMessage(stream: ReadableStream<UIMessageChunk>): Promise<void>
  savePicture(runId: string, step: number, picture: Uint8Array): Promise<string | undefined>
}

interface StartOptions {
  readonly browser: ChatBrowser | undefined
  readonly settings: StudioSettings
  readonly model: LanguageModel
  readonly place: BrowserPlace | undefined
}

interface ActiveRun {
  readonly id: string
  readonly goal: string
  readonly broadcast: Broadcast
  readonly writer: RunWriter
  readonly abort: AbortController
  readonly done: Promise<void>
  stoppedBy?: string
  handoff?: { readonly reason: string; readonly resolve: () => void }
}

/** One chat: its browser, and the run that is under way. */
export class ChatRoom {
  readonly #chatId: string
  readonly #options: ChatRoomOptions
  #browser: Promise<ChatBrowser> | undefined
  #active: ActiveRun | undefined
  #remote: RemoteDriver | undefined
  #message: StudioMessage | undefined
  #saving: Promise<unknown> = Promise.resolve()
  #isStarting = false

  constructor(chatId: string, options: ChatRoomOptions) {
    this.#chatId = chatId
    this.#options = options
  }

  get isBusy(): boolean {
    return this.#isStarting || this.#active !== undefined
  }

  get runId(): string | undefined {
    return this.#active?.id
  }

  get state(): ChatSummary['state'] {
    const state = this.#active?.writer.parts.run.state
    return state === undefined ? 'idle' : state === 'waiting' || state === 'handoff' ? 'waiting' : 'running'
  }

  get handoff(): { readonly runId: string; readonly goal: string; readonly reason: string } | undefined {
    const active = this.#active
    return active?.handoff && { runId: active.id, goal: active.goal, reason: active.handoff.reason }
  }

  /** The browser of the chat, opened when it is first needed. */
  browser(): Promise<ChatBrowser> {
    this.#browser ??= this.#openBrowser().catch((error: unknown) => {
      this.#browser = undefined
      throw error
    })
    return this.#browser
  }

  async #openBrowser(): Promise<ChatBrowser> {
    const { allowedHosts } = await this.#options.settings()
    const { session } = this.#options
    return ChatBrowser.open(allowedHosts.length > 0 ? { ...session, hosts: { ...session.hosts, allow: allowedHosts } } : session)
  }

  stream(): ReadableStream<UIMessageChunk> | undefined {
    return this.#active?.broadcast.read()
  }

  /** Takes the result of a command that a window has carried out. */
  report(report: BrowserCommandReport): boolean {
    return this.#remote?.report(report) ?? false
  }

  /** Keeps other messages out until `release`, so that two that come at once do not both begin a run; false if the chat is busy. */
  reserve(): boolean {
    if (this.isBusy) return false
    this.#isStarting = true
    return true
  }

  release(): void {
    this.#isStarting = false
  }

  /** @param place where the commands are carried out, if not by a browser of this machine */
  async begin(goal: string, place: BrowserPlace | undefined): Promise<ReadableStream<UIMessageChunk>> {
    const browser = this.#options.drive === 'local' ? await this.browser() : undefined
    const [settings, model] = await Promise.all([this.#options.settings(), this.#options.model()])
    return this.#start(goal, { browser, settings, model, place })
  }

  async stop(by: string): Promise<string> {
    const active = this.#active
    if (!active) return ''
    active.stoppedBy = by
    active.abort.abort()
    await active.done
    return active.id
  }

  /** A person has done what the run asked for. */
  handBack(runId: string): boolean {
    const { handoff, id } = this.#active ?? {}
    if (!handoff || id !== runId) return false
    handoff.resolve()
    return true
  }

  /** Remembers the message that is being written, and stores it. */
  keep(message: StudioMessage): void {
    this.#message = message
  }

  /** Closes the books of a run that ended with the last process. */
  async recover({ id, chat, goal, detail, summary }: RunRow): Promise<void> {
    const parts = detail as RunParts
    const words =
      'The studio was closed while this run was under way. What its last step did is unknown: look at the page before you go on.'
    const run = { ...parts.run, state: 'ended' as const, stopReason: 'error', summary: summary ?? words }
    await this.#options.store.saveRun({
      id,
      chat,
      goal,
      state: 'ended',
      stopReason: 'error',
      summary: run.summary,
      detail: { ...parts, run },
    })
    const messages = await this.#options.store.messages(chat)
    const message = messages.find(each => each.parts.some(part => part.type === 'data-sub-agent-run' && part.data.runId === id))
    if (!message) return
    const corrected = message.parts.map(part =>
      part.type === 'data-sub-agent-run' && part.data.runId === id ? { ...part, data: run } : part,
    )
    await this.#options.store.saveMessage(chat, { ...message, parts: [...corrected, { type: 'text', text: words }] })
  }

  async close(): Promise<void> {
    await this.stop('the studio')
    await this.#saving
    const browser = await this.#browser?.catch(() => undefined)
    this.#browser = undefined
    await browser?.close()
  }

  async #start(goal: string, { browser, settings, model, place }: StartOptions): Promise<ReadableStream<UIMessageChunk>> {
    const broadcast = new Broadcast()
    const abort = new AbortController()
    const frames = browser && followFrames(browser)
    const run: AnyRun = browser ? wrap(browser.session.run, browser.gate) : this.#remoteRun(broadcast, place)
    const url = await browser?.url()
    let active: ActiveRun | undefined
    const agent = await createBrowserAgent({
      model,
      run,
      goal,
      limits: toLimits(settings.limits),
      sites: hostsIn(`${goal} ${url ?? ''}`),
      ...(url !== undefined && { page: { url } }),
      ...this.#options.approvals.forRun({ chatId: this.#chatId, settings, onApproval: part => active?.writer.writeApproval(part) }),
      onEvent: event => active?.writer.onEvent(event),
      handoff: (reason, signal) =>
        new Promise(resolve => {
          if (!active) return resolve('pending')
          const finish = () => {
            active?.writer.writeHandoff(reason, 'done')
            if (active) delete active.handoff
            resolve('done')
          }
          active.handoff = { reason, resolve: finish }
          active.writer.writeHandoff(reason, 'waiting')
          signal.addEventListener?.('abort', () => resolve('pending'))
        }),
    })
    const writer = new RunWriter(broadcast, {
      runId: agent.id,
      goal,
      limits: settings.limits,
      showsWords: model !== 'rules',
      savePicture: async step => {
        const picture = frames?.last()
        return picture && this.#options.savePicture(agent.id, step, picture)
      },
      onChange: () => this.#save(),
      place: place ?? { tabId: 't1', viewKey: this.#chatId },
    })
    const messageId = `m-${agent.id}`
    const finish = async (): Promise<void> => {
      const { stream, result } = agent.stream({ signal: abort.signal })
      for await (const chunk of stream as unknown as AsyncIterable<UIMessageChunk>) writer.add(chunk)
      const { reason, summary } = await result
      await writer.settled()
      writer.end({ reason, summary })
      writeText(broadcast, summary)
      if (reason === 'aborted')
        broadcast.write({
          type: 'data-manual-stop',
          id: agent.id,
          data: { runId: agent.id, at: new Date().toISOString(), by: active?.stoppedBy ?? '' },
        })
    }
    browser?.setAgentWorking(true)
    broadcast.write({ type: 'start', messageId, messageMetadata: { createdAt: new Date().toISOString() } })
    const done = finish()
      .catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error)
        writer.end({ reason: 'error', summary: message })
        broadcast.write({ type: 'message-metadata', messageMetadata: { error: { code: 'error', message } } })
        broadcast.write({ type: 'error', errorText: message })
      })
      .then(async () => {
        frames?.stop()
        browser?.setAgentWorking(false)
        this.#remote?.close()
        broadcast.write({ type: 'finish' })
        broadcast.end()
        await kept
        await this.#save()
        this.#active = undefined
      })
    const kept = this.#options.saveMessage(broadcast.read())
    active = { id: agent.id, goal, broadcast, writer, abort, done }
    this.#active = active
    writer.begin()
    return broadcast.read()
  }

  /** Commands go out with the message that is being written; results come back by `report`. */
  #remoteRun(broadcast: Broadcast, place: BrowserPlace | undefined): AnyRun {
    if (!place) throw new Error('no window has offered a browser')
    const releases = new Map<string, () => void>()
    this.#remote = createRemoteDriver({
      place: { sessionId: this.#chatId, ...place },
      send: data => releases.set(data.commandId, broadcast.hold({ type: 'data-browser-command', data, transient: true })),
      settled({ commandId }) {
        releases.get(commandId)?.()
        releases.delete(commandId)
      },
    })
    return this.#remote.run
  }

  /** Stores the message and the run as they are now, one state after another. */
  #save(): Promise<unknown> {
    const active = this.#active
    if (!active) return this.#saving
    this.#saving = this.#saving.then(async () => {
      const { run } = active.writer.parts
      await this.#options.store.saveRun({
        id: active.id,
        chat: this.#chatId,
        goal: active.goal,
        state: run.state === 'queued' ? 'running' : run.state,
        stopReason: run.stopReason ?? null,
        summary: run.summary ?? null,
        detail: active.writer.parts,
      })
      if (this.#message) await this.#options.store.saveMessage(this.#chatId, this.#message)
    })
    // a full disk must not end the run; the next state is stored with everything before it
    this.#saving = this.#saving.catch((error: unknown) => console.error('the chat could not be stored:', error))
    return this.#saving
  }
}

/** The newest picture of a tab. */
function followFrames(browser: ChatBrowser): { last(): Uint8Array | undefined; stop(): void } {
  let newest: LiveFrame | undefined
  const watcher = browser.watch(frame => {
    newest = frame
    queueMicrotask(() => watcher.ready())
  })
  return { last: () => (newest ? Buffer.from(newest.base64, 'base64') : undefined), stop: () => watcher.stop() }
}

function writeText(broadcast: Broadcast, text: string): void {
  if (text === '') return
  broadcast.write({ type: 'text-start', id: 'summary' })
  broadcast.write({ type: 'text-delta', id: 'summary', delta: text })
  broadcast.write({ type: 'text-end', id: 'summary' })
}

/** A limit of money needs the prices of models, which the studio does not know. */
const toLimits = ({ steps, tokens, characters, timeMs }: RunUsageLimits): AgentLimits => ({
  ...(steps !== undefined && { steps }),
  ...(tokens !== undefined && { tokens }),
  ...(characters !== undefined && { characters }),
  ...(timeMs !== undefined && { timeMs }),
})
