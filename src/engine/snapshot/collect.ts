import { asideRoles, blockRoles, isControl, itemRoles, leafRoles, newsRoles, structureRoles, tellingTags } from '../candidates.ts'
import type { Box, Dom, Layout, Scene } from '../dom.ts'
import { namedByContent } from '../names.ts'
import type { Options } from '../options.ts'
import { roleOf, words } from '../roles.ts'
import { isSecret } from '../secrets.ts'

/** A thing worth a line, as the walk finds it; what it is called and like is asked only once it is chosen. */
export interface Candidate<N> {
  readonly node: N
  readonly tag: string
  readonly role: string
  readonly kind: 'root' | 'control' | 'structure' | 'content' | 'frame' | 'text'
  readonly parent: Candidate<N> | null
  /** refs of a frame start with this */
  readonly prefix: string
  /** what is drawn of it: itself, or the label that stands for a hidden check box */
  readonly drawn: N
  readonly box: Box | null
  /** pixels until it comes into view, down or up; 0 in view */
  readonly off: number
  readonly beside: boolean
  inert: boolean
  /** why it is hidden; '' when it is not */
  hidden: string
  /** why a frame cannot be looked into */
  readonly unreachable: string
  /** only its cursor says that it can be clicked */
  readonly cursorOnly: boolean
  /** controls stand in it */
  hasControls: boolean
  /** it is among the first lines of the main content */
  first: boolean
  /** runs of text that are told in its own line */
  readonly texts: N[]
  /** how many things stand directly in it */
  childCount: number
}

export interface Survey<N> {
  readonly root: Candidate<N>
  /** in document order; the root is not among them */
  readonly found: readonly Candidate<N>[]
  readonly dialogs: readonly Candidate<N>[]
  readonly visited: number
  readonly stopped: 'maxVisits' | 'maxTime' | null
  /** runs of text that interactiveOnly passed over */
  readonly texts: number
}

/** What holds for everything below an element; made anew only where something changes. */
interface Context<N> {
  readonly parent: Candidate<N>
  readonly prefix: string
  /** the text here is the name of something already found */
  readonly insideNamed: boolean
  readonly liveRegion: boolean
  readonly aside: boolean
  readonly inert: boolean
  readonly hidden: string
  readonly pointer: boolean
}

type Sight<N> = Pick<Candidate<N>, 'drawn' | 'box' | 'hidden'>

const skipped = words('script style template noscript title desc defs')
const inline = words('a abbr b button cite code del em font i input ins kbd label mark q s select small span strong sub sup time u var wbr')
/** what stands in them is told by them, or a fallback that is not drawn */
const closed = words('select textarea video audio')
/** options of a select that are told without being asked for */
const fewOptions = 10
const introChars = 300
const maxItemTexts = 12
const clockEvery = 512

