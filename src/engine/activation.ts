import { isFrameTag } from '../contract/roles.ts'
import { roleOf } from './accessibility/roles.ts'
import { isControl, isEditingHost } from './candidates.ts'
import type { Dom, Layout } from './dom.ts'

// Which elements a press operates: the innermost control at the point, and every control around it, since the page may listen on each.

/** a page may nest elements as deep as it likes */
export const maxDepth = 500
const maxVisits = 2_000
/** more controls than this are not told apart */
const maxControls = 20

interface View<N> {
  readonly dom: Dom<N>
  readonly layout?: Layout<N> | null
}

export function typeOf<N>(dom: Dom<N>, node: N): string {
  const tag = dom.tag(node)
  if (tag !== 'input' && tag !== 'button') return ''
  const type = (dom.attr(node, 'type') ?? '').toLowerCase()
  if (tag === 'input') return type || 'text'
  return /^(reset|button)$/.test(type) ? type : 'submit'
}

export const isField = <N>(dom: Dom<N>, node: N): boolean => {
  const tag = dom.tag(node)
  return (
    (tag === 'input' && !/^(submit|image|button|reset)$/.test(typeOf(dom, node))) ||
    /^(textarea|select)$/.test(tag) ||
    (isEditingHost(dom, node) && !/^(button|summary|a)$/.test(tag))
  )
}

export const isSubmitter = <N>(dom: Dom<N>, node: N): boolean => /^(submit|image)$/.test(typeOf(dom, node))

/** The URL of a link as it is written; null for other elements. A link of an SVG image may have the `href` of XLink. */
export function hrefOf<N>(dom: Dom<N>, node: N): string | null {
  const namespace = dom.namespace(node)
  if (namespace === 'html' ? !/^(a|area)$/.test(dom.tag(node)) : namespace === 'svg' && dom.tag(node) !== 'a') return null
  return dom.attr(node, 'href') ?? (namespace === 'svg' ? dom.attr(node, 'xlink:href') : null)
}

/** Whether the browser itself does something when it is clicked. */
export const isActivated = <N>(dom: Dom<N>, node: N): boolean =>
  hrefOf(dom, node) !== null || /^(input|button|select|textarea|summary)$/.test(dom.tag(node))

/** Whether it is a link or a button. */
export const isCommand = <N>(dom: Dom<N>, node: N): boolean =>
  (isActivated(dom, node) && !isField(dom, node)) || /^(button|link|menuitem)$/.test(roleOf(dom, node))

const isOperated = <N>({ dom, layout = null }: View<N>, node: N): boolean =>
  isActivated(dom, node) || isFrameTag(dom.tag(node)) || isControl({ dom, layout }, node, dom.tag(node), roleOf(dom, node))

/** The controls at and around an element, from inside out, with the controls that labels pass a click on to. */
export function controlsAround<N>(view: View<N>, node: N): readonly N[] {
  const { dom } = view
  const controls = new Set<N>()
  let each: N | null = node
  for (let depth = 0; each && depth < maxDepth && controls.size < maxControls; depth++, each = dom.parent(each)) {
    if (isOperated(view, each)) controls.add(each)
    const labelled: N | null = dom.tag(each) === 'label' ? labelledBy(dom, each) : null
    if (labelled) controls.add(labelled)
  }
  return [...controls]
}

function labelledBy<N>(dom: Dom<N>, label: N): N | null {
  const id = dom.attr(label, 'for')
  return id !== null ? dom.byId(label, id) : findBelow(dom, label, each => /^(input|button|select|textarea)$/.test(dom.tag(each)))
}

/** The controls in an element, and whether these are all. */
export function controlsBelow<N>(view: View<N>, root: N): { readonly controls: readonly N[]; readonly isComplete: boolean } {
  const controls: N[] = []
  const isComplete = visitBelow(view.dom, root, each => {
    if (each !== root && isOperated(view, each)) controls.push(each)
    return controls.length > maxControls
  })
  return { controls, isComplete }
}

export function findBelow<N>(dom: Dom<N>, root: N, matches: (node: N) => boolean): N | null {
  let found: N | null = null
  visitBelow(dom, root, each => {
    if (matches(each)) found = each
    return found !== null
  })
  return found
}

/** Visits an element and those in it, in document order, until `visit` returns true; false if it ended before the last one. */
function visitBelow<N>(dom: Dom<N>, root: N, visit: (node: N) => boolean): boolean {
  const stack: N[] = [root]
  for (let visits = 0; stack.length > 0; visits++) {
    const each = stack.pop() as N
    if (dom.tag(each) === '') continue
    if (visits === maxVisits || visit(each)) return false
    const children = dom.children(each)
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as N)
  }
  return true
}

/** The controls that a press on an element may operate, the innermost first. */
export interface Reach<N> {
  /** those in the element */
  readonly inside: readonly N[]
  /** the element itself, and those around it */
  readonly around: readonly N[]
  /** whether the point that will be pressed is known */
  readonly isHit: boolean
  /** false if it has more of them than were read */
  readonly isComplete: boolean
}

/** `hit`: the element at the point that will be pressed; if it is not known, the press may reach all controls in the element. */
export function reachOf<N>(view: View<N>, node: N, hit: N | null): Reach<N> {
  const around = controlsAround(view, node)
  const below = hit === null ? controlsBelow(view, node) : { controls: controlsAround(view, hit), isComplete: true }
  return { inside: below.controls.filter(each => !around.includes(each)), around, isHit: hit !== null, isComplete: below.isComplete }
}
