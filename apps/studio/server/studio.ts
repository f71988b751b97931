import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import type { LanguageModel, UIMessageChunk } from 'ai'
import { readUIMessageStream } from 'ai'
import type { StudioMessage } from 'pagehand/agent'
import type { SessionOptions } from 'pagehand/browser'
import type { RunStore } from 'pagehand/evidence'
import type {
  BrowserCommandReport,
  BrowserPlace,
  Chat,
  ChatSummary,
  RunDetail,
  RunListItem,
  StudioInfo,
  StudioProblemCode,
  StudioSettings,
  WaitingList,
} from 'pagehand/wire'
import { en } from '../web/messages/en.ts'
import { zhCN } from '../web/messages/zh-CN.ts'
import type { RunParts } from './chats/agent-run.ts'
import { Approvals } from './chats/approvals.ts'
import { ChatFiles, keepDownload } from './chats/chat-files.ts'
import { ChatRoom } from './chats/chat-room.ts'
import { recoverRun } from './chats/parked-run.ts'
import { textOf } from './chats/stored-message.ts'
import { replayFile } from './replay-file.ts'
import { modelFrom, settingsFrom } from './settings.ts'
import type { ChatStore, RunRow } from './store/chat-store.ts'

export interface StudioOptions {
  readonly store: ChatStore
  /** the logs of all runs, with the questions that they ask */
  readonly runs: RunStore
  readonly dataFolder: string
  readonly database: StudioInfo['database']
  /** false while the connection to the database is lost */
  isAvailable(): boolean
  readonly version: string
  /** how a browser is opened for a chat */
  readonly session: SessionOptions
  /** the model of the command line; settings may name another */
  readonly model?: LanguageModel
  readonly demo?: StudioInfo['demo']
  readonly secretNames?: readonly string[]
  /** @default 'local' */
  readonly drive?: StudioInfo['drive']
}

const maxSnapshots = 200

export interface SendOptions {
  /** the tab in which the window that sends the message carries out the commands of the run, if it drives the browser */
  readonly browser?: BrowserPlace | undefined
}
type SendResult =
  | { readonly ok: true; readonly stream: ReadableStream<UIMessageChunk> }
  | { readonly ok: false; readonly reason: StudioProblemCode }

/** Everything that the routes of the server offer. */
export class Studio {
  readonly store: ChatStore
  readonly approvals: Approvals
  readonly #options: StudioOptions
  readonly #rooms = new Map<string, ChatRoom>()
  readonly #snapshots = new Map<string, { readonly text: string; readonly at: string }>()

  constructor(options: StudioOptions) {
    this.#options = options
    this.store = options.store
    this.approvals = new Approvals(options.runs, join(options.dataFolder, 'runs'))
  }

