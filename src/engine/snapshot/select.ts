import { keepDistance } from '../../contract/importance.ts'
import { itemRoles } from '../../contract/roles.ts'
import type { OmittedCounts, TruncateReason } from '../../contract/snapshot.ts'
import { hasAria } from '../attributes.ts'
import type { Scene } from '../dom.ts'
import type { EngineOptions } from '../options.ts'
import { type Candidate, isScroller } from './candidate.ts'
import { emptyCells } from './cells.ts'
import { describe, type NodeDescription } from './describe.ts'
import type { SnapshotContext } from './snapshot.ts'
import type { Surroundings } from './surroundings.ts'
import type { TopDialog } from './top-dialog.ts'
import { checkVisibility, isOnlySeen } from './visibility.ts'

export interface SelectionInput<N extends object> extends Pick<SnapshotContext<N>, 'clock' | 'maxBytes' | 'after'> {
  readonly candidates: readonly Candidate<N>[]
  readonly dialog: TopDialog<N> | null
  readonly rootCandidate: Candidate<N>
  readonly around: Surroundings<N>
  readonly deadline: number
}

export interface Selection<N> {
  readonly descriptions: ReadonlyMap<Candidate<N>, NodeDescription>
  readonly reasons: readonly TruncateReason[]
  readonly omitted: OmittedCounts
}

const ancestorBytes = 3_000

/** Describes the most important candidates until a limit is reached, and counts the others by why they are left out. */
export function selectLines<N extends object>(scene: Scene<N>, options: EngineOptions, input: SelectionInput<N>): Selection<N> {
  const { dialog, rootCandidate, around, clock, deadline, maxBytes } = input
  const descriptions = new Map<Candidate<N>, NodeDescription>()
  const omitted: { -readonly [place in keyof OmittedCounts]: number } = {}
  let bytes = 0
  let count = 0
  let checked = 0
  let limit: TruncateReason | undefined
  /** the first candidate that a limit leaves out */
  let firstCut: Candidate<N> | undefined
  let shortened = false
  const omit = (place: keyof OmittedCounts) => {
    omitted[place] = (omitted[place] ?? 0) + 1
  }
  const omitText = () => {
    omit('covered')
    omit('coveredText')
  }
  const addLine = (each: Candidate<N>, covered?: string) => {
    const line = describe(scene, each, options, { around, covered })
    // an image without a name says nothing
    if (each.role === 'img' && each.kind === 'content' && !line.node.name) return
    if (maxBytes < 1 / 0) bytes += bytesOf([line.node, line.detail]) + 21
    // the renderer leaves out most items without text, so they take no place of others
    if (each.role !== 'item' && !(itemRoles.has(each.role) && each.kind === 'structure' && !line.node.text)) count++
    shortened = shortened || line.shortened
    if (line.covered) omitText()
    descriptions.set(each, line)
  }
  const addVisible = (each: Candidate<N>) => {
    const covered = checkVisibility(scene, each, options)
    if (covered && isOnlySeen(each)) omitText()
    else if (covered === null ? isConcealed(each) : covered && options.occluded === 'drop') omit(covered === null ? 'concealed' : 'covered')
    else if (covered !== null && options.viewport === 'visible' && isOutside(each)) omit(placeOf(each))
    else if (covered !== null) {
      addLine(each, covered)
      addAncestors(each)
    }
  }
  const addAncestors = (each: Candidate<N>) => {
    // without the row around it, the last cell of a part would not be joined with those of the next part
    const maxBytesHere = options.order === 'document' ? maxBytes + ancestorBytes : maxBytes
    let child = each
    for (
      let parent = each.parent;
      parent && parent !== rootCandidate && !descriptions.has(parent) && bytes < maxBytesHere;
      parent = parent.parent
    ) {
      if (isWorthLine(scene.dom, parent, child, options.order === 'document')) addLine(parent)
      child = parent
    }
  }

  for (const each of inKeepOrder(input, options)) {
    each.isInert = each.isInert || !!dialog?.behind.has(each)
    if (each.unreachableReason) omit('frames')
    if (each.isInert && !options.includeHidden) omit('inert')
    else if (options.viewport === 'visible' && isOutside(each)) omit(placeOf(each))
    else if (limit || count >= options.maxNodes || bytes > maxBytes || (!(++checked % 64) && clock() > deadline)) {
      firstCut = firstCut ?? each
      limit = limit ?? (bytes > maxBytes ? 'maxJsonBytes' : count < options.maxNodes ? 'maxTime' : 'maxNodes')
      omit(placeOf(each))
    } else addVisible(each)
  }
  // behind a cut, and anywhere in another order than that of the document, a cell may only seem to be empty
  const isInOrder = options.order === 'document' || input.after !== undefined
  const known = !firstCut ? input.candidates : isInOrder ? input.candidates.slice(0, input.candidates.indexOf(firstCut) + 1) : []
  const hasLine = (each: Candidate<N>) => each === firstCut || descriptions.has(each)
  if (!options.interactiveOnly) for (const cell of emptyCells(scene.dom, known, hasLine)) addLine(cell)
  const reasons: TruncateReason[] = limit ? [limit] : []
  if (shortened) reasons.push('maxTextPerNode')
  return { descriptions, reasons, omitted }
}

