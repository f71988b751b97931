import type { Scene } from '../../src/engine/dom.ts'
import { defaultOptions } from '../../src/engine/options.ts'
import type { Refs } from '../../src/engine/refs.ts'
import { buildSnapshot } from '../../src/engine/snapshot/snapshot.ts'

/** The content of one snapshot line in any format: no ref, no position, nothing cut. */
export interface Line {
  /** the number of its element, or of the element its text starts in, in document order; -1 if it has none */
  readonly at: number
  readonly kind: 'control' | 'text' | 'frame' | 'other'
  readonly tag: string
  readonly role: string
  /** name, text, value, states and attributes */
  readonly says: Readonly<Record<string, string>>
}

export interface Outlined<N> {
  /** interactive: the default content of format `lines`; all: the full content of format `tree` */
  readonly shown: 'interactive' | 'all'
  readonly placeOf: (node: N) => number
}

const endless = 1_000_000

/** A page as the engine sees it, before the limits of renderer and bridge. */
export function outline<N extends object>(scene: Scene<N>, { shown, placeOf }: Outlined<N>): Line[] {
  const nodes = new Map<string, N>()
  const seen: N[] = []
  const taken = buildSnapshot(scene, optionsFor(shown), {
    refs: noting(nodes, seen),
    meta: { url: '', title: '', ts: 0, version: '' },
    clock: () => 0,
    isFirst: false,
    maxBytes: Number.POSITIVE_INFINITY,
  })
  if (!taken) return []
  const lines: Line[] = []
  const stack = [...(taken.json.tree.children ?? [])].reverse()
  for (let node = stack.pop(); node; node = stack.pop()) {
    // the engine asks for every line except structure whether it is new, in order
    const asked = node.new ? seen.shift() : undefined
    const element = (node.ref ? nodes.get(node.ref) : undefined) ?? asked
    const { tag, role, name, text, value, hint, states, children = [] } = node
    const detail = node.ref ? taken.json.refs[node.ref] : undefined
    if (shown === 'all' || node.ref)
      lines.push({
        at: element ? placeOf(element) : -1,
        kind: node.interactive ? 'control' : role === 'text' ? 'text' : role === 'iframe' ? 'frame' : 'other',
        tag,
        role,
        says: spoken({ name, text, value, hint, ...states, ...detail?.attrs }),
      })
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as (typeof stack)[number])
  }
  return lines
}

const optionsFor = (shown: 'interactive' | 'all') => ({
  ...defaultOptions,
  interactiveOnly: shown === 'interactive',
  cursorInteractive: false,
  opacityHidden: false,
  maxNodes: endless,
  maxVisits: endless,
  maxTimeMs: endless,
  maxTextPerNode: 2_000,
})

function noting<N extends object>(nodes: Map<string, N>, seen: N[]): Refs<N> {
  const given = new Map<N, string>()
  return {
    of: node => given.get(node),
    ensure: node => {
      const ref = given.get(node) ?? `e${given.size + 1}`
      given.set(node, ref)
      nodes.set(ref, node)
      return ref
    },
    find: ref => nodes.get(ref),
    wasSeen: node => {
      seen.push(node)
      return false
    },
    markSeen: () => {},
  }
}

const spoken = (all: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]])))
