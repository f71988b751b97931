import type { SnapshotNode } from '../contract/snapshot.ts'
import type { Dom } from './dom.ts'

type Hint = NonNullable<SnapshotNode['hint']>

const maxLooked = 12
const iconWord =
  /^(?:icon|icons|ico|i|fa|fas|far|fab|fal|bi|mdi|glyphicon|material|ti|ri|la|svg|sprite|symbol|lucide|octicon|anticon)[-_]+(.+)$/i
// words that style a button and do not say what it does
const dullWord =
  /^(btn|button|link|item|icon|icons|ico|img|image|svg|wrapper|container|inner|primary|secondary|default|small|medium|large|sm|md|lg|xs|xl|fa|fas|far|fab|fw|active|hidden|visible|left|right|top|bottom|center|clickable|pointer|js|css|ng|el|a|b|c|i|s|u)$/i

/** What an unnamed control may be, read from where developers leave words; never a name, since nobody promised it. */
export function hintOf<N>(dom: Dom<N>, node: N): Hint | undefined {
  for (const each of nearest(dom, node)) {
    const hint = fromIcon(dom, each) ?? fromWords(dom, each)
    if (hint) return hint
  }
  return fromAddress(dom, node)
}

/** the element and the first few below it: the icon is in there */
function nearest<N>(dom: Dom<N>, node: N): N[] {
  const found: N[] = [node]
  for (let at = 0; at < found.length && found.length < maxLooked; at++) {
    const children = dom.children(found[at] as N)
    for (let i = 0; i < children.length && found.length < maxLooked; i++) if (dom.tag(children[i] as N) !== '') found.push(children[i] as N)
  }
  return found
}

function fromIcon<N>(dom: Dom<N>, node: N): Hint | undefined {
  const tag = dom.tag(node)
  if (tag === 'use') {
    const id = (dom.attr(node, 'href') ?? dom.attr(node, 'xlink:href') ?? '').split('#')[1]
    if (id) return hint(id.replace(iconWord, '$1'), 'svg')
  }
  if (tag === 'img' || (tag === 'input' && dom.attr(node, 'src'))) return hint(fileName(dom.attr(node, 'src') ?? ''), 'src')
  const icon = dom.attr(node, 'data-icon') ?? dom.attr(node, 'icon')
  return icon ? hint(icon, 'svg') : undefined
}

function fromWords<N>(dom: Dom<N>, node: N): Hint | undefined {
  const title = dom.attr(node, 'title') ?? dom.attr(node, 'data-tooltip') ?? dom.attr(node, 'data-title')
  if (title?.trim()) return hint(title, 'title')
  const classes = (dom.attr(node, 'class') ?? '').split(/\s+/)
  for (const word of classes) {
    const icon = iconWord.exec(word)?.[1]
    if (icon && !dullWord.test(icon)) return hint(icon, 'class')
  }
  const name = dom.attr(node, 'name')
  if (name) return hint(name, 'name')
  const id = dom.attr(node, 'id')
  if (id && isWordy(id)) return hint(id, 'id')
  const telling = classes.find(word => isWordy(word) && word.split(/[-_]+/).some(part => part.length > 2 && !dullWord.test(part)))
  return telling ? hint(telling, 'class') : undefined
}

// css-1x2y3z, _a8f3e and :r1: are made by machines
const isWordy = (word: string) =>
  /^[A-Za-z][A-Za-z]+([-_]+[A-Za-z]+)*$/.test(word) && /[aeiouy]/i.test(word) && !/^(css|sc|jsx?|svelte|ng|data|ember)[-_]/.test(word)

function fromAddress<N>(dom: Dom<N>, node: N): Hint | undefined {
  const href = dom.attr(node, 'href')
  return href && !/^(javascript|data):/i.test(href.trim()) ? hint(fileName(href), 'href') : undefined
}

const fileName = (url: string) =>
  /^data:/i.test(url)
    ? ''
    : (url.split(/[?#]/)[0] ?? '')
        .replace(/\/+$/, '')
        .replace(/^.*\//, '')
        .replace(/\.(png|svg|jpe?g|gif|webp|avif|ico|html?|php|aspx?)$/i, '')

function hint(raw: string, from: Hint['from']): Hint | undefined {
  const text = raw
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[-_.\s]+/g, ' ')
    .trim()
    .slice(0, 40)
  return text ? { text, from } : undefined
}
