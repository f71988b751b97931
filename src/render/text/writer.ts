import type { Page } from './attributes.ts'
import type { Detail } from './detail.ts'
import type { Facts } from './facts.ts'
import type { View } from './passes.ts'
import type { Row } from './rows.ts'

/** A format: one node is one line, in whatever way it is spelled. */
export interface Writer {
  /** whether the rows above a row must be there for it to make sense */
  readonly nested: boolean
  /** whether all words of an element stand on its own line, because those between its children have none of their own */
  readonly gathers?: true
  /** whether this format has a line for such a node at all */
  shows(view: View): boolean
  line(row: Row, telling: Telling): string
  /** a line that stands for rows that are not there; `where` names the call that shows them */
  gap(row: Row, says: string, where: string): string
  /** the whole answer */
  page(parts: Parts): string
}

export interface Telling {
  readonly page: Page
  readonly detail: Detail
  /** children follow on deeper lines */
  readonly holds: boolean
  /** where the line stands, said only when that changes: `below=640px` */
  readonly place: string
}

export interface Parts {
  readonly facts: Facts
  readonly lines: readonly string[]
  readonly notes: readonly string[]
}
