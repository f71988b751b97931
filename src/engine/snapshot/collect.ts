import { maxListedOptions } from '../../contract/importance.ts'
import { drawnRoles, namedByContent, words } from '../../contract/roles.ts'
import { roleOf } from '../accessibility/roles.ts'
import { asideRoles, blockRoles, isControl, leafRoles, liveRoles, structureRoles, tagsWithRole } from '../candidates.ts'
import type { Dom, Scene } from '../dom.ts'
import type { EngineOptions } from '../options.ts'
import { isSameBlock, textBelow } from '../text.ts'
import { type Candidate, type CandidateFields, createCandidate, demoteToItem, type Placement } from './candidate.ts'
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
  /** a control has the attribute `draggable` */
  readonly hasDraggables: boolean
}

/** The state of one walk over a document. */
interface Walk<N> extends CollectResult<N>, Pick<Scene<N>, 'dom' | 'layout'> {
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
  skippedTexts: number
  /** characters of the main content that are still shown although only controls are wanted */
  introRoom: number
  /** the last candidate is far from the viewport; reset for each part of the page */
  isFar: boolean
  /** the run of text that the next text node continues if it has the same parent and block */
  textRun: TextRun<N> | null
}

interface TextRun<N> {
  /** the candidate whose line has the text; null if it is left out */
  readonly textLine: Candidate<N> | null
  readonly parent: Candidate<N>
  readonly blockRoot: N
  /** its last text node that is not blank */
  last: N
  endsInBlank: boolean
}

