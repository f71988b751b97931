import type { Left, Meta, Reason, RefDetail, SnapshotJson, SnapshotNode } from '../contract/snapshot.ts'
import { itemRoles } from './candidates.ts'
import { type Described, type Draft, describe } from './describe.ts'
import type { Box, Scene } from './dom.ts'
import { nameOf } from './names.ts'
import type { Options } from './options.ts'
import type { Refs } from './refs.ts'
import { roleOf } from './roles.ts'
import { type Found, type Survey, survey } from './survey.ts'
import { cut, tidy } from './text.ts'
import { topDialog } from './top-dialog.ts'

export interface Taken {
  readonly json: SnapshotJson
  /** the elements that stand in it, with their refs: to be marked where the host wants marks */
  readonly marked: readonly { readonly node: object; readonly ref: string }[]
}

/** what crosses the bridge stays below 100 KB, whatever the page holds; the rest is for what is not a node */
const maxJsonBytes = 95_000
/** a list or table with more than this many things in it can be opened by itself, so it gets a ref */
const manyItems = 10

/** The page as data: survey it, choose what fits by what matters most, describe that, and number it in document order. */
export function snapshot<N extends object>(
  scene: Scene<N>,
  options: Options,
  { refs, meta, clock, after, first }: { refs: Refs<N>; meta: Omit<Meta, 'dialog'>; clock: () => number; after?: N; first: boolean },
): Taken | 'after_not_found' {
  const started = clock()
  const surveyed = survey(scene, options, clock)
  const start = after === undefined ? 0 : surveyed.found.findIndex(each => each.node === after) + 1
  if (after !== undefined && start === 0) return 'after_not_found'
  const found = start > 0 ? surveyed.found.slice(start) : surveyed.found
  const dialog = topDialog(scene, surveyed)
  const chosen = choose(scene, { found, dialog, surveyed }, options)
  const { tree, details, marked, ref } = assemble(scene, { surveyed, chosen }, { options, refs, first, dialog: dialog?.found ?? null })
  for (const each of surveyed.found) refs.see(identity(each))
  const reasons = order(chosen.reasons, surveyed.stopped)
  const left = surveyed.texts > 0 ? { ...chosen.left, text: surveyed.texts } : chosen.left
  return {
    marked,
    json: {
      ok: true,
      type: 'snapshot',
      meta: { ...meta, ...(ref ? { dialog: ref } : {}) },
      stats: {
        nodesVisited: surveyed.visited,
        nodesEmitted: chosen.described.size,
        truncated: reasons.length > 0,
        truncateReasons: reasons,
        elapsedMs: Math.round((clock() - started) * 10) / 10,
        ...(Object.keys(left).length > 0 ? { left } : {}),
      },
      refs: details,
      tree,
    },
  }
}

interface Chosen<N> {
  readonly described: Map<Found<N>, Described>
  readonly reasons: ReadonlySet<Reason>
  readonly left: Left
}

type Count = { -readonly [place in keyof Left]: number }

function choose<N extends object>(
  scene: Scene<N>,
  { found, dialog, surveyed }: { found: readonly Found<N>[]; dialog: ReturnType<typeof topDialog<N>>; surveyed: Survey<N> },
  options: Options,
): Chosen<N> {
  const described = new Map<Found<N>, Described>()
  const reasons = new Set<Reason>()
  const left: Count = {}
  const leave = (each: Found<N>, place: keyof Left = each.off < 0 ? 'above' : each.off > 0 ? 'below' : 'beside') => {
    left[place] = (left[place] ?? 0) + 1
  }
  let bytes = 0
  const take = (each: Found<N>, covered?: string) => {
    const made = describe(scene, each, options)
    if (covered) made.node.states = { ...made.node.states, covered }
    if (each.hidden) made.node.visible = false
    if (options.boxes && each.box) made.node.box = rounded(each.box)
    bytes += bytesOf(made.node) + bytesOf(made.detail) + 24
    described.set(each, made)
    if (made.shortened) reasons.add('maxTextPerNode')
  }

  for (const each of inKeepOrder(found, dialog?.inside ?? null, options.after !== undefined)) {
    if (each.kind === 'frame' && each.unreachable) leave(each, 'frames')
    if ((each.inert || dialog?.behind.has(each)) && !options.includeHidden) {
      leave(each, 'inert')
      continue
    }
    if (options.viewport === 'visible' && (each.off !== 0 || each.beside)) {
      leave(each)
      continue
    }
    if (described.size >= options.maxNodes || bytes > maxJsonBytes) {
      reasons.add(bytes > maxJsonBytes ? 'maxJsonBytes' : 'maxNodes')
      leave(each, each.off === 0 && !each.beside ? 'below' : undefined)
      continue
    }
    const seen = sight(scene, each, options)
    if (seen === 'unseen') continue
    if (seen.covered && (options.occluded === 'drop' || each.kind === 'text')) {
      leave(each, 'covered')
      continue
    }
    take(each, seen.covered)
    for (let up = each.up; up && up !== surveyed.root && !described.has(up); up = up.up) if (isWorthwhile(up, options)) take(up)
  }
  return { described, reasons, left }
}

/** Topmost dialog, in view, near the view, the rest; in document order among equals. */
function inKeepOrder<N>(found: readonly Found<N>[], inDialog: ReadonlySet<Found<N>> | null, plain: boolean): readonly Found<N>[] {
  const worth = found.filter(each => each.kind !== 'structure' && !(each.weak && each.within > 0) && !isEmptyHeading(each))
  if (plain) return worth
  const key = (each: Found<N>) =>
    inDialog?.has(each) ? -1 : Math.abs(each.off) + (each.beside ? 1 : 0) + (each.hidden || each.inert ? 1e7 : 0)
  const keyed = worth.map((each, order) => ({ each, order, key: key(each) }))
  return keyed.sort((a, b) => a.key - b.key || a.order - b.order).map(({ each }) => each)
}

