import type { SnapshotFormat } from '../../contract/limits.ts'
import { itemRoles } from '../../contract/roles.ts'
import type { ParsedNode, ParsedSnapshot } from '../decode/snapshot.ts'
import { commandDialect, type Dialect } from '../text/dialect.ts'
import { flat } from '../text/formats/flat.ts'
import { tree } from '../text/formats/tree.ts'
import { quote } from '../text/quote.ts'
import { standaloneLine } from '../text/standalone-line.ts'
import { hasControlRole, holdsControls } from './controls.ts'
import { CurrentHeading } from './current-heading.ts'
import { formatRanked, fromAttribute, type RankedItem, type RankedResult } from './ranked.ts'
import { scoreRelevance } from './relevance.ts'
import { textIn } from './text-in.ts'

interface Candidate {
  readonly node: ParsedNode
  /** the container with a name, the row or the item around it, or the heading above it */
  readonly context: string
  /** the host of the frame that it is in, if that is not the host of the page */
  readonly from: string | undefined
  /** the form that it is in */
  readonly form: ParsedNode | undefined
}

export interface ObserveOptions {
  readonly task?: string | undefined
  readonly offset?: number
  readonly maxChars?: number
  readonly format?: SnapshotFormat
  readonly dialect?: Dialect
  /** parts of the page that the snapshot does not contain, in words */
  readonly missing?: readonly string[]
}

/** Lists the interactive elements, the best match for the task first; without a task, those in view first. */
export function observe(snapshot: ParsedSnapshot, options: ObserveOptions): RankedResult {
  const { task = '', offset = 0, maxChars = 4_000, format = 'tree', dialect = commandDialect, missing = [] } = options
  const candidates = candidatesOf(snapshot.tree)
  const own = scoreRelevance(
    task,
    candidates.map(({ node, context }) => [
      { text: `${node.name} ${node.hint?.text ?? ''}`, weight: 3 },
      { text: `${node.attrs.placeholder ?? ''} ${node.attrs.name ?? ''} ${node.value ?? ''} ${node.text}`, weight: 2 },
      { text: namedKinds[node.role] ?? '', weight: 1 },
      { text: `${node.role} ${roleSynonyms[node.role] ?? ''}`, weight: 1, isKind: true },
      { text: context, weight: 1 },
    ]),
  )
  const scores = withFormButtons(candidates, own)
  const order = candidates.map((_, index) => index)
  const distance = (index: number) =>
    Number(candidates[index]?.node.offset !== undefined) + 2 * Number(isOutOfReach(candidates[index]?.node))
  order.sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || distance(one) - distance(other) || one - other)
  const ranked = order.map((index): RankedItem => {
    const { node, context, from } = candidates[index] as Candidate
    const place = context && !includesContext(node.name, context) ? ` in ${quote(context, 60)}` : ''
    const writer = format === 'flat' ? flat : tree
    const write = (room?: number) =>
      `${standaloneLine({ ...node, children: [] }, snapshot.meta.url, { writer, maxChars: room })}${fromAttribute(from)}${place}`
    return { text: write(), refs: [node.ref ?? ''], score: scores[index] ?? 0, shorten: write }
  })
  const instead = 'take a snapshot'
  return formatRanked(snapshot.meta, ranked, { title: 'observe', query: task, offset, maxChars, missing, dialect, instead, minShare })
}

/** A form is filled in to be sent: the buttons of a form whose fields match are part of the match. */
function withFormButtons(candidates: readonly Candidate[], scores: readonly number[]): readonly number[] {
  const best = new Map<ParsedNode, number>()
  for (const [index, { node, form }] of candidates.entries())
    if (form && fieldRoles.has(node.role)) best.set(form, Math.max(best.get(form) ?? 0, scores[index] ?? 0))
  return candidates.map(({ node, form }, index) => {
    const score = scores[index] ?? 0
    return form && node.role === 'button' ? Math.max(score, buttonShare * (best.get(form) ?? 0)) : score
  })
}

const fieldRoles = new Set(['textbox', 'searchbox', 'combobox', 'listbox', 'checkbox', 'radio', 'switch', 'spinbutton', 'slider'])
/** of the score of the best field; more than `minShare` */
const buttonShare = 0.3

/** of the score of the best match; what scores less has only a common word in common with the task */
const minShare = 0.25

/** "More" needs the item around it, "Add Iron teapot to cart" does not. */
const includesContext = (name: string, context: string): boolean => name.includes(context) || (name.length > 20 && context.includes(name))
const isOutOfReach = (node: ParsedNode | undefined): boolean => node?.states?.covered !== undefined || node?.states?.inert === true

/** kinds of elements that a page has few of: a task that names one means it, whatever else it says */
const namedKinds: { readonly [role: string]: string } = {
  searchbox: 'search',
  checkbox: 'checkbox',
  radio: 'radio',
  switch: 'switch',
  slider: 'slider',
}

/** words that people use for an element of this role */
const roleSynonyms: { readonly [role: string]: string } = {
  textbox: 'field input fill type enter write',
  searchbox: 'field input find fill type enter',
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
  const heading = new CurrentHeading()
  const visit = (
    node: ParsedNode,
    { container, from, form }: Omit<Candidate, 'node' | 'context'> & { readonly container: string },
  ): void => {
    if (node.interactive && node.ref) found.push({ node, context: container || heading.text, from, form })
    // the containers of one document say nothing about another
    const isFrame = node.role === 'iframe'
    const inner = isFrame ? '' : (containerLabel(node) ?? container)
    const around = { container: inner, from: node.states?.from ?? from, form: node.tag === 'form' ? node : isFrame ? undefined : form }
    heading.within(node, () => {
      for (const child of node.children) visit(child, around)
    })
  }
  visit(root, { container: '', from: undefined, form: undefined })
  return found
}

function containerLabel(node: ParsedNode): string | undefined {
  if (containerRoles.has(node.role)) return node.name || undefined
  return itemRoles.has(node.role) || isCard(node) ? node.name || ownTextOf(node) : undefined
}

/** The texts of an item without those of the items of its kind that are inside it. */
const ownTextOf = (node: ParsedNode): string =>
  textIn(node, 120, each => each === node || each.role !== node.role || each.role === 'generic')

/** Whether an element can be clicked as a whole and contains controls: its texts say what they are for. */
const isCard = (node: ParsedNode): boolean => node.interactive === true && !hasControlRole(node) && node.children.some(holdsControls)

const containerRoles = new Set(['dialog', 'alertdialog', 'form', 'group', 'region', 'tabpanel', 'radiogroup', 'toolbar', 'menu'])
