import type { Dom } from '../dom.ts'
import { tidy } from '../text.ts'
import { childTags } from './items.ts'

const maxChildren = 12
const maxSiblings = 30

/**
 * The glyph that a style draws in an empty child of a control, such as the tick of a chosen option. Only if an element beside it is alike
 * without the glyph: one that all have is decoration, or invisible where it does not apply.
 */
export function drawnMark<N>(dom: Dom<N>, node: N): string {
  const place = emptyChildOf(dom, node)
  const parent = place < 0 ? null : dom.parent(node)
  const mark = parent ? markAt(dom, node, place) : ''
  if (!parent || !mark) return ''
  const siblings = dom.children(parent)
  for (let i = 0; i < siblings.length && i < maxSiblings; i++) {
    const each = siblings[i] as N
    const isAlike = each !== node && dom.tag(each) === dom.tag(node) && childTags(dom, each) === childTags(dom, node)
    if (isAlike && emptyChildOf(dom, each) === place && !markAt(dom, each, place)) return mark
  }
  return ''
}

/** the place of the first element without content that may be styled; -1 if there is none */
function emptyChildOf<N>(dom: Dom<N>, node: N): number {
  const children = dom.children(node)
  for (let i = 0; i < children.length && i < maxChildren; i++) {
    const child = children[i] as N
    if (dom.tag(child) && dom.flags(child) && dom.children(child).length === 0) return i
  }
  return -1
}

function markAt<N>(dom: Dom<N>, node: N, place: number): string {
  const child = dom.children(node)[place] as N
  // the characters of icon fonts mean nothing outside them
  return dom.hidden(child) ? '' : tidy((dom.generated(child, 'before') + dom.generated(child, 'after')).replace(/[\ue000-\uf8ff]/g, ''))
}
