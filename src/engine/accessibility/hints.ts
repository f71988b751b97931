import type { SnapshotNode } from '../../contract/snapshot.ts'
import type { Dom } from '../dom.ts'

type Hint = NonNullable<SnapshotNode['hint']>

const maxElements = 12
/** finds words in a class name; only for `replace`, because it remembers its position */
const wordsOf = (list: string) => new RegExp(`(^|[-_])(${list})(?=[-_]|$)`, 'gi')

const iconFonts = 'fa[bslrd]?|bi|ti|mdi|(glyph|ant|cod|oct|dash)icons?|lucide|feather|icons?-tabler|icons?(?=-(link|image))'
const isOfIconFont = new RegExp(`^(${iconFonts})[-_]`, 'i')
// fa-trash, icon_cart, close-btn: without the jargon, the rest says what the control does
const jargon = wordsOf(`${iconFonts}|icons?|material|symbols?|svg|sprite|(btn|button)(-(outline-)?(info|warning))?`)
// sizes, colors, styles, animations and prefixes of libraries say nothing about what a control does
const decoration = wordsOf(
  'xs|sm|md|lg|xl|xxl|small|large|big|tiny|\\d+(x|px)?|fw|li|spin|pulse|beat|fade|bounce|shake|inverse|lazy|(pull|float|stack)-\\w+|outlined?|solid|regular|thin|duotone|brands|sharp|fill(ed)?|flat|round(ed)?|primary|secondary|tertiary|accent|default|light|dark|white|black|gr[ae]y|red|green|blue|success|danger|inline|flex|fixed|wrapper?|container|inner|outer|base|root|active|hover|disabled|only|variant|ant|mat|mdc|van|slds|chakra|el|ui',
)
const shapes = 'circle|square'
const isShape = wordsOf(shapes)
// the name of an icon, but in other class names the place or shape of an element
const layout = wordsOf(
  `${shapes}|medium|ghost|soft|plain|contained|raised|wide|full|pill|block|text|box|item|link|image|img|group|size|color`,
)
const sides = wordsOf('left|right|center')
// an arrow says little without its direction, which is often another class: "slick-arrow slick-next", "chevron left icon"
const arrow = /arrow|caret|chevron|angle/i
const direction = /(?:^|(?:arrow|caret|chevron|angle|control|nav)[-_]+)(left|right|up|down)$|(?:^|[-_])(next|prev(?:ious)?)$/i
// class names that say what an element is for without looking like an icon
const purposes =
  /(^|[-_])(close|dismiss|trash|delete|remove|edit|add|plus|minus|search|menu|more|kebab|hamburger|star|heart|like|favou?rite|share|reply|send|copy|paste|save|undo|redo|next|prev(ious)?|back|forward|play|pause|stop|mute|volume|settings|gear|cog|avatar|user|profile|cart|basket|bell|download|upload|print|filter|sort|expand|collapse|toggle|handle|slider|swatch|calendar|clock|home|info|help|refresh|pin|lock|eye|photo|zoom|attach|camera|mic|arrow|caret|chevron|twisty|drag|resize)(?=[-_]|$)/i

/** A guess at what an unnamed control does, from its icon, title, class or id. It is not a name, because the page does not state it. */
export function iconHint<N>(dom: Dom<N>, node: N): Hint | undefined {
  for (const each of firstElements(dom, node)) {
    const hint = readHint(name => dom.attr(each, name) ?? '', dom.tag(each))
    if (hint) return hint
  }
  return undefined
}

/** the element and its first descendants, one of which may be the icon */
export function firstElements<N>(dom: Dom<N>, node: N): N[] {
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
  const word =
    words.map(meaningOf).find(each => each) ||
    words.find(each => each.replace(jargon, '') === each && purposes.test(each))?.replace(decoration, '')
  const toward =
    word && arrow.test(word) && !/left|right|up|down|next|prev/i.test(word) && words.map(each => direction.exec(each)).find(each => each)
  return (
    toHint(fileName(attr('src')), 'src') ??
    toHint(attr('title'), 'title') ??
    toHint(/^[a-z][\w-]*$/i.exec(attr('data-action') || attr('data-command'))?.[0], 'action') ??
    toHint(toward ? `${word} ${toward[1] ?? toward[2]}` : word, 'class') ??
    // generated ids such as :r1: and x8f3e say nothing
    toHint(/^[a-z]{3,}([-_][a-z]+)*$/i.exec(attr('id'))?.[0], 'id')
  )
}

/** what is left of the class name of an icon or a button without jargon and presentation; '' if that is no word */
function meaningOf(word: string): string {
  const rest = word.replace(jargon, '')
  if (rest === word) return ''
  const name = rest.replace(decoration, '')
  // fa-check-circle is a check, but fa-circle is a circle
  if (isOfIconFont.test(word)) return [name.replace(isShape, ''), name].find(each => /[a-z]/i.test(each)) ?? ''
  const meaning = name.replace(layout, '')
  return /[a-z]{3}/i.test(meaning.replace(sides, '')) ? meaning : ''
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
