import type { SnapshotFormat } from '../../contract/limits.ts'
import type { ParsedNode, ParsedSnapshot } from '../decode/snapshot.ts'
import { loneLine } from '../diff/entries.ts'
import { flat } from '../text/formats/flat.ts'
import { tree } from '../text/formats/tree.ts'
import { quote } from '../text/quote.ts'
import { items } from '../text/rows.ts'
import { type Find, type Ranked, ranked } from './ranked.ts'
import { relevance } from './relevance.ts'
import { textIn } from './text-in.ts'

interface Candidate {
  readonly node: ParsedNode
  /** what it belongs to: the heading above it, the row or the item around it */
  readonly context: string
}

export interface Observing {
  readonly task?: string | undefined
  readonly offset?: number
  readonly maxChars?: number
  readonly format?: SnapshotFormat
}

/** What can be operated, the best match for the task first; without a task, what is in view first. */
export function observe(snapshot: ParsedSnapshot, { task = '', offset = 0, maxChars = 4_000, format = 'tree' }: Observing): Ranked {
  const candidates = candidatesOf(snapshot.tree)
  const scores = relevance(
    task,
    candidates.map(({ node, context }) => [
      { text: `${node.name} ${node.hint?.text ?? ''}`, weight: 3 },
      { text: `${node.attrs.placeholder ?? ''} ${node.attrs.name ?? ''} ${node.value ?? ''} ${node.text}`, weight: 2 },
      { text: `${node.role} ${kindOf[node.role] ?? ''}`, weight: 1 },
      { text: context, weight: 1 },
    ]),
  )
  const order = candidates.map((_, index) => index)
  const far = (index: number) => Number(candidates[index]?.node.offset !== undefined) + 2 * Number(isOutOfReach(candidates[index]?.node))
  order.sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || far(one) - far(other) || one - other)
  const finds = order.map((index): Find => {
    const { node, context } = candidates[index] as Candidate
    const place = context && !tellsItself(node.name, context) ? ` in ${quote(context, 60)}` : ''
    const line = loneLine({ ...node, children: [] }, snapshot.meta.url, format === 'flat' ? flat : tree)
    return { text: `${line}${place}`, refs: [node.ref ?? ''], score: scores[index] ?? 0 }
  })
  return ranked(snapshot.meta, finds, { word: 'observe', about: task, offset, maxChars, cut: snapshot.stats.truncated })
}

// "More" needs the item around it, "Add Iron teapot to cart" does not
const tellsItself = (name: string, context: string): boolean => name.includes(context) || (name.length > 20 && context.includes(name))
const isOutOfReach = (node: ParsedNode | undefined): boolean => node?.states?.covered !== undefined || node?.states?.inert === true

/** what people call these when they do not say the role */
const kindOf: { readonly [role: string]: string } = {
  textbox: 'field input fill type enter write',
  searchbox: 'field input search find fill type enter',
  combobox: 'select choose pick dropdown option',
  listbox: 'select choose pick option',
  checkbox: 'check tick box',
  radio: 'choose option',
  switch: 'toggle turn',
  button: 'click press',
  link: 'open go click',
  slider: 'set range',
}

function candidatesOf(root: ParsedNode): readonly Candidate[] {
  const found: Candidate[] = []
  let heading = ''
  const visit = (node: ParsedNode, holder: string): void => {
    if (node.role === 'heading') heading = node.name || textIn(node, 120)
    if (node.interactive && node.ref) found.push({ node, context: holder || heading })
    const inner = holders.has(node.role) ? node.name || holder : items.has(node.role) ? node.name || textIn(node, 120) : holder
    for (const child of node.children) visit(child, inner)
  }
  visit(root, '')
  return found
}

const holders = new Set(['dialog', 'alertdialog', 'form', 'group', 'region', 'tabpanel', 'radiogroup', 'toolbar', 'menu'])
