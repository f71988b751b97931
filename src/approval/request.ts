// What a request is about: the page, the element and the action, as they are shown to a person and compared when the approval is used.
import type { ApprovalPicture, ApprovalRequest } from '../contract/approval.ts'
import { isJoint, joint } from '../contract/joint-commands.ts'
import type { ScreenshotData } from '../contract/results.ts'
import type { AbortSignalLike, AnyCommand, AnyRun } from '../contract/run.ts'
import type { Snapshot, SnapshotNode } from '../contract/snapshot.ts'
import type { TargetFacts } from '../contract/target.ts'
import type { Explanation } from './explain.ts'

export type Subject = Pick<ApprovalRequest, 'origin' | 'url' | 'target' | 'destination'>

/** What a request is about. It must be the same when the approval is used. */
export function subjectOf({ origin, url, target, destination }: Explanation): Subject {
  return {
    origin,
    url: url.replace(/#.*$/s, ''),
    ...(target && {
      target: { role: target.role, name: target.name, path: target.path, ...(target.text !== undefined && { text: target.text }) },
    }),
    ...(destination !== undefined && { destination }),
  }
}

export function isSame(request: Subject, { origin, url, target, destination }: Subject): boolean {
  const text = (subject: Subject) =>
    JSON.stringify([
      subject.origin,
      subject.url,
      subject.destination,
      subject.target?.role,
      subject.target?.name,
      subject.target?.path,
      subject.target?.text,
    ])
  return text(request) === text({ origin, url, ...(target && { target }), ...(destination !== undefined && { destination }) })
}

export const factsOf = ({ origin, target }: Explanation) => ({
  ...(origin && { origin }),
  ...(target && { fingerprint: `${target.role} ${JSON.stringify(target.name)} in ${target.path}` }),
})

/** The element to mark: of several actions the last one, which sends what the others have filled in. */
const markOf = (command: AnyCommand): unknown => (isJoint(command) ? command.commands.at(-1) : command)?.ref

/** The page with the target marked; a host without screenshots, or without marks, shows what it can. */
export async function takePicture(run: AnyRun, given: AnyCommand, signal?: AbortSignalLike): Promise<ApprovalPicture | undefined> {
  const ref = markOf(given)
  for (const command of [...(typeof ref === 'string' ? [{ name: 'screenshot', mark: ref }] : []), { name: 'screenshot' }]) {
    const result = await run(command, signal)
    if (!result.ok) continue
    const { mime, base64 } = result.data as ScreenshotData
    return { mime, base64 }
  }
  return undefined
}

/** The refs of another browser are others. */
export function withoutRef({ ref: _, ...command }: AnyCommand): AnyCommand {
  const { fields } = command
  if (isJoint(command)) return joint(command.commands.map(withoutRef))
  return (Array.isArray(fields) ? { ...command, fields: fields.map(({ ref: __, ...field }) => field) } : command) as AnyCommand
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
