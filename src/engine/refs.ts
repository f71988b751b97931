/**
 * The numbers given to elements: e1, e2, … and f1e1, … inside frames. An element keeps its number while it lives,
 * and a number is never given twice in a document, so an old ref can only mean its old element or nothing.
 */
export interface Refs<N extends object> {
  /** the ref of an element, or undefined while it has none */
  of(node: N): string | undefined
  /** the ref of an element, given now if it has none */
  give(node: N, prefix: string): string
  /** the element of a ref; undefined once it is gone */
  find(ref: string): N | undefined
  /** whether a snapshot before this one has seen the node */
  seen(node: N): boolean
  see(node: N): void
}

type Held<N> = { deref(): N | undefined }

// engines without WeakRef (Safari before 14.1) hold detached elements until the page goes
const Weak = typeof WeakRef === 'function' ? WeakRef : null
export const hold = <N extends object>(node: N): Held<N> => (Weak ? new Weak(node) : { deref: () => node })

/** `keep` holds an element for its ref: weakly, unless the elements live as long as the refs do */
export function createRefs<N extends object>(keep: (node: N) => Held<N>): Refs<N> {
  const byNode = new WeakMap<N, string>()
  const byRef = new Map<string, Held<N>>()
  const counts = new Map<string, number>()
  const seen = new WeakSet<N>()
  return {
    of: node => byNode.get(node),
    give: (node, prefix) => {
      const known = byNode.get(node)
      if (known) return known
      const number = (counts.get(prefix) ?? 0) + 1
      const ref = `${prefix}e${number}`
      counts.set(prefix, number)
      byNode.set(node, ref)
      byRef.set(ref, keep(node))
      return ref
    },
    find: ref => byRef.get(ref)?.deref(),
    seen: node => seen.has(node),
    see: node => void seen.add(node),
  }
}
