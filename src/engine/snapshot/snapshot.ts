import type { OmittedCounts, RefDetail, Snapshot, SnapshotMeta, SnapshotNode, TruncateReason } from '../../contract/snapshot.ts'
import { itemRoles } from '../candidates.ts'
import type { Scene } from '../dom.ts'
import type { Options } from '../options.ts'
import type { Refs } from '../refs.ts'
import { type Candidate, collectCandidates } from './collect.ts'
import { type Described, type Draft, describe } from './describe.ts'
import { type TopDialog, topDialog } from './top-dialog.ts'
import { sight } from './visibility.ts'

export interface Taken<N> {
  readonly json: Snapshot
  /** the elements that stand in it, with their refs: to be marked where the host wants marks */
  readonly marked: readonly { readonly node: N; readonly ref: string }[]
}

export interface Taking<N extends object> {
  readonly refs: Refs<N>
  readonly meta: Omit<SnapshotMeta, 'dialog'>
  readonly clock: () => number
  readonly after?: N
  /** nothing is new at the first look */
  readonly first: boolean
  /** of JSON, for nodes and their details */
  readonly maxBytes: number
  /** what is not chosen gets its number too, so that numbers do not depend on limits */
  readonly numberAll?: boolean
}

interface Chosen<N> {
  readonly lines: ReadonlyMap<Candidate<N>, Described>
  readonly reasons: readonly TruncateReason[]
  readonly omitted: OmittedCounts
}

/** a list or table with more than this many things in it can be opened by itself, so it gets a ref */
const manyItems = 10

/** The page as data: survey it, choose what fits by what matters most, describe that, and number it in document order. */
export function snapshot<N extends object>(
  scene: Scene<N>,
  options: Options,
  { refs, meta, clock, after, first, maxBytes, numberAll }: Taking<N>,
): Taken<N> | null {
  const started = clock()
  const { root, found, visited, stopped, texts, dialogs } = collectCandidates(scene, options, clock)
  const start = after === undefined ? 0 : found.findIndex(each => each.node === after) + 1
  if (after !== undefined && !start) return null
  const dialog = topDialog(scene, dialogs, found)
  const {
    lines,
    reasons,
    omitted: left,
  } = choose(scene, options, {
    worth: inKeepOrder(found.slice(start), dialog, !!after),
    dialog,
    root,
    clock,
    deadline: started + options.maxTimeMs,
    maxBytes,
  })

  const details: Record<string, RefDetail> = Object.create(null)
  const marked: { node: N; ref: string }[] = []
  const number = ({ node, prefix }: Candidate<N>, line: Described) => {
    const ref = refs.give(node, prefix)
    line.node.ref = ref
    details[ref] = line.detail
    marked.push({ node, ref })
  }
  // the whole page is a document; a scope is what it is
  const top: Described =
    root.tag === 'body' ? { node: { tag: 'body', role: 'document' }, detail: {}, shortened: false } : describe(scene, root, options)
  if (root.tag !== 'body') number(root, top)
  for (const each of found) {
    const line = lines.get(each)
    if (!line) {
      if (numberAll && wantsRef(each, options)) refs.give(each.node, each.prefix)
      continue
    }
    if (wantsRef(each, options)) number(each, line)
    if (!first && (each.kind !== 'structure' || each.box) && !refs.seen(identity(each))) line.node.new = true
    let up = each.parent
    while (up && !lines.has(up)) up = up.parent
    const parent: Draft = ((up && lines.get(up)) ?? top).node
    parent.children = parent.children ?? []
    ;(parent.children as SnapshotNode[]).push(line.node)
  }
  // the words of an item without a line are text that is not shown
  let unsaid = texts
  for (const each of found) {
    refs.see(identity(each))
    if (each.kind === 'structure' && each.texts.length && !lines.has(each)) unsaid++
  }

  const truncateReasons = stopped ? [...reasons, stopped] : reasons
  const ref = dialog && refs.of(dialog.found.node)
  return {
    marked,
    json: {
      ok: true,
      type: 'snapshot',
      meta: ref ? { ...meta, dialog: ref } : meta,
      stats: {
        nodesVisited: visited,
        nodesEmitted: lines.size,
        truncated: truncateReasons.length > 0,
        truncateReasons,
        elapsedMs: Math.round((clock() - started) * 10) / 10,
        omitted: unsaid ? { ...left, text: unsaid } : left,
      },
      refs: details,
      tree: top.node,
    },
  }
}

