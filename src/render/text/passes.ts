import type { ParsedNode } from '../decode/snapshot.ts'

/** A node on its way to a line; `fold` stands for siblings that look like the ones before it. */
export interface RenderNode extends ParsedNode {
  readonly children: readonly RenderNode[]
  readonly fold?: { readonly alike: number; readonly nodes: number }
}

/** A pass looks at one node, its children already done, and returns what should stand in its place. */
export type Pass = (node: RenderNode) => readonly RenderNode[]

/** What compact means, in the order in which a node goes through it. */
export const compact = ({ maxTextPerNode, fold }: { maxTextPerNode: number; fold: boolean }): readonly Pass[] => [
  ...(fold ? [foldOptions] : []),
  mergeText(maxTextPerNode),
  dropEcho,
  takeText,
  mergeHeading,
  ...(fold ? [foldAlike] : []),
  unwrap,
  dropEmpty,
]

/** Recursion is safe here: parsing has bounded the depth. */
export function distil(node: RenderNode, passes: readonly Pass[]): readonly RenderNode[] {
  const children = node.children.length === 0 ? node.children : node.children.flatMap(child => distil(child, passes))
  let nodes: readonly RenderNode[] = [children === node.children ? node : { ...node, children }]
  for (const pass of passes) {
    const [only] = nodes
    nodes = only && nodes.length === 1 ? pass(only) : nodes.flatMap(each => pass(each))
  }
  return nodes
}

/** Structure with neither ref, name nor text below says nothing. */
export const dropEmpty: Pass = node => (saysSomething(node) || node.children.length > 0 ? [node] : [])

/** A generic box, and a wrapper around one thing, give way to what they hold; a row of several cells stays. */
export const unwrap: Pass = node => {
  if (node.ref || node.name || node.fold || node.states?.unreachable) return [node]
  if (node.role === 'generic') return node.text ? [textOf(node), ...node.children] : node.children
  return wrappers.has(node.role) && !node.text && node.children.length === 1 ? node.children : [node]
}

/** A text, or an unnamed leaf, that repeats its parent's name tells the model nothing twice. */
export const dropEcho: Pass = node => {
  // what an editor holds is its value
  if (node.text && node.value && same(node.text, node.value)) return dropEcho({ ...node, text: '' })
  if (!node.name) return [node]
  const echoes = (text: string) =>
    namedByContent.has(node.role) ? ` ${plain(node.name)} `.includes(` ${plain(text)} `) : same(text, node.name)
  const children = node.children.filter(child => !isLeaf(child) || !echoes(child.name || child.text))
  const text = node.text && echoes(node.text) ? '' : node.text
  return [children.length === node.children.length && text === node.text ? node : { ...node, text, children }]
}

/** Neighbouring runs of text become one, as long as one line can show it. */
export const mergeText =
  (most: number): Pass =>
  node => {
    if (!node.children.some((child, index) => index > 0 && isRun(child) && isRun(node.children[index - 1]))) return [node]
    const children: RenderNode[] = []
    for (const child of node.children) {
      const before = children[children.length - 1]
      if (before && isRun(before) && isRun(child) && before.text.length + child.text.length < most) {
        children[children.length - 1] = joined(before, child)
      } else children.push(child)
    }
    return [{ ...node, children }]
  }

/** A run of text at the beginning stands on the line of the node that holds it. */
export const takeText: Pass = node => {
  const [first, ...children] = node.children
  if (!first || !isRun(first) || node.text || node.role === 'text') return [node]
  const off = node.ref ? node.offset : nearest(node)
  // a text out of sight must not come into view because of what it stands beside
  if (first.offset !== undefined && off === undefined && !node.ref) return [node]
  return [{ ...node, text: first.text, children, ...(off !== undefined && { offset: off }), ...(first.new && { new: true as const }) }]
}

/** All runs of text in an element with a ref stand on its line, with a mark where something else stands between them. */
export const gatherText: Pass = node => {
  if (!node.ref || node.role === 'text' || !node.children.some(isRun)) return [node]
  let text = node.text
  let isApart = false
  for (const child of node.children)
    if (!isRun(child)) isApart = true
    else {
      text += `${text && (isApart ? ' … ' : ' ')}${child.text}`
      isApart = false
    }
  return [{ ...node, text, children: node.children.filter(child => !isRun(child)) }]
}

