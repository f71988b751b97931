import type { ParsedNode } from '../decode/snapshot.ts'

type TextNode<N> = Pick<ParsedNode, 'name' | 'text'> & { readonly children: readonly N[] }

/** The first text of a node and its descendants, a little more than `maxChars`. The name of a node replaces the text of its descendants. */
export function textIn<N extends TextNode<N>>(node: N, maxChars: number, includes: (node: N) => boolean = () => true): string {
  const parts: string[] = []
  let used = 0
  const visit = (each: N): void => {
    if (used > maxChars || !includes(each)) return
    const text = each.name || each.text
    if (text) {
      parts.push(text)
      used += text.length + 1
    }
    if (!each.name) for (const child of each.children) visit(child)
  }
  visit(node)
  return parts.join(' ')
}
