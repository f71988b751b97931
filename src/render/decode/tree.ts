import type { TruncateReason } from '../../contract/snapshot.ts'
import {
  attributeFields,
  boxField,
  hintField,
  isObject,
  maxLengths,
  objectOf,
  pixelField,
  refField,
  roleField,
  stateFields,
  tagField,
  textField,
  type UntypedObject,
  wordsField,
} from './fields.ts'
import type { ParsedNode, ParsedRef } from './snapshot.ts'

export const maxDecodedNodes = 100_000
/** deeper nodes become siblings of their ancestor at this depth, so that every later step may recurse */
export const maxDecodedDepth = 256

type MutableNode = { -readonly [Name in keyof Omit<ParsedNode, 'children'>]: ParsedNode[Name] } & { children: MutableNode[] }
type PendingNode = { readonly raw: UntypedObject; readonly into: MutableNode[]; readonly depth: number }

/** The tree and the refs of a snapshot, from untrusted JSON of any depth; without recursion. */
export function decodeTree(raw: UntypedObject, refDetails: UntypedObject) {
  const refs: { [ref: string]: ParsedRef } = Object.create(null)
  const roots: MutableNode[] = []
  const pending: PendingNode[] = [{ raw, into: roots, depth: 0 }]
  const cuts: TruncateReason[] = []
  let count = 0
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (++count > maxDecodedNodes) {
      cuts.push('maxNodes')
      break
    }
    const node = readNode(next.raw, refs, refDetails)
    next.into.push(node)
    const room = maxDecodedNodes - count
    const children = Array.isArray(next.raw.children) ? next.raw.children : []
    if (children.length > room) cuts.push('maxNodes')
    const deeper = next.depth < maxDecodedDepth
    for (let index = Math.min(children.length, room) - 1; index >= 0; index--) {
      const child: unknown = children[index]
      if (isObject(child))
        pending.push({ raw: child, into: deeper ? node.children : next.into, depth: deeper ? next.depth + 1 : next.depth })
    }
  }
  const tree: ParsedNode = roots[0] ?? readNode({}, refs, refDetails)
  return { tree, refs, cuts }
}

function readNode(raw: UntypedObject, refs: { [ref: string]: ParsedRef }, refDetails: UntypedObject): MutableNode {
  const isText = raw.tag === '#text' || raw.role === 'text'
  const claimed = refField(raw.ref)
  // if two nodes claim a ref, the first in document order keeps it
  const own = claimed !== undefined && !(claimed in refs) ? claimed : undefined
  const details = own === undefined ? {} : objectOf(refDetails[own])
  const attrs = own === undefined ? noAttributes : attributeFields(details.attrs)
  const name = wordsField(raw.name, maxLengths.text)
  const text = wordsField(raw.text, maxLengths.text)
  const node: MutableNode = {
    tag: tagField(raw.tag),
    role: isText ? 'text' : roleField(raw.role),
    name: isText ? '' : name,
    text: isText ? text || name : text,
    attrs,
    children: [],
  }
  set(node, 'ref', own)
  set(node, 'hint', hintField(raw.hint))
  set(node, 'value', typeof raw.value === 'string' ? textField(raw.value, maxLengths.text) : undefined)
  set(node, 'states', stateFields(raw.states))
  set(node, 'interactive', raw.interactive === true ? true : undefined)
  set(node, 'visible', raw.visible === false ? false : undefined)
  set(node, 'offset', pixelField(raw.offset) || undefined)
  set(node, 'new', raw.new === true ? true : undefined)
  set(node, 'box', boxField(raw.box))
  if (own !== undefined)
    refs[own] = { ref: own, tag: node.tag, role: node.role, name, attrs, path: textField(details.path, maxLengths.state) }
  return node
}

const noAttributes: { readonly [name: string]: string } = Object.freeze(Object.create(null))

/** Absent fields stay absent: most nodes have few. */
function set<Name extends keyof MutableNode>(node: MutableNode, name: Name, value: MutableNode[Name] | undefined): void {
  if (value !== undefined) node[name] = value
}
