import { type ParsedCommand, verbs } from '../../contract/commands.ts'
import { reportedOnce } from '../../contract/failures.ts'
import type { PageInfo } from '../../contract/page-api.ts'
import type { CommandData } from '../../contract/results.ts'
import type { AnyRun } from '../../contract/run.ts'
import type { Snapshot } from '../../contract/snapshot.ts'
import { parseSnapshot } from '../../render/decode/snapshot.ts'
import { type Comparison, compareSnapshots } from '../../render/diff/compare.ts'
import { type FittedDiff, fitDiff } from '../../render/diff/diff.ts'
import type { RefStyle } from '../../render/text/dialect.ts'
import type { Answer } from './answer.ts'
import type { FormattedAnswer } from './context.ts'

/** The last snapshot that the model read, and the options with which to take it again. */
interface LastSnapshot {
  readonly json: Snapshot
  readonly arguments: Pick<ParsedCommand<'snapshot'>, 'interactiveOnly' | 'cursorInteractive' | 'viewport'>
}

interface LastCall {
  readonly key: string
  readonly fingerprint: string
  readonly times: number
}

/** What changed since the model last read the page. */
export interface PageChange {
  /** absent if there is nothing to compare with */
  readonly diff?: FittedDiff
  /** the page is another document, and the refs of the old one are gone */
  readonly isNewDocument: boolean
}

/** What one model has been told about one page. */
export class Conversation {
  #snapshot: LastSnapshot | undefined
  #page: Partial<PageInfo> | undefined
  #lastCall: LastCall | undefined
  /** the last action changed nothing but the focus */
  #isPageUnchanged = true
  #notes: readonly string[] = []

  get page(): Partial<PageInfo> | undefined {
    return this.#page
  }

  setPage(page: Partial<PageInfo>): void {
    this.#page = page
  }

  setSnapshot(json: Snapshot, { interactiveOnly, cursorInteractive, viewport }: LastSnapshot['arguments']): void {
    this.#snapshot = { json, arguments: { interactiveOnly, viewport, ...(cursorInteractive !== undefined && { cursorInteractive }) } }
  }

  /** After a navigation there is nothing to compare with. */
  forgetSnapshot(): void {
    this.#snapshot = undefined
    this.#isPageUnchanged = false
  }

  /** The notes that came with the snapshots taken for comparison; each is reported once. */
  takeNotes(): readonly string[] {
    const notes = this.#notes
    this.#notes = []
    return notes
  }

  /** Takes the last snapshot again and compares the two. */
  async compare(run: AnyRun, maxChars: number, refs: RefStyle): Promise<PageChange> {
    const last = this.#snapshot
    const now = await this.#retakeSnapshot(run)
    this.#isPageUnchanged = !last
    if (!last || !now) return { isNewDocument: false }
    this.#snapshot = { ...last, json: now }
    if (isAnotherDocument(last.json, now)) return { isNewDocument: true }
    const comparison = compareJson(last.json, now)
    this.#isPageUnchanged = !comparison || isUnchanged(comparison, { ignoreFocus: true })
    return { isNewDocument: false, ...(comparison && { diff: fitDiff(comparison, maxChars, refs) }) }
  }

  /** Whether the same call was made twice without any effect, and the page has not changed by itself since (TRUST E3). */
  async isStuck(call: ParsedCommand, run: AnyRun): Promise<boolean> {
    if (this.#lastCall?.key !== keyOf(call) || this.#lastCall.times < 2) return false
    const before = this.#snapshot?.json
    const now = await this.#retakeSnapshot(run)
    const comparison = before && now && compareJson(before, now)
    return !comparison || isUnchanged(comparison)
  }

  /** Counts repeated answers. A long one is not sent twice in a row, and later ones carry a note. */
  record(call: ParsedCommand, { answer, fingerprint }: FormattedAnswer): Answer {
    const key = keyOf(call)
    const isLook = verbs[call.name].risk === 'look'
    const last = this.#lastCall
    const isRepeated = last?.key === key && last.fingerprint === fingerprint && (isLook || !answer.ok || this.#isPageUnchanged)
    const times = isRepeated ? last.times + 1 : 1
    this.#lastCall = { key, fingerprint, times }
    if (!isLook || !isRepeated || !answer.ok) return answer
    if (times === 2 && answer.text.length > minSavedChars)
      return {
        ...answer,
        text: `same as before: ${call.name} gives what it gave last time, and its refs still hold. Call it once more to read it again.`,
      }
    const text = `[no_progress] the same answer ${times} times: act, or look elsewhere\n${answer.text}`
    return times > 2 && text.length <= maxCharsOf(call) ? { ...answer, text } : answer
  }

  async #retakeSnapshot(run: AnyRun): Promise<Snapshot | undefined> {
    if (!this.#snapshot) return undefined
    const result = await run({ name: 'snapshot', ...this.#snapshot.arguments })
    if (!result.ok) {
      const { code, message } = result.error
      if (reportedOnce.has(code)) this.#notes = [...this.#notes, `${code}: ${message}`]
      return undefined
    }
    const { notes = [], ...json } = result.data as CommandData['snapshot']
    this.#notes = [...this.#notes, ...notes]
    return json
  }
}

/** a shorter answer is repeated, because the sentence in its place would save nothing */
const minSavedChars = 400

const keyOf = (call: ParsedCommand): string => JSON.stringify(call)

function maxCharsOf(call: ParsedCommand): number {
  if ('maxChars' in call) return call.maxChars
  return 'limitChars' in call ? call.limitChars : verbs[call.name].chars
}

function compareJson(before: Snapshot, after: Snapshot): Comparison | undefined {
  const [old, now] = [parseSnapshot(before), parseSnapshot(after)]
  return old.ok && now.ok ? compareSnapshots(old, now) : undefined
}

const isUnchanged = ({ entries, remark }: Comparison, { ignoreFocus = false } = {}): boolean =>
  remark === undefined && entries.every(({ focus }) => ignoreFocus && focus !== undefined)

/**
 * The URL may change without a new document, and a new document may keep it. If the driver does not report when the document started,
 * it is the same one if at least half of its refs still name the same elements.
 */
function isAnotherDocument(was: Snapshot, now: Snapshot): boolean {
  if (was.meta.startedAt !== undefined && now.meta.startedAt !== undefined) return was.meta.startedAt !== now.meta.startedAt
  const urlOf = ({ meta }: Snapshot) => meta.url.split('#')[0]
  if (urlOf(was) === urlOf(now)) return false
  const [old, current] = [namesByRef(was), namesByRef(now)]
  let same = 0
  for (const [ref, name] of old) if (current.get(ref) === name) same++
  return same * 2 < old.size
}

function namesByRef({ tree }: Snapshot): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const pending = [tree]
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.ref) names.set(node.ref, `${node.role} ${node.name ?? ''}`)
    pending.push(...(node.children ?? []))
  }
  return names
}
