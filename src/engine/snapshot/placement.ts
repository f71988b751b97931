import type { Box, Dom, Scene } from '../dom.ts'
import type { EngineOptions } from '../options.ts'
import type { Placement } from './candidate.ts'

/** Where an element is drawn; null if it is not drawn at all and hidden elements are not wanted. */
export function locate<N>(
  { dom, layout, options }: Pick<Scene<N>, 'dom' | 'layout'> & { readonly options: EngineOptions },
  node: N,
  tag: string,
  { hiddenReason }: Pick<Placement<N>, 'hiddenReason'>,
): Placement<N> | null {
  const box = layout?.box(node) ?? null
  const own: Placement<N> = { visibleNode: node, box, hiddenReason }
  // whether a box of some size is really visible is checked only for selected candidates: there are thousands of boxes
  if (hiddenReason || (isLarge(box) && tag !== 'input')) return own
  const isHidden = dom.hidden(node)
  // a checkbox may pass clicks through to the label that is drawn in its place
  const takesClicks = tag !== 'input' || !layout || layout.clickable(node)
  // options and areas are drawn by the browser and have no box
  if (!isHidden && takesClicks && (!layout || isLarge(box) || /^(option|optgroup|area)$/.test(tag))) return own
  const standIn = visibleStandIn({ dom, layout }, node, tag)
  if (standIn || (box && !isHidden)) return standIn ?? own
  return options.includeHidden ? { visibleNode: node, box, hiddenReason: 'not drawn' } : null
}

/** The visible element in place of an invisible one, or null. */
export function visibleStandIn<N>({ dom, layout }: Pick<Scene<N>, 'dom' | 'layout'>, node: N, tag: string): Placement<N> | null {
  const standIns = possibleStandIns(dom, node, tag)
  for (let i = 0; i < standIns.length; i++) {
    const visibleNode = standIns[i] as N
    if (dom.hidden(visibleNode)) continue
    const box = layout?.box(visibleNode) ?? null
    if (!layout || isLarge(box)) return { box, hiddenReason: '', visibleNode }
  }
  return null
}

/**
 * The labels of a checkbox, radio button or file input, which are often drawn in its place; the ancestors of the zero-sized text field
 * that receives the keys of a code editor.
 */
function possibleStandIns<N>(dom: Dom<N>, node: N, tag: string): ArrayLike<N> {
  if (dom.attr(node, 'aria-roledescription') !== 'editor')
    return tag === 'input' && /^(checkbox|radio|file)$/i.test(dom.attr(node, 'type') ?? '') ? dom.labels(node) : []
  const ancestors: N[] = []
  for (let each = dom.parent(node); each && ancestors.length < 4; each = dom.parent(each)) ancestors.push(each)
  return ancestors
}

/** Boxes of one pixel are a common way to hide an element from users but not from screen readers. */
export const isLarge = (box: Box | null): boolean => box !== null && box.width > 1 && box.height > 1
