import type { ParsedNode } from '../decode/snapshot.ts'

/** as much of a node as it takes to say what stands in it */
type Worded<N> = Pick<ParsedNode, 'name' | 'text'> & { readonly children: readonly N[] }

/** the first words that stand in a node, own and below */
export function textIn<N extends Worded<N>>(node: N, most: number, passes: (each: N) => boolean = () => true): string {
  const parts: string[] = []
  let used = 0
  const visit = (each: N): void => {
    if (used > most || !passes(each)) return
    const said = each.name || each.text
    if (said) {
      parts.push(said)
      used += said.length + 1
    }
    if (!each.name) for (const child of each.children) visit(child)
  }
  visit(node)
  return parts.join(' ')
}
