import { marks } from '../attributes.ts'
import { headerFields } from '../header.ts'
import { quote } from '../quote.ts'
import type { Parts, Writer } from '../writer.ts'

/** `- button "Save" [disabled] [ref=e1]`, two spaces deeper for what it holds. */
export const tree: Writer = {
  nested: true,
  shows: () => true,
  line: ({ view, depth }, { detail, page, holds, place }) => {
    const isText = view.role === 'text'
    const label = isText ? view.text : view.name
    const said = [
      `${indent(depth)}- ${view.role}`,
      ...(label ? [quote(label, detail.text)] : []),
      ...marks(view, detail, page).map(mark => `[${mark}]`),
      ...(place ? [`[${place}]`] : []),
      ...(view.ref ? [`[ref=${view.ref}]`] : []),
    ].join(' ')
    if (view.text && !isText) return `${said}: ${quote(view.text, detail.text)}`
    return holds ? `${said}:` : said
  },
  gap: ({ depth }, says, where) => `${indent(depth)}… ${says}${where && `: ${where}`}`,
  page: ({ facts, lines, notes }: Parts) => {
    const { address, view, state, counts, reasons, complete } = headerFields(facts)
    const header = ['[snapshot]', ...address, ...view, ...state, ...counts, ...reasons, ...complete].join(' ')
    return [header, ...lines, ...notes].join('\n')
  },
}

const indent = (depth: number): string => '  '.repeat(depth - 1)
