import { formatAttributes } from '../attributes.ts'
import { note } from '../dialect.ts'
import { headerFields } from '../header.ts'
import type { RenderNode } from '../passes.ts'
import { quote } from '../quote.ts'
import type { PageParts, Writer } from '../writer.ts'

/** `@e2  [link href="/prices"] "Prices"`: one line per ref, no indentation. */
export const lines: Writer = {
  nested: false,
  gathersText: true,
  // a frame that must not be shown has no ref
  shows: node => node.ref !== undefined || node.fold !== undefined || node.states?.unreachable !== undefined,
  line: ({ node, item }, { detail, url, place }) => {
    const kind = tagOrRole(node)
    const attributes = formatAttributes(withoutTagLevel(node, kind), { detail, url, repeatType: true })
    const around = item ? [`in=${quote(item, detail.attribute)}`] : []
    return `${node.ref ? `@${node.ref}  ` : ''}[${[kind, ...attributes, ...around, ...(place ? [place] : [])].join(' ')}]${nameAndText(node, detail.text)}`
  },
  gap: (_, missing, advice) => note(missing, advice),
  page: ({ header, lines, notes }: PageParts) => {
    const { address, viewport, state, counts, reasons, complete, tools } = headerFields(header)
    const first = ['[snapshot]', ...counts, ...reasons, ...complete, ...address, ...viewport, ...state, ...tools].join(' ')
    return [first, ...lines, ...notes].join('\n')
  },
}

/** ` "name"`, ` "text"` or ` "name": "text"`; '' if the node has neither. */
export function nameAndText({ name, text }: RenderNode, maxChars: number): string {
  if (name && text) return ` ${quote(name, maxChars)}: ${quote(text, maxChars)}`
  return name || text ? ` ${quote(name || text, maxChars)}` : ''
}

/** The tag h1 implies level 1. */
function withoutTagLevel(node: RenderNode, tag: string): RenderNode {
  if (!/^h[1-6]$/.test(tag) || Number(tag[1]) !== node.states?.level) return node
  const { level: _, ...states } = node.states
  return { ...node, states }
}

// C24: the tag, except that a[href] is a link; an explicit role wins
function tagOrRole({ tag, role, attrs }: RenderNode): string {
  if (attrs.role !== undefined) return role
  return tag === 'a' && attrs.href !== undefined ? 'link' : tag
}