const isOutside = <N>({ offscreenPixels, isBeside }: Candidate<N>) => offscreenPixels !== 0 || isBeside
const placeOf = <N>({ offscreenPixels, isBeside }: Candidate<N>) =>
  offscreenPixels < 0 ? 'above' : offscreenPixels > 0 || !isBeside ? 'below' : 'beside'

/** Whether something hidden may come into view: a closed accordion clips its controls, and pages show their parts when they are scrolled to. */
const isConcealed = <N>(each: Candidate<N>): boolean =>
  (each.kind === 'control' && each.hiddenReason === 'clipped') ||
  (each.kind !== 'structure' && each.hiddenReason === 'opacity' && isOutside(each))

/** The topmost dialog, then what is in view, then the nearest; document order among equals. */
function inKeepOrder<N extends object>(
  { candidates, dialog, after }: SelectionInput<N>,
  { order }: EngineOptions,
): readonly Candidate<N>[] {
  const selectable = candidates.filter(
    each =>
      (each.kind !== 'structure' || each.isIntro || each.isDropTarget || isScroller(each)) && !isWrapper(each) && !isEmptyHeading(each),
  )
  // a continued snapshot reads the page from there to its end
  if (after || order === 'document') return selectable
  const keyOf = (each: Candidate<N>) =>
    dialog?.inside.has(each)
      ? -1
      : keepDistance(each.offscreenPixels, each.tag) + (each.isBeside ? 1 : 0) + (each.hiddenReason || each.isInert ? 1e7 : 0)
  const keys = selectable.map(keyOf)
  // without layout all keys are equal
  if (keys.every((key, i) => !i || key >= (keys[i - 1] as number))) return selectable
  const indexes = keys.map((_, i) => i).sort((a, b) => (keys[a] as number) - (keys[b] as number))
  return indexes.map(i => selectable[i] as Candidate<N>)
}

// a control by its cursor alone, without its own text, adds nothing to the controls inside it
const isWrapper = <N>({ cursorOnly, hasControls, texts }: Candidate<N>) => cursorOnly && hasControls && !texts.length
// a heading that only wraps a link says the same as the link
const isEmptyHeading = <N>({ role, kind, texts, childCount }: Candidate<N>) =>
  role === 'heading' && kind !== 'control' && !texts.length && childCount > 0

/**
 * Whether the parent of a selected candidate gets a line too: not if it wraps a single child. An item without controls, such as a row of
 * `div` elements, keeps its texts together if the page is read from its start to its end.
 */
function isWorthLine<N>(dom: Scene<N>['dom'], parent: Candidate<N>, child: Candidate<N>, isRead: boolean): boolean {
  const { node, role, texts, kind, childCount, hasControls } = parent
  if (role === 'generic' && parent.scrolls) return false
  if (dom.flags(node) & hasAria && itemStates.some(name => dom.attr(node, name) !== null)) return true
  if (role === 'item' && !hasControls) return isRead && childCount > 1
  if (kind !== 'structure' || texts.length) return !isWrapper(parent)
  return childCount > 1 || child.kind === 'text' || !(itemRoles.has(role) || /^(list|cell|paragraph)$/.test(role))
}

const itemStates = ['aria-selected', 'aria-checked', 'aria-current', 'aria-expanded']

/** An upper bound of the length in UTF-8, so that a Chinese page does not become three times as large as an English one. */
function bytesOf(value: unknown): number {
  const json = JSON.stringify(value)
  return /[^\0-\x7f]/.test(json) ? json.replace(/[^\0-\x7f]/g, '...').length : json.length
}
