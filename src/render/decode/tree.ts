import type { TruncateReason } from '../../contract/snapshot.ts'
import { attributes, type Bag, bag, box, hint, isBag, longest, pixels, ref, role, states, tag, words } from './fields.ts'
import type { ParsedNode, ParsedRef } from './snapshot.ts'

export const mostNodes = 100_000
/** deeper nodes stand beside their ancestor at this depth; so every later step may recurse */
export const mostDepth = 256

type Growing = { -readonly [Name in keyof Omit<ParsedNode, 'children'>]: ParsedNode[Name] } & { children: Growing[] }
type Pending = { readonly raw: Bag; readonly into: Growing[]; readonly depth: number }

/** The tree and the refs of a snapshot, read from untrusted JSON of any depth without recursion. */
export function growTree(raw: Bag, rows: Bag) {
  const refs: { [ref: string]: ParsedRef } = Object.create(null)
  const roots: Growing[] = []
  const pending: Pending[] = [{ raw, into: roots, depth: 0 }]
  const cuts: TruncateReason[] = []
  let many = 0
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (++many > mostNodes) {
      cuts.push('maxNodes')
      break
    }
    const node = readNode(next.raw, refs, rows)
    next.into.push(node)
    const room = mostNodes - many
    const children = Array.isArray(next.raw.children) ? next.raw.children : []
    if (children.length > room) cuts.push('maxNodes')
    const deeper = next.depth < mostDepth
    for (let index = Math.min(children.length, room) - 1; index >= 0; index--) {
      const child: unknown = children[index]
      if (isBag(child)) pending.push({ raw: child, into: deeper ? node.children : next.into, depth: deeper ? next.depth + 1 : next.depth })
    }
  }
  const tree: ParsedNode = roots[0] ?? readNode({}, refs, rows)
  return { tree, refs, cuts }
}

function readNode(raw: Bag, refs: { [ref: string]: ParsedRef }, rows: Bag): Growing {
  const isText = raw.tag === '#text' || raw.role === 'text'
  const given = ref(raw.ref)
  // the first node in document order keeps a ref that is claimed twice
  const own = given !== undefined && !(given in refs) ? given : undefined
  const row = own === undefined ? {} : bag(rows[own])
  const attrs = own === undefined ? none : attributes(row.attrs)
  const name = words(raw.name, longest.text)
  const text = words(raw.text, longest.text)
  const node: Growing = {
    tag: tag(raw.tag),
    role: isText ? 'text' : role(raw.role),
    name: isText ? '' : name,
    text: isText ? text || name : text,
    attrs,
    children: [],
  }
  set(node, 'ref', own)
  set(node, 'hint', hint(raw.hint))
  set(node, 'value', typeof raw.value === 'string' ? words(raw.value, longest.text) : undefined)
  set(node, 'states', states(raw.states))
  set(node, 'interactive', raw.interactive === true ? true : undefined)
  set(node, 'visible', raw.visible === false ? false : undefined)
  set(node, 'offset', pixels(raw.offset) || undefined)
  set(node, 'new', raw.new === true ? true : undefined)
  set(node, 'box', box(raw.box))
  if (own !== undefined) refs[own] = { ref: own, tag: node.tag, role: node.role, name, attrs, path: words(row.path, longest.state) }
  return node
}

const none: { readonly [name: string]: string } = Object.freeze(Object.create(null))

// a field that is absent has its quiet value
function set<Name extends keyof Growing>(node: Growing, name: Name, value: Growing[Name] | undefined): void {
  if (value !== undefined) node[name] = value
}
