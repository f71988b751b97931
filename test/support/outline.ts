import type { Scene } from '../../src/engine/dom.ts'
import { defaults } from '../../src/engine/options.ts'
import type { Refs } from '../../src/engine/refs.ts'
import { snapshot } from '../../src/engine/snapshot/snapshot.ts'

/** What one line of a snapshot says, whatever its format: no ref, no place on the screen, nothing cut. */
export interface Line {
  /** its element, or the element its text begins in, by number in document order; -1 where that has none */
  readonly at: number
  readonly kind: 'control' | 'text' | 'frame' | 'other'
  readonly tag: string
  readonly role: string
  /** name, text, value, states and attributes */
  readonly says: Readonly<Record<string, string>>
}

export interface Outlined<N> {
  /** interactive: what the format `lines` shows by default; all: what the format `tree` shows of everything */
  readonly shown: 'interactive' | 'all'
  readonly placeOf: (node: N) => number
}

const endless = 1_000_000

/** A page as the engine sees it before the renderer and the bridge set their limits. */
export function outline<N extends object>(scene: Scene<N>, { shown, placeOf }: Outlined<N>): Line[] {
  const nodes = new Map<string, N>()
  const seen: N[] = []
  const taken = snapshot(scene, optionsFor(shown), {
    refs: noting(nodes, seen),
    meta: { url: '', title: '', ts: 0, version: '' },
    clock: () => 0,
    first: false,
    maxBytes: Number.POSITIVE_INFINITY,
  })
  if (!taken) return []
  const lines: Line[] = []
  const stack = [...(taken.json.tree.children ?? [])].reverse()
  for (let node = stack.pop(); node; node = stack.pop()) {
    // the engine asks of every line that is no structure whether it is new, in the order of the lines
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
  ...defaults,
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
    give: node => {
      const ref = given.get(node) ?? `e${given.size + 1}`
      given.set(node, ref)
      nodes.set(ref, node)
      return ref
    },
    find: ref => nodes.get(ref),
    seen: node => {
      seen.push(node)
      return false
    },
    see: () => {},
  }
}

const spoken = (all: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]])))
