import { marks } from '../attributes.ts'
import { headerFields } from '../header.ts'
import type { View } from '../passes.ts'
import type { Parts, Writer } from '../writer.ts'
import { labelled } from './lines.ts'

/** `[15] button "Submit"`, and the texts between: the least that is needed to act on what is on the screen. */
export const flat: Writer = {
  nested: false,
  shows: ({ ref, fold, name, text }) => Boolean(ref || fold || name || text),
  line: ({ view }, { detail, page, place }) => {
    const told = marks(view, { ...detail, href: 0, namedHref: 0, boxes: false }, page).map(mark => `[${mark}]`)
    return [`${number(view)}${wordOf(view)}${labelled(view, detail.text)}`, ...told, ...(place ? [`[${place}]`] : [])].join(' ')
  },
  // who reads this format looks at one screen after the other
  gap: (_, says) => `… ${says}: scroll`,
  page: ({ facts, lines, notes }: Parts) => {
    const { address, view, state, counts, places, reasons, complete } = headerFields(facts)
    const header = ['[snapshot]', ...address, ...view, ...state, ...counts, ...places, ...reasons, ...complete].join(' ')
    return [header, ...lines, ...notes].join('\n')
  },
}

// e15 is [15]; a ref inside a frame keeps its whole spelling
const number = ({ ref }: View): string => (ref ? `[${ref.startsWith('e') ? ref.slice(1) : ref}] ` : '')
const wordOf = ({ ref, role, name }: View): string => (ref || name ? role : 'text')
