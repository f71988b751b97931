import type { Scene } from '../dom.ts'
import { type Candidate, isInside } from './candidate.ts'

/** Marks parts that scroll much further than what they contain: a list that draws only the rows in view, and adds others when it is scrolled. */
export function markVirtualScrollers<N>({ layout }: Scene<N>, candidates: readonly Candidate<N>[]): void {
  if (!layout) return
  candidates.forEach((scroller, i) => {
    if (!scroller.scrolls || !scroller.hasControls || !scroller.box) return
    let end = scroller.box.y
    for (let k = i + 1; k < candidates.length && isInside(candidates[k] as Candidate<N>, scroller); k++) {
      const { box } = candidates[k] as Candidate<N>
      if (box) end = Math.max(end, box.y + box.height)
    }
    scroller.isVirtual = layout.contentEnd(scroller.node) - end > scroller.box.height
  })
}
