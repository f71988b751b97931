import { type ParsedCommand, verbs } from '../../contract/commands.ts'
import { reportedOnce } from '../../contract/failures.ts'
import type { PageInfo } from '../../contract/page-api.ts'
import { redactedAgain } from '../../contract/redacted-again.ts'
import type { CommandData } from '../../contract/results.ts'
import type { AnyRun } from '../../contract/run.ts'
import type { Snapshot } from '../../contract/snapshot.ts'
import { type ParsedNode, parseSnapshot } from '../../render/decode/snapshot.ts'
import { type Comparison, compareSnapshots } from '../../render/diff/compare.ts'
import { type FittedDiff, fitDiff } from '../../render/diff/diff.ts'
import { windowsOf } from '../../render/diff/snapshot-window.ts'
import type { RefStyle } from '../../render/text/dialect.ts'
import { quote } from '../../render/text/quote.ts'
import type { Answer } from './answer.ts'
import type { FormattedAnswer } from './context.ts'

/** The last snapshot that the model read, and the options with which to take it again. */
interface LastSnapshot {
  readonly json: Snapshot
  readonly arguments: Pick<ParsedCommand<'snapshot'>, 'interactiveOnly' | 'cursorInteractive' | 'viewport'>
  /** while a dialog is open: the page as it was before */
  readonly uncovered?: Snapshot
}

interface LastCall {
  readonly key: string
  readonly fingerprint: string
  readonly times: number
}

