import { formatAttributes } from '../attributes.ts'
import { note } from '../dialect.ts'
import { headerFields } from '../header.ts'
import type { RenderNode } from '../passes.ts'
import { quote } from '../quote.ts'
import type { LineContext, PageParts, Writer } from '../writer.ts'

/** `- button "Save" [disabled] [ref=e1]`; children are indented by two spaces. */
export const tree: Writer = {
  nested: true,
  shows: () => true,
  line: ({ node, depth }, context) => {
    const { label, text } = lineParts(node, context)
    const line = `${indent(depth)}- ${label}${node.ref ? ` [ref=${node.ref}]` : ''}${text}`
    return context.hasChildren && text === '' ? `${line}:` : line
  },
  gap: ({ depth }, missing, advice) => `${indent(depth)}${note(missing, advice)}`,
  page: ({ header, lines, notes }: PageParts) => {
    const { address, viewport, state, counts, reasons, complete, tools } = headerFields(header)
    const first = ['[snapshot]', ...address, ...viewport, ...state, ...counts, ...reasons, ...complete, ...tools].join(' ')
    return [first, ...lines, ...notes].join('\n')
  },
}

/** The line of a node without its ref: `button "Save" [disabled]` before it, and `: "text"` or '' after it. */
export function lineParts(
  node: RenderNode,
  { detail, url, place }: Omit<LineContext, 'hasChildren'>,
): { readonly label: string; readonly text: string } {
  const isText = node.role === 'text'
  const name = isText ? node.text : node.name
  const label = [
    node.role,
    ...(name ? [quote(name, detail.text)] : []),
    ...formatAttributes(node, { detail, url }).map(attribute => `[${attribute}]`),
    ...(place ? [`[${place}]`] : []),
  ].join(' ')
  return { label, text: node.text && !isText ? `: ${quote(node.text, detail.text)}` : '' }
}

const indent = (depth: number): string => '  '.repeat(depth - 1)