/** One pass over the document, in order, without recursion. */
export function collectCandidates<N>(scene: Scene<N>, options: Options, clock: () => number): Survey<N> {
  const { dom, layout } = scene
  const all = !options.interactiveOnly
  const deadline = clock() + options.maxTimeMs
  const found: Candidate<N>[] = []
  const dialogs: Candidate<N>[] = []
  // three stacks in step: what to visit, what holds there, and the nearest element that stands on lines of its own
  const nodes: N[] = []
  const contexts: Context<N>[] = []
  const blocks: N[] = []
  let visited = 0
  let texts = 0
  let stopped: Survey<N>['stopped'] = null
  let intro = introChars
  /** the last thing that was found lies far from the view; each part of the page is given another chance */
  let far = false
  /** the run of text that the next text may continue: same place, same block */
  let run: { readonly found: Candidate<N> | null; readonly up: Candidate<N>; readonly block: N } | null = null

  const { root: top, prefix } = scene
  const root = thing<N>(
    { node: top, tag: dom.tag(top), role: roleOf(dom, top), kind: 'root' },
    { drawn: top, box: null, hidden: '' },
    { parent: null, prefix, inert: false },
    null,
  )
  const start: Context<N> = {
    parent: root,
    prefix,
    insideNamed: false,
    liveRegion: false,
    aside: false,
    inert: false,
    hidden: '',
    pointer: !!layout?.pointer(top),
  }
  descend(top, start, top)

  while (nodes.length > 0) {
    const node = nodes.pop() as N
    const context = contexts.pop() as Context<N>
    const block = blocks.pop() as N
    const tag = dom.tag(node)
    if (tag === '') {
      read(node, context, block)
      continue
    }
    visited++
    if (visited > options.maxVisits) stopped = 'maxVisits'
    else if (visited % clockEvery === 0 && clock() > deadline) stopped = 'maxTime'
    if (stopped) break
    if (!skipped.has(tag)) visit(node, tag, context, block)
  }
  return { root, found, dialogs, visited, stopped, texts }

  function descend(node: N, context: Context<N>, block: N): void {
    const children = dom.children(node)
    for (let i = children.length - 1; i >= 0; i--) {
      nodes.push(children[i] as N)
      contexts.push(context)
      blocks.push(block)
    }
  }

  function visit(node: N, tag: string, around: Context<N>, block: N): void {
    const bare = dom.bare(node)
    const hidden = bare ? '' : hiddenBy(dom, node)
    if (hidden && !options.includeHidden) return
    let context = around
    if (hidden || (!bare && dom.attr(node, 'inert') !== null))
      context = { ...context, hidden: hidden || context.hidden, inert: context.inert || !hidden }
    if (tag === 'iframe') {
      enterFrame(node, tag, context)
      return
    }
    if ((tag === 'option' || tag === 'optgroup') && root.tag !== 'select') return
    const role = bare && !all && !tellingTags.has(tag) ? 'generic' : roleOf(dom, node)
    let control = scene.control?.(node) ?? isControl(scene, node, tag, role)
    // inside of what is named already the cursor says nothing new, and far from the view a guess by it is not worth the time
    if (around === start) far = false
    const pointer = options.cursorInteractive && layout && !context.insideNamed && !far ? layout.pointer(node) : context.pointer
    const weak = pointer && !control && !context.pointer && tag !== 'label'
    control = control || weak
    const sight = control ? look(node, tag, context) : null
    const here = sight
      ? add({ node, tag, role, kind: 'control', cursorOnly: weak }, sight, context)
      : control || role === 'generic'
        ? null
        : addBlock(node, tag, role, context)
    if (tag === 'select' && here) addOptions(here, context)
    if (closed.has(tag)) return
    // the words of a label are said by its control
    const labelling = tag === 'label' && dom.is(node, 'labelling')
    if (here || labelling || pointer !== context.pointer)
      // a literal, not a spread: it is made for every second element
      context = {
        parent: here ?? context.parent,
        prefix: context.prefix,
        inert: context.inert,
        hidden: context.hidden,
        pointer,
        insideNamed: context.insideNamed || labelling || (control && !!here && (namedByContent.has(role) || role === 'textbox')),
        liveRegion: context.liveRegion || newsRoles.has(role),
        aside: role !== 'main' && (context.aside || asideRoles.has(role)),
      }
    descend(node, context, inline.has(tag) ? block : node)
  }

  function addBlock(node: N, tag: string, role: string, context: Context<N>): Candidate<N> | null {
    const content = role === 'heading' ? all || !context.insideNamed : all && leafRoles.has(role)
    if (role === 'main') intro = introChars
    if (content || newsRoles.has(role)) {
      const sight = look(node, tag, context)
      const block = sight && add({ node, tag, role, kind: content ? 'content' : 'structure' }, sight, context)
      if (block && /dialog$/.test(role)) dialogs.push(block)
      return block
    }
    if (!all && !context.insideNamed && leafRoles.has(role)) texts++
    return structureRoles.has(role) || (all && blockRoles.has(role))
      ? add({ node, tag, role, kind: 'structure' }, { drawn: node, box: null, hidden: context.hidden }, context)
      : null
  }

  /** a few are worth their lines; a list of countries is told when it is the scope */
  function addOptions(select: Candidate<N>, context: Context<N>): void {
    const options = dom.options(select.node)
    if (options.length > fewOptions || isSecret(dom, select.node)) return
    for (let i = 0; i < options.length; i++) {
      const node = options[i] as N
      // they have no place of their own: they are where their select is
      if (!dom.hidden(node)) add({ node, tag: 'option', role: 'option', kind: 'control' }, select, { ...context, parent: select })
    }
  }

  function add(what: What<N>, sight: Sight<N>, context: Context<N>): Candidate<N> {
    const { parent: up } = context
    const made = thing<N>(what, sight, context, layout)
    up.childCount++
    if (layout && made.box) far = Math.abs(made.off) > 2 * layout.height
    if (what.kind === 'control')
      for (let each: Candidate<N> | null = up; each && !each.hasControls; each = each.parent) each.hasControls = true
    found.push(made)
    run = null
    return made
  }

  /** where a thing is; null when nobody can see it and hidden ones were not asked for */
  function look(node: N, tag: string, context: Context<N>): Sight<N> | null {
    const box = layout?.box(node) ?? null
    const { hidden } = context
    const whole: Sight<N> = { drawn: node, box, hidden }
    // whether something that has a size is drawn is asked only of what is chosen: there are thousands
    if (hidden || (isLarge(box) && tag !== 'input')) return whole
    const isHidden = dom.hidden(node)
    // options and areas are drawn by the browser, not by the page
    // a check box may let clicks through to the label that draws it
    const isReached = tag !== 'input' || !layout || layout.clickable(node)
    if (!isHidden && isReached && (!layout || isLarge(box) || /^(option|optgroup|area)$/.test(tag))) return whole
    const label = labelOf(scene, node, tag)
    if (label || (box && !isHidden)) return label ?? whole
    return options.includeHidden ? { drawn: node, box, hidden: 'not drawn' } : null
  }

  function enterFrame(node: N, tag: string, context: Context<N>): void {
    const sight = look(node, tag, context)
    if (
      !sight ||
      (sight.box && layout && (!isLarge(sight.box) || dom.hidden(node) || layout.transparent(node) || layout.unseen(node, sight.box)))
    )
      return
    const frame = scene.frame(node)
    const unreachable = 'unreachable' in frame ? frame.unreachable : ''
    const here = add({ node, tag, role: 'iframe', kind: 'frame', unreachable }, sight, context)
    if ('root' in frame)
      descend(frame.root, { ...context, parent: here, insideNamed: false, prefix: frame.prefix, pointer: false }, frame.root)
  }

  function read(node: N, context: Context<N>, block: N): void {
    const { parent: up, liveRegion: news, aside, insideNamed: quiet } = context
    if (quiet || !ink.test(dom.text(node))) return
    if (run && run.up === up && run.block === block) {
      run.found?.texts.push(node)
      return
    }
    const isItem = itemRoles.has(up.role)
    const isFirst = !aside && intro > 0
    // a clickable and a heading tell their text themselves; so does an item, unless all text is told line by line
    if (up.kind === 'control' || up.role === 'heading' || (!all && !news && isItem)) {
      if (isItem && isFirst && !up.texts.length) {
        intro -= dom.text(node).length
        up.first = true
      }
      if (up.texts.length < maxItemTexts) up.texts.push(node)
      return
    }
    if (!all && !news && !isFirst) {
      if (!dom.hidden(node)) texts++
      run = { found: null, up, block }
      return
    }
    const parent = dom.parent(node) ?? top
    const hidden = context.hidden || (dom.hidden(node) ? 'not drawn' : '')
    const box = layout?.box(parent) ?? null
    if ((hidden && !options.includeHidden) || (layout && !box)) return
    if (!all && !news) intro -= dom.text(node).trim().length
    const line = add({ node: parent, tag: '#text', role: 'text', kind: 'text' }, { drawn: parent, box, hidden }, context)
    line.texts.push(node)
    run = { found: line, up, block }
  }
}

