import type { Dom } from '../dom.ts'
import type { Candidate } from './candidate.ts'
import type { Context, Level } from './walk.ts'

const itemTags = /^(div|section)$|-/

/** Whether the element that was just reached looks like the one before or after it: the cards and rows of a page without roles. */
export function isRepeated<N>(dom: Dom<N>, { siblings, nextIndex }: Level<N>, tag: string, { parent, insideNamed }: Context<N>): boolean {
  if (siblings.length < 2 || insideNamed || !itemTags.test(tag) || parent.kind === 'control' || parent.role === 'heading') return false
  const node = siblings[nextIndex - 1] as N
  for (const step of [-1, 1]) {
    let index = nextIndex - 1 + step
    while (index >= 0 && index < siblings.length && !dom.tag(siblings[index] as N)) index += step
    const other = siblings[index]
    if (other !== undefined && dom.tag(other) === tag && isAlike(dom, node, other)) return true
  }
  return false
}

function isAlike<N>(dom: Dom<N>, one: N, other: N): boolean {
  const className = dom.attr(one, 'class')
  if (className && className === dom.attr(other, 'class')) return true
  const tags = childTags(dom, one)
  return tags.lastIndexOf(' ') > 0 && tags === childTags(dom, other)
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
