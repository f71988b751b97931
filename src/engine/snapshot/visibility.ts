import type { Scene } from '../dom.ts'
import { nameOf } from '../names.ts'
import type { Options } from '../options.ts'
import { roleOf } from '../roles.ts'
import { cut } from '../text.ts'
import type { Candidate } from './collect.ts'

/** What lies over a thing that was found ('' when nothing does); null when nobody can see it. A hidden one that was asked for learns why it is. */
export function sight<N>({ dom, layout }: Scene<N>, found: Candidate<N>, { includeHidden, opacityHidden }: Options): string | null {
  const { box, drawn, kind, role } = found
  if (!layout || !box || found.hidden || kind === 'frame') return ''
  let hidden = dom.hidden(drawn) ? 'not drawn' : layout.unseen(drawn, box)
  if (!hidden && (kind === 'text' || role === 'heading')) hidden = layout.unreadable(drawn)
  const over = hidden || found.off || found.beside ? null : layout.aim(drawn, box).over
  // a control that is drawn by something else takes the click all the same
  if (!hidden && opacityHidden && layout.transparent(drawn) && (kind !== 'control' || over || !layout.clickable(drawn))) hidden = 'opacity'
  if (hidden) found.hidden = hidden
  return hidden && !includeHidden ? null : over && !hidden ? labelOf(dom, over) : ''
}

/** region Cookies, in a few words: what to dismiss */
export function labelOf<N>(dom: Scene<N>['dom'], over: N): string {
  let role = 'generic'
  let each: N | null = over
  for (let steps = 0; each && steps < 8; steps++, each = dom.parent(each)) {
    role = roleOf(dom, each)
    if (!/^(generic|none|paragraph|document)$/.test(role)) return `${role} ${nameOf(dom, each, { maxChars: 40, maxVisits: 200 })}`.trim()
  }
  return cut(`${dom.tag(over)} ${dom.attr(over, 'id') ?? ''}`.trim(), 40)
}
