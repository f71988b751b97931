import type { Detail } from './detail.ts'
import type { HeaderData } from './header.ts'
import type { RenderNode } from './passes.ts'
import type { Row } from './rows.ts'

/** A text format: one node is one line. */
export interface Writer {
  /** the rows around a row must be printed for it to make sense */
  readonly nested: boolean
  /** in a format that is not nested: the content of an item is indented below its line */
  readonly marksItems?: true
  /** all text of an element is written on its own line, because text between its children has no line in this format */
  readonly gathersText?: true
  /** whether this format has a line for such a node */
  shows(node: RenderNode): boolean
  line(row: Row, context: LineContext): string
  /** a line in place of omitted rows; `advice` is the call that shows them, or '' */
  gap(row: Row, missing: string, advice: string): string
  /** the whole answer */
  page(parts: PageParts): string
}

export interface LineContext {
  /** of the page: links to the same origin are written as paths */
  readonly url: string
  readonly detail: Detail
  /** children follow on deeper lines */
  readonly hasChildren: boolean
  /** the position relative to the viewport, given only where it changes: `below=640px` */
  readonly place: string
}

export interface PageParts {
  readonly header: HeaderData
  readonly lines: readonly string[]
  readonly notes: readonly string[]
}