/** An open element: its children, the next one to visit, and what applies to all of them. */
interface Level<N> {
  readonly siblings: ArrayLike<N>
  nextIndex: number
  readonly inherited: Context<N>
  /** the nearest element that is block-level by its tag: text in the same block is one run */
  readonly blockRoot: N
  /** the element itself if it looks like its siblings */
  readonly item: Candidate<N> | null
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
/** what cannot be read but looked at, and its role here */
const drawnTags = new Map([
  ['canvas', 'canvas'],
  ['video', 'video'],
  ['embed', 'embed'],
  ['object', 'embed'],
])
const minDrawnSize = 40
const introChars = 300
const maxItemTexts = 100
const clockEvery = 512

/** Walks the document once, in order and without recursion. */
export function collectCandidates<N>(scene: Scene<N>, options: EngineOptions, clock: () => number): CollectResult<N> {
  const deadline = clock() + options.maxTimeMs
  const walk = createWalk(scene, options)
  const { levels } = walk
  const { dom, root } = scene
  // the text of a textarea is its value
  if (dom.tag(root) !== 'textarea') enterDocument(walk, root, walk.topContext)

  while (levels.length > 0 && !walk.stopReason) {
    const level = levels[levels.length - 1] as Level<N>
    const { siblings } = level
    if (level.nextIndex === siblings.length) {
      levels.pop()
      if (level.item) closeItem(level.item)
      continue
    }
    const node = siblings[level.nextIndex++] as N
    const tag = dom.tag(node)
    if (tag === '') addText(walk, node, level)
    else if (tag === 'br') endLine(walk, level)
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
    modalPanel: (options.scope === undefined && layout?.modalPanel()) || null,
    levels: [],
    visited: 0,
    stopReason: null,
    skippedTexts: 0,
    hasDraggables: false,
    introRoom: introChars,
    isFar: false,
    textRun: null,
  }
}

function descend<N>({ dom, levels }: Walk<N>, node: N, context: Context<N>, blockRoot: N, item: Candidate<N> | null = null): void {
  const siblings = dom.children(node)
  if (siblings.length > 0) levels.push({ siblings, nextIndex: 0, inherited: context, blockRoot, item })
}

function visit<N>(walk: Walk<N>, node: N, tag: string, level: Level<N>): void {
  const { inherited, blockRoot } = level
  const { dom, layout, options } = walk
  const bare = dom.bare(node)
  const names = bare ? noNames : dom.attrNames(node)
  const hidden = bare ? '' : hiddenBy(dom, node, names)
  if (hidden && !options.includeHidden) return
  let context = inherited
  if (hidden || names.includes('inert'))
    context = { ...context, hiddenReason: hidden || context.hiddenReason, isInert: context.isInert || !hidden }
  if (tag === 'iframe' || tag === 'frame') {
    enterFrame(walk, node, tag, context)
    return
  }
  if ((tag === 'option' || tag === 'optgroup') && walk.rootCandidate.tag !== 'select') return
  const ariaRole =
    node === walk.modalPanel ? 'dialog' : bare && options.interactiveOnly && !tagsWithRole.has(tag) ? 'generic' : roleOf(dom, node)
  const role = layout && ariaRole === 'generic' ? (drawnTags.get(tag) ?? ariaRole) : ariaRole
  let control = walk.scene.control?.(node) ?? isControl(walk, node, tag, role, names)
  if (control && names.includes('draggable')) walk.hasDraggables = true
  if (inherited === walk.topContext) walk.isFar = false
  // the cursor adds nothing inside a named element, and far from the viewport it is only read where a rule sets it, to save time
  const pointer =
    options.cursorInteractive && layout && !context.insideNamed && (!walk.isFar || layout.ownPointer(node))
      ? layout.pointer(node)
      : context.pointer
  const cursorOnly = pointer && !control && tag !== 'label' && isClickableByCursor(walk, node, tag, context)
  // something without content is a drop target by itself; other drop targets only get a ref
  const isDropTarget = !control && !!layout?.dropTarget(node) && !dom.hidden(node)
  control = control || cursorOnly || (isDropTarget && role === 'generic' && !childTags(dom, node))
  if (cursorOnly && tag === 'a' && context.pointer && context.parent.cursorOnly) demoteToItem(context.parent)
  const placement = control ? locate(walk, node, tag, context) : null
  const candidate = placement
    ? add(walk, { node, tag, role, kind: 'control', cursorOnly }, placement, context)
    : control
      ? null
      : role !== 'generic'
        ? addBlock(walk, { node, tag, role }, context)
        : isRepeated(dom, level, tag, context)
          ? addStructure(walk, { node, tag, role: 'item', gathersText: isSmall(dom, node) }, context)
          : isDropTarget
            ? addStructure(walk, { node, tag, role }, context)
            : null
  if (candidate && isDropTarget) candidate.isDropTarget = true
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
  descend(walk, node, context, inlineTags.has(tag) ? blockRoot : node, candidate?.role === 'item' ? candidate : null)
}

/**
 * Whether a pointer cursor makes an element a control: not if it only inherits the cursor, unless it is a link without an address, which
 * often works where the row around it does not.
 */
function isClickableByCursor<N>({ layout }: Walk<N>, node: N, tag: string, { pointer, parent }: Context<N>): boolean {
  if (!layout || layout.ignoresClicks(node)) return false
  return (
    !pointer || ((parent.kind === 'control' || parent.cursorOnly) && (tag === 'a' || (!/^t[dhr]$/.test(tag) && layout.ownPointer(node))))
  )
}

const itemTags = /^(div|section)$|-/

/** Whether the element that was just reached looks like the one before or after it: the cards and rows of a page without roles. */
function isRepeated<N>(dom: Dom<N>, { siblings, nextIndex }: Level<N>, tag: string, { parent, insideNamed }: Context<N>): boolean {
  if (siblings.length < 2 || insideNamed || !itemTags.test(tag) || parent.kind === 'control' || parent.role === 'heading') return false
  const node = siblings[nextIndex - 1] as N
  return [-1, 1].some(step => {
    let index = nextIndex - 1 + step
    while (siblings[index] !== undefined && !dom.tag(siblings[index] as N)) index += step
    const other = siblings[index]
    return other !== undefined && dom.tag(other) === tag && isAlike(dom, node, other)
  })
}

function isAlike<N>(dom: Dom<N>, one: N, other: N): boolean {
  const className = dom.attr(one, 'class')
  if (className && className === dom.attr(other, 'class')) return true
  const tags = childTags(dom, one)
  return tags.lastIndexOf(' ') > 0 && tags === childTags(dom, other)
}

/** the tags of the elements directly inside an element, each after a space */
function childTags<N>(dom: Dom<N>, node: N): string {
  const children = dom.children(node)
  let tags = ''
  for (let i = 0; i < children.length; i++) {
    const tag = dom.tag(children[i] as N)
    if (tag) tags += ` ${tag}`
  }
  return tags
}

const maxItemElements = 80
const maxItemControls = 5

/** Whether an item has so few controls that its texts may stand before them; in a larger one each text stays where it is. */
function isSmall<N>(dom: Dom<N>, item: N): boolean {
  let [elements, controls] = [0, 0]
  const stack = [item]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const tag = dom.tag(node)
    if (!tag) continue
    if (/^(a|button|input|select|textarea|iframe)$/.test(tag)) controls++
    if (++elements > maxItemElements || controls > maxItemControls) return false
    const children = dom.children(node)
    for (let i = 0; i < children.length; i++) stack.push(children[i] as N)
  }
  return true
}

