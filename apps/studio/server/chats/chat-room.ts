import { randomUUID } from 'node:crypto'
import type { LanguageModel, UIMessageChunk } from 'ai'
import type { StudioMessage } from 'pagehand/agent'
import type { SessionOptions } from 'pagehand/browser'
import type {
  ApprovalPart,
  BrowserCommandReport,
  BrowserPlace,
  ChatSummary,
  HandoffPart,
  RemoteDriver,
  StoredFilePart,
  StudioInfo,
  StudioSettings,
} from 'pagehand/wire'
import type { ChatStore } from '../store/chat-store.ts'
import type { Approvals } from './approvals.ts'
import { Broadcast } from './broadcast.ts'
import { BrowserTask, type TaskFiles, type TaskOptions, type TaskOutcome } from './browser-task.ts'
import { ChatBrowser } from './chat-browser.ts'
import type { ChatFiles } from './chat-files.ts'
import { runMaster, toToolOutput } from './master.ts'
import type { ParkedRun } from './parked-run.ts'
import { remoteDriver } from './remote-driver.ts'
import { SaveQueue } from './save-queue.ts'
import { attachedFiles, chunksOf, isAnswered, openCall, textOf, withOutput } from './stored-message.ts'
import { unlessAborted } from './unless-aborted.ts'

export interface ChatRoomOptions {
  readonly store: ChatStore
  readonly approvals: Approvals
  settings(): Promise<StudioSettings>
  model(): Promise<LanguageModel>
  readonly session: SessionOptions
  /** `local`: a browser of this machine; `remote`: the window that sent the message carries the commands out */
  readonly drive: StudioInfo['drive']
  /** Calls `keep` for each state of a message while it is being written. */
  readMessage(stream: ReadableStream<UIMessageChunk>, keep: (message: StudioMessage) => void): Promise<void>
  savePicture(runId: string, step: number, picture: Uint8Array): Promise<string | undefined>
  readonly files: ChatFiles
  /** the folder in which browsers put the files of pages */
  readonly downloadFolder: string
  /** Moves a file of a page from that folder to a run. */
  keepDownload(runId: string, name: string): Promise<StoredFilePart | undefined>
}

/** The answer that is being written. */
interface ActiveAnswer {
  readonly broadcast: Broadcast
  readonly abort: AbortController
  readonly park: AbortController
  done: Promise<void>
  message?: StudioMessage
  task?: BrowserTask
  performing?: Promise<unknown>
  stoppedBy?: string
}

interface AnswerOptions {
  readonly place: BrowserPlace | undefined
  /** the run that is continued, with its message */
  readonly parked?: ParkedRun
  /** the decision that continues it */
  readonly approval?: ApprovalPart | undefined
}

/** One chat: its browser, and the answer that is being written. */
export class ChatRoom {
  readonly #chatId: string
  readonly #options: ChatRoomOptions
  #browser: Promise<ChatBrowser> | undefined
  #active: ActiveAnswer | undefined
  /** a run of an earlier process that waits for a person */
  #parked: ParkedRun | undefined
  #remote: RemoteDriver | undefined
  readonly #saves = new SaveQueue<ActiveAnswer>(async ({ task, message }) => {
    const { store } = this.#options
    if (task) await store.saveRun(this.#chatId, task.parts)
    if (message) await store.saveMessage(this.#chatId, message)
  })
  #isStarting = false

  constructor(chatId: string, options: ChatRoomOptions) {
    this.#chatId = chatId
    this.#options = options
  }

  get isBusy(): boolean {
    return this.#isStarting || this.#active !== undefined || this.#parked !== undefined
  }

  get runId(): string | undefined {
    return this.#active?.task?.runId ?? this.#parked?.runId
  }

