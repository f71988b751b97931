import type { Scene } from '../dom.ts'
import { type Candidate, offscreenDistance } from './candidate.ts'
import { isLarge } from './placement.ts'

/** Marks the containers of draggable elements, and their siblings of the same kind: another column, which may be empty. */
export function markDropTargets<N>({ dom, layout }: Scene<N>, candidates: readonly Candidate<N>[]): void {
  const kindOf = ({ tag, role }: Candidate<N>) => `${tag} ${role}`
  const kinds = new Map<Candidate<N> | null, Set<string>>()
  for (const { kind, node, parent } of candidates) {
    if (kind !== 'control' || dom.attr(node, 'draggable') !== 'true') continue
    let container = parent
    while (container && /^(row|listitem|article)$/.test(container.role)) container = container.parent
    if (container?.kind !== 'structure') continue
    const known = kinds.get(container.parent) ?? new Set()
    kinds.set(container.parent, known.add(kindOf(container)))
  }
  if (kinds.size > 0)
    for (const each of candidates) {
      if (each.kind !== 'structure' || !kinds.get(each.parent)?.has(kindOf(each)) || dom.hidden(each.node)) continue
      const box = layout?.box(each.node) ?? null
      if (layout && !isLarge(box)) continue
      each.isDropTarget = true
      if (layout && box) each.offscreenPixels = offscreenDistance(box, layout)
    }
}
