import type { MainContent } from './main-content.ts'
import { type MarkdownContext, MarkdownWriter } from './markdown-writer.ts'

export interface MarkdownResult {
  readonly text: string
  /** The `href` of each link that has a ref, by ref. */
  readonly links: { readonly [ref: string]: string }
  /** Whether the text was cut at the maximum length. */
  readonly capped: boolean
}

/** Writes the content below a root as Markdown or plain text. Text of the page is escaped, so that it cannot add structure. */
export function writeMarkdown({ root, ...context }: MarkdownContext & MainContent): MarkdownResult {
  const writer = new MarkdownWriter(context)
  writer.write(root, 0)
  writer.flush()
  return { text: writer.lines.text(), links: Object.fromEntries(writer.links), capped: writer.lines.full() }
}