/** An item without controls is no item of its own: its texts belong to the item around it. */
function closeItem<N>(item: Candidate<N>): void {
  const { parent, texts } = item
  if (item.hasControls || !texts.length || !parent?.gathersText) return
  parent.texts.push(...texts.splice(0))
  parent.isIntro = parent.isIntro || item.isIntro
  item.isIntro = false
}

function addBlock<N>(
  walk: Walk<N>,
  { node, tag, role }: Pick<Candidate<N>, 'node' | 'tag' | 'role'>,
  context: Context<N>,
): Candidate<N> | null {
  const { interactiveOnly } = walk.options
  if (drawnRoles.has(role)) {
    const placement = locate(walk, node, tag, context)
    // a canvas of a few pixels measures or decorates something
    const { width = 0, height = 0 } = placement?.box ?? {}
    return placement && Math.min(width, height) >= minDrawnSize ? add(walk, { node, tag, role, kind: 'content' }, placement, context) : null
  }
  const content =
    role === 'heading'
      ? !interactiveOnly || !context.insideNamed
      : !interactiveOnly && (leafRoles.has(role) || (cellRoles.test(role) && isEmpty(walk.dom, node)))
  if (role === 'main') walk.introRoom = introChars
  if (content || liveRoles.has(role)) {
    const placement = locate(walk, node, tag, context)
    const block = placement && add(walk, { node, tag, role, kind: content ? 'content' : 'structure' }, placement, context)
    if (block && /dialog$/.test(role)) walk.dialogs.push(block)
    return block
  }
  if (interactiveOnly && !context.insideNamed && leafRoles.has(role)) walk.skippedTexts++
  return structureRoles.has(role) || (!interactiveOnly && blockRoles.has(role)) ? addStructure(walk, { node, tag, role }, context) : null
}

const cellRoles = /^(cell|gridcell)$/

/** An empty cell has a line, because the cells behind it would seem to be below the wrong headers. */
const isEmpty = <N>(dom: Dom<N>, node: N): boolean => !childTags(dom, node) && !textBelow(dom, node, { shown: () => true, max: 1 })

const addStructure = <N>(walk: Walk<N>, fields: Omit<CandidateFields<N>, 'kind'>, context: Context<N>): Candidate<N> =>
  add(walk, { ...fields, kind: 'structure' }, { visibleNode: fields.node, box: null, hiddenReason: context.hiddenReason }, context)

