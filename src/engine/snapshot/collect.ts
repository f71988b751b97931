import { namedByContent, words } from '../../contract/roles.ts'
import { isBlank, roleOf } from '../accessibility/roles.ts'
import { hasAny, hasAriaHidden, hasDraggable, hasHidden, hasInert, hasLabel } from '../attributes.ts'
import { asideRoles, isControl, liveRoles, plainTags, tagsWithRole } from '../candidates.ts'
import type { Cursor, Dom, Scene } from '../dom.ts'
import type { EngineOptions } from '../options.ts'
import { textBelow } from '../text.ts'
import { addBlock, addOptions, addPart } from './blocks.ts'
import { type Candidate, createCandidate, demoteToItem } from './candidate.ts'
import { childTags, closeItem, isRepeated, isSmall } from './items.ts'
import { isLarge, locate } from './placement.ts'
import { addText, endLine, isShortText } from './texts.ts'
import { add, addStructure, type CollectResult, type Context, introChars, type Level, valueChars, type Walk } from './walk.ts'

const skippedTags = words('head script style template noscript title desc defs')

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

/** tags of parts of the page that scroll */
const scrollTags = words('article aside div main nav ol pre section table tbody ul')

const clockEvery = 512
/** the share of the time that the walk may take: what it has found must also be sorted and described */
const walkShare = 0.7

/** Walks the document once, in order and without recursion. */
export function collectCandidates<N>(scene: Scene<N>, options: EngineOptions, clock: () => number): CollectResult<N> {
  const deadline = clock() + options.maxTimeMs * walkShare
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
    cursor: layout?.cursor(node) ?? '',
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
    skippedTexts: [],
    hasDraggables: false,
    introRoom: introChars,
    valueRoom: valueChars,
    isFar: false,
    textRun: null,
  }
}

function descend<N>({ dom, levels }: Walk<N>, node: N, context: Context<N>, blockRoot: N, item: Candidate<N> | null = null): void {
  const siblings = dom.children(node)
  if (siblings.length > 0) levels.push({ siblings, nextIndex: 0, inherited: context, blockRoot, item, compared: null })
}

function visit<N>(walk: Walk<N>, node: N, tag: string, level: Level<N>): void {
  const { inherited, blockRoot } = level
  const { dom, layout, options } = walk
  const flags = dom.flags(node)
  // the label of an input that is hidden by its attribute may be drawn in its place, as for one that is hidden by a style
  const hidden = flags & (hasHidden | hasAriaHidden) && !(tag === 'input' && flags & hasHidden) ? hiddenBy(dom, node, flags) : ''
  if (hidden && !options.includeHidden) {
    // a price is often hidden from screen readers, beside a text for them that is not drawn
    if (flags & hasAriaHidden && isShortText(dom, node)) descend(walk, node, inherited, inlineTags.has(tag) ? blockRoot : node)
    return
  }
  let context = inherited
  if (hidden || flags & hasInert)
    context = { ...context, hiddenReason: hidden || context.hiddenReason, isInert: context.isInert || !hidden }
  if (tag === 'iframe' || tag === 'frame') {
    enterFrame(walk, node, tag, context)
    return
  }
  if ((tag === 'option' || tag === 'optgroup') && walk.rootCandidate.tag !== 'select') return
  const ariaRole =
    node === walk.modalPanel
      ? 'dialog'
      : options.interactiveOnly && (flags === 0 ? !tagsWithRole.has(tag) : flags === hasAny && plainTags.has(tag))
        ? 'generic'
        : roleOf(dom, node)
  const role = layout && ariaRole === 'generic' ? (drawnTags.get(tag) ?? ariaRole) : ariaRole
  // the panel of a modal often listens to clicks only to keep them from its veil
  let control = node !== walk.modalPanel && (walk.scene.control?.(node) ?? isControl(walk, node, tag, role))
  if (control && flags & hasDraggable) walk.hasDraggables = true
  if (inherited === walk.topContext) walk.isFar = false
  // the cursor adds nothing inside a named element, and far from the viewport it is only read where a rule sets it, to save time
  const cursor =
    options.cursorInteractive && layout && !context.insideNamed && (!walk.isFar || layout.ownPointer(node))
      ? layout.cursor(node)
      : context.cursor
  // the text of a label is the name of its control
  const labelling = tag === 'label' && dom.is(node, 'labelling')
  const isEmptyLabel = tag === 'label' && !labelling && !textBelow(dom, node, { max: 1 })
  const cursorOnly = cursor !== '' && !control && !labelling && !isEmptyLabel && isOperableByCursor(walk, { node, tag, cursor }, context)
  // something without content is a drop target by itself; other drop targets only get a ref
  const isDropTarget = !control && !!layout?.dropTarget(node) && !dom.hidden(node)
  control = control || cursorOnly || (isDropTarget && role === 'generic' && !childTags(dom, node))
  if (cursorOnly && tag === 'a' && context.cursor === 'pointer' && context.parent.cursorOnly) demoteToItem(context.parent)
  const placement = control ? locate(walk, node, tag, context) : null
  const scrolls = layout && !control && !walk.isFar && scrollTags.has(tag) ? layout.scrolls(node) : ''
  const candidate = placement
    ? add(walk, { node, tag, role, kind: 'control', cursorOnly }, placement, context)
    : control
      ? null
      : role !== 'generic'
        ? addBlock(walk, { node, tag, role }, context)
        : scrolls
          ? addPart(walk, { node, tag, role }, context)
          : isRepeated(dom, level, tag, context)
            ? addStructure(walk, { node, tag, role: 'item', kind: 'structure', gathersText: isSmall(dom, node) }, context)
            : isDropTarget
              ? addStructure(walk, { node, tag, role, kind: 'structure' }, context)
              : null
  if (candidate && isDropTarget) candidate.isDropTarget = true
  if (candidate && scrolls) candidate.scrolls = scrolls
  // the text of a control that is named by a label may say more than the label: "874 likes"
  if (candidate && control && flags & hasLabel && namedByContent.has(role)) candidate.gathersText = true
  if (tag === 'select' && candidate) addOptions(walk, candidate, context)
  if (opaqueTags.has(tag)) return
  if (candidate || labelling || cursor !== context.cursor)
    // a literal instead of a spread, because it is made for every second element
    context = {
      parent: candidate ?? context.parent,
      prefix: context.prefix,
      isInert: context.isInert,
      hiddenReason: context.hiddenReason,
      cursor,
      insideNamed: context.insideNamed || labelling || (control && !!candidate && (namedByContent.has(role) || role === 'textbox')),
      liveRegion: context.liveRegion || liveRoles.has(role),
      insideAside: role !== 'main' && (context.insideAside || asideRoles.has(role)),
    }
  descend(walk, node, context, inlineTags.has(tag) ? blockRoot : node, candidate?.role === 'item' ? candidate : null)
}

