import type { Scene } from '../dom.ts'
import type { Candidate } from './candidate.ts'
import type { Surroundings } from './surroundings.ts'

/** The texts of one line while they are collected. */
export interface LineTexts {
  readonly max: number
  /** a text that is drawn in lines, such as code, keeps them, because their indentation has a meaning */
  readonly keepsLines: boolean
  covered: boolean
}

/** Whether people can read a text on the line of a candidate. */
export function isReadable<N>(
  { dom, layout }: Scene<N>,
  text: N,
  { kind, hiddenReason }: Pick<Candidate<N>, 'kind' | 'hiddenReason'>,
  line: LineTexts,
): boolean {
  const parent = dom.parent(text)
  if (hiddenReason || !parent) return true
  if (dom.hidden(text) || layout?.unreadable(parent)) return false
  // the line of a text is checked as a whole, and what a control says is part of it
  if (!layout || kind !== 'structure') return true
  const box = layout.box(text)
  if (!box) return true
  if (layout.unseen(text, box) || layout.transparent(parent)) return false
  const isCovered = !!layout.cover(text, box)
  line.covered = line.covered || isCovered
  return !isCovered
}

/** Whether people can read a text that is not part of a candidate, but may become its hint. */
export function isReadableBeside<N>(scene: Scene<N>, text: N, { hiddenReason }: Candidate<N>, { readable }: Surroundings<N>): boolean {
  const isKnown = readable.get(text)
  if (isKnown !== undefined) return isKnown
  const value = isReadable(scene, text, { kind: 'structure', hiddenReason }, { max: 0, keepsLines: false, covered: false })
  readable.set(text, value)
  return value
}
