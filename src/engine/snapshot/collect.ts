import { maxListedOptions } from '../../contract/importance.ts'
import { itemRoles, namedByContent, words } from '../../contract/roles.ts'
import { roleOf } from '../accessibility/roles.ts'
import { asideRoles, blockRoles, isControl, leafRoles, liveRoles, structureRoles, tagsWithRole } from '../candidates.ts'
import type { Dom, Scene } from '../dom.ts'
import type { EngineOptions } from '../options.ts'
import { isSecret } from '../secrets.ts'
import { type Candidate, type CandidateFields, createCandidate, type Placement } from './candidate.ts'
import { isLarge, locate } from './placement.ts'

export interface CollectResult<N> {
  readonly rootCandidate: Candidate<N>
  /** in document order, without the root */
  readonly candidates: readonly Candidate<N>[]
  readonly dialogs: readonly Candidate<N>[]
  readonly visited: number
  readonly stopReason: 'maxVisits' | 'maxTime' | null
  /** runs of text that interactiveOnly left out */
  readonly skippedTexts: number
}

/** The state of one walk over a document. */
interface Walk<N> extends CollectResult<N>, Pick<Scene<N>, 'dom' | 'layout'> {
  readonly scene: Scene<N>
  readonly options: EngineOptions
  readonly candidates: Candidate<N>[]
  readonly dialogs: Candidate<N>[]
  readonly topContext: Context<N>
  /** the open elements, innermost last */
  readonly levels: Level<N>[]
  visited: number
  stopReason: CollectResult<N>['stopReason']
  skippedTexts: number
  /** characters of the main content that are still shown although only controls are wanted */
  introRoom: number
  /** the last candidate is far from the viewport; reset for each part of the page */
  isFar: boolean
  /** the run of text that the next text node continues if it has the same parent and block */
  textRun: { readonly textLine: Candidate<N> | null; readonly parent: Candidate<N>; readonly blockRoot: N } | null
}

/** An open element: its children, the next one to visit, and what applies to all of them. */
interface Level<N> {
  readonly siblings: ArrayLike<N>
  nextIndex: number
  readonly inherited: Context<N>
  /** the nearest block-level element: text in the same block is one run */
  readonly blockRoot: N
}

/** What applies to everything inside an element. A new object is made only if something changes. */
interface Context<N> {
  readonly parent: Candidate<N>
  readonly prefix: string
  /** the text here is already the name of a candidate */
  readonly insideNamed: boolean
  readonly liveRegion: boolean
  readonly insideAside: boolean
  readonly isInert: boolean
  readonly hiddenReason: string
  readonly pointer: boolean
}

const skippedTags = words('script style template noscript title desc defs')
const inlineTags = words(
  'a abbr b button cite code del em font i input ins kbd label mark q s select small span strong sub sup time u var wbr',
)
/** tags whose content is part of their own line, or a fallback that is not drawn */
const opaqueTags = words('select textarea video audio')
const introChars = 300
const maxItemTexts = 12
const clockEvery = 512

/** Walks the document once, in order and without recursion. */
export function collectCandidates<N>(scene: Scene<N>, options: EngineOptions, clock: () => number): CollectResult<N> {
  const deadline = clock() + options.maxTimeMs
  const walk = createWalk(scene, options)
  const { levels } = walk
  const { dom, root } = scene
  descend(walk, root, walk.topContext, root)

  while (levels.length > 0 && !walk.stopReason) {
    const level = levels[levels.length - 1] as Level<N>
    const { siblings } = level
    if (level.nextIndex === siblings.length) {
      levels.pop()
      continue
    }
    const node = siblings[level.nextIndex++] as N
    const tag = dom.tag(node)
    if (tag === '') addText(walk, node, level)
    else if (++walk.visited > options.maxVisits) walk.stopReason = 'maxVisits'
    else if (walk.visited % clockEvery === 0 && clock() > deadline) walk.stopReason = 'maxTime'
    else if (!skippedTags.has(tag)) visit(walk, node, tag, level)
  }
  return walk
}

