import type { SnapshotNode } from '../../contract/snapshot.ts'
import { hasWords } from '../../contract/text.ts'
import type { Dom } from '../dom.ts'
import { cut, textBelow } from '../text.ts'

type Hint = NonNullable<SnapshotNode['hint']>

const maxElements = 12
// fa-trash, icon_cart, close-btn: without the jargon, the rest says what the control does
const jargon = /(^|[-_])(icons?|fa[bslrd]?|bi|ti|mdi|material|symbols?|glyphicon|svg|sprite|btn|button)(?=[-_]|$)/gi
// size, color, shape and place say nothing about what a control does
const presentation =
  /(^|[-_ ])(xs|sm|md|lg|xl|xxl|small|medium|large|big|tiny|outlined?|solid|filled?|flat|ghost|link|text|primary|secondary|tertiary|accent|default|light|dark|white|black|gr[ae]y|red|green|blue|success|danger|warning|round(ed)?|circle|square|pill|block|inline|flex|fixed|left|right|center|wrapper?|container|inner|outer|box|item|base|root|fw|spin|lazy|img|image|group|active|hover|disabled|only|size|color|\d+x?)(?=[-_ ]|$)/gi
// class names that say what an element is for without looking like an icon
const purposes =
  /(^|[-_])(close|dismiss|trash|delete|remove|edit|add|plus|minus|search|menu|more|kebab|hamburger|star|heart|like|favou?rite|share|reply|send|copy|paste|save|undo|redo|next|prev(ious)?|back|forward|play|pause|stop|mute|volume|settings|gear|cog|avatar|user|profile|cart|basket|bell|download|upload|print|filter|sort|expand|collapse|toggle|handle|slider|swatch|calendar|clock|home|info|help|refresh|pin|lock|eye|photo|zoom|attach|camera|mic|arrow|caret|chevron|twisty|drag|resize)(?=[-_]|$)/i

/** A guess at what an unnamed control does, from its icon, title, class or id. It is not a name, because the page does not state it. */
export function hintOf<N>(dom: Dom<N>, node: N): Hint | undefined {
  for (const each of firstElements(dom, node)) {
    const hint = readHint(name => dom.attr(each, name) ?? '', dom.tag(each))
    if (hint) return hint
  }
  return rowHint(dom, node)
}

const maxRowLevels = 4
const maxRowChildren = 12
/** what is larger is no row, and would be read again for each of its controls */
const maxRowNodes = 200

/** The words beside a control in its row, such as the name of a setting. */
export function rowHint<N>(dom: Dom<N>, node: N): Hint | undefined {
  let row = dom.parent(node)
  for (let level = 0; row && level < maxRowLevels && dom.children(row).length <= maxRowChildren; level++, row = dom.parent(row)) {
    const shown = (element: N) => element !== node && !dom.hidden(element)
    const text = textBelow(dom, row, { shown, max: maxRowChars, maxVisits: maxRowNodes })
    if (hasWords(text)) return { text: cut(text, maxRowChars), from: 'row' }
  }
  return undefined
}

const maxRowChars = 40

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
  if (tag === 'use') return toHint(((attr('href') || attr('xlink:href')).split('#')[1] ?? '').replace(jargon, ''), 'svg')
  const words = attr('class').split(/\s+/)
  const icon = words.map(word => (word.replace(jargon, '') === word ? '' : meaningOf(word))).find(word => word)
  return (
    toHint(fileName(attr('src')), 'src') ??
    toHint(attr('title'), 'title') ??
    toHint(/^[a-z][\w-]*$/i.exec(attr('data-action') || attr('data-command'))?.[0], 'action') ??
    toHint(icon || words.find(word => purposes.test(word)), 'class') ??
    // generated ids such as :r1: and x8f3e say nothing
    toHint(/^[a-z]{3,}([-_][a-z]+)*$/i.exec(attr('id'))?.[0], 'id')
  )
}

/** what is left of a class name without jargon and presentation; '' if that is no word */
function meaningOf(word: string): string {
  const rest = word.replace(jargon, '').replace(presentation, '')
  return /[a-z]{3}/i.test(rest) ? rest : ''
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
