import type { PageSnapshotStats, Snapshot, SnapshotMeta, SnapshotNode } from '../../src/contract/snapshot.ts'

type Attrs = { readonly [name: string]: string }
/** a node with its attributes inline, for brevity in tests */
export interface Sketch extends Omit<SnapshotNode, 'children' | 'tag'> {
  readonly tag?: string
  readonly attrs?: Attrs
  readonly children?: readonly Sketch[]
}

/** The snapshot that a page with these nodes would send. */
export function page(
  children: readonly Sketch[],
  { meta = {}, stats = {} }: { meta?: Partial<SnapshotMeta>; stats?: Partial<PageSnapshotStats> } = {},
): Snapshot {
  const refs: { [ref: string]: { attrs: Attrs } } = {}
  const node = ({ attrs, children: below, tag = 'div', ...rest }: Sketch): SnapshotNode => {
    if (rest.ref && attrs) refs[rest.ref] = { attrs }
    return { tag, ...rest, ...(below && { children: below.map(node) }) }
  }
  return {
    ok: true,
    type: 'snapshot',
    meta: { url: 'https://shop.example/tea', title: 'Tea', ts: 1, version: '0.1.0', ...meta },
    stats: { nodesVisited: 1, nodesEmitted: 1, truncated: false, truncateReasons: [], ...stats },
    tree: { tag: 'body', role: 'document', children: children.map(node) },
    refs,
  }
}

export const text = (said: string): Sketch => ({ tag: '#text', role: 'text', text: said })

/** the lines between header and footer */
export const body = ({ text }: { text: string }): string[] =>
  text
    .split('\n')
    .slice(1)
    .filter(line => !line.startsWith('…'))
export const header = ({ text }: { text: string }): string => text.split('\n')[0] ?? ''
export const notes = ({ text }: { text: string }): string[] => text.split('\n').filter(line => line.startsWith('…'))
