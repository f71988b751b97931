import type { SnapshotDocument } from './document.ts'

/** Checked at run time, since callers without TypeScript can pass any value. */
export function isDocument(page: unknown): page is SnapshotDocument {
  const { tree, title } = (page ?? {}) as Partial<SnapshotDocument>
  return typeof tree?.dom === 'object' && typeof tree.refs === 'object' && typeof tree.body === 'object' && typeof title === 'string'
}
