import type { Dom } from '../dom.ts'
import type { Candidate } from './candidate.ts'
import type { Context, Level } from './walk.ts'

const itemTags = /^(div|section)$|-/

/**
 * Whether the element that was just reached looks like the one before or after it, or like the item around it: the cards and rows of a page
 * without roles, and the answers to a comment.
 */
export function isRepeated<N>(dom: Dom<N>, level: Level<N>, tag: string, { parent, insideNamed }: Context<N>): boolean {
  if (insideNamed || !itemTags.test(tag) || parent.kind === 'control' || parent.role === 'heading') return false
  const node = level.siblings[level.nextIndex - 1] as N
  if (level.siblings.length > 1) {
    const isLike = (other: N | undefined) => other !== undefined && dom.tag(other) === tag && isAlike(dom, node, other, tag)
    // most elements were compared when the one before them was reached
    if (level.compared?.node === node ? level.compared.isAlike : isLike(neighborOf(dom, level, -1))) return true
    const next = neighborOf(dom, level, 1)
    const isLikeNext = isLike(next)
    level.compared = next === undefined ? null : { node: next, isAlike: isLikeNext }
    if (isLikeNext) return true
  }
  let item: Candidate<N> | null = parent
  while (item && item.role !== 'item') item = item.parent
  return item !== null && item.tag === tag && hasClassAndShapeOf(dom, node, item.node)
}

/** the element before or after the one that was just reached */
function neighborOf<N>(dom: Dom<N>, { siblings, nextIndex }: Level<N>, step: -1 | 1): N | undefined {
  let index = nextIndex - 1 + step
  while (index >= 0 && index < siblings.length && !dom.tag(siblings[index] as N)) index += step
  return siblings[index]
}

function isAlike<N>(dom: Dom<N>, one: N, other: N, tag: string): boolean {
  const className = dom.attr(one, 'class')
  if (className && className === dom.attr(other, 'class')) return true
  const [tags, others] = [childTags(dom, one), childTags(dom, other)]
  if (hasSeveral(tags) && (tags === others || (tag.includes('-') && hasSeveral(others)))) return true
  if (!tags && !others) return false
  return hasClassAndShapeOf(dom, one, other) || (isSingle(tags) && isSingle(others) && hasSameCore(dom, one, other))
}

const isSingle = (tags: string): boolean => tags.lastIndexOf(' ') === 0
const hasSeveral = (tags: string): boolean => tags.lastIndexOf(' ') > 0

/** words of classes that say where something is, not what it is */
const layoutWords = /\d|^(row|cols?|columns?|grid|flex|container|wrapper|wrap|inner|outer|content|box|block|inline|relative|absolute)$/

/** Whether two elements share a word of their classes, and one only has some parts more, such as the mark of a product on sale. */
function hasClassAndShapeOf<N>(dom: Dom<N>, one: N, other: N): boolean {
  const className = dom.attr(one, 'class')
  const others = className ? (dom.attr(other, 'class')?.split(/\s+/) ?? []) : []
  if (others.length === 0 || !className?.split(/\s+/).some(word => word && !layoutWords.test(word) && others.includes(word))) return false
  const [tags, otherTags] = [childTags(dom, one), childTags(dom, other)]
  return isPartOf(tags, otherTags) || isPartOf(otherTags, tags)
}

/** Whether the tags of one element, of which there are several, come in the same order in another. */
function isPartOf(tags: string, others: string): boolean {
  if (!hasSeveral(tags)) return false
  const rest = others.split(' ')
  let at = 0
  return tags.split(' ').every(tag => {
    while (at < rest.length && rest[at] !== tag) at++
    return at++ < rest.length
  })
}

const maxWrappers = 3

/** Whether two elements only wrap others, and those have the same parts: not only `div`, of which the parts of a page consist too. */
function hasSameCore<N>(dom: Dom<N>, one: N, other: N): boolean {
  let [core, otherCore]: (N | undefined)[] = [one, other]
  for (let level = 0; core !== undefined && otherCore !== undefined && level < maxWrappers; level++) {
    core = onlyChild(dom, core)
    otherCore = onlyChild(dom, otherCore)
    if (core === undefined || otherCore === undefined) return false
    const tags = childTags(dom, core)
    if (hasSeveral(tags)) return / (?!div\b)/.test(tags) && tags === childTags(dom, otherCore)
  }
  return false
}

function onlyChild<N>(dom: Dom<N>, node: N): N | undefined {
  const children = dom.children(node)
  let only: N | undefined
  for (let i = 0; i < children.length; i++) {
    const child = children[i] as N
    if (dom.tag(child) ? only !== undefined : /\S/.test(dom.text(child))) return undefined
    if (dom.tag(child)) only = child
  }
  return only
}

/** the tags of the elements directly inside an element, each after a space */
export function childTags<N>(dom: Dom<N>, node: N): string {
  const children = dom.children(node)
  let tags = ''
  for (let i = 0; i < children.length; i++) {
    const tag = dom.tag(children[i] as N)
    if (tag) tags += ` ${tag}`
  }
  return tags
}

const maxItemElements = 80
const maxItemControls = 5

/** Whether an item has so few controls that its texts may stand before them; in a larger one each text stays where it is. */
export function isSmall<N>(dom: Dom<N>, item: N): boolean {
  let [elements, controls] = [0, 0]
  const stack = [item]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const tag = dom.tag(node)
    if (!tag) continue
    if (/^(a|button|input|select|textarea|iframe)$/.test(tag)) controls++
    if (++elements > maxItemElements || controls > maxItemControls) return false
    const children = dom.children(node)
    for (let i = 0; i < children.length; i++) stack.push(children[i] as N)
  }
  return true
}

/** An item without controls is no item of its own: its texts belong to the item around it. */
export function closeItem<N>(item: Candidate<N>): void {
  const { parent, texts } = item
  if (item.hasControls || !texts.length || !parent?.gathersText) return
  parent.texts.push(...texts.splice(0))
  parent.isIntro = parent.isIntro || item.isIntro
  item.isIntro = false
}
