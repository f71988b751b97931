import { asideRoles, contentRoles, isControl, itemRoles, namedByContent, newsRoles, structureRoles } from './candidates.ts'
import type { Box, Dom, Layout, Scene } from './dom.ts'
import type { Options } from './options.ts'
import { roleOf } from './roles.ts'

/** A thing worth a line, as the walk finds it; what it is called and like is asked only once it is chosen. */
export interface Found<N> {
  readonly node: N
  readonly tag: string
  readonly role: string
  readonly kind: 'root' | 'control' | 'structure' | 'content' | 'frame' | 'text'
  readonly up: Found<N> | null
  /** refs of a frame start with this */
  readonly prefix: string
  readonly box: Box | null
  /** what is drawn of it: itself, or the label that stands for a hidden check box */
  readonly drawn: N
  /** pixels until it comes into view, down or up; 0 in view */
  readonly off: number
  readonly beside: boolean
  readonly inert: boolean
  readonly hidden: string
  /** runs of text that are told in its own line */
  readonly texts: N[]
  /** how many things stand directly in it */
  within: number
  readonly unreachable: string
  /** only its cursor says that it can be clicked */
  readonly weak: boolean
}

export interface Survey<N> {
  readonly root: Found<N>
  /** in document order; the root is not among them */
  readonly found: readonly Found<N>[]
  readonly visited: number
  readonly stopped: 'maxVisits' | 'maxTimeMs' | null
  /** runs of text that interactiveOnly passed over */
  readonly texts: number
  readonly dialogs: readonly Found<N>[]
}

interface Sight<N> {
  readonly box: Box | null
  readonly hidden: string
  readonly drawn?: N
}

/** What the walk carries down; made anew only where something changes. */
interface Context<N> {
  readonly up: Found<N>
  /** the nearest element that stands on lines of its own: text in the same one is one run */
  readonly block: N
  /** the text here is the name of something already found */
  readonly quiet: boolean
  readonly news: boolean
  readonly aside: boolean
  readonly inert: boolean
  readonly hidden: string
  readonly pointer: boolean
  readonly prefix: string
  /** options of this select are listed */
  readonly openSelect: boolean
}

const skipped = new Set('script style template noscript head title meta link base param source track datalist colgroup col wbr desc defs symbol metadata'.split(' '))
const inlineTags = new Set(
  'a abbr acronym b bdi bdo big button cite code data del dfn em font i input ins kbd label mark meter output progress q rp rt ruby s samp select small span strike strong sub sup time tt u var'.split(
    ' ',
  ),
)
const introChars = 300
const maxItemTexts = 12
const clockEvery = 512

