import type { SnapshotNode } from '../../contract/snapshot.ts'
import { hasLetters } from '../../contract/text.ts'
import { hasLabel, hasTitle } from '../attributes.ts'
import type { Dom } from '../dom.ts'
import { cut, textBelow } from '../text.ts'
import { isHidden, nameOf } from './names.ts'

type Hint = NonNullable<SnapshotNode['hint']>

const maxElements = 12
/** finds words in a class name; only for `replace`, because it remembers its position */
const wordsOf = (list: string) => new RegExp(`(^|[-_])(${list})(?=[-_]|$)`, 'gi')

const iconFonts = 'fa[bslrd]?|bi|ti|mdi|(glyph|ant|cod|oct|dash)icons?|lucide|feather|icons?-tabler|icons?(?=-(link|image))'
const isOfIconFont = new RegExp(`^(${iconFonts})[-_]`, 'i')
// fa-trash, icon_cart, close-btn: without the jargon, the rest says what the control does
const jargon = wordsOf(`${iconFonts}|ico(ns?)?|ic|material|symbols?|svg|sprite|(btn|button)(-(outline-)?(info|warning))?`)
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
  return labelHint(dom, node) ?? hintIn(dom, firstElements(dom, node))
}

/** The hint of an icon inside a control that has a number as its name, such as a cart with two things. */
export function innerIconHint<N>(dom: Dom<N>, node: N): Hint | undefined {
  const icons = firstElements(dom, node).slice(1)
  return hintIn(
    dom,
    icons.filter(each => !textBelow(dom, each, { max: 1, maxVisits: 9 })),
  )
}

const maxLabelChars = 40
const maxLabelVisits = 200

/** The text of a hidden label, which is not a name but still says what its field is for. */
function labelHint<N>(dom: Dom<N>, node: N): Hint | undefined {
  const hidden = Array.from(dom.labels(node)).filter(label => isHidden(dom, label))
  const text = hidden
    .map(label => textBelow(dom, label, { shown: () => true, max: maxLabelChars, maxVisits: maxLabelVisits }))
    .find(hasLetters)
  return text ? { text: cut(text, maxLabelChars), from: 'label' } : undefined
}

function hintIn<N>(dom: Dom<N>, elements: readonly N[]): Hint | undefined {
  for (const each of elements) {
    const hint = readHint(name => dom.attr(each, name) ?? '', dom.tag(each))
    if (hint) return hint
  }
  return undefined
}

/** The name of the first picture inside a control. It is part of the name of a button, but not of an element without a role. */
export function pictureName<N>(dom: Dom<N>, node: N, maxChars: number): string {
  const names = firstElements(dom, node)
    .slice(1)
    .filter(each => (pictureTags.test(dom.tag(each)) || dom.flags(each) & (hasLabel | hasTitle)) && !isHidden(dom, each))
    .map(each => nameOf(dom, each, { maxChars, maxVisits: 20 }))
  return names.find(hasLetters) ?? ''
}

const pictureTags = /^(img|svg)$/

const tooltips = ['tooltip', 'title', 'original-title', 'bs-original-title', 'tip', 'tooltip-content', 'tippy-content']

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
  if (tag === 'use') return toHint(withoutJargon((attr('href') || attr('xlink:href')).split('#')[1] ?? ''), 'svg')
  const words = attr('class').split(/\s+/)
  const word =
    words.map(meaningOf).find(each => each) ||
    (iconTags.test(tag) && ownIconName(words)) ||
    words.find(each => each.replace(jargon, '') === each && purposes.test(each))?.replace(decoration, '')
  const toward =
    word && arrow.test(word) && !/left|right|up|down|next|prev/i.test(word) && words.map(each => direction.exec(each)).find(each => each)
  return (
    toHint(fileName(attr('src')), 'src') ??
    toHint(attr('title'), 'title') ??
    toHint(tooltips.map(name => attr(`data-${name}`)).find(isTooltip), 'tooltip') ??
    toHint(/^[a-z][\w-]*$/i.exec(attr('data-action') || attr('data-command'))?.[0], 'action') ??
    toHint(toward ? `${word} ${toward[1] ?? toward[2]}` : word, 'class') ??
    // generated ids such as :r1: and x8f3e say nothing
    toHint(/^[a-z]{3,}([-_][a-z]+)*$/i.exec(attr('id'))?.[0], 'id')
  )
}

/** the text of a tooltip, not its place, its id or whether there is one */
const isTooltip = (text: string): boolean => hasLetters(text) && !/^(#.*|[\w-]*\d|true|false|top|bottom|left|right)$/.test(text)

const iconTags = /^(i|svg|span|em|b)$/
const states = wordsOf('(un)?(checked|selected)|on|off|open|closed|current|first|last|even|odd')

/** What the icons of a page without an icon font are called: an element of class `x x-phone` is a phone. */
function ownIconName(words: readonly string[]): string {
  for (const word of words) {
    const [, prefix = '', name = ''] = /^([a-z]{1,8})[-_]+([a-z].*)$/i.exec(word) ?? []
    const meaning = words.includes(prefix) ? name.replace(decoration, '').replace(layout, '').replace(states, '') : ''
    if (/[a-z]{3}/i.test(meaning.replace(sides, ''))) return meaning
  }
  return ''
}

/** what is left of the class name of an icon or a button without jargon and presentation; '' if that is no word */
function meaningOf(word: string): string {
  const rest = withoutJargon(word)
  if (rest === word) return ''
  // the style of most icons, but the name of one
  const name = /^fa-fill$/.test(word) ? 'fill' : rest.replace(decoration, '')
  // fa-check-circle is a check, but fa-circle is a circle
  if (isOfIconFont.test(word)) return [name.replace(isShape, ''), name].find(each => /[a-z]/i.test(each)) ?? ''
  const meaning = name.replace(layout, '')
  return /[a-z]{3}/i.test(meaning.replace(sides, '')) ? meaning : ''
}

/** also without the prefix of i-mail, which is a word of its own elsewhere: wi-fi */
const withoutJargon = (word: string): string => word.replace(/^i[-_](?=[a-z])/i, '').replace(jargon, '')

const fileName = (url: string) => (/^data:/i.test(url) ? '' : (/([^/]+?)(\.\w+)?\/*([?#].*)?$/.exec(url)?.[1] ?? ''))

function toHint(words: string | undefined, from: Hint['from']): Hint | undefined {
  const text = (words ?? '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[-_.\s]+/g, ' ')
    .trim()
    .slice(0, 40)
  return text ? { text, from } : undefined
}