/** whether a thing that holds a chosen one gets a line too */
const isWorthwhile = <N>({ weak, role, texts, kind, within }: Found<N>, { interactiveOnly }: Options) =>
  !weak && (!interactiveOnly || kind !== 'structure' || (itemRoles.has(role) ? texts.length > 0 : role !== 'list' || within > 1))

// a heading that only wraps a link says the same as the link
const isEmptyHeading = <N>({ role, kind, texts, within }: Found<N>) =>
  role === 'heading' && kind !== 'control' && texts.length === 0 && within > 0

/** Whether anybody sees a chosen thing, and what lies over it. */
function sight<N>({ dom, layout }: Scene<N>, each: Found<N>, options: Options): 'unseen' | { covered: string | undefined } {
  const { box, drawn: node } = each
  if (!layout || !box || each.hidden || each.kind === 'frame') return { covered: undefined }
  const hide = (why: string) => {
    if (!options.includeHidden) return 'unseen' as const
    Object.assign(each, { hidden: why })
    return { covered: undefined }
  }
  const control = each.kind === 'control'
  const unseen = layout.unseen(node, box) || (each.kind === 'text' || each.role === 'heading' ? layout.unreadable(node) : '')
  if (unseen) return hide(unseen)
  const inView = each.off === 0 && !each.beside
  const over = inView ? layout.cover(node, box) : null
  if (options.opacityHidden && layout.transparent(node)) {
    if (!control || over || !layout.clickable(node)) return hide('opacity')
  }
  return { covered: over ? labelOf({ dom, over }) : undefined }
}

/** dialog "Cookies", in a few words: what to dismiss */
function labelOf<N>({ dom, over }: { dom: Scene<N>['dom']; over: N }): string {
  let named: N = over
  for (let each: N | null = over, steps = 0; each && dom.tag(each) !== 'body' && steps < 8; each = dom.parent(each), steps++) {
    const role = roleOf(dom, each)
    if (role === 'generic' || role === 'none' || role === 'paragraph' || role === 'document') continue
    named = each
    break
  }
  const role = roleOf(dom, named)
  const name =
    role === 'generic' ? (dom.attr(named, 'id') ?? dom.attr(named, 'class') ?? '') : nameOf(dom, named, { maxChars: 60, maxVisits: 200 })
  return `${role === 'generic' ? dom.tag(named) : role}${name ? ` ${cut(tidy(name), 40)}` : ''}`
}

function assemble<N extends object>(
  scene: Scene<N>,
  { surveyed, chosen }: { surveyed: Survey<N>; chosen: Chosen<N> },
  { options, refs, first, dialog }: { options: Options; refs: Refs<N>; first: boolean; dialog: Found<N> | null },
) {
  const details: Record<string, RefDetail> = Object.create(null)
  const marked: { node: N; ref: string }[] = []
  const isPage = scene.dom.tag(surveyed.root.node) === 'body'
  const root = isPage ? null : describe(scene, surveyed.root, options)
  const tree: Draft = root ? root.node : { tag: 'body', role: 'document' }
  const number = (found: Found<N>, node: Draft, detail: RefDetail) => {
    const ref = refs.give(found.node, found.prefix)
    node.ref = ref
    details[ref] = detail
    marked.push({ node: found.node, ref })
  }
  if (root) number({ ...surveyed.root, prefix: scene.prefix }, tree, root.detail)
  for (const each of surveyed.found) {
    const made = chosen.described.get(each)
    if (!made) continue
    if (wantsRef(each, options)) number(each, made.node, made.detail)
    if (!first && each.kind !== 'structure' && !refs.seen(identity(each))) made.node.new = true
    let up = each.up
    while (up && up !== surveyed.root && !chosen.described.has(up)) up = up.up
    const parent: Draft = (up && chosen.described.get(up)?.node) || tree
    const children = (parent.children ?? []) as SnapshotNode[]
    children.push(made.node)
    parent.children = children
  }
  return { tree: tree as SnapshotNode, details, marked, ref: dialog ? refs.of(dialog.node) : undefined }
}

/** a run of text is known by its first text node: its element may hold several runs */
const identity = <N>({ kind, node, texts }: Found<N>): N => (kind === 'text' ? (texts[0] ?? node) : node)

function wantsRef<N>({ kind, role, within }: Found<N>, { interactiveOnly }: Options): boolean {
  if (kind === 'text') return false
  if (kind === 'control' || kind === 'frame' || !interactiveOnly) return true
  return /^(alert)?dialog$|^form$/.test(role) || (kind === 'structure' && within > manyItems && !itemRoles.has(role))
}

const rounded = ({ x, y, width, height }: Box) => [Math.round(x), Math.round(y), Math.round(width), Math.round(height)] as const

function order(seen: ReadonlySet<Reason>, stopped: Survey<never>['stopped']): Reason[] {
  const all: readonly Reason[] = ['maxNodes', 'maxTextPerNode', 'maxVisits', 'maxTimeMs', 'maxJsonBytes']
  return all.filter(reason => seen.has(reason) || reason === stopped)
}

/** length in UTF-8: a Chinese page may not be three times as large as an English one */
function bytesOf(value: unknown): number {
  const json = JSON.stringify(value)
  let bytes = json.length
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i)
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1
  }
  return bytes
}
