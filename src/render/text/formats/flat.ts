import { formatAttributes } from '../attributes.ts'
import { note, numberedRefs } from '../dialect.ts'
import { headerFields } from '../header.ts'
import type { RenderNode } from '../passes.ts'
import { isItem } from '../rows.ts'
import type { PageParts, Writer } from '../writer.ts'
import { nameAndText } from './lines.ts'

/** `[15] button "Submit"` and the texts in between: the minimum that is needed to act on one screen. */
export const flat: Writer = {
  nested: false,
  marksItems: true,
  shows: node => Boolean(node.ref || node.fold || node.name || node.text || node.states?.unreachable || isItem(node)),
  line: ({ node, itemDepth }, { detail, url, place }) => {
    const attributes = formatAttributes(node, { detail: { ...detail, href: 0, namedHref: 0, boxes: false }, url })
    const label = `${roleOrText(node)}${nameAndText(node, detail.text)}`
    const line = [
      node.ref ? numberedRefs.element(label, node.ref) : label,
      ...attributes.map(attribute => `[${attribute}]`),
      ...(place ? [`[${place}]`] : []),
    ].join(' ')
    return `${'  '.repeat(itemDepth)}${line}`
  },
  // readers of this format go through the page screen by screen
  gap: (_, missing) => note(missing, 'scroll'),
  page: ({ header, lines, notes }: PageParts) => {
    const { address, viewport, state, counts, places, reasons, complete, tools } = headerFields(header)
    const first = ['[snapshot]', ...address, ...viewport, ...state, ...counts, ...places, ...reasons, ...complete, ...tools].join(' ')
    return [first, ...lines, ...notes].join('\n')
  },
}

const roleOrText = ({ ref, role, name, text, states }: RenderNode): string => (ref || name || !text || states?.unreachable ? role : 'text')