  /** Tells the truth about runs that the last process left unfinished. */
  async start(): Promise<void> {
    for (const run of await this.store.openRuns()) {
      const parked = await recoverRun(run, { store: this.store, runs: this.#options.runs })
      if (parked) this.#room(run.chat).park(parked)
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#rooms.values()].map(room => room.close()))
  }

  /** Whether anything can be read or kept at the moment. */
  get isAvailable(): boolean {
    return this.#options.isAvailable()
  }

  async info(): Promise<StudioInfo> {
    const { version, dataFolder, database, demo, secretNames = [], drive = 'local' } = this.#options
    const model = await this.#model()
    const id = typeof model === 'string' ? model : model.modelId
    return { version, drive, model: { id, isAi: id !== 'rules' }, secretNames, dataFolder, database, ...(demo && { demo }) }
  }

  async settings(): Promise<StudioSettings> {
    return settingsFrom(await this.store.settings())
  }

  async setSettings(change: Partial<StudioSettings>): Promise<StudioSettings> {
    await this.store.saveSettings(change)
    return this.settings()
  }

  async createChat(): Promise<{ readonly id: string }> {
    const id = randomUUID()
    await this.store.createChat(id, '')
    return { id }
  }

  async chats(): Promise<readonly ChatSummary[]> {
    const rows = await this.store.chats()
    return rows.map(({ id, title, updated }) => ({ id, title, updatedAt: new Date(updated).toISOString(), state: this.#stateOf(id) }))
  }

  async chat(id: string): Promise<Chat | null> {
    const row = await this.store.chat(id)
    if (!row) return null
    const { title, updated } = row
    const messages = await this.store.messages(id)
    return { id, title, updatedAt: new Date(updated).toISOString(), state: this.#stateOf(id), messages }
  }

  async removeChat(id: string): Promise<void> {
    await this.#rooms.get(id)?.close()
    this.#rooms.delete(id)
    await this.store.removeChat(id)
    const files = this.files(id)
    if (files) await rm(files.folder, { recursive: true, force: true })
  }

  /** Adds a message of the user and begins a run. */
  async send(chatId: string, message: StudioMessage, { browser }: SendOptions = {}): Promise<SendResult> {
    if (this.#options.drive === 'remote' && !browser) return { ok: false, reason: 'desktop_only' }
    const goal = textOf(message)
    if (goal === '') return { ok: false, reason: 'no_text' }
    await this.store.createChat(chatId, '')
    const room = this.#room(chatId)
    if (!room.reserve()) return { ok: false, reason: 'busy' }
    try {
      const chat = await this.store.chat(chatId)
      if (chat?.title === '') await this.store.renameChat(chatId, goal.slice(0, 80))
      await this.store.saveMessage(chatId, {
        ...message,
        parts: await this.#checkedParts(chatId, message),
        metadata: { createdAt: new Date().toISOString() },
      })
      return { ok: true, stream: room.begin(browser) }
    } finally {
      room.release()
    }
  }

  /** The parts of a message, of whose files only those are left that were attached. */
  async #checkedParts(chatId: string, { parts }: StudioMessage): Promise<StudioMessage['parts']> {
    const files = this.files(chatId)
    const checked = await Promise.all(
      parts.map(async part => {
        if (part.type !== 'data-stored-file') return [part]
        const data = await files?.find(String((part.data as { readonly name?: unknown } | undefined)?.name))
        return data ? [{ type: 'data-stored-file', data } as const] : []
      }),
    )
    return checked.flat()
  }

  /** The files that are attached to messages of a chat; undefined if there is no such chat. */
  files(chatId: string): ChatFiles | undefined {
    return isFolderName(chatId) ? new ChatFiles(resolve(this.#options.dataFolder, 'files', chatId)) : undefined
  }

  /** The message that is being written; undefined if there is none. */
  resumeStream(chatId: string): ReadableStream<UIMessageChunk> | undefined {
    return this.#rooms.get(chatId)?.stream()
  }

  report(report: BrowserCommandReport): { readonly accepted: boolean } {
    return { accepted: this.#rooms.get(report.sessionId)?.report(report) ?? false }
  }

  /** Keeps what a window shows of a tab, for other windows. */
  upsertSnapshot({ sessionId, tabId, text }: { readonly sessionId: string; readonly tabId: string; readonly text: string }): void {
    this.#snapshots.set(`${sessionId} ${tabId}`, { text, at: new Date().toISOString() })
    const oldest = this.#snapshots.keys().next().value
    if (this.#snapshots.size > maxSnapshots && oldest !== undefined) this.#snapshots.delete(oldest)
  }

  snapshot({ sessionId, tabId }: { readonly sessionId: string; readonly tabId: string }) {
    return this.#snapshots.get(`${sessionId} ${tabId}`) ?? null
  }

  /** Whether this machine can show the browser of a chat. */
  async hasBrowser(chatId: string): Promise<boolean> {
    return (this.#options.drive ?? 'local') === 'local' && (await this.store.chat(chatId)) !== undefined
  }

  /** The browser of a chat, opened if necessary. */
  browserOf(chatId: string) {
    return this.#room(chatId).browser()
  }

  async stop({ runId, chatId }: { readonly runId?: string | undefined; readonly chatId?: string | undefined }, by: string) {
    const rooms = [...this.#rooms].filter(([id, room]) => room.isBusy && (runId === room.runId || chatId === id || (!runId && !chatId)))
    const stopped = await Promise.all(rooms.map(([, room]) => room.stop(by)))
    return { stopped }
  }

  handBack(runId: string): { readonly ok: boolean } {
    return { ok: [...this.#rooms.values()].some(room => room.handBack(runId)) }
  }

  async waiting(): Promise<WaitingList> {
    const approvals = await this.approvals.pending(run => this.#chatOf(run))
    const handoffs = [...this.#rooms].flatMap(([chatId, room]) => {
      const handoff = room.handoff
      return handoff ? [{ ...handoff, chatId }] : []
    })
    return { approvals, handoffs }
  }

  async decide(answer: Parameters<Approvals['decide']>[0]) {
    const decided = await this.approvals.decide(answer, run => this.#chatOf(run))
    const { approval, outcome } = decided
    // a run of an earlier process waited for this
    if (approval && outcome === 'decided') this.#rooms.get(approval.chatId)?.resume(approval)
    return decided
  }

  grants() {
    return this.approvals.grants()
  }

  async revokeGrant(id: string): Promise<{ readonly revoked: boolean }> {
    return { revoked: await this.approvals.revoke(id) }
  }

  async runs(filter: { readonly search?: string | undefined; readonly limit?: number | undefined }): Promise<readonly RunListItem[]> {
    return (await this.store.runs(filter)).map(toListItem)
  }

  noteFrame(run: string, file: string): void {
    for (const room of this.#rooms.values()) room.noteFrame(run, file)
  }

  async run(id: string): Promise<RunDetail | null> {
    const row = await this.store.run(id)
    if (!row) return null
    const { run, events } = row.detail as RunParts
    return { ...toListItem(row), usage: run.usage, limits: run.limits, events, ...(row.summary !== null && { summary: row.summary }) }
  }

  /** A file of a run's folder; undefined if there is none. */
  async runFile(runId: string, name: string): Promise<Uint8Array | undefined> {
    const folder = this.#runFolder(runId)
    const file = folder && resolve(folder, name)
    if (!folder || !file?.startsWith(folder + sep)) return undefined
    return readFile(file).catch(() => undefined)
  }

  /** A run as one HTML file in a language of the page; undefined if there is none. */
  async replayFile(runId: string, language: string | undefined): Promise<string | undefined> {
    const run = await this.run(runId)
    return run ? replayFile(run, language === 'zh-CN' ? zhCN : en, name => this.runFile(runId, name)) : undefined
  }

  #runFolder(runId: string): string | undefined {
    return isFolderName(runId) ? resolve(this.#options.dataFolder, 'runs', runId) : undefined
  }

  #room(chatId: string): ChatRoom {
    const existing = this.#rooms.get(chatId)
    if (existing) return existing
    const downloadFolder = resolve(this.#options.dataFolder, 'downloads')
    const room = new ChatRoom(chatId, {
      store: this.store,
      approvals: this.approvals,
      settings: () => this.settings(),
      model: () => this.#model(),
      session: this.#options.session,
      drive: this.#options.drive ?? 'local',
      readMessage: async (stream, keep) => {
        for await (const message of readUIMessageStream<StudioMessage>({ stream: stream as never })) keep(message)
      },
      savePicture: async (runId, step, picture) => {
        const folder = this.#runFolder(runId)
        if (!folder) return undefined
        await mkdir(join(folder, 'steps'), { recursive: true, mode: 0o700 })
        const name = `steps/${String(step).padStart(3, '0')}.jpg`
        await writeFile(join(folder, name), picture, { mode: 0o600 })
        return name
      },
      files: this.files(chatId) ?? new ChatFiles(resolve(this.#options.dataFolder, 'files', randomUUID())),
      downloadFolder,
      keepDownload: async (runId, given) => {
        const folder = this.#runFolder(runId)
        if (!folder) return undefined
        const name = await keepDownload(join(downloadFolder, given), join(folder, 'downloads'), given)
        const { size: bytes } = await stat(join(folder, 'downloads', name))
        return { name, bytes, url: `/api/runs/${runId}/files/downloads/${encodeURIComponent(name)}` }
      },
    })
    this.#rooms.set(chatId, room)
    return room
  }

  #stateOf(chatId: string): ChatSummary['state'] {
    return this.#rooms.get(chatId)?.state ?? 'idle'
  }

  #chatOf(runId: string): string {
    return [...this.#rooms].find(([, room]) => room.runId === runId)?.[0] ?? ''
  }

  async #model(): Promise<LanguageModel> {
    return modelFrom(await this.settings(), this.#options.model)
  }
}

const isFolderName = (name: string): boolean => /^[\w.-]{1,200}$/.test(name) && !/^\.+$/.test(name)

function toListItem({ id, chat, goal, state, stopReason, started, ended, detail }: RunRow): RunListItem {
  const { run } = detail as RunParts
  return {
    id,
    chatId: chat,
    goal,
    state,
    startedAt: new Date(started).toISOString(),
    steps: run.usage.steps,
    ...(stopReason !== null && { stopReason }),
    ...(ended !== null && { endedAt: new Date(ended).toISOString() }),
  }
}