/** One pass over the document, in order, without recursion. */
export function survey<N>(scene: Scene<N>, options: Options, clock: () => number): Survey<N> {
  const { dom, layout } = scene
  const all = !options.interactiveOnly
  const deadline = clock() + options.maxTimeMs
  const found: Found<N>[] = []
  const dialogs: Found<N>[] = []
  const root = rootOf(scene)
  const nodes: N[] = []
  const contexts: Context<N>[] = []
  let visited = 0
  let texts = 0
  let stopped: Survey<N>['stopped'] = null
  let intro = introChars
  let lastText: { found: Found<N> | null; up: Found<N>; block: N } | null = null

  descend(scene.root, {
    up: root,
    block: scene.root,
    quiet: false,
    news: false,
    aside: false,
    inert: false,
    hidden: '',
    pointer: layout?.pointer(scene.root) ?? false,
    prefix: scene.prefix,
    openSelect: root.tag === 'select',
  })

  while (nodes.length > 0) {
    const node = nodes.pop() as N
    const context = contexts.pop() as Context<N>
    const tag = dom.tag(node)
    if (tag === '') {
      readText(node, context)
      continue
    }
    visited++
    if (visited > options.maxVisits) stopped = 'maxVisits'
    else if (visited % clockEvery === 0 && clock() > deadline) stopped = 'maxTimeMs'
    if (stopped) break
    visit(node, tag, context)
  }
  return { root, found, visited, stopped, texts, dialogs }

  function descend(node: N, context: Context<N>): void {
    const children = dom.children(node)
    for (let i = children.length - 1; i >= 0; i--) {
      nodes.push(children[i] as N)
      contexts.push(context)
    }
  }

  function visit(node: N, tag: string, from: Context<N>): void {
    if (skipped.has(tag)) return
    const bare = dom.bare(node)
    let context = from
    if (!bare) {
      const hidden = hiddenByAttribute(dom, node)
      if (hidden) {
        if (!options.includeHidden) return
        context = { ...context, hidden }
      }
      if (!context.inert && dom.attr(node, 'inert') !== null) context = { ...context, inert: true }
    }
    if (tag === 'iframe' || tag === 'frame') return enterFrame(node, tag, context)
    const role = roleOf(dom, node)
    let pointer = context.pointer
    let control = isControl(scene, { node, tag, role })
    let weak = false
    if (options.cursorInteractive && layout && !(bare && inlineTags.has(tag) && !pointer)) {
      const now = layout.pointer(node)
      if (now && !pointer && !control && tag !== 'label' && !context.quiet) control = weak = true
      pointer = now
    }
    const isOption = tag === 'option' || tag === 'optgroup'
    if (isOption && !context.openSelect) return
    const structure = structureRoles.has(role)
    const content = all && contentRoles.has(role)
    let here: Found<N> | null = null
    if (control) here = addControl(node, { tag, role, weak }, context)
    else if (structure || content || role === 'heading') here = addBlock(node, { tag, role, content: content || role === 'heading' }, context)
    if (tag === 'select') return
    const block = inlineTags.has(tag) ? context.block : node
    const changed = here || block !== context.block || pointer !== context.pointer
    if (!changed) return descend(node, context)
    descend(node, {
      ...context,
      up: here ?? context.up,
      block,
      pointer,
      quiet: context.quiet || (here !== null && control && namedByContent.has(role)) || (control && (role === 'textbox' || role === 'searchbox')),
      news: context.news || newsRoles.has(role),
      aside: role === 'main' ? false : context.aside || asideRoles.has(role),
    })
  }

  function addControl(node: N, what: { tag: string; role: string; weak: boolean }, context: Context<N>): Found<N> | null {
    const seen = look(node, what.tag, context)
    return seen && add(node, { ...what, kind: 'control' }, { ...seen, context })
  }

  function addBlock(node: N, what: { tag: string; role: string; content: boolean }, context: Context<N>): Found<N> | null {
    if (what.content || newsRoles.has(what.role)) {
      const seen = look(node, what.tag, context)
      if (!seen) return null
      if (what.role === 'heading' && context.quiet && !all) return null
      const block = add(node, { ...what, kind: what.content ? 'content' : 'structure' }, { ...seen, context })
      if (what.role === 'dialog' || what.role === 'alertdialog') dialogs.push(block)
      return block
    }
    if (what.role === 'main') intro = introChars
    return add(node, { ...what, kind: 'structure' }, { box: null, hidden: context.hidden, context })
  }

  function add(
    node: N,
    { tag, role, kind, weak = false }: { tag: string; role: string; kind: Found<N>['kind']; weak?: boolean },
    { box, hidden, drawn = node, context, unreachable = '' }: Sight<N> & { context: Context<N>; unreachable?: string },
  ): Found<N> {
    const { up, prefix, inert } = context
    const place = layout && box ? placeOf(box, layout) : { off: 0, beside: false }
    const here: Found<N> = { node, tag, role, kind, up, prefix, box, drawn, ...place, inert, hidden, texts: [], within: 0, unreachable, weak }
    up.within++
    found.push(here)
    lastText = null
    return here
  }

  /** where a control or block is; null when nobody can see it and hidden ones were not asked for */
  function look(node: N, tag: string, context: Context<N>): Sight<N> | null {
    if (context.hidden) return { box: layout?.box(node) ?? null, hidden: context.hidden }
    const hidden = dom.hidden(node)
    const box = layout && !hidden ? layout.box(node) : null
    // options are drawn by the browser, outside of the page
    if (!hidden && (!layout || (box && box.width > 1 && box.height > 1) || tag === 'option' || tag === 'optgroup')) return { box, hidden: '' }
    const label = labelOf(scene, node, tag)
    if (label) return label
    if (box) return { box, hidden: '' }
    return options.includeHidden ? { box, hidden: hidden ? 'not drawn' : 'no size' } : null
  }

  function enterFrame(node: N, tag: string, context: Context<N>): void {
    const seen = look(node, tag, context)
    if (!seen || (seen.box && (seen.box.width < 2 || seen.box.height < 2))) return
    const frame = scene.frame(node)
    if ('unreachable' in frame) {
      add(node, { tag, role: 'iframe', kind: 'frame' }, { ...seen, context, unreachable: frame.unreachable })
      return
    }
    const here = add(node, { tag, role: 'iframe', kind: 'frame' }, { ...seen, context })
    descend(frame.root, { ...context, up: here, block: frame.root, quiet: false, prefix: frame.prefix, pointer: false })
  }

  function readText(node: N, context: Context<N>): void {
    if (context.quiet || !hasInk(dom.text(node))) return
    const { up, block } = context
    if (lastText && lastText.up === up && lastText.block === block) {
      lastText.found?.texts.push(node)
      return
    }
    const keep = all || context.news || (!context.aside && intro > 0 && up.kind !== 'control' && !itemRoles.has(up.role) && up.role !== 'heading')
    if (!keep) {
      if (takesText(up)) up.texts.push(node)
      else texts++
      lastText = takesText(up) ? null : { found: null, up, block }
      return
    }
    // a generic control and a heading tell their text themselves
    if (up.kind === 'control' || up.role === 'heading') {
      up.texts.push(node)
      return
    }
    const parent = dom.parent(node) ?? scene.root
    const hidden = context.hidden || (dom.hidden(parent) ? 'not drawn' : '')
    if (hidden && !options.includeHidden) return
    if (!all && !context.news) intro -= dom.text(node).trim().length
    const box = layout?.box(parent) ?? null
    if (layout && !box) return
    const run = add(parent, { tag: '#text', role: 'text', kind: 'text' }, { box, hidden, context })
    run.texts.push(node)
    lastText = { found: run, up, block }
  }
}

