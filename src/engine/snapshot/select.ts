import { keepDistance } from '../../contract/importance.ts'
import { itemRoles } from '../../contract/roles.ts'
import type { OmittedCounts, TruncateReason } from '../../contract/snapshot.ts'
import type { Scene } from '../dom.ts'
import type { EngineOptions } from '../options.ts'
import type { Candidate } from './candidate.ts'
import { describe, type NodeDescription } from './describe.ts'
import type { SnapshotContext } from './snapshot.ts'
import type { TopDialog } from './top-dialog.ts'
import { checkVisibility } from './visibility.ts'

export interface SelectionInput<N extends object> extends Pick<SnapshotContext<N>, 'clock' | 'maxBytes' | 'after'> {
  readonly candidates: readonly Candidate<N>[]
  readonly dialog: TopDialog<N> | null
  readonly rootCandidate: Candidate<N>
  readonly deadline: number
}

export interface Selection<N> {
  readonly descriptions: ReadonlyMap<Candidate<N>, NodeDescription>
  readonly reasons: readonly TruncateReason[]
  readonly omitted: OmittedCounts
}

/** Describes the most important candidates until a limit is reached, and counts the others by why they are left out. */
export function selectLines<N extends object>(scene: Scene<N>, options: EngineOptions, input: SelectionInput<N>): Selection<N> {
  const { dialog, rootCandidate, clock, deadline, maxBytes } = input
  const descriptions = new Map<Candidate<N>, NodeDescription>()
  const omitted: { -readonly [place in keyof OmittedCounts]: number } = {}
  let bytes = 0
  let count = 0
  let checked = 0
  let limit: TruncateReason | undefined
  let shortened = false
  const omit = (place: keyof OmittedCounts) => {
    omitted[place] = (omitted[place] ?? 0) + 1
  }
  const omitText = () => {
    omit('covered')
    omit('coveredText')
  }
  const addLine = (each: Candidate<N>, covered?: string) => {
    const line = describe(scene, each, options, covered)
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
    if (covered && each.kind === 'text') omitText()
    else if (covered === null ? each.kind === 'control' && each.hiddenReason === 'clipped' : covered && options.occluded === 'drop')
      omit('covered')
    else if (covered !== null && options.viewport === 'visible' && isOutside(each)) omit(placeOf(each))
    else if (covered !== null) {
      addLine(each, covered)
      addAncestors(each)
    }
  }
  const addAncestors = (each: Candidate<N>) => {
    let child = each
    for (
      let parent = each.parent;
      parent && parent !== rootCandidate && !descriptions.has(parent) && bytes < maxBytes;
      parent = parent.parent
    ) {
      if (isWorthLine(scene.dom, parent, child, options.order === 'document')) addLine(parent)
      child = parent
    }
  }

  const select = (each: Candidate<N>) => {
    each.isInert = each.isInert || !!dialog?.behind.has(each)
    if (each.unreachableReason) omit('frames')
    if (each.isInert && !options.includeHidden) omit('inert')
    else if (options.viewport === 'visible' && isOutside(each)) omit(placeOf(each))
    else if (limit || count >= options.maxNodes || bytes > maxBytes || (!(++checked % 64) && clock() > deadline)) {
      limit = limit ?? (bytes > maxBytes ? 'maxJsonBytes' : count < options.maxNodes ? 'maxTime' : 'maxNodes')
      omit(placeOf(each))
    } else addVisible(each)
  }
  const order = inKeepOrder(input, options)
  order.first.forEach(select)
  // once a limit is reached the others are only counted
  ;(limit ? order.rest : order.sortRest()).forEach(select)
  const reasons: TruncateReason[] = limit ? [limit] : []
  if (shortened) reasons.push('maxTextPerNode')
  return { descriptions, reasons, omitted }
}

const isOutside = <N>({ offscreenPixels, isBeside }: Candidate<N>) => offscreenPixels !== 0 || isBeside
const placeOf = <N>({ offscreenPixels, isBeside }: Candidate<N>) =>
  offscreenPixels < 0 ? 'above' : offscreenPixels > 0 || !isBeside ? 'below' : 'beside'

interface KeepOrder<N> {
  /** the most important candidates, in order */
  readonly first: readonly Candidate<N>[]
  /** all others, in document order */
  readonly rest: readonly Candidate<N>[]
  sortRest(): readonly Candidate<N>[]
}

/** so many times the limit of nodes are put in order at first, because some of them turn out to be invisible */
const sortedShare = 2

/** The topmost dialog, then what is in view, then the nearest; document order among equals. */
function inKeepOrder<N extends object>({ candidates, dialog, after }: SelectionInput<N>, { order, maxNodes }: EngineOptions): KeepOrder<N> {
  const selectable: Candidate<N>[] = []
  for (const each of candidates)
    if ((each.kind !== 'structure' || each.isIntro || each.isDropTarget) && !isWrapper(each) && !isEmptyHeading(each)) selectable.push(each)
  const inOrder: KeepOrder<N> = { first: selectable, rest: [], sortRest: () => [] }
  // a continued snapshot reads the page from there to its end
  if (after || order === 'document') return inOrder
  const keys: number[] = []
  let isSorted = true
  for (const each of selectable) {
    const key = dialog?.inside.has(each)
      ? -1
      : keepDistance(each.offscreenPixels, each.tag) + (each.isBeside ? 1 : 0) + (each.hiddenReason || each.isInert ? 1e7 : 0)
    if (keys.length && key < (keys[keys.length - 1] as number)) isSorted = false
    keys.push(key)
  }
  // without layout all keys are equal
  if (isSorted) return inOrder
  const limit = distanceOf(keys, maxNodes * sortedShare)
  const indexes = keys.map((_, i) => i)
  const near = indexes.filter(i => (keys[i] as number) <= limit)
  const far = near.length < indexes.length ? indexes.filter(i => (keys[i] as number) > limit) : []
  const ofIndex = (i: number) => selectable[i] as Candidate<N>
  const byKey = (one: number, other: number) => (keys[one] as number) - (keys[other] as number)
  return { first: near.sort(byKey).map(ofIndex), rest: far.map(ofIndex), sortRest: () => far.sort(byKey).map(ofIndex) }
}

/** A distance within which there are at least `count` of the keys, or all of them. */
function distanceOf(keys: readonly number[], count: number): number {
  if (keys.length <= count) return Number.POSITIVE_INFINITY
  for (let distance = 1_000; distance < 1e8; distance *= 2) {
    let found = 0
    for (const key of keys) if (key <= distance) found++
    if (found >= count) return distance
  }
  return Number.POSITIVE_INFINITY
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
  if (itemStates.some(name => dom.attr(node, name) !== null)) return true
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
