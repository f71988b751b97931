/**
 * The refs of elements: e1, e2, … and f1e1, … inside frames. An element keeps its ref as long as it exists, and a ref is never
 * reused in a document, so an old ref means its old element or nothing.
 */
export interface Refs<N extends object> {
  /** the ref of an element; undefined if it has none yet */
  of(node: N): string | undefined
  /** the ref of an element, assigned now if it has none yet */
  ensure(node: N, prefix: string): string
  /** the element of a ref; undefined if it no longer exists */
  find(ref: string): N | undefined
  /** whether an earlier snapshot contained the node */
  wasSeen(node: N): boolean
  markSeen(node: N): void
}

export interface DocumentRefs<N extends object> extends Refs<N> {
  /** Assigns no number up to this one from now on. */
  startAfter(number: number): void
}

type WeakHandle<N> = { deref(): N | undefined }

// engines without WeakRef (Chromium before 84, Safari before 14.1) keep detached elements alive until the page is unloaded
const { WeakRef: Weak } = globalThis as { readonly WeakRef?: new <N extends object>(node: N) => WeakHandle<N> }
export const createWeakHandle = <N extends object>(node: N): WeakHandle<N> => (Weak ? new Weak(node) : { deref: () => node })

export function createRefs<N extends object>(createHandle: (node: N) => WeakHandle<N>): DocumentRefs<N> {
  const byNode = new WeakMap<N, string>()
  const byRef = new Map<string, WeakHandle<N>>()
  const counts = new Map<string, number>()
  const seen = new WeakSet<N>()
  let first = 0
  return {
    of: node => byNode.get(node),
    startAfter: number => {
      first = Math.max(first, number)
    },
    ensure: (node, prefix) => {
      const known = byNode.get(node)
      if (known) return known
      const number = Math.max(counts.get(prefix) ?? 0, first) + 1
      const ref = `${prefix}e${number}`
      counts.set(prefix, number)
      byNode.set(node, ref)
      byRef.set(ref, createHandle(node))
      return ref
    },
    find: ref => byRef.get(ref)?.deref(),
    wasSeen: node => seen.has(node),
    markSeen: node => void seen.add(node),
  }
}