/** What changed since the model last read the page. */
export type PageChange =
  /** there is nothing to compare with */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'changed'; readonly diff: FittedDiff; readonly opensDialog: boolean }
  /** the page is another document, and the refs of the old one are gone */
  | { readonly kind: 'newDocument'; readonly snapshot: Snapshot }
  /** another view in the same document: most of what it shows is new */
  | { readonly kind: 'newView'; readonly snapshot: Snapshot }
  /** a part of a long page that is far from the part that was read before */
  | { readonly kind: 'otherPart'; readonly snapshot: Snapshot; readonly opensDialog: boolean }

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
    const args = { interactiveOnly, cursorInteractive, viewport }
    const isComparable = this.#snapshot && JSON.stringify(this.#snapshot.arguments) === JSON.stringify(args)
    this.#snapshot = { json, arguments: args, ...(isComparable && uncoveredBy(json, this.#snapshot)) }
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

  /** The page after a navigation. Later differences refer to it. */
  async readPage(run: AnyRun, viewport: 'all' | 'visible'): Promise<Snapshot | undefined> {
    const args = { interactiveOnly: true, cursorInteractive: true, viewport }
    const json = await this.#takeSnapshot(run, args)
    if (json) this.setSnapshot(json, args)
    return json
  }

  /** Takes the last snapshot again and compares the two. */
  async compare(run: AnyRun, maxChars: number, refs: RefStyle): Promise<PageChange> {
    const now = this.#snapshot && (await this.#takeSnapshot(run, this.#snapshot.arguments))
    return this.compareWith(now, maxChars, refs)
  }

  /** The arguments with which a snapshot can be compared with the last one. */
  get comparable(): LastSnapshot['arguments'] | undefined {
    return this.#snapshot?.arguments
  }

  /** Compares a snapshot that was taken like the last one. */
  compareWith(now: Snapshot | undefined, maxChars: number, refs: RefStyle): PageChange {
    const last = this.#snapshot
    this.#isPageUnchanged = !last
    if (!last || !now) return { kind: 'unknown' }
    this.#snapshot = { json: now, arguments: last.arguments, ...uncoveredBy(now, last) }
    if (isAnotherDocument(last.json, now)) return { kind: 'newDocument', snapshot: now }
    const comparison = compareJson(last.json, now, last.uncovered)
    this.#isPageUnchanged = !comparison || isUnchanged(comparison, { ignoreFocus: true })
    if (!comparison) return { kind: 'unknown' }
    // a dialog is what the next action is about
    const opensDialog = now.meta.dialog !== undefined && now.meta.dialog !== last.json.meta.dialog
    if (windowsOf(comparison.before, comparison.after)?.areApart) {
      this.#isPageUnchanged = false
      return { kind: 'otherPart', snapshot: now, opensDialog }
    }
    if (isNewView(comparison)) return { kind: 'newView', snapshot: now }
    const room = opensDialog ? maxChars : Math.min(maxChars, maxDiffChars)
    return { kind: 'changed', diff: fitDiff(comparison, room, refs), opensDialog }
  }

  /** Whether the same call was made twice without any effect, and the page has not changed by itself since (TRUST E3). */
  async isStuck(call: ParsedCommand, run: AnyRun): Promise<boolean> {
    if (this.#lastCall?.key !== keyOf(call) || this.#lastCall.times < 2) return false
    const before = this.#snapshot
    const now = before && (await this.#takeSnapshot(run, before.arguments))
    const comparison = before && now && compareJson(before.json, now)
    return !comparison || isUnchanged(comparison)
  }

  /** Counts repeated answers. A long one is not sent twice in a row, and later ones carry a note. */
  record(call: ParsedCommand, { answer, fingerprint }: FormattedAnswer): Answer {
    // the same call is made again once a person has decided
    if (answer.error?.code === 'approval_required') {
      this.#lastCall = undefined
      return answer
    }
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

  async #takeSnapshot(run: AnyRun, args: LastSnapshot['arguments']): Promise<Snapshot | undefined> {
    const result = await run({ name: 'snapshot', ...args })
    if (!result.ok) {
      const { code, message, page } = result.error
      const where = page?.url === undefined ? '' : ` It was at ${quote(page.url, 200)}.`
      if (reportedOnce.has(code)) this.#notes = [...this.#notes, `${code}: ${message}${where}`]
      return undefined
    }
    const { notes = [], ...json } = result.data as CommandData['snapshot']
    this.#notes = [...this.#notes, ...notes]
    return json
  }
}

/** a shorter answer is repeated, because the sentence in its place would save nothing */
const minSavedChars = 400

const maxDiffChars = 1_000

const keyOf = (call: ParsedCommand): string => JSON.stringify(call)

function maxCharsOf(call: ParsedCommand): number {
  if ('maxChars' in call) return call.maxChars
  return 'limitChars' in call ? call.limitChars : verbs[call.name].chars
}

function compareJson(before: Snapshot, after: Snapshot, uncovered?: Snapshot): Comparison | undefined {
  const [old, now] = [parseSnapshot(redactedAgain(before)), parseSnapshot(redactedAgain(after))]
  const page = uncovered && parseSnapshot(redactedAgain(uncovered))
  return old.ok && now.ok ? compareSnapshots(old, now, page?.ok ? page : undefined) : undefined
}

/** The page below the dialog of a snapshot, as it was before the dialog opened. */
function uncoveredBy(now: Snapshot, last: LastSnapshot | undefined): Pick<LastSnapshot, 'uncovered'> {
  if (!last || now.meta.dialog === undefined || isAnotherDocument(last.json, now)) return {}
  const uncovered = last.json.meta.dialog === undefined ? last.json : last.uncovered
  return uncovered ? { uncovered } : {}
}

const isUnchanged = ({ entries, remark, reordered }: Comparison, { ignoreFocus = false } = {}): boolean =>
  remark === undefined && reordered === undefined && entries.every(({ focus }) => ignoreFocus && focus !== undefined)

/**
 * Whether the page shows something else than before, as after a click on a link of a single-page application. Menus, dialogs and lists
 * that grow leave most of the page as it was.
 */
function isNewView({ before, after, entries, remark }: Comparison): boolean {
  if (remark !== undefined || before.meta.dialog !== after.meta.dialog) return false
  const appeared = entries.filter(({ kind }) => kind === 'appeared').length
  const vanished = entries.filter(({ kind }) => kind === 'vanished').length
  return appeared >= 5 && appeared * 2 > countNodes(after.tree) && vanished * 2 > countNodes(before.tree)
}

const countNodes = (node: ParsedNode): number => node.children.reduce((sum, child) => sum + countNodes(child), 1)

/**
 * The URL may change without a new document, and a new document may keep it. If the driver does not report when the document started,
 * it is the same one if at least half of its refs still name the same elements.
 */
function isAnotherDocument(was: Snapshot, now: Snapshot): boolean {
  if (was.meta.startedAt !== undefined && now.meta.startedAt !== undefined) return was.meta.startedAt !== now.meta.startedAt
  const urlOf = ({ meta }: Snapshot) => meta.url.split('#')[0]
  if (urlOf(was) === urlOf(now)) return false
  const [old, current] = [namesByRef(redactedAgain(was)), namesByRef(now)]
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
