import { maxListedOptions } from '../../contract/importance.ts'
import { itemRoles, namedByContent } from '../../contract/roles.ts'
import type { ParsedNode } from '../decode/snapshot.ts'

/** A node between decoding and printing. One with `fold` represents siblings that look like the ones before it. */
export interface RenderNode extends ParsedNode {
  readonly children: readonly RenderNode[]
  readonly fold?: { readonly alike: number; readonly nodes: number }
}

/** A pass gets one node whose children have passed already, and returns the nodes that replace it. */
export type Pass = (node: RenderNode) => readonly RenderNode[]

/** The passes of the option `compact`, in their order. */
export const compact = ({ fold }: { fold: boolean }): readonly Pass[] => [
  ...(fold ? [foldOptions] : []),
  dropEcho,
  takeText,
  mergeHeading,
  unwrapItems,
  dropHintEcho,
  ...(fold ? [foldAlike] : []),
  unwrap,
  dropEmpty,
]

/** Applies the passes from the leaves up. Recursion is safe: decoding has bounded the depth. */
export function distil(node: RenderNode, passes: readonly Pass[]): readonly RenderNode[] {
  const children = node.children.length === 0 ? node.children : node.children.flatMap(child => distil(child, passes))
  let nodes: readonly RenderNode[] = [children === node.children ? node : { ...node, children }]
  for (const pass of passes) {
    const [only] = nodes
    nodes = only && nodes.length === 1 ? pass(only) : nodes.flatMap(each => pass(each))
  }
  return nodes
}

/** Drops nodes without content and without children. */
export const dropEmpty: Pass = node => (isInformative(node) || node.children.length > 0 ? [node] : [])

/** Replaces a generic box, or a wrapper around one node, by its children; a row of several cells stays. */
export const unwrap: Pass = node => {
  if (node.ref || node.name || node.fold || node.states?.unreachable || isMarked(node)) return [node]
  // an item without controls is a text like any other
  if (node.role === 'generic' || (node.role === 'item' && node.children.length === 0))
    return node.text ? [textOf(node), ...node.children] : node.children
  return wrappers.has(node.role) && !node.text && node.children.length === 1 ? node.children : [node]
}

/** Drops a text or a leaf that repeats the name of its parent. */
export const dropEcho: Pass = node => {
  // the text of an editor is its value
  if (node.text && node.value && isSameText(node.text, node.value)) return dropEcho({ ...node, text: '' })
  if (!node.name) return [node]
  const echoes = (text: string) =>
    namedByContent.has(node.role) || node.role === 'row'
      ? ` ${normalize(node.name)} `.includes(` ${normalize(text)} `)
      : isSameText(text, node.name)
  const children = node.children.filter(child => !isLeaf(child) || !echoes(child.name || child.text))
  const text = node.text && echoes(node.text) ? '' : node.text
  return [children.length === node.children.length && text === node.text ? node : { ...node, text, children }]
}

/** Drops the words of a row as a hint if the line around the control has them, or the control before it has the same hint. */
export const dropHintEcho: Pass = node => {
  if (!node.children.some(isHintedByRow)) return [node]
  const line = node.interactive || itemRoles.has(node.role) ? squash(`${node.name} ${node.text}`) : ''
  let last = ''
  const children = node.children.map(child => {
    const text = isHintedByRow(child) ? (child.hint?.text ?? '') : ''
    const isEcho = text !== '' && (text === last || line.includes(squash(text)))
    if (child.interactive || child.children.length > 0) last = text
    if (!isEcho) return child
    const { hint: _, ...rest } = child
    return rest
  })
  return [{ ...node, children }]
}

const isHintedByRow = ({ hint }: RenderNode): boolean => hint?.from === 'row'
/** without what separates the texts of a line, and the mark of a cut */
const squash = (text: string): string => text.replace(/[\s|…~]+/g, '')

/**
 * Replaces items that have only controls by these, unless two of them have controls with the same role and name: then only the item around
 * a control tells to which one it belongs.
 */
export const unwrapItems: Pass = node => {
  const isBareItem = (child: RenderNode) =>
    !child.ref && !child.name && !isMarked(child) && itemRoles.has(child.role) && child.children.length > 0 && !hasText(child)
  if (!node.children.some(isBareItem)) return [node]
  const seen = new Set<string>()
  const hasNamesakes = node.children.some(child => {
    const own = itemRoles.has(child.role) ? controlsIn(child) : []
    const isRepeated = own.some(key => seen.has(key))
    for (const key of own) seen.add(key)
    return isRepeated
  })
  const isNeeded = ({ children }: RenderNode) => hasNamesakes && children.length > 1 && !children.every(child => itemRoles.has(child.role))
  return [{ ...node, children: node.children.flatMap(child => (isBareItem(child) && !isNeeded(child) ? child.children : [child])) }]
}

const hasText = ({ text, interactive, children }: RenderNode): boolean => (text !== '' && !interactive) || children.some(hasText)
const controlsIn = (node: RenderNode): readonly string[] => [
  ...(node.interactive ? [`${node.role} ${node.name}`] : []),
  ...node.children.flatMap(controlsIn),
]

/** Moves a text at the beginning of a node to the line of the node. */
export const takeText: Pass = node => {
  const [first, ...children] = node.children
  if (!first || !isRun(first) || node.text || node.role === 'text') return [node]
  const offset = node.ref ? node.offset : offsetOf(node)
  // a text outside the viewport must not seem to be in view because its siblings are
  if (first.offset !== undefined && offset === undefined && !node.ref) return [node]
  return [{ ...node, text: first.text, children, ...(offset !== undefined && { offset }), ...(first.new && { new: true as const }) }]
}