/** A few options get their own lines; a long list, such as countries, is listed only if the select is the scope. */
function addOptions<N>(walk: Walk<N>, select: Candidate<N>, context: Context<N>): void {
  const { dom } = walk
  const options = dom.options(select.node)
  if (options.length > maxListedOptions || dom.secret(select.node)) return
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

function enterFrame<N>(walk: Walk<N>, node: N, tag: string, context: Context<N>): void {
  const { dom, layout } = walk
  const placement = locate(walk, node, tag, context)
  if (!placement) return
  const { box } = placement
  if (box && layout && (!isLarge(box) || dom.hidden(node) || layout.transparent(node) || layout.unseen(node, box))) return
  const frame = walk.scene.frame(node)
  const unreachableReason = 'unreachable' in frame ? frame.unreachable : ''
  const parent = add(walk, { node, tag, role: 'iframe', kind: 'frame', unreachableReason }, placement, context)
  if ('root' in frame) enterDocument(walk, frame.root, { ...context, parent, insideNamed: false, prefix: frame.prefix, pointer: false })
}

/** The document of a classic editor is one field: its body can be edited, so what it contains is its value. */
function enterDocument<N>(walk: Walk<N>, root: N, context: Context<N>): void {
  const { dom, layout } = walk
  const tag = dom.tag(root)
  if (tag !== 'body' || !dom.is(root, 'editable')) {
    descend(walk, root, context, root)
    return
  }
  // an empty body has no height
  const page = dom.parent(root)
  const visibleNode = page && layout && !isLarge(layout.box(root)) ? page : root
  const placement = { visibleNode, box: layout?.box(visibleNode) ?? null, hiddenReason: context.hiddenReason }
  const parent = add(walk, { node: root, tag, role: 'textbox', kind: 'control' }, placement, context)
  descend(walk, root, { ...context, parent, insideNamed: true }, root)
}

/** Adds a text node to the line of its parent, to the current run of text, or as a new line. */
function addText<N>(walk: Walk<N>, node: N, { inherited: context, blockRoot }: Level<N>): void {
  const { dom, layout } = walk
  const { includeHidden, interactiveOnly } = walk.options
  const { parent, insideAside, insideNamed } = context
  if (insideNamed) return
  const { textRun } = walk
  const isInRun = textRun?.parent === parent
  if (!visibleCharacter.test(dom.text(node))) {
    // a space between two words of a run
    if (isInRun && !textRun.endsInBlank) {
      textRun.textLine?.texts.push(node)
      textRun.endsInBlank = true
    }
    return
  }
  const isItem = parent.gathersText
  const isIntro = !insideAside && walk.introRoom > 0
  const isWanted = !interactiveOnly || context.liveRegion
  // controls and headings print their text on their own line; so do items, unless every text gets a line
  if (parent.kind === 'control' || parent.role === 'heading' || (!isWanted && isItem)) {
    if (isItem && isIntro && !parent.texts.length) {
      walk.introRoom -= dom.text(node).length
      parent.isIntro = true
    }
    if (parent.texts.length >= maxItemTexts) return
    if (parent.texts.length && !isInRun) parent.texts.push(' … ')
    parent.texts.push(node)
    walk.textRun = { textLine: parent, parent, blockRoot, last: node, endsInBlank: false }
    return
  }
  if (isInRun && (textRun.textLine ? isSameBlock(dom, textRun.last, node) : textRun.blockRoot === blockRoot)) {
    textRun.textLine?.texts.push(node)
    textRun.last = node
    textRun.endsInBlank = false
    return
  }
  if (!isWanted && !isIntro) {
    if (!dom.hidden(node)) walk.skippedTexts++
    walk.textRun = { textLine: null, parent, blockRoot, last: node, endsInBlank: false }
    return
  }
  const element = dom.parent(node) ?? walk.scene.root
  const hiddenReason = context.hiddenReason || (dom.hidden(node) ? 'not drawn' : '')
  const box = (layout?.box(element) && layout.box(node)) ?? null
  if ((hiddenReason && !includeHidden) || (layout && !box)) return
  if (!isWanted) walk.introRoom -= dom.text(node).trim().length
  const fields = { node: element, tag: '#text', role: 'text', kind: 'text' } as const
  const textLine = add(walk, fields, { visibleNode: element, box, hiddenReason }, context)
  textLine.texts.push(node)
  walk.textRun = { textLine, parent, blockRoot, last: node, endsInBlank: false }
}

/** A line break ends a run of text as the end of a block does. */
function endLine<N>(walk: Walk<N>, { inherited: { parent } }: Level<N>): void {
  const { textRun } = walk
  if (!textRun || textRun.parent !== parent) return
  if (textRun.textLine === parent) parent.texts.push(' | ')
  else walk.textRun = null
}

const noNames: readonly string[] = []

function hiddenBy<N>(dom: Dom<N>, node: N, names: readonly string[]): string {
  if (names.includes('hidden')) return 'hidden'
  return names.includes('aria-hidden') && dom.attr(node, 'aria-hidden')?.toLowerCase() === 'true' ? 'aria-hidden' : ''
}

const visibleCharacter = /[^\0- \xa0]/
