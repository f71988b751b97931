import * as native from '../runtime/natives.ts'

/** The elements that name the id of another one in `aria-owns`; most documents have none */
export function ownersById(): (node: Node) => readonly Node[] {
  const roots = new Map<Node, Map<string, Node[]>>()
  return node => {
    const id = native.getAttribute(node, 'id')
    if (!id) return []
    const root = native.getRootNode(node)
    let found = roots.get(root)
    if (!found) {
      found = new Map()
      const owners = native.allOf(root, '[aria-owns]')
      for (let i = 0; i < owners.length; i++) {
        const owner = owners[i] as Node
        for (const each of (native.getAttribute(owner, 'aria-owns') ?? '').split(/\s+/, 50)) {
          const others = found.get(each)
          if (others) others[others.length] = owner
          else found.set(each, [owner])
        }
      }
      roots.set(root, found)
    }
    return found.get(id) ?? []
  }
}
