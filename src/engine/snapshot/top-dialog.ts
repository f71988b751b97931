import { roleOf } from '../accessibility/roles.ts'
import type { Scene } from '../dom.ts'
import { type Candidate, isInside } from './candidate.ts'

export interface TopDialog<N> {
  readonly candidate: Candidate<N>
  readonly inside: ReadonlySet<Candidate<N>>
  /** candidates that cannot be reached while the dialog is open */
  readonly behind: ReadonlySet<Candidate<N>>
}

/** number of controls outside a dialog that are hit-tested to find out whether it blocks the page */
const maxHitTests = 10

/** The topmost dialog in view, the candidates inside it and those it blocks; null if no dialog is open in view. */
export function topDialog<N>(scene: Scene<N>, dialogs: readonly Candidate<N>[], candidates: readonly Candidate<N>[]): TopDialog<N> | null {
  const top = findTopmost(scene, dialogs)
  if (!top) return null
  const inside = new Set<Candidate<N>>([top])
  for (const each of candidates) if (each.parent && inside.has(each.parent)) inside.add(each)
  const outside = candidates.filter(each => !inside.has(each) && !isInside(top, each))
  // a menu or a message may be on top of the dialog
  const isBlocked = ({ box, offscreenPixels, isBeside, visibleNode }: Candidate<N>) =>
    !box || offscreenPixels || isBeside || scene.layout?.aim(visibleNode, box).over
  const modal = scene.dom.is(top.node, 'modal')
  const isBlocking = modal || blocks(scene, top, outside)
  if (isBlocking) for (const each of candidates) if (isVeil(scene, each) && !each.texts.length) each.isBackdrop = true
  const behind = modal ? outside : isBlocking ? outside.filter(isBlocked) : []
  return { candidate: top, inside, behind: new Set(behind) }
}

function findTopmost<N>({ dom, layout }: Scene<N>, dialogs: readonly Candidate<N>[]): Candidate<N> | null {
  for (let i = dialogs.length - 1; i >= 0; i--) {
    const dialog = dialogs[i] as Candidate<N>
    if (dialog.hiddenReason || (dialog.tag === 'dialog' && !dom.is(dialog.node, 'open'))) continue
    if (!layout) return dialog
    const { box, node } = dialog
    if (
      box &&
      dialog.offscreenPixels === 0 &&
      !dialog.isBeside &&
      !layout.transparent(node) &&
      !layout.unseen(node, box) &&
      !layout.aim(node, box).over
    )
      return dialog
  }
  return null
}

const hasDialogRole = <N>(dom: Scene<N>['dom'], node: N) => /dialog$/.test(roleOf(dom, node))

const minCover = 0.9

/** Whether a control without a role is as large as the viewport: what is behind a dialog, and closes it if it is clicked. */
const isVeil = <N>({ layout }: Scene<N>, { kind, role, box }: Candidate<N>): boolean =>
  kind === 'control' &&
  role === 'generic' &&
  !!box &&
  !!layout &&
  box.width >= layout.width * minCover &&
  box.height >= layout.height * minCover

// pages set aria-modal wrongly in both directions, so hit tests decide
function blocks<N>(scene: Scene<N>, { node }: Candidate<N>, outside: readonly Candidate<N>[]): boolean {
  const { dom, layout } = scene
  // a panel without a role is a dialog because it covers the page
  if (!layout || (dom.attr(node, 'aria-modal') !== 'true' && hasDialogRole(dom, node))) return false
  let tested = 0
  let covered = 0
  for (const each of outside) {
    const { kind, box, offscreenPixels, isBeside, node: other } = each
    if (kind !== 'control' || !box || offscreenPixels !== 0 || isBeside || isVeil(scene, each)) continue
    if (layout.aim(other, box).over) covered++
    if (++tested === maxHitTests) break
  }
  return tested > 0 && covered >= tested * 0.8
}
