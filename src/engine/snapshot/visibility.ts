import { nameOf } from '../accessibility/names.ts'
import { roleOf } from '../accessibility/roles.ts'
import type { Box, Dom, Layout, Scene } from '../dom.ts'
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
  const { visibleNode: drawn, kind } = candidate
  if (!layout || !candidate.box || candidate.hiddenReason || kind === 'frame') return ''
  const { measured, box } = measuredPart(layout, candidate, candidate.box)
  let hidden = dom.hidden(drawn) ? 'not drawn' : layout.unseen(measured, box)
  if (!hidden) hidden = whyUnreadable(dom, layout, candidate)
  // a box inside the viewport may still be below the fold of its scroll container, or under a fixed bar
  const isOut = () => {
    const away = hidden ? undefined : layout.scrolledAway(measured)
    if (away !== undefined && !candidate.offscreenPixels) {
      candidate.offscreenPixels = away
      candidate.isBeside = candidate.isBeside || !away
    }
    return hidden || candidate.offscreenPixels || candidate.isBeside
  }
  // a click goes to whatever is on top; what is only looked at is seen through what is transparent
  const over = isOnlySeen(candidate) && !hidden ? layout.cover(measured, box) : isOut() ? null : layout.aim(drawn, box).over
  isOut()
  // a transparent control on top of its drawing still takes the click
  if (!hidden && opacityHidden && layout.transparent(drawn) && (kind !== 'control' || over || !layout.clickable(drawn))) hidden = 'opacity'
  if (hidden) candidate.hiddenReason = hidden
  return hidden && !includeHidden ? null : over && !hidden ? describeElement(dom, over) : ''
}

/** Whether a candidate can be read or looked at, but not used: if something opaque covers it, it says nothing to people. */
export const isOnlySeen = <N>({ kind, role }: Candidate<N>): boolean =>
  kind === 'text' || (kind === 'content' && /^(heading|img)$/.test(role))

/** The node that decides whether a candidate is seen: a text, or a heading, which may be wider than its text, is where its first node is. */
function measuredPart<N>(layout: Layout<N>, { kind, role, texts, visibleNode }: Candidate<N>, box: Box): { measured: N; box: Box } {
  const text = kind === 'text' || (kind === 'content' && role === 'heading') ? (texts[0] as N | undefined) : undefined
  if (text === undefined) return { measured: visibleNode, box }
  return { measured: text, box: (kind === 'text' ? box : layout.box(text)) ?? box }
}

/** Why no part of a text or heading can be read. */
function whyUnreadable<N>(dom: Dom<N>, layout: Layout<N>, { kind, role, texts, visibleNode }: Candidate<N>): string {
  if (kind === 'text') return layout.unreadable(visibleNode)
  let why = ''
  for (const text of role === 'heading' ? texts : []) {
    const parent = typeof text === 'string' ? null : dom.parent(text)
    if (!parent) continue
    why = layout.unreadable(parent)
    if (!why) break
  }
  return why
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
