import type { Scene } from '../dom.ts'
import type { Candidate } from './collect.ts'

export interface TopDialog<N> {
  readonly found: Candidate<N>
  readonly inside: ReadonlySet<Candidate<N>>
  /** what cannot be reached while the dialog is open */
  readonly behind: ReadonlySet<Candidate<N>>
}

/** how many controls outside a dialog are tried before it is believed to block them */
const sample = 10

/** The dialog that lies on top, with what is in it and what it blocks; null where none is open in view. */
export function topDialog<N>(scene: Scene<N>, dialogs: readonly Candidate<N>[], found: readonly Candidate<N>[]): TopDialog<N> | null {
  const top = pick(scene, dialogs)
  if (!top) return null
  const inside = new Set<Candidate<N>>([top])
  for (const each of found) if (each.parent && inside.has(each.parent)) inside.add(each)
  const outside = found.filter(each => !inside.has(each) && !isAround(top, each))
  // a menu or a message may lie on top of the dialog
  const isBlocked = ({ box, off, beside, drawn }: Candidate<N>) => !box || off || beside || scene.layout?.aim(drawn, box).over
  const modal = scene.dom.is(top.node, 'modal')
  const behind = modal ? outside : blocks(scene, top, outside) ? outside.filter(isBlocked) : []
  return { found: top, inside, behind: new Set(behind) }
}

function pick<N>({ dom, layout }: Scene<N>, dialogs: readonly Candidate<N>[]): Candidate<N> | null {
  for (let i = dialogs.length - 1; i >= 0; i--) {
    const dialog = dialogs[i] as Candidate<N>
    if (dialog.hidden || (dialog.tag === 'dialog' && !dom.is(dialog.node, 'open'))) continue
    if (!layout) return dialog
    const { box, node } = dialog
    if (box && dialog.off === 0 && !dialog.beside && !layout.transparent(node) && !layout.unseen(node, box) && !layout.aim(node, box).over)
      return dialog
  }
  return null
}

const isAround = <N>(inner: Candidate<N>, each: Candidate<N>) => {
  for (let up = inner.parent; up; up = up.parent) if (up === each) return true
  return false
}

// aria-modal is a promise that pages break in both directions, so what a click would hit decides
function blocks<N>({ dom, layout }: Scene<N>, { node }: Candidate<N>, outside: readonly Candidate<N>[]): boolean {
  if (dom.attr(node, 'aria-modal') !== 'true' || !layout) return false
  let tried = 0
  let covered = 0
  for (const { kind, box, off, beside, node: other } of outside) {
    if (kind !== 'control' || !box || off !== 0 || beside) continue
    if (layout.aim(other, box).over) covered++
    if (++tried === sample) break
  }
  return tried > 0 && covered >= tried * 0.8
}
