import type { SnapshotNode } from '../../contract/snapshot.ts'
import type { Dom } from '../dom.ts'

type Hint = NonNullable<SnapshotNode['hint']>

const maxElements = 12
// fa-trash, icon_cart, close-btn: without the jargon, the rest says what the control does
const jargon = /(^|[-_])(icons?|fa[bslr]?|bi|mdi|svg|sprite|btn|button)(?=[-_]|$)/gi

/** A guess at what an unnamed control does, from its icon, title, class or id. It is not a name, because the page does not state it. */
export function hintOf<N>(dom: Dom<N>, node: N): Hint | undefined {
  for (const each of firstElements(dom, node)) {
    const hint = readHint(name => dom.attr(each, name) ?? '', dom.tag(each))
    if (hint) return hint
  }
  return undefined
}

/** the element and its first descendants, one of which may be the icon */
function firstElements<N>(dom: Dom<N>, node: N): N[] {
  const found: N[] = [node]
  for (let at = 0; at < found.length; at++) {
    const children = dom.children(found[at] as N)
    for (let i = 0; i < children.length && found.length < maxElements; i++) if (dom.tag(children[i] as N)) found.push(children[i] as N)
  }
  return found
}

function readHint(attr: (name: string) => string, tag: string): Hint | undefined {
  if (tag === 'use') return toHint((attr('href').split('#')[1] ?? '').replace(jargon, ''), 'svg')
  const icon = attr('class')
    .split(/\s+/)
    .find(word => word.replace(jargon, '') !== word && /[a-z]{3}/i.test(word.replace(jargon, '')))
  return (
    toHint(fileName(attr('src')), 'src') ??
    toHint(attr('title'), 'title') ??
    toHint(icon?.replace(jargon, ''), 'class') ??
    // generated ids such as :r1: and x8f3e say nothing
    toHint(/^[a-z]{3,}([-_][a-z]+)*$/i.exec(attr('id'))?.[0], 'id')
  )
}

const fileName = (url: string) => (/^data:/i.test(url) ? '' : (/([^/]+?)(\.\w+)?\/*([?#].*)?$/.exec(url)?.[1] ?? ''))

function toHint(words: string | undefined, from: Hint['from']): Hint | undefined {
  const text = (words ?? '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[-_.\s]+/g, ' ')
    .trim()
    .slice(0, 40)
  return text ? { text, from } : undefined
}
