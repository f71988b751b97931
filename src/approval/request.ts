// What a request is about: the page, the element and the action, as they are shown to a person and compared when the approval is used.
import type { ApprovalData, ApprovalPicture, ApprovalRequest, ApprovalTarget } from '../contract/approval.ts'
import { isJoint, joint } from '../contract/joint-commands.ts'
import type { ScreenshotData } from '../contract/results.ts'
import type { AbortSignalLike, AnyCommand, AnyRun } from '../contract/run.ts'
import type { Snapshot, SnapshotNode } from '../contract/snapshot.ts'
import type { TargetFacts } from '../contract/target.ts'
import type { Explanation } from './explain.ts'

export type Subject = Pick<ApprovalRequest, 'origin' | 'url' | 'target' | 'destination' | 'method' | 'digest' | 'onto' | 'dialog'>

/** What a request is about. It must be the same when the approval is used. */
export function subjectOf({ origin, url, target, destination, method, data, onto, dialog }: Explanation): Subject {
  return {
    origin,
    url: url.replace(/#.*$/s, ''),
    ...(target && { target: shownTarget(target) }),
    ...(destination !== undefined && { destination }),
    ...(method !== undefined && { method }),
    ...(data?.digest !== undefined && { digest: data.digest }),
    ...(onto && { onto: shownTarget(onto) }),
    ...(dialog !== undefined && { dialog }),
  }
}

const shownTarget = ({ role, name, path, text }: TargetFacts): ApprovalTarget => ({ role, name, path, ...(text !== undefined && { text }) })

/** What the question says about the action besides its subject. */
export function dataOf({ data }: Explanation): ApprovalData | undefined {
  if (!data) return undefined
  const { digest: _, ...shown } = data
  return shown.fields.length === 0 && shown.hidden === undefined ? undefined : shown
}

export const isSame = (request: Subject, now: Subject): boolean => textOf(request) === textOf(now)

/** Whether they are about the same action on the same element, whatever it would send. */
export const isSameAction = ({ digest: _, ...request }: Subject, { digest: __, ...now }: Subject): boolean => isSame(request, now)

const textOf = ({ origin, url, destination, target, method, digest, onto, dialog }: Subject): string =>
  JSON.stringify([origin, url, destination, method, digest, dialog, ...[target, onto].flatMap(wordsOfTarget)])

const wordsOfTarget = (target: ApprovalTarget | undefined): readonly unknown[] =>
  target ? [target.role, target.name, target.path, target.text] : []

/**
 * Whether a request means the same in another browser: it opens a URL, whatever is on the page. Everything else is about a page, and that page
 * is gone with what was typed into it.
 */
export const isAboutUrlOnly = ({ kind, command, target }: ApprovalRequest): boolean =>
  kind === 'plan' || (!target && (command.name === 'open' || command.name === 'tabs'))

export const factsOf = ({ origin, target }: Explanation) => ({
  ...(origin && { origin }),
  ...(target && { fingerprint: `${target.role} ${JSON.stringify(target.name)} in ${target.path}` }),
})

/** The element to mark: of several actions the last one, which sends what the others have filled in. */
const markOf = (command: AnyCommand): unknown => (isJoint(command) ? command.commands.at(-1) : command)?.ref

/** The page with the target marked; a host without screenshots, or without marks, shows what it can. A page with nothing on it is not shown. */
export async function takePicture(
  run: AnyRun,
  { command: given, url }: { readonly command: AnyCommand; readonly url: string },
  signal?: AbortSignalLike,
): Promise<ApprovalPicture | undefined> {
  const ref = markOf(given)
  if (ref === undefined && (url.startsWith('about:') || (await isEmptyPage(run, signal)))) return undefined
  for (const command of [...(typeof ref === 'string' ? [{ name: 'screenshot', mark: ref }] : []), { name: 'screenshot' }]) {
    const result = await run(command, signal)
    if (!result.ok) continue
    const { mime, base64 } = result.data as ScreenshotData
    return { mime, base64 }
  }
  return undefined
}

async function isEmptyPage(run: AnyRun, signal?: AbortSignalLike): Promise<boolean> {
  const result = await run({ name: 'snapshot', interactiveOnly: false, viewport: 'visible' }, signal)
  const { tree } = (result.ok ? result.data : {}) as Partial<Snapshot>
  return tree !== undefined && (tree.children ?? []).length === 0
}

/** The refs of another browser are others. */
export function withoutRef({ ref: _, to: __, ...command }: AnyCommand): AnyCommand {
  const { fields } = command
  if (isJoint(command)) return joint(command.commands.map(withoutRef))
  return (Array.isArray(fields) ? { ...command, fields: fields.map(({ ref: ___, ...field }) => field) } : command) as AnyCommand
}

/** Whether the page has no other elements with these roles and names. A command without an element has nothing to be confused with. */
export async function areOnlyOnes(run: AnyRun, targets: readonly TargetFacts[], signal?: AbortSignalLike): Promise<boolean> {
  if (targets.length === 0) return true
  const result = await run({ name: 'snapshot', viewport: 'all' }, signal)
  if (!result.ok) return false
  const { tree, stats } = result.data as Snapshot
  const count = (node: SnapshotNode, target: TargetFacts): number =>
    (node.role === target.role && node.name === target.name ? 1 : 0) +
    (node.children ?? []).reduce((sum, each) => sum + count(each, target), 0)
  return stats?.truncated === false && targets.every(target => count(tree, target) === 1)
}