  get state(): ChatSummary['state'] {
    if (this.#parked) return 'waiting'
    if (!this.#active) return this.#isStarting ? 'running' : 'idle'
    const state = this.#active.task?.parts.run.state
    return state === 'waiting' || state === 'handoff' ? 'waiting' : 'running'
  }

  get handoff(): (HandoffPart & { readonly goal: string }) | undefined {
    const { task } = this.#active ?? {}
    if (task?.handoff) return { ...task.handoff, goal: task.goal }
    return this.#parked?.handoff && { ...this.#parked.handoff, goal: this.#parked.parts.run.goal }
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
    const { files, downloadFolder, session: given } = this.#options
    const session = { ...given, uploadRoots: [files.folder], downloads: { folder: downloadFolder } }
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

  /** Answers the last message of the chat. @param place where the commands are carried out, if not by a browser of this machine */
  begin(place: BrowserPlace | undefined): ReadableStream<UIMessageChunk> {
    return this.#answer({ place })
  }

  /** Keeps a run that the last process left open, until a person decides. */
  park(run: ParkedRun): void {
    this.#parked = run
  }

  /** Continues the run that was parked; false if there is none. */
  resume(approval?: ApprovalPart): boolean {
    const parked = this.#parked
    if (!parked) return false
    this.#answer({ parked, place: parked.place, approval })
    return true
  }

  async stop(by: string): Promise<string> {
    const { runId } = this
    if (this.#parked) await this.#parked.end(by)
    this.#parked = undefined
    const active = this.#active
    if (!active) return runId ?? ''
    active.stoppedBy = by
    active.abort.abort()
    await active.done
    return runId ?? ''
  }

  noteFrame(run: string, file: string): void {
    if (this.#active?.task?.runId === run) this.#active.task.noteFrame(file)
  }

  /** A person has done what the run asked for. */
  handBack(runId: string): boolean {
    if (this.#parked?.runId === runId) return this.resume()
    const { task } = this.#active ?? {}
    if (!task?.handoff || task.runId !== runId) return false
    task.handBack()
    return true
  }

  /** Interrupts the run so that the next process can continue it. */
  async close(): Promise<void> {
    this.#active?.park.abort()
    await this.#active?.done
    await this.#saves.settled()
    const browser = await this.#browser?.catch(() => undefined)
    this.#browser = undefined
    await browser?.close()
  }

  #answer(options: AnswerOptions): ReadableStream<UIMessageChunk> {
    const broadcast = new Broadcast()
    const { parked, approval } = options
    const start = { type: 'start', messageId: `m-${randomUUID()}`, messageMetadata: { createdAt: now() } } as const
    for (const chunk of parked ? chunksOf(parked.message) : [start]) broadcast.write(chunk)
    if (parked?.handoff) broadcast.write({ type: 'data-handoff', id: parked.runId, data: { ...parked.handoff, state: 'done' } })
    if (approval) broadcast.write({ type: 'data-approval', id: approval.id, data: approval })
    const active: ActiveAnswer = { broadcast, abort: new AbortController(), park: new AbortController(), done: Promise.resolve() }
    this.#active = active
    this.#parked = undefined
    active.done = this.#write(active, options)
    return broadcast.read()
  }

  /** Writes the answer to its end; never rejects. */
  async #write(active: ActiveAnswer, options: AnswerOptions): Promise<void> {
    const { broadcast } = active
    const own = broadcast.read()
    const kept = this.#options.readMessage(own, message => {
      active.message = message
    })
    try {
      await this.#speak(active, options)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (active.stoppedBy === undefined) {
        broadcast.write({ type: 'message-metadata', messageMetadata: { error: { code: 'error', message } } })
        broadcast.write({ type: 'error', errorText: message })
      }
      // a run that could not be continued can be tried again
      if (!active.task) this.#parked = options.parked
    }
    // a master that was stopped does not wait for its task
    await active.performing
    const runId = active.task?.runId
    if (active.stoppedBy !== undefined)
      broadcast.write({
        type: 'data-manual-stop',
        id: runId ?? 'stop',
        data: { ...(runId && { runId }), at: now(), by: active.stoppedBy },
      })
    this.#remote?.close()
    broadcast.write({ type: 'finish' })
    broadcast.endReader(own)
    await kept
    await this.#saves.save(active)
    this.#active = undefined
    // a window that sees the end can read the stored message, and send the next one
    broadcast.end()
  }

  /** The built-in rules carry out the message itself; a model decides what the browser agent should do. */
  async #speak(active: ActiveAnswer, { place, parked }: AnswerOptions): Promise<void> {
    const { broadcast, abort, park } = active
    // nothing may follow a run that the next process continues
    const signal = AbortSignal.any([abort.signal, park.signal])
    const options = await unlessAborted(this.#taskOptions(active, place), signal)
    const perform = (task: BrowserTask): Promise<TaskOutcome> => {
      active.task = task
      const performing = task.perform({ signal: abort.signal, park: park.signal })
      active.performing = performing.catch(() => {})
      return performing
    }
    const first = parked && (await perform(await BrowserTask.resume(parked.runId, parked.parts, options)))
    const messages = await this.#options.store.messages(this.#chatId)
    const named = messages.flatMap(message => (message.role === 'user' ? [textOf(message)] : [])).join('\n')
    if (options.model === 'rules') {
      const outcome = first ?? (await perform(await BrowserTask.begin(textOf(messages.at(-1)), { ...options, named })))
      if (!park.signal.aborted && isAnswered(outcome.reason)) broadcast.writeText(outcome.summary)
      return
    }
    if (signal.aborted) return
    const call = first && active.message && openCall(active.message)
    if (call) broadcast.write({ type: 'tool-output-available', toolCallId: call.toolCallId, output: toToolOutput(first) })
    const history = messages.filter(({ id }) => id !== active.message?.id)
    if (first && active.message) history.push(withOutput(active.message, call?.toolCallId, toToolOutput(first)))
    await runMaster({
      model: options.model,
      messages: history,
      perform: async (task, plan) => perform(await BrowserTask.begin(task, { ...options, named, plan })),
      write: chunk => broadcast.write(chunk),
      signal,
    })
  }

  async #taskOptions(active: ActiveAnswer, place: BrowserPlace | undefined): Promise<TaskOptions> {
    const { broadcast } = active
    const browser = this.#options.drive === 'local' ? await this.browser() : undefined
    const [settings, model] = await Promise.all([this.#options.settings(), this.#options.model()])
    return {
      chatId: this.#chatId,
      broadcast,
      settings,
      model,
      browser,
      run: browser ? browser.session.run : this.#openRemote(broadcast, place).run,
      place,
      files: browser && (await this.#taskFiles(browser)),
      approvals: this.#options.approvals,
      savePicture: this.#options.savePicture,
      onChange: () => void this.#saves.save(active),
    }
  }

  /** Only what is attached to a message can be uploaded, not the files of drafts or of other chats. */
  async #taskFiles(browser: ChatBrowser): Promise<TaskFiles> {
    const { files, store, keepDownload } = this.#options
    const attached = (await store.messages(this.#chatId)).flatMap(attachedFiles)
    return {
      attached,
      uploads: files.uploads(attached),
      takeDownloads: async run => {
        const kept = await Promise.all(browser.takeDownloads().map(({ name }) => keepDownload(run, name)))
        return kept.filter(file => file !== undefined)
      },
    }
  }

  #openRemote(broadcast: Broadcast, place: BrowserPlace | undefined): RemoteDriver {
    if (!place) throw new Error('no window has offered a browser')
    this.#remote = remoteDriver({ sessionId: this.#chatId, ...place }, broadcast)
    return this.#remote
  }
}

const now = (): string => new Date().toISOString()
