import { marks } from '../attributes.ts'
import { headerFields } from '../header.ts'
import type { View } from '../passes.ts'
import { quote } from '../quote.ts'
import type { Parts, Writer } from '../writer.ts'

/** `@e2  [link href="/prices"] "Prices"`: one line per ref, no indentation. */
export const lines: Writer = {
  nested: false,
  gathers: true,
  shows: view => view.ref !== undefined || view.fold !== undefined,
  line: ({ view }, { detail, page, place }) => {
    const word = wordOf(view)
    const inside = [word, ...marks(levelled(view, word), detail, page, { repeatType: true }), ...(place ? [place] : [])].join(' ')
    return `@${view.ref}  [${inside}]${labelled(view, detail.text)}`
  },
  gap: (_, says, where) => `… ${says}${where && `: ${where}`}`,
  page: ({ facts, lines, notes }: Parts) => {
    const { address, view, state, counts, reasons, complete } = headerFields(facts)
    const header = ['[snapshot]', ...counts, ...reasons, ...complete, ...address, ...view, ...state].join(' ')
    return [header, ...lines, ...notes].join('\n')
  },
}

/** ` "name"`, or the text where there is no name, or both */
export function labelled({ name, text }: View, most: number): string {
  const said = name && text ? `${quote(name, most)}: ${quote(text, most)}` : name || text ? quote(name || text, most) : ''
  return said && ` ${said}`
}

// h1 says its level already
function levelled(view: View, word: string): View {
  if (!/^h[1-6]$/.test(word) || Number(word[1]) !== view.states?.level) return view
  const { level: _, ...states } = view.states
  return { ...view, states }
}

// C24: the tag, except that a[href] is a link; an explicit role wins
function wordOf({ tag, role, attrs }: View): string {
  if (attrs.role !== undefined) return role
  return tag === 'a' && attrs.href !== undefined ? 'link' : tag
}
