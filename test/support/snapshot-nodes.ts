interface TreeNode<N> {
  readonly ref?: string
  readonly role: string
  readonly name?: string
  readonly text?: string
  readonly children?: readonly N[]
}

/** All nodes below a node, in document order. */
export const descendants = <N extends TreeNode<N>>(node: N): N[] => (node.children ?? []).flatMap(child => [child, ...descendants(child)])

/**
 * The ref of the only node that matches a query: `button "Save"` by role and name (or text), `Save` by name, `button` by role.
 * `button "Delete" 2` is the second of several.
 */
export function findRef<N extends TreeNode<N>>(tree: N, query: string): string {
  const all = descendants(tree).filter(node => node.ref)
  const [, role, name, nth] = /^(\S+) "(.*?)"(?: (\d+))?$/.exec(query) ?? []
  const byName = all.filter(node => node.name === query)
  const found = role
    ? all.filter(node => node.role === role && (node.name === name || node.text === name))
    : byName.length > 0
      ? byName
      : all.filter(node => node.role === query)
  const ref = found[Number(nth ?? 1) - 1]?.ref
  if (!ref || (found.length > 1 && !nth)) {
    const present = all.map(node => `${node.ref} ${node.role} "${node.name || node.text || ''}"`)
    throw new Error(`${found.length} elements match ${query} on this page:\n${present.join('\n')}`)
  }
  return ref
}