function createWalk<N>(scene: Scene<N>, options: EngineOptions): Walk<N> {
  const { dom, layout, root: node, prefix } = scene
  const rootCandidate = createCandidate<N>(
    { node, tag: dom.tag(node), role: roleOf(dom, node), kind: 'root' },
    { visibleNode: node, box: null, hiddenReason: '' },
    { parent: null, prefix, isInert: false },
    null,
  )
  const topContext: Context<N> = {
    parent: rootCandidate,
    prefix,
    insideNamed: false,
    liveRegion: false,
    insideAside: false,
    isInert: false,
    hiddenReason: '',
    pointer: !!layout?.pointer(node),
  }
  return {
    scene,
    dom,
    layout,
    options,
    rootCandidate,
    candidates: [],
    dialogs: [],
    topContext,
    levels: [],
    visited: 0,
    stopReason: null,
    skippedTexts: 0,
    introRoom: introChars,
    isFar: false,
    textRun: null,
  }
}

function descend<N>({ dom, levels }: Walk<N>, node: N, context: Context<N>, blockRoot: N): void {
  const siblings = dom.children(node)
  if (siblings.length > 0) levels.push({ siblings, nextIndex: 0, inherited: context, blockRoot })
}

function visit<N>(walk: Walk<N>, node: N, tag: string, { inherited, blockRoot }: Level<N>): void {
  const { dom, layout, options } = walk
  const bare = dom.bare(node)
  const hidden = bare ? '' : hiddenBy(dom, node)
  if (hidden && !options.includeHidden) return
  let context = inherited
  if (hidden || (!bare && dom.attr(node, 'inert') !== null))
    context = { ...context, hiddenReason: hidden || context.hiddenReason, isInert: context.isInert || !hidden }
  if (tag === 'iframe') {
    enterFrame(walk, node, context)
    return
  }
  if ((tag === 'option' || tag === 'optgroup') && walk.rootCandidate.tag !== 'select') return
  const role = bare && options.interactiveOnly && !tagsWithRole.has(tag) ? 'generic' : roleOf(dom, node)
  let control = walk.scene.control?.(node) ?? isControl(walk, node, tag, role)
  if (inherited === walk.topContext) walk.isFar = false
  // the cursor adds nothing inside a named element, and far from the viewport a guess by it is not worth the time
  const pointer = options.cursorInteractive && layout && !context.insideNamed && !walk.isFar ? layout.pointer(node) : context.pointer
  const cursorOnly = pointer && !control && !context.pointer && tag !== 'label'
  control = control || cursorOnly
  const placement = control ? locate(walk, node, tag, context) : null
  const candidate = placement
    ? add(walk, { node, tag, role, kind: 'control', cursorOnly }, placement, context)
    : control || role === 'generic'
      ? null
      : addBlock(walk, { node, tag, role }, context)
  if (tag === 'select' && candidate) addOptions(walk, candidate, context)
  if (opaqueTags.has(tag)) return
  // the text of a label is the name of its control
  const labelling = tag === 'label' && dom.is(node, 'labelling')
  if (candidate || labelling || pointer !== context.pointer)
    // a literal instead of a spread, because it is made for every second element
    context = {
      parent: candidate ?? context.parent,
      prefix: context.prefix,
      isInert: context.isInert,
      hiddenReason: context.hiddenReason,
      pointer,
      insideNamed: context.insideNamed || labelling || (control && !!candidate && (namedByContent.has(role) || role === 'textbox')),
      liveRegion: context.liveRegion || liveRoles.has(role),
      insideAside: role !== 'main' && (context.insideAside || asideRoles.has(role)),
    }
  descend(walk, node, context, inlineTags.has(tag) ? blockRoot : node)
}

function addBlock<N>(
  walk: Walk<N>,
  { node, tag, role }: Pick<Candidate<N>, 'node' | 'tag' | 'role'>,
  context: Context<N>,
): Candidate<N> | null {
  const { interactiveOnly } = walk.options
  const content = role === 'heading' ? !interactiveOnly || !context.insideNamed : !interactiveOnly && leafRoles.has(role)
  if (role === 'main') walk.introRoom = introChars
  if (content || liveRoles.has(role)) {
    const placement = locate(walk, node, tag, context)
    const block = placement && add(walk, { node, tag, role, kind: content ? 'content' : 'structure' }, placement, context)
    if (block && /dialog$/.test(role)) walk.dialogs.push(block)
    return block
  }
  if (interactiveOnly && !context.insideNamed && leafRoles.has(role)) walk.skippedTexts++
  return structureRoles.has(role) || (!interactiveOnly && blockRoles.has(role))
    ? add(walk, { node, tag, role, kind: 'structure' }, { visibleNode: node, box: null, hiddenReason: context.hiddenReason }, context)
    : null
}