function choose<N extends object>(
  scene: Scene<N>,
  options: Options,
  {
    worth,
    dialog,
    root,
    clock,
    deadline,
    maxBytes,
  }: Pick<Taking<N>, 'clock' | 'maxBytes'> & {
    worth: readonly Candidate<N>[]
    dialog: TopDialog<N> | null
    root: Candidate<N>
    deadline: number
  },
): Chosen<N> {
  const lines = new Map<Candidate<N>, Described>()
  const left: { -readonly [place in keyof OmittedCounts]: number } = {}
  let bytes = 0
  let looked = 0
  let full: TruncateReason | undefined
  let shortened = false
  const leave = (place: keyof OmittedCounts) => {
    left[place] = (left[place] ?? 0) + 1
  }
  const take = (each: Candidate<N>, covered?: string) => {
    const line = describe(scene, each, options, covered)
    // a picture without words tells nothing
    if (each.role === 'img' && each.kind === 'content' && !line.node.name) return
    if (maxBytes < 1 / 0) bytes += bytesOf([line.node, line.detail]) + 21
    shortened = shortened || line.shortened
    lines.set(each, line)
  }

  for (const each of worth) {
    const { off, beside, kind, unreachable } = each
    each.inert = each.inert || !!dialog?.behind.has(each)
    const place = off < 0 ? 'above' : off > 0 || !beside ? 'below' : 'beside'
    if (unreachable) leave('frames')
    if (each.inert && !options.includeHidden) leave('inert')
    else if (options.viewport === 'visible' && (off || beside)) leave(place)
    else if (full || lines.size >= options.maxNodes || bytes > maxBytes || (!(++looked % 64) && clock() > deadline)) {
      full = full ?? (bytes > maxBytes ? 'maxJsonBytes' : lines.size < options.maxNodes ? 'maxTime' : 'maxNodes')
      leave(place)
    } else {
      const covered = sight(scene, each, options)
      if (covered === null) {
        if (kind === 'control' && each.hidden === 'clipped') leave('covered')
        continue
      }
      if (covered && (options.occluded === 'drop' || kind === 'text')) leave('covered')
      else {
        take(each, covered)
        let below = each
        for (let up = each.parent; up && up !== root && !lines.has(up) && bytes < maxBytes; below = up, up = up.parent)
          if (isWorthwhile(up, below, options)) take(up)
      }
    }
  }
  const reasons: TruncateReason[] = full ? [full] : []
  if (shortened) reasons.push('maxTextPerNode')
  return { lines, reasons, omitted: left }
}

/** Topmost dialog, in view, near the view, the rest, a field before a link that is as far; in document order among equals. */
function inKeepOrder<N>(found: readonly Candidate<N>[], dialog: TopDialog<N> | null, plain: boolean): readonly Candidate<N>[] {
  const worth = found.filter(each => (each.kind !== 'structure' || each.first) && !isWrapper(each) && !isEmptyHeading(each))
  if (plain) return worth
  const keyOf = (each: Candidate<N>) => {
    const { off, beside, hidden, inert, tag } = each
    const far = off && Math.abs(off) / (/^(input|select|textarea)$/.test(tag) ? 8 : 1)
    return dialog?.inside.has(each) ? -1 : far + (beside ? 1 : 0) + (hidden || inert ? 1e7 : 0)
  }
  const keys = worth.map(keyOf)
  // a string has no layout, so there all are equal
  if (keys.every((key, i) => !i || key >= (keys[i - 1] as number))) return worth
  const known = new Map(worth.map((each, i) => [each, keys[i] as number]))
  return worth.sort((a, b) => (known.get(a) as number) - (known.get(b) as number))
}

// only its cursor makes it a control, and it has nothing to say that those in it do not
const isWrapper = <N>({ cursorOnly: weak, hasControls: holds, texts }: Candidate<N>) => weak && holds && !texts.length
// a heading that only wraps a link says the same as the link
const isEmptyHeading = <N>({ role, kind, texts, childCount: within }: Candidate<N>) =>
  role === 'heading' && kind !== 'control' && !texts.length && within > 0

/** whether a thing that holds a chosen one gets a line too; a wrapper of one thing, or an item without words, says nothing */
function isWorthwhile<N>(found: Candidate<N>, below: Candidate<N>, { interactiveOnly }: Options): boolean {
  const { role, texts, kind, childCount: within } = found
  if (kind !== 'structure' || texts.length) return !isWrapper(found)
  const lone = within < 2 && below.kind !== 'text'
  return !(itemRoles.has(role) ? interactiveOnly || lone : lone && /^(list|cell|paragraph)$/.test(role))
}

/** a run of text is known by its first text node: its element may hold several runs */
const identity = <N>({ kind, node, texts }: Candidate<N>): N => (kind === 'text' ? (texts[0] ?? node) : node)

const wantsRef = <N>({ kind, role, childCount: within }: Candidate<N>, { interactiveOnly }: Options): boolean =>
  kind !== 'text' &&
  (kind === 'control' ||
    kind === 'frame' ||
    !interactiveOnly ||
    /dialog$|^form$/.test(role) ||
    (kind === 'structure' && within > manyItems && !itemRoles.has(role)))

/** at least as long as it is in UTF-8: a Chinese page may not be three times as large as an English one */
const bytesOf = (value: unknown): number => JSON.stringify(value).replace(/[^\0-\x7f]/g, '...').length