/** Moves all texts of an element with a ref to its line, with … where there was another node between them. */
export const gatherText: Pass = node => {
  if (!node.ref || node.role === 'text' || !node.children.some(isRun)) return [node]
  let text = node.text
  let isSeparated = false
  for (const child of node.children)
    if (!isRun(child)) isSeparated = true
    else {
      text += `${text && (isSeparated ? ' … ' : ' | ')}${child.text}`
      isSeparated = false
    }
  return [{ ...node, text, children: node.children.filter(child => !isRun(child)) }]
}

/** Replaces a heading around one link of the same name by the link, with the level of the heading: news pages have a hundred of them. */
export const mergeHeading: Pass = node => {
  const [only, ...others] = node.children
  if (node.role !== 'heading' || node.ref || node.text || !only?.ref || others.length > 0 || !isSameText(only.name, node.name))
    return [node]
  const level = node.states?.level
  return [level === undefined ? only : { ...only, states: { ...only.states, level } }]
}

/** Shows only the value of a closed select with many options; a snapshot with its ref as scope shows them. */
export const foldOptions: Pass = node => {
  if (node.tag !== 'select' || node.role !== 'combobox' || node.children.length === 0) return [node]
  const options = node.children.flatMap(child => (child.role === 'option' ? [child] : child.children))
  if (options.length <= maxListedOptions) return [node]
  const chosen = node.value ?? options.find(option => option.states?.selected)?.name
  const states = { ...node.states, options: node.states?.options ?? options.length }
  return [{ ...node, states, ...(chosen !== undefined && { value: chosen }), children: [] }]
}

/** a longer run of similar siblings is folded */
const maxRun = 8
const shownOfRun = 3

/** Keeps the first three of a long run of similar siblings outside the viewport; one line represents the others. */
export const foldAlike: Pass = node => {
  if (node.children.length <= maxRun) return [node]
  const children: RenderNode[] = []
  for (let start = 0; start < node.children.length; ) {
    const end = endOfRun(node.children, start)
    const run = node.children.slice(start, end)
    if (run.length > maxRun) children.push(...run.slice(0, shownOfRun), foldRun(run.slice(shownOfRun)))
    else children.push(...run)
    start = end
  }
  return [{ ...node, children }]
}

function endOfRun(siblings: readonly RenderNode[], start: number): number {
  const first = siblings[start]
  let end = start + 1
  if (!first || !isOffscreen(first) || first.role === 'text') return end
  const shape = shapeOf(first)
  for (let next = siblings[end]; next && isOffscreen(next) && shapeOf(next) === shape; next = siblings[end]) end++
  return end
}

function foldRun(run: readonly RenderNode[]): RenderNode {
  const [first] = run
  const offset = first && offsetOf(first)
  const nodes = run.reduce((sum, each) => sum + sizeOf(each), 0)
  return { ...empty, ...(offset !== undefined && { offset }), fold: { alike: run.length, nodes } }
}

/** the number of nodes in a subtree, including folded ones */
export const sizeOf = (node: RenderNode): number =>
  node.children.reduce((sum, child) => sum + sizeOf(child), node.fold ? node.fold.nodes : 1)

/** Similar to the eye is enough: four levels of roles tell a product card from a heading. */
const shapeOf = (node: RenderNode, levels = 4): string => {
  const below = levels > 0 ? node.children.map(child => shapeOf(child, levels - 1)).join() : node.children.length
  return `${node.role}${node.ref ? '!' : ''}(${below})`
}

/** A wrapper has no position: it is offscreen if all of its content is. */
const isOffscreen = (node: RenderNode): boolean => offsetOf(node) !== undefined
const offsetOf = (node: RenderNode, levels = 4): number | undefined => {
  if (node.offset !== undefined || node.ref || node.children.length === 0 || levels === 0) return node.offset
  const [first, ...others] = node.children.map(child => offsetOf(child, levels - 1))
  return others.includes(undefined) ? undefined : first
}

const empty: RenderNode = { tag: 'unknown', role: 'generic', name: '', text: '', attrs: {}, children: [] }
const textOf = ({ text, offset }: RenderNode): RenderNode => ({
  ...empty,
  tag: '#text',
  role: 'text',
  text,
  ...(offset !== undefined && { offset }),
})

const isRun = (node: RenderNode | undefined): boolean => node?.role === 'text' && !node.ref && node.children.length === 0
const isLeaf = (node: RenderNode): boolean => !node.ref && !node.fold && node.children.length === 0 && node.value === undefined
const isInformative = ({ ref, name, text, value, fold, states }: RenderNode): boolean =>
  Boolean(ref || name || text || value || fold || states?.unreachable || states?.range)

/** whether the state of an item says something about its content */
const isMarked = ({ states }: RenderNode): boolean => Boolean(states?.selected || states?.checked || states?.current || states?.expanded)

const normalize = (text: string): string => text.replace(/\s+/g, ' ').trim()
const isSameText = (one: string, other: string): boolean => normalize(one) === normalize(other)

/** roles of containers */
export const wrappers = new Set(
  'list listitem item group row rowgroup cell gridcell paragraph section article figure term definition table presentation none'.split(' '),
)
