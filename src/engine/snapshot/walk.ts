import type { Cursor, Scene } from '../dom.ts'
import type { EngineOptions } from '../options.ts'
import { type Candidate, type CandidateFields, createCandidate, type Placement } from './candidate.ts'

export interface CollectResult<N> {
  readonly rootCandidate: Candidate<N>
  /** in document order, without the root */
  readonly candidates: readonly Candidate<N>[]
  readonly dialogs: readonly Candidate<N>[]
  readonly visited: number
  readonly stopReason: 'maxVisits' | 'maxTime' | null
  /** runs of text that interactiveOnly left out: for each, the number of candidates before it */
  readonly skippedTexts: readonly number[]
  /** a control has the attribute `draggable` */
  readonly hasDraggables: boolean
}

/** characters of the main content that are shown although only controls are wanted */
export const introChars = 300
/** characters of short texts in view that are shown although only controls are wanted */
export const valueChars = 1_500

/** The state of one walk over a document. */
export interface Walk<N> extends CollectResult<N>, Pick<Scene<N>, 'dom' | 'layout'> {
  readonly scene: Scene<N>
  readonly options: EngineOptions
  readonly candidates: Candidate<N>[]
  readonly dialogs: Candidate<N>[]
  readonly topContext: Context<N>
  /** the panel of a modal that has no role */
  readonly modalPanel: N | null
  /** the open elements, innermost last */
  readonly levels: Level<N>[]
  visited: number
  stopReason: CollectResult<N>['stopReason']
  hasDraggables: boolean
  readonly skippedTexts: number[]
  /** characters of the main content that are still shown although only controls are wanted */
  introRoom: number
  /** characters of short texts in view that are still shown */
  valueRoom: number
  /** the last candidate is far from the viewport; reset for each part of the page */
  isFar: boolean
  /** the run of text that the next text node continues if it has the same parent and block */
  textRun: TextRun<N> | null
}

export interface TextRun<N> {
  /** the candidate whose line has the text; null if it is left out */
  readonly textLine: Candidate<N> | null
  readonly parent: Candidate<N>
  readonly blockRoot: N
  /** its last text node that is not blank */
  last: N
  endsInBlank: boolean
}

/** An open element: its children, the next one to visit, and what applies to all of them. */
export interface Level<N> {
  readonly siblings: ArrayLike<N>
  nextIndex: number
  readonly inherited: Context<N>
  /** the nearest element that is block-level by its tag: text in the same block is one run */
  readonly blockRoot: N
  /** the element itself if it looks like its siblings */
  readonly item: Candidate<N> | null
  /** the last element that was compared with the one before it */
  compared: { readonly node: N; readonly isAlike: boolean } | null
}

/** What applies to everything inside an element. A new object is made only if something changes. */
export interface Context<N> {
  readonly parent: Candidate<N>
  readonly prefix: string
  /** the text here is already the name of a candidate */
  readonly insideNamed: boolean
  readonly liveRegion: boolean
  readonly insideAside: boolean
  readonly isInert: boolean
  readonly hiddenReason: string
  readonly cursor: Cursor
}

export function add<N>(walk: Walk<N>, fields: CandidateFields<N>, placement: Placement<N>, context: Context<N>): Candidate<N> {
  const { layout } = walk
  const { parent } = context
  const candidate = createCandidate<N>(fields, placement, context, layout)
  parent.childCount++
  if (layout && candidate.box) walk.isFar = Math.abs(candidate.offscreenPixels) > 2 * layout.height
  if (fields.kind === 'control')
    for (let each: Candidate<N> | null = parent; each && !each.hasControls; each = each.parent) each.hasControls = true
  walk.candidates.push(candidate)
  walk.textRun = null
  return candidate
}

/** The caller writes the kind: adding it by a spread took half of the walk, because a page may have thousands of these. */
export const addStructure = <N>(walk: Walk<N>, fields: CandidateFields<N>, context: Context<N>): Candidate<N> =>
  add(walk, fields, { visibleNode: fields.node, box: null, hiddenReason: context.hiddenReason }, context)
