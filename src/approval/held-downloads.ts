// Downloads are judged when they begin: nothing before tells that a link answers with a file, or that a script makes one.
import { type HeldDownload, settleDownloads } from '../contract/held-downloads.ts'
import { addNotes } from '../contract/notes.ts'
import { quote } from '../contract/quote.ts'
import type { AbortSignalLike, AnyCommand, AnyRun, Result } from '../contract/run.ts'
import { ruleFor } from './approval-policy.ts'
import type { ExplainOptions } from './explain.ts'
import { findGrant } from './grant-rules.ts'
import { originOf } from './sites.ts'

/** What becomes of a download. It waits if it has no outcome; the note says why. */
export interface DownloadDecision {
  readonly outcome?: 'save' | 'discard'
  readonly note?: string
}

/** A download that the policy does not simply allow. */
export interface JudgedDownload {
  readonly download: HeldDownload
  /** what the policy and a grant name */
  readonly origin: string
}

interface HeldDownloadsOptions {
  rules(): Promise<Pick<ExplainOptions, 'policy' | 'sites' | 'grants' | 'run'>>
  /** The policy asks before this download. */
  ask(judged: JudgedDownload, signal: AbortSignalLike | undefined): Promise<DownloadDecision>
  onDenied?(judged: JudgedDownload): Promise<void>
  /** receives all that wait, before they are decided */
  onHeld?(held: readonly HeldDownload[]): Promise<void>
}

/** Lets the driver hold downloads until they are allowed, for one layer. */
export class HeldDownloads {
  readonly #options: HeldDownloadsOptions
  /** whether the session saves downloads; undefined if it has not said so yet */
  #isSaving: boolean | undefined
  /** begun by an action that was allowed to download */
  readonly #allowed = new Set<string>()
  /** being decided by another call */
  readonly #deciding = new Set<string>()
  /** notes for the next result that can have any */
  #notes: string[] = []

  constructor(options: HeldDownloadsOptions) {
    this.#options = options
  }

  /** Runs a command. Downloads that began before it are settled first, unless the command only reads; then those that it started. */
  async around(run: AnyRun, command: AnyCommand, { act, isLook, signal }: Surrounded): Promise<Result> {
    const isStatus = command.name === 'status'
    if (await this.#mayHold(run)) {
      const held = await settleDownloads(run)
      // what cannot be held would be saved
      if (!held.ok) return held
      if (isStatus) return act()
      if (!isLook) await this.#settle(run, command, signal)
    }
    const result = await act()
    if (!isStatus && (await this.#mayHold(run))) await this.#settle(run, command, signal)
    return this.#withNotes(result)
  }

  /** Runs an action that may download: the downloads that begin in it need no other permission. */
  async allow(run: AnyRun, act: () => Promise<Result>): Promise<Result> {
    const before = await this.#ids(run)
    const result = await act()
    for (const id of await this.#ids(run)) if (!before.includes(id)) this.#allowed.add(id)
    return result
  }

  /** Whether the session saves downloads. One that is not running yet may not know. */
  async #mayHold(run: AnyRun): Promise<boolean> {
    if (this.#isSaving !== undefined) return this.#isSaving
    const status = await run({ name: 'status' })
    const { downloads, running } = (status.ok ? status.data : { running: false }) as {
      readonly downloads?: unknown
      readonly running?: unknown
    }
    if (downloads !== undefined || running !== false) this.#isSaving = Array.isArray(downloads)
    return this.#isSaving ?? false
  }

  async #ids(run: AnyRun): Promise<readonly string[]> {
    const held = (await this.#mayHold(run)) ? await settleDownloads(run) : undefined
    return held?.ok ? held.data.map(({ id }) => id) : []
  }

  async #settle(run: AnyRun, command: AnyCommand, signal: AbortSignalLike | undefined): Promise<void> {
    const held = await settleDownloads(run)
    await this.#options.onHeld?.(held.ok ? held.data : [])
    for (const download of held.ok ? held.data : []) {
      const { id } = download
      if (this.#deciding.has(id)) continue
      this.#deciding.add(id)
      try {
        const { outcome, note } = await this.#decide(download, command, signal)
        if (note !== undefined) this.#notes.push(note)
        if (outcome) await settleDownloads(run, { [outcome]: [id] })
      } catch {
        this.#notes.push(`The download of ${nameOf(download)} waits: what was decided about it could not be recorded.`)
      } finally {
        this.#deciding.delete(id)
      }
    }
  }

  async #decide(download: HeldDownload, command: AnyCommand, signal: AbortSignalLike | undefined): Promise<DownloadDecision> {
    const { policy = {}, sites = [], grants = [], run = '' } = await this.#options.rules()
    // who opens a URL is told about its site, not about that of the page before
    const origin = command.name === 'open' || command.name === 'tabs' ? originOf(download.url) || download.origin : download.origin
    const rule = ruleFor(policy, 'download', { origin, sites })
    const judged = { download, origin }
    if (rule === 'deny') {
      await this.#options.onDenied?.(judged)
      return { outcome: 'discard', note: `approval_denied: the policy denies downloads here; ${nameOf(download)} was deleted.` }
    }
    const isAllowed =
      rule === 'allow' || this.#allowed.has(download.id) || findGrant(grants, { actionClass: 'download', origin, run }) !== undefined
    return isAllowed ? { outcome: 'save' } : this.#options.ask(judged, signal)
  }

  #withNotes(result: Result): Result {
    const noted = this.#notes.length > 0 ? addNotes(result, this.#notes) : undefined
    if (noted) this.#notes = []
    return noted ?? result
  }
}

interface Surrounded {
  readonly act: () => Promise<Result>
  /** it cannot start a download, and is not delayed by those before */
  readonly isLook: boolean
  readonly signal: AbortSignalLike | undefined
}

export const nameOf = ({ name }: HeldDownload): string => quote(name, 120)
