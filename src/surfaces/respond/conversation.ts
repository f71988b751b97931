import { type ParsedCommand, verbs } from '../../contract/commands.ts'
import { reportedOnce } from '../../contract/failures.ts'
import type { PageInfo } from '../../contract/page-api.ts'
import type { CommandData } from '../../contract/results.ts'
import type { AnyRun } from '../../contract/run.ts'
import type { Snapshot } from '../../contract/snapshot.ts'
import { diffSnapshots } from '../../render/diff/diff.ts'
import { toFlatRefs } from './flat-refs.ts'
import type { Answer } from './responder.ts'
import { isAboutFocus } from './summarize-diff.ts'

/** How the model last looked at the page: the whole of it, or all that is on screen. */
interface Look {
  readonly json: Snapshot
  readonly arguments: Pick<ParsedCommand<'snapshot'>, 'interactiveOnly' | 'cursorInteractive' | 'viewport'>
}

/** What is different since the model last looked. */
export interface Difference {
  readonly lines: readonly string[]
  /** another document: refs of the old one are gone */
  readonly fresh: boolean
}

export type Conversation = ReturnType<typeof createConversation>

/** What one model was told about one page. */
export function createConversation() {
  let look: Look | undefined
  let page: Partial<PageInfo> | undefined
  let last: { readonly key: string; readonly text: string; readonly times: number } | undefined
  let still = true
  // what a look of ours was told in passing
  let untold: readonly string[] = []

  const again = async (run: AnyRun): Promise<Snapshot | undefined> => {
    if (!look) return undefined
    const looked = await run({ name: 'snapshot', ...look.arguments })
    if (!looked.ok) {
      const { code, message } = looked.error
      if (reportedOnce.has(code)) untold = [...untold, `${code}: ${message}`]
      return undefined
    }
    const { notes = [], ...json } = looked.data as CommandData['snapshot']
    untold = [...untold, ...notes]
    return json
  }

  return {
    page: () => page,
    takeUntold(): readonly string[] {
      const notes = untold
      untold = []
      return notes
    },
    isAt(now: Partial<PageInfo>): void {
      page = now
    },
    looked(json: Snapshot, { interactiveOnly, cursorInteractive, viewport }: Look['arguments']): void {
      look = { json, arguments: { interactiveOnly, viewport, ...(cursorInteractive !== undefined && { cursorInteractive }) } }
    },
    /** the next action has nothing to compare with */
    left(): void {
      look = undefined
      still = false
    },
    async difference(run: AnyRun, maxChars: number): Promise<Difference> {
      const was = look?.json
      const now = await again(run)
      still = !was
      if (!was || !now || !look) return { lines: [], fresh: false }
      look = { ...look, json: now }
      if (isAnother(was, now)) return { lines: [], fresh: true }
      const lines = diffSnapshots(was, now, { maxCharsTotal: Math.max(200, maxChars) })
        .text.split('\n')
        .slice(1)
      still = lines.every(isAboutFocus)
      return { lines, fresh: false }
    },
    /** the same call twice without any effect, and the page has not moved since by itself (TRUST E3) */
    async isStuck(call: ParsedCommand, run: AnyRun): Promise<boolean> {
      if (last?.key !== keyOf(call) || last.times < 2) return false
      const was = look?.json
      const now = await again(run)
      return !was || !now || diffSnapshots(was, now).text.split('\n').length === 1
    },
    /** counts what is repeated, and does not repeat a long text that has just been told */
    heard(call: ParsedCommand, answer: Answer, word: string): Answer {
      const key = keyOf(call)
      const text = gist(call, answer.text.replaceAll(word, ''))
      const isLook = verbs[call.name].risk === 'look'
      const same = last !== undefined && last.key === key && last.text === text && (isLook || !answer.ok || still)
      last = { key, text, times: same && last ? last.times + 1 : 1 }
      if (!isLook || !same || !answer.ok) return answer
      if (last.times === 2 && answer.text.length > worthSaving)
        return {
          ...answer,
          text: `same as before: ${call.name} gives what it gave last time, and its refs still hold. Call it once more to read it again.`,
        }
      const noted = `[no_progress] the same answer ${last.times} times: act, or look elsewhere\n${answer.text}`
      return last.times > 2 && noted.length <= limitOf(call) ? { ...answer, text: noted } : answer
    },
  }
}

const worthSaving = 400

/** what is pressed gets the focus, and that alone leads nowhere; a key that moves the focus does */
function gist(call: ParsedCommand, text: string): string {
  if (!('ref' in call) || call.ref === undefined) return text
  const focus = [`effect: focus ${call.ref}`, toFlatRefs(`effect: focus ${call.ref}`)]
  const lines = text.split('\n').map(line => (focus.includes(line) ? 'effect: none seen' : line))
  return lines.filter(line => !isAboutFocus(line)).join('\n')
}
const keyOf = (call: ParsedCommand): string => JSON.stringify(call)

function limitOf(call: ParsedCommand): number {
  if ('maxChars' in call) return call.maxChars
  return 'limitChars' in call ? call.limitChars : verbs[call.name].chars
}

/** An address may change without a new document, and stay with one. Where nobody tells, most refs of the same one name what they named. */
function isAnother(was: Snapshot, now: Snapshot): boolean {
  if (was.meta.startedAt !== undefined && now.meta.startedAt !== undefined) return was.meta.startedAt !== now.meta.startedAt
  const addressOf = ({ meta }: Snapshot) => meta.url.split('#')[0]
  if (addressOf(was) === addressOf(now)) return false
  const [old, present] = [namesIn(was), namesIn(now)]
  let kept = 0
  for (const [ref, name] of old) if (present.get(ref) === name) kept++
  return kept * 2 < old.size
}

function namesIn({ tree }: Snapshot): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const pending = [tree]
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.ref) names.set(node.ref, `${node.role} ${node.name ?? ''}`)
    pending.push(...(node.children ?? []))
  }
  return names
}
