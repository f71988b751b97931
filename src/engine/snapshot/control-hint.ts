import type { SnapshotNode } from '../../contract/snapshot.ts'
import { iconHint, innerIconHint } from '../accessibility/hints.ts'
import type { Scene } from '../dom.ts'
import type { Candidate } from './candidate.ts'
import { columnHint } from './column-hint.ts'
import { rowHint } from './row-hint.ts'
import type { Surroundings } from './surroundings.ts'

interface HintInput<N> {
  readonly around: Surroundings<N>
  /** its name or text is a number */
  readonly isNumber: boolean
  readonly hasValue: boolean
  /** of a field that is made of plain elements */
  readonly drawnRole: string | undefined
}

const fieldRoles = /^(textbox|searchbox|combobox|listbox|spinbutton|slider|checkbox|radio|switch)$/

/** What a control without a name is for: its column says it of a field, an icon of everything else. */
export function controlHint<N>(scene: Scene<N>, candidate: Candidate<N>, input: HintInput<N>): SnapshotNode['hint'] {
  const { dom } = scene
  const { node, role } = candidate
  const { around, isNumber, hasValue, drawnRole } = input
  if (candidate.isBackdrop) return { text: 'backdrop', from: 'position' }
  if (isNumber) return innerIconHint(dom, node)
  const isField = !!drawnRole || fieldRoles.test(role)
  const column = () => columnHint(scene, candidate, around)
  const ofField = isField ? column() : undefined
  if (ofField || hasValue) return ofField
  return (drawnRole ? undefined : iconHint(dom, node)) ?? (isField ? undefined : column()) ?? rowHint(scene, candidate, around)
}
