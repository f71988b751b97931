import type { ParsedSnapshot } from '../decode/snapshot.ts'
import { textIn } from '../rank/text-in.ts'
import { stateMarks } from '../text/attributes.ts'
import type { Detail } from '../text/detail.ts'
import { tree } from '../text/formats/tree.ts'
import { compact, distil, type View } from '../text/passes.ts'
import { quote } from '../text/quote.ts'
import { flatten, hasContent, items, type Row } from '../text/rows.ts'
import type { Writer } from '../text/writer.ts'

/** A node as a difference speaks of it. */
export interface Told {
  /** the same key on both sides means the same thing: an element by ref and tag, a text by what it says */
  readonly key: string
  readonly ref: string | undefined
  readonly view: View
  readonly line: string
  /** ` in "report.pdf"`: the row or item around it, where another one of its name is on the page; else '' */
  readonly place: string
}

const brief: Detail = { text: 80, attribute: 60, href: 60, namedHref: 0, boxes: false, more: true }

/** All that a snapshot says, one entry per line. */
export function told({ tree: root, meta }: ParsedSnapshot): readonly Told[] {
  const nodes = distil(root, compact({ maxTextPerNode: 200, fold: false }))
  const { rows } = flatten(nodes, { maxDepth: 256, dialog: undefined })
  const namesakes = new Map<string, number>()
  for (const { view } of rows) if (view.interactive) namesakes.set(nameOf(view), (namesakes.get(nameOf(view)) ?? 0) + 1)
  return rows.flatMap(({ view, parent }) => {
    if (!hasContent(view)) return []
    const isOneOfMany = view.interactive && (namesakes.get(nameOf(view)) ?? 0) > 1
    return tell(view, { url: meta.url, place: isOneOfMany ? placeOf(rows, parent) : '' })
  })
}

const nameOf = ({ role, name }: View): string => `${role} ${name}`

/** the words of the row or item around it: four buttons "Delete" are four different things */
function placeOf(rows: readonly Row[], parent: number): string {
  let at = rows[parent]
  while (at && !items.has(at.view.role)) at = rows[at.parent]
  const words = at && (at.view.name || textIn(at.view, 60, each => each === at.view || !each.interactive))
  return words ? ` in ${quote(words, 60)}` : ''
}

function tell(view: View, { url, place }: { url: string; place: string }): Told {
  const { offset: _off, new: _new, box: _box, ...still } = view
  // the first words of a page stand on the line of its root while they are in view
  const line = lineOf(view.role === 'document' ? { ...still, role: 'text' } : still, url)
  // an element never changes its tag, so the same ref on another tag is another element
  return { key: view.ref ? `${view.ref} ${view.tag}` : line, ref: view.ref, view, line, place }
}

/** `textbox "Email" [ref=e4] value: "" → "a@b.c"`, or '' where nothing changed. */
export function changeOf(was: View, is: View, place = ''): string {
  const turned = (word: string, old = '', now = '') => (old === now ? [] : [`${word}: ${quote(old, 80)} → ${quote(now, 80)}`])
  const changes = [
    ...(was.role === is.role ? [] : [`role: ${was.role} → ${is.role}`]),
    ...turned('name', was.name, is.name),
    ...turned('value', was.value, is.value),
    ...turned('text', was.text, is.text),
    ...stateChanges(was, is),
  ]
  if (changes.length === 0) return ''
  const { states: _states, value: _value, hint: _hint, ...bare } = is
  return `${lineOf({ ...bare, text: '', attrs: {} }, '')}${place} ${changes.join(', ')}`
}

function stateChanges(was: View, is: View): string[] {
  const [old, now] = [marksOf(was), marksOf(is)]
  const gone = old.filter(mark => !now.includes(mark))
  const come = now.filter(mark => !old.includes(mark))
  if (gone.length === 0 && come.length === 0) return []
  if (gone.length === 0) return [`now ${come.join(' ')}`]
  return [come.length === 0 ? `no longer ${gone.join(' ')}` : `${gone.join(' ')} → ${come.join(' ')}`]
}

const marksOf = (view: View): string[] => stateMarks(view, brief).map(mark => `[${mark}]`)
const lineOf = (view: View, url: string): string => loneLine(view, url).slice('- '.length)

/** A node on a line of its own, whatever stands around it. */
export const loneLine = (view: View, url: string, writer: Writer = tree): string =>
  writer.line({ view, depth: 1, parent: -1, rank: 1 }, { detail: brief, page: { url }, holds: false, place: '' })
