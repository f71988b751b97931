import { itemRoles } from '../../contract/roles.ts'
import type { SnapshotNode } from '../../contract/snapshot.ts'
import { hasLetters, hasWords } from '../../contract/text.ts'
import { roleOf } from '../accessibility/roles.ts'
import { structureRoles } from '../candidates.ts'
import type { Scene } from '../dom.ts'
import { cut, textBelow, tidy } from '../text.ts'
import type { Candidate } from './candidate.ts'
import { isReadableBeside } from './readable.ts'
import type { Surroundings } from './surroundings.ts'

type Hint = NonNullable<SnapshotNode['hint']>

const maxRowLevels = 4
const maxRowChildren = 12
const maxRowChars = 40
/** a larger element is not a row, and would be read again for each of its controls */
const maxRowNodes = 200

/** The words beside a control in its row, such as the name of a setting. Landmarks, lists and the page itself are no rows. */
export function rowHint<N>(scene: Scene<N>, candidate: Candidate<N>, around: Surroundings<N>): Hint | undefined {
  const { dom } = scene
  const item = itemAround(candidate)
  let row = dom.parent(candidate.node)
  for (let level = 0; row && level < maxRowLevels && dom.children(row).length <= maxRowChildren; level++, row = dom.parent(row)) {
    const role = roleOf(dom, row)
    const isItem = row === item || itemRoles.has(role)
    const isWhole = isItem || /^(form|group)$/.test(role)
    if (dom.tag(row) === 'body' || (structureRoles.has(role) && !isWhole)) return undefined
    const text = wordsBeside(scene, candidate, { row, isItem, around })
    if (text) return { text: cut(tidy(text), maxRowChars), from: 'row' }
    if (isWhole) return undefined
  }
  return undefined
}

/** The nearest item or control around a control. What is outside says nothing about what is inside. */
function itemAround<N>({ parent }: Candidate<N>): N | null {
  let each = parent
  while (each && each.kind !== 'control' && !itemRoles.has(each.role)) each = each.parent
  return each?.node ?? null
}

interface Row<N> {
  readonly row: N
  readonly isItem: boolean
  readonly around: Surroundings<N>
}

/** The texts between two controls. */
interface Run<N> {
  readonly texts: (N | ' ')[]
  /** the control before it has words: what is before that control belongs to it, unless all are parts of one item */
  readonly isSeparated: boolean
}

/**
 * The words of a row that are nearest to one of its controls: before it, or after it if no words are before the first control of its kind.
 * Nothing if the row is too large or contains the title of the page.
 */
function wordsBeside<N>(scene: Scene<N>, candidate: Candidate<N>, { row, isItem, around }: Row<N>): string | undefined {
  const { dom } = scene
  const { node } = candidate
  // without the classes of its state
  const kindOf = (each: N, tag: string) => `${tag} ${dom.attr(each, 'class')}`.split(' ', 2).join()
  const kind = kindOf(node, dom.tag(node))
  let run: Run<N> = { texts: [], isSeparated: false }
  /** the control itself is between the runs before it and those after it */
  const runs = [run]
  let place = 0
  let labelsFirst: boolean | undefined
  let visits = 0
  const read = (each: N): void => {
    const tag = dom.tag(each)
    visits += tag === 'h1' ? maxRowNodes : 1
    if (visits > maxRowNodes || (each !== node && tag && dom.hidden(each))) return
    if (!tag) {
      run.texts.push(hasWords(dom.drawn(each)) ? each : ' ')
      return
    }
    if (each === node || (each !== row && around.isControl(each))) {
      if (kindOf(each, tag) === kind) labelsFirst = labelsFirst ?? runs.some(({ texts }) => texts.some(text => text !== ' '))
      if (each === node) place = runs.length
      run = { texts: [], isSeparated: each !== node && hasLetters(textBelow(dom, each, { max: 40, maxVisits: 20 })) }
      runs.push(run)
      return
    }
    const children = dom.children(each)
    const isBlock = dom.block(each)
    if (isBlock) run.texts.push(' ')
    for (let i = 0; i < children.length; i++) read(children[i] as N)
    if (isBlock) run.texts.push(' ')
  }
  read(row)
  if (visits > maxRowNodes) return undefined
  const isShown = (text: N) => isReadableBeside(scene, text, candidate, around)
  const wordsOf = ({ texts }: Run<N>): string => {
    const text = texts.map(each => (each === ' ' ? each : isShown(each as N) ? dom.drawn(each as N) : '')).join('')
    return hasLetters(text) ? text : ''
  }
  const before = (): string => {
    for (let i = place - 1; i >= 0; i--) {
      const text = wordsOf(runs[i] as Run<N>)
      if (text || (!isItem && runs[i]?.isSeparated)) return text
    }
    return ''
  }
  const after = (): string => {
    for (let i = place; i < runs.length && (isItem || !runs[i]?.isSeparated); i++) {
      const text = wordsOf(runs[i] as Run<N>)
      if (text) return text
    }
    return ''
  }
  return labelsFirst ? before() : after() || before()
}
