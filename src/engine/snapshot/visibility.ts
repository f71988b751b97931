import { nameOf } from '../accessibility/names.ts'
import { roleOf } from '../accessibility/roles.ts'
import type { Scene } from '../dom.ts'
import type { EngineOptions } from '../options.ts'
import { cut } from '../text.ts'
import type { Candidate } from './candidate.ts'

/**
 * Describes the element on top of a candidate: '' if there is none, null if the candidate is invisible and hidden elements are not
 * wanted. Records in the candidate why it is hidden.
 */
export function checkVisibility<N>(
  { dom, layout }: Scene<N>,
  candidate: Candidate<N>,
  { includeHidden, opacityHidden }: EngineOptions,
): string | null {
  const { box, visibleNode: drawn, kind, role } = candidate
  if (!layout || !box || candidate.hiddenReason || kind === 'frame') return ''
  // the box of a text is that of its first node
  const measured = kind === 'text' ? (candidate.texts[0] as N) : drawn
  let hidden = dom.hidden(drawn) ? 'not drawn' : layout.unseen(measured, box)
  if (!hidden && (kind === 'text' || role === 'heading')) hidden = layout.unreadable(drawn)
  // a box inside the viewport may still be below the fold of its scroll container, or under a fixed bar
  const isOut = () => {
    const away = hidden ? undefined : layout.scrolledAway(measured)
    if (away !== undefined && !candidate.offscreenPixels) {
      candidate.offscreenPixels = away
      candidate.isBeside = candidate.isBeside || !away
    }
    return hidden || candidate.offscreenPixels || candidate.isBeside
  }
  // a click goes to whatever is on top; a text is read through what is transparent
  const over = isOut() ? null : kind === 'text' ? layout.cover(measured, box) : layout.aim(drawn, box).over
  isOut()
  // a transparent control on top of its drawing still takes the click
  if (!hidden && opacityHidden && layout.transparent(drawn) && (kind !== 'control' || over || !layout.clickable(drawn))) hidden = 'opacity'
  if (hidden) candidate.hiddenReason = hidden
  return hidden && !includeHidden ? null : over && !hidden ? describeElement(dom, over) : ''
}

/** Role and name of the nearest meaningful ancestor, such as "region Cookies", so that a model knows what to dismiss. */
export function describeElement<N>(dom: Scene<N>['dom'], over: N): string {
  let role = 'generic'
  let each: N | null = over
  for (let steps = 0; each && steps < 8; steps++, each = dom.parent(each)) {
    role = roleOf(dom, each)
    if (!/^(generic|none|paragraph|document)$/.test(role)) return `${role} ${nameOf(dom, each, { maxChars: 40, maxVisits: 200 })}`.trim()
  }
  return cut(`${dom.tag(over)} ${dom.attr(over, 'id') ?? ''}`.trim(), 40)
}