/** A few options get their own lines; a long list, such as countries, is listed only if the select is the scope. */
function addOptions<N>(walk: Walk<N>, select: Candidate<N>, context: Context<N>): void {
  const { dom } = walk
  const options = dom.options(select.node)
  if (options.length > maxListedOptions || isSecret(dom, select.node)) return
  for (let i = 0; i < options.length; i++) {
    const node = options[i] as N
    // options have no box, so they are placed where their select is
    if (!dom.hidden(node)) add(walk, { node, tag: 'option', role: 'option', kind: 'control' }, select, { ...context, parent: select })
  }
}

function add<N>(walk: Walk<N>, fields: CandidateFields<N>, placement: Placement<N>, context: Context<N>): Candidate<N> {
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

function enterFrame<N>(walk: Walk<N>, node: N, context: Context<N>): void {
  const { dom, layout } = walk
  const placement = locate(walk, node, 'iframe', context)
  if (!placement) return
  const { box } = placement
  if (box && layout && (!isLarge(box) || dom.hidden(node) || layout.transparent(node) || layout.unseen(node, box))) return
  const frame = walk.scene.frame(node)
  const unreachableReason = 'unreachable' in frame ? frame.unreachable : ''
  const parent = add(walk, { node, tag: 'iframe', role: 'iframe', kind: 'frame', unreachableReason }, placement, context)
  if ('root' in frame)
    descend(walk, frame.root, { ...context, parent, insideNamed: false, prefix: frame.prefix, pointer: false }, frame.root)
}

/** Adds a text node to the line of its parent, to the current run of text, or as a new line. */
function addText<N>(walk: Walk<N>, node: N, { inherited: context, blockRoot }: Level<N>): void {
  const { dom, layout } = walk
  const { includeHidden, interactiveOnly } = walk.options
  const { parent, insideAside, insideNamed } = context
  if (insideNamed || !visibleCharacter.test(dom.text(node))) return
  const { textRun } = walk
  if (textRun && textRun.parent === parent && textRun.blockRoot === blockRoot) {
    textRun.textLine?.texts.push(node)
    return
  }
  const isItem = itemRoles.has(parent.role)
  const isIntro = !insideAside && walk.introRoom > 0
  const isWanted = !interactiveOnly || context.liveRegion
  // controls and headings print their text on their own line; so do items, unless every text gets a line
  if (parent.kind === 'control' || parent.role === 'heading' || (!isWanted && isItem)) {
    if (isItem && isIntro && !parent.texts.length) {
      walk.introRoom -= dom.text(node).length
      parent.isIntro = true
    }
    if (parent.texts.length < maxItemTexts) parent.texts.push(node)
    return
  }
  if (!isWanted && !isIntro) {
    if (!dom.hidden(node)) walk.skippedTexts++
    walk.textRun = { textLine: null, parent, blockRoot }
    return
  }
  const element = dom.parent(node) ?? walk.scene.root
  const hiddenReason = context.hiddenReason || (dom.hidden(node) ? 'not drawn' : '')
  const box = layout?.box(element) ?? null
  if ((hiddenReason && !includeHidden) || (layout && !box)) return
  if (!isWanted) walk.introRoom -= dom.text(node).trim().length
  const fields = { node: element, tag: '#text', role: 'text', kind: 'text' } as const
  const textLine = add(walk, fields, { visibleNode: element, box, hiddenReason }, context)
  textLine.texts.push(node)
  walk.textRun = { textLine, parent, blockRoot }
}

function hiddenBy<N>(dom: Dom<N>, node: N): string {
  if (dom.attr(node, 'hidden') !== null) return 'hidden'
  return dom.attr(node, 'aria-hidden')?.toLowerCase() === 'true' ? 'aria-hidden' : ''
}

const visibleCharacter = /[^\0- \xa0]/