/**
 * Whether its cursor makes an element a control: not if it only inherits the cursor, unless it is a link without an address, which
 * often works where the row around it does not.
 */
function isOperableByCursor<N>(
  { layout }: Walk<N>,
  { node, tag, cursor }: { readonly node: N; readonly tag: string; readonly cursor: Cursor },
  { cursor: inherited, parent }: Context<N>,
): boolean {
  if (!layout || layout.ignoresClicks(node)) return false
  if (cursor !== inherited) return true
  return (parent.kind === 'control' || parent.cursorOnly) && (tag === 'a' || (!/^t[dhr]$/.test(tag) && layout.ownPointer(node)))
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
  if (node === walk.modalPanel) walk.dialogs.push(parent)
  if ('root' in frame) enterDocument(walk, frame.root, { ...context, parent, insideNamed: false, prefix: frame.prefix, cursor: '' })
}

/** The document of a classic editor is one field: its body can be edited, so what it contains is its value. */
function enterDocument<N>(walk: Walk<N>, root: N, context: Context<N>): void {
  const { dom, layout } = walk
  const tag = dom.tag(root)
  const page = dom.parent(root)
  const isWhole = /^(body|frameset)$/.test(tag) && (walk.options.scope === undefined || root !== walk.scene.root)
  if (isWhole && page) {
    // scripts append widgets to the document element; the level below the other one is read later
    const siblings = Array.from(dom.children(page)).filter(each => each !== root && (dom.tag(each) || !isBlank(dom.text(each))))
    if (siblings.length > 0) walk.levels.push({ siblings, nextIndex: 0, inherited: context, blockRoot: page, item: null, compared: null })
  }
  if (tag !== 'body' || !dom.is(root, 'editable')) {
    descend(walk, root, context, root)
    return
  }
  // an empty body has no height
  const visibleNode = page && layout && !isLarge(layout.box(root)) ? page : root
  const placement = { visibleNode, box: layout?.box(visibleNode) ?? null, hiddenReason: context.hiddenReason }
  const parent = add(walk, { node: root, tag, role: 'textbox', kind: 'control' }, placement, context)
  descend(walk, root, { ...context, parent, insideNamed: true }, root)
}

function hiddenBy<N>(dom: Dom<N>, node: N, flags: number): string {
  if (flags & hasHidden) return 'hidden'
  return dom.attr(node, 'aria-hidden')?.toLowerCase() === 'true' ? 'aria-hidden' : ''
}
