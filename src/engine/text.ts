import type { Dom } from './dom.ts'

/** more than any limit can ask for, so that a 5 MB text node is not gone through for 200 characters */
const enough = 20_000

/** White space as one sees it; marks that only tell where a line may break are nothing anyone reads. */
export const tidy = (text: string, most = enough): string =>
  text.length <= most && !untidy.test(text)
    ? text
    : text
        .slice(0, most)
        .replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
        .replace(/\s\s+|[^\S ]/g, ' ')
        .trim()
const untidy = /[\u00ad\u200b\u2060]|\s\s|[^\S ]|^\s|\s$/

/** At most `max` characters with the … that marks the cut, and never half a character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const end = text.charCodeAt(max - 2)
  return `${text.slice(0, end >= 0xd800 && end <= 0xdbff ? max - 2 : max - 1)}…`
}

/** The text below an element, as far as `shown` says that it is seen. */
export function textBelow<N>(dom: Dom<N>, root: N, { shown, max }: { shown: (element: N) => boolean; max: number }): string {
  let text = ''
  const most = Math.max(max * 2, enough)
  const stack: N[] = [root]
  for (let node = stack.pop(); node !== undefined && text.length < most; node = stack.pop()) {
    if (dom.tag(node) === '') text += dom.drawn(node).slice(0, most)
    else if (node === root || shown(node)) {
      if (dom.block(node)) text += ' '
      const children = dom.children(node)
      for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as N)
    }
  }
  return tidy(text, most)
}