const takesText = <N>(up: Found<N>) => (up.kind === 'control' || up.role === 'heading' || itemRoles.has(up.role)) && up.texts.length < maxItemTexts

function rootOf<N>({ dom, root, layout }: Scene<N>): Found<N> {
  const box = layout?.box(root) ?? null
  const rest = { kind: 'root', up: null, prefix: '', box, off: 0, beside: false, inert: false, hidden: '', within: 0, unreachable: '', weak: false } as const
  return { node: root, drawn: root, tag: dom.tag(root), role: roleOf(dom, root), ...rest, texts: [] }
}

function hiddenByAttribute<N>(dom: Dom<N>, node: N): string {
  if (dom.attr(node, 'hidden') !== null) return 'hidden'
  return dom.attr(node, 'aria-hidden')?.toLowerCase() === 'true' ? 'aria-hidden' : ''
}

/** A check box drawn by its label is there, and so is a file field behind a button: the box of the label stands for it. */
function labelOf<N>({ dom, layout }: Scene<N>, node: N, tag: string): Sight<N> | null {
  if (tag !== 'input' || !layout || !/^(checkbox|radio|file)$/i.test(dom.attr(node, 'type') ?? '')) return null
  const labels = dom.labels(node)
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i] as N
    const box = dom.hidden(label) ? null : layout.box(label)
    if (box && box.width > 1 && box.height > 1) return { box, hidden: '', drawn: label }
  }
  return null
}

function placeOf<N>(box: Box, layout: Layout<N>): { off: number; beside: boolean } {
  const beside = box.x + box.width <= 0 || box.x >= layout.width
  if (box.y + box.height <= 0) return { off: Math.min(-1, Math.round(box.y + box.height)), beside }
  if (box.y >= layout.height) return { off: Math.max(1, Math.round(box.y - layout.height)), beside }
  return { off: 0, beside }
}

function hasInk(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 32 && code !== 0xa0) return true
  }
  return false
}
