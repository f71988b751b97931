import type { Snapshot } from './snapshot.ts'

type SnapshotContent = Pick<Snapshot, 'tree' | 'refs' | 'meta'>

/** by the tree of a snapshot, because layers copy the object around it */
const renewals = new WeakMap<object, () => SnapshotContent>()

/** Lets `redactedAgain` redact a snapshot with the secrets that are known by then. The function stays in this process. */
export function setRedaction(snapshot: Partial<Snapshot>, redact: () => SnapshotContent): void {
  if (typeof snapshot.tree === 'object') renewals.set(snapshot.tree, redact)
}

/**
 * The same snapshot, redacted with the secrets that its session knows now. Two snapshots are comparable only if the same secrets are
 * redacted in both: otherwise a secret that was entered in between is a difference, and the difference shows the secret.
 */
export function redactedAgain<T>(snapshot: T): T {
  const { tree } = (snapshot ?? {}) as Partial<Snapshot>
  const redact = typeof tree === 'object' && tree !== null ? renewals.get(tree) : undefined
  return redact ? { ...snapshot, ...redact() } : snapshot
}
