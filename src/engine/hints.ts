import type { SnapshotNode } from '../contract/snapshot.ts'
import type { Dom } from './dom.ts'

type Hint = NonNullable<SnapshotNode['hint']>

const maxLooked = 12
// fa-trash, icon_cart, close-btn: what is left without the words of the trade says what it does
const trade = /(^|[-_])(icons?|fa[bslr]?|bi|mdi|svg|sprite|btn|button)(?=[-_]|$)/gi

/** What an unnamed control may be, read from where developers leave words; never a name, since nobody promised it. */
export function hintOf<N>(dom: Dom<N>, node: N): Hint | undefined {
  for (const each of nearest(dom, node)) {
    const hint = readHint(name => dom.attr(each, name) ?? '', dom.tag(each))
    if (hint) return hint
  }
  return undefined
}

/** the element and the first few below it: the icon is in there */
function nearest<N>(dom: Dom<N>, node: N): N[] {
  const found: N[] = [node]
  for (let at = 0; at < found.length; at++) {
    const children = dom.children(found[at] as N)
    for (let i = 0; i < children.length && found.length < maxLooked; i++) if (dom.tag(children[i] as N)) found.push(children[i] as N)
  }
  return found
}

function readHint(attr: (name: string) => string, tag: string): Hint | undefined {
  if (tag === 'use') return say((attr('href').split('#')[1] ?? '').replace(trade, ''), 'svg')
  const icon = attr('class')
    .split(/\s+/)
    .find(word => word.replace(trade, '') !== word && /[a-z]{3}/i.test(word.replace(trade, '')))
  return (
    say(fileName(attr('src')), 'src') ??
    say(attr('title'), 'title') ??
    say(icon?.replace(trade, ''), 'class') ??
    // ids such as :r1: and x8f3e are made by machines
    say(/^[a-z]{3,}([-_][a-z]+)*$/i.exec(attr('id'))?.[0], 'id')
  )
}

const fileName = (url: string) => (/^data:/i.test(url) ? '' : (/([^/]+?)(\.\w+)?\/*([?#].*)?$/.exec(url)?.[1] ?? ''))

function say(words: string | undefined, from: Hint['from']): Hint | undefined {
  const text = (words ?? '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[-_.\s]+/g, ' ')
    .trim()
    .slice(0, 40)
  return text ? { text, from } : undefined
}
