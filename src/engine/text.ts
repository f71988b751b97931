import type { Dom } from './dom.ts'

export { cut } from '../contract/text.ts'

/** more than any limit allows, so that a text node of 5 MB is not scanned for 200 characters */
const maxSourceChars = 20_000

/** Collapses white space as browsers render it, and drops soft hyphens and zero-width characters. */
export const tidy = (text: string, maxChars = maxSourceChars): string =>
  text.length <= maxChars && !untidy.test(text)
    ? text
    : text
        .slice(0, maxChars)
        .replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
        .replace(/\s\s+|[^\S ]/g, ' ')
        .trim()
const untidy = /[\u00ad\u200b\u2060]|\s\s|[^\S ]|^\s|\s$/

/** The rendered text inside an element, without elements for which `shown` returns false, of its first `maxVisits` nodes. */
export function textBelow<N>(
  dom: Dom<N>,
  root: N,
  {
    shown = element => !dom.hidden(element),
    max,
    maxVisits = Number.POSITIVE_INFINITY,
  }: { shown?: (element: N) => boolean; max: number; maxVisits?: number },
): string {
  let text = ''
  let visits = 0
  const sourceChars = Math.max(max * 2, maxSourceChars)
  /** null is the end of a block */
  const stack: (N | null)[] = [root]
  for (let node = stack.pop(); node !== undefined && text.length < sourceChars && visits++ < maxVisits; node = stack.pop()) {
    if (node === null) text += ' '
    else if (dom.tag(node) === '') {
      const words = dom.drawn(node).slice(0, sourceChars)
      text += isNewNumber(dom, text, words, dom.parent(node)) ? ` ${words}` : words
    } else if (node === root || shown(node)) {
      if (dom.block(node)) {
        text += ' '
        stack.push(null)
      }
      const children = dom.children(node)
      for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as N)
    }
  }
  return tidy(text, sourceChars)
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** Whether a number in `element` is drawn above or below the end of the text before it, and is not part of it: the cents of $3 99, a footnote. */
export const isNewNumber = <N>(dom: Dom<N>, before: string, words: string, element: N | null): boolean =>
  isDigit(before.charCodeAt(before.length - 1)) && isDigit(words.charCodeAt(0)) && element !== null && dom.is(element, 'raised')

/** Whether two text nodes, one after the other, are drawn in the same block, so that nothing but their own white space separates them. */
export function isSameBlock<N>(dom: Dom<N>, one: N, other: N): boolean {
  return blockAround(dom, one) === blockAround(dom, other)
}

function blockAround<N>(dom: Dom<N>, node: N): N | null {
  let each = dom.parent(node)
  while (each && !dom.block(each)) each = dom.parent(each)
  return each
}
