import type { Candidate } from './candidate.ts'
import type { TableCell } from './column-hint.ts'

/** What the description of a control needs to know about the rest of the page. */
export interface Surroundings<N> {
  /** whether a node is a control of the snapshot */
  isControl(node: N): boolean
  /** the cells above the columns of each table that was asked for */
  readonly headers: Map<N, readonly TableCell<N>[]>
  /** whether people can read a text, for the texts that several controls asked for */
  readonly readable: Map<N, boolean>
}

/** The set of controls is made for the first control without a name. */
export function surroundingsOf<N>(candidates: readonly Candidate<N>[]): Surroundings<N> {
  let controls: ReadonlySet<N> | undefined
  return {
    isControl: node => {
      controls ??= new Set(candidates.filter(({ kind }) => kind === 'control').map(each => each.node))
      return controls.has(node)
    },
    headers: new Map(),
    readable: new Map(),
  }
}
