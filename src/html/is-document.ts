import type { SnapshotDocument } from './document.ts'

/** Callers of a library without types pass whatever they have. */
export function isDocument(page: unknown): page is SnapshotDocument {
  const { tree, title } = (page ?? {}) as Partial<SnapshotDocument>
  return typeof tree?.dom === 'object' && typeof tree.refs === 'object' && typeof tree.body === 'object' && typeof title === 'string'
}