/** A heading around one link of the same name is that link, with the level of the heading: news pages have a hundred of them. */
export const mergeHeading: Pass = node => {
  const [only, ...others] = node.children
  if (node.role !== 'heading' || node.ref || node.text || !only?.ref || others.length > 0 || !same(only.name, node.name)) return [node]
  const level = node.states?.level
  return [level === undefined ? only : { ...only, states: { ...only.states, level } }]
}

const fewOptions = 10

/** A closed select of many options shows the chosen value; scope on it shows the options. */
export const foldOptions: Pass = node => {
  if (node.tag !== 'select' || node.role !== 'combobox' || node.children.length === 0) return [node]
  const options = node.children.flatMap(child => (child.role === 'option' ? [child] : child.children))
  if (options.length <= fewOptions) return [node]
  const chosen = node.value ?? options.find(option => option.states?.selected)?.name
  const states = { ...node.states, options: node.states?.options ?? options.length }
  return [{ ...node, states, ...(chosen !== undefined && { value: chosen }), children: [] }]
}

const shownOfRun = 3
const longRun = 8

/** Long runs of alike siblings outside the viewport keep their first three; one line stands for the others. */
export const foldAlike: Pass = node => {
  if (node.children.length <= longRun) return [node]
  const children: RenderNode[] = []
  for (let start = 0; start < node.children.length; ) {
    const end = runFrom(node.children, start)
    const run = node.children.slice(start, end)
    if (run.length > longRun) children.push(...run.slice(0, shownOfRun), folded(run.slice(shownOfRun)))
    else children.push(...run)
    start = end
  }
  return [{ ...node, children }]
}

function runFrom(siblings: readonly RenderNode[], start: number): number {
  const first = siblings[start]
  let end = start + 1
  if (!first || !isOff(first) || first.role === 'text') return end
  const shape = shapeOf(first)
  for (let next = siblings[end]; next && isOff(next) && shapeOf(next) === shape; next = siblings[end]) end++
  return end
}

function folded(run: readonly RenderNode[]): RenderNode {
  const [first] = run
  const off = first && nearest(first)
  const nodes = run.reduce((sum, each) => sum + sizeOf(each), 0)
  return { ...empty, ...(off !== undefined && { offset: off }), fold: { alike: run.length, nodes } }
}

/** how many nodes stand in a subtree */
export const sizeOf = (node: RenderNode): number =>
  node.children.reduce((sum, child) => sum + sizeOf(child), node.fold ? node.fold.nodes : 1)

// alike is meant for the eye: four levels of roles are enough to tell a product card from a heading
const shapeOf = (node: RenderNode, levels = 4): string => {
  const below = levels > 0 ? node.children.map(child => shapeOf(child, levels - 1)).join() : node.children.length
  return `${node.role}${node.ref ? '!' : ''}(${below})`
}

// a wrapper has no place of its own: it is off where all that it holds is off
const isOff = (node: RenderNode): boolean => nearest(node) !== undefined
const nearest = (node: RenderNode, levels = 4): number | undefined => {
  if (node.offset !== undefined || node.ref || node.children.length === 0 || levels === 0) return node.offset
  const [first, ...others] = node.children.map(child => nearest(child, levels - 1))
  return others.includes(undefined) ? undefined : first
}

const empty: RenderNode = { tag: 'unknown', role: 'generic', name: '', text: '', attrs: {}, children: [] }
const textOf = ({ text, offset: off }: RenderNode): RenderNode => ({
  ...empty,
  tag: '#text',
  role: 'text',
  text,
  ...(off !== undefined && { offset: off }),
})

function joined(first: RenderNode, second: RenderNode): RenderNode {
  const text = `${first.text} ${second.text}`
  if (first.offset === undefined || second.offset !== undefined) return { ...first, text }
  const { offset: _, ...inView } = first
  return { ...inView, text }
}

const isRun = (node: RenderNode | undefined): boolean => node?.role === 'text' && !node.ref && node.children.length === 0
const isLeaf = (node: RenderNode): boolean => !node.ref && !node.fold && node.children.length === 0 && node.value === undefined
const saysSomething = ({ ref, name, text, value, fold, states }: RenderNode): boolean =>
  Boolean(ref || name || text || value || fold || states?.unreachable || states?.range)

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()
const same = (one: string, other: string): boolean => plain(one) === plain(other)

/** roles that only hold something */
export const wrappers = new Set(
  'list listitem group row rowgroup cell gridcell paragraph section article figure term definition table presentation none'.split(' '),
)
const namedByContent = new Set(
  'link button heading option tab menuitem menuitemcheckbox menuitemradio checkbox radio switch treeitem cell gridcell row columnheader rowheader'.split(
    ' ',
  ),
)