type What<N> = Pick<Candidate<N>, 'node' | 'tag' | 'role' | 'kind'> & Partial<Pick<Candidate<N>, 'cursorOnly' | 'unreachable'>>

/** one literal, so that all things have one shape: there may be a hundred thousand */
function thing<N>(
  { node, tag, role, kind, unreachable = '', cursorOnly: weak = false }: What<N>,
  { drawn, box, hidden }: Sight<N>,
  { parent: up, prefix, inert }: Pick<Candidate<N>, 'parent' | 'prefix' | 'inert'>,
  layout: Layout<N> | null,
): Candidate<N> {
  const off = box && layout ? offOf(box, layout) : 0
  const beside = !!box && !!layout && (box.x + box.width <= 0 || box.x >= layout.width)
  return {
    node,
    drawn,
    tag,
    role,
    kind,
    parent: up,
    prefix,
    inert,
    box,
    off,
    beside,
    hidden,
    unreachable,
    cursorOnly: weak,
    hasControls: false,
    first: false,
    texts: [],
    childCount: 0,
  }
}

function hiddenBy<N>(dom: Dom<N>, node: N): string {
  if (dom.attr(node, 'hidden') !== null) return 'hidden'
  return dom.attr(node, 'aria-hidden')?.toLowerCase() === 'true' ? 'aria-hidden' : ''
}

/**
 * A check box drawn by its label is there, and so is a file field behind a button: the label stands for it.
 * So does a code editor for the field of no size that takes its keys.
 */
export function labelOf<N>({ dom, layout }: Pick<Scene<N>, 'dom' | 'layout'>, node: N, tag: string): Sight<N> | null {
  if (layout && dom.attr(node, 'aria-roledescription') === 'editor') return editorOf({ dom, layout }, node)
  if (tag !== 'input' || !layout || !/^(checkbox|radio|file)$/i.test(dom.attr(node, 'type') ?? '')) return null
  const labels = dom.labels(node)
  for (let i = 0; i < labels.length; i++) {
    const drawn = labels[i] as N
    const box = dom.hidden(drawn) ? null : layout.box(drawn)
    if (isLarge(box)) return { box, hidden: '', drawn }
  }
  return null
}

function editorOf<N>({ dom, layout }: { readonly dom: Dom<N>; readonly layout: Layout<N> }, node: N): Sight<N> | null {
  let drawn = dom.parent(node)
  for (let steps = 0; drawn && steps < 4; steps++, drawn = dom.parent(drawn)) {
    const box = dom.hidden(drawn) ? null : layout.box(drawn)
    if (isLarge(box)) return { box, hidden: '', drawn }
  }
  return null
}

const isLarge = (box: Box | null): boolean => box !== null && box.width > 1 && box.height > 1

/** pixels until a box comes into view, down or up */
export function offOf<N>({ y, height }: Box, layout: Layout<N>): number {
  if (y + height <= 0) return Math.min(-1, Math.round(y + height))
  return y >= layout.height ? Math.max(1, Math.round(y - layout.height)) : 0
}

const ink = /[^\0- \xa0]/
