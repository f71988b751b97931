import type { SnapshotNode } from '../contract/snapshot.ts'
import type { Dom } from './dom.ts'

type Hint = NonNullable<SnapshotNode['hint']>

const maxLooked = 12
const iconWord = /^(?:icons?|ico|i|fa[bslr]?|bi|mdi|glyphicon|material|svg|sprite|symbol|lucide|octicon|anticon)[-_]+(.+)$/i
// css-1x2y3z, _a8f3e and :r1: are made by machines; btn-primary only styles
const wordy = /^(?!css|sc-|jsx?-|svelte|ng-|ember)[a-z]{2,}([-_]+[a-z]+)*$/i
const dull = /^((btn|button|link|item|icons?|img|wrapper|container|inner|primary|secondary|default|small|medium|large|active|left|right|\w{1,2})([-_]+|$))*$/i

/** What an unnamed control may be, read from where developers leave words; never a name, since nobody promised it. */
export function hintOf<N>(dom: Dom<N>, node: N): Hint | undefined {
  for (const each of nearest(dom, node)) {
    const hint = readHint((...names) => names.map(name => dom.attr(each, name)).find(value => value?.trim()) ?? '', dom.tag(each))
    if (hint) return hint
  }
  const href = dom.attr(node, 'href') ?? ''
  return /^\s*(javascript|data):/i.test(href) ? undefined : say(fileName(href), 'href')
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

function readHint(attr: (...names: string[]) => string, tag: string): Hint | undefined {
  if (tag === 'use') return say((attr('href', 'xlink:href').split('#')[1] ?? '').replace(iconWord, '$1'), 'svg')
  const classes = attr('class').split(/\s+/)
  const icon = classes.map(word => iconWord.exec(word)?.[1] ?? '').find(word => word && !dull.test(word)) ?? ''
  const telling = (word: string) => wordy.test(word) && !dull.test(word)
  return (
    say(fileName(attr('src')), 'src') ??
    say(attr('title', 'data-tooltip', 'data-title'), 'title') ??
    say(icon || attr('data-icon', 'icon'), 'class') ??
    say(attr('name'), 'name') ??
    say([attr('id')].find(telling), 'id') ??
    say(classes.find(telling), 'class')
  )
}

const fileName = (url: string) => (/^data:/i.test(url) ? '' : url.replace(/[?#].*$/, '').replace(/\/+$/, '').replace(/^.*\//, '').replace(/\.\w{2,4}$/, ''))

function say(words: string | undefined, from: Hint['from']): Hint | undefined {
  const text = (words ?? '').replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[-_.\s]+/g, ' ').trim().slice(0, 40)
  return text ? { text, from } : undefined
}
