import { itemRoles } from '../../contract/roles.ts'
import type { SnapshotNode } from '../../contract/snapshot.ts'
import { hasWords } from '../../contract/text.ts'
import { isControl, structureRoles } from '../candidates.ts'
import type { Dom } from '../dom.ts'
import { cut, textBelow, tidy } from '../text.ts'
import { isHidden } from './names.ts'
import { roleOf } from './roles.ts'

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
export function hintOf<N>(dom: Dom<N>, node: N): Hint | undefined {
  const labelled = labelHint(dom, node)
  if (labelled) return labelled
  for (const each of firstElements(dom, node)) {
    const hint = readHint(name => dom.attr(each, name) ?? '', dom.tag(each))
    if (hint) return hint
  }
  return rowHint(dom, node)
}

/** The text of a hidden label, which is not a name but still says what its field is for. */
function labelHint<N>(dom: Dom<N>, node: N): Hint | undefined {
  const hidden = Array.from(dom.labels(node)).filter(label => isHidden(dom, label))
  const text = hidden.map(label => textBelow(dom, label, { shown: () => true, max: maxRowChars, maxVisits: maxRowNodes })).find(hasWords)
  return text ? { text: cut(text, maxRowChars), from: 'label' } : undefined
}

const maxRowLevels = 4
const maxRowChildren = 12
const maxRowChars = 40
/** what is larger is no row, and would be read again for each of its controls */
const maxRowNodes = 200

/** The words beside a control in its row, such as the name of a setting. Landmarks, lists and the page itself are no rows. */
export function rowHint<N>(dom: Dom<N>, node: N): Hint | undefined {
  let row = dom.parent(node)
  for (let level = 0; row && level < maxRowLevels && dom.children(row).length <= maxRowChildren; level++, row = dom.parent(row)) {
    const role = roleOf(dom, row)
    const isWhole = itemRoles.has(role) || /^(form|group)$/.test(role)
    if (dom.tag(row) === 'body' || (structureRoles.has(role) && !isWhole)) return undefined
    const text = wordsBeside(dom, row, node)
    if (text) return { text: cut(tidy(text), maxRowChars), from: 'row' }
    if (isWhole) return undefined
  }
  return undefined
}

/**
 * The words of a row that are nearest to one of its controls: before it, or after it if no words are before the first control of its kind.
 * Nothing if the row is too large or contains the title of the page.
 */
function wordsBeside<N>(dom: Dom<N>, row: N, node: N): string | undefined {
  // without the classes of its state
  const kindOf = (each: N, tag: string) => `${tag} ${dom.attr(each, 'class')}`.split(' ', 2).join()
  const kind = kindOf(node, dom.tag(node))
  /** the words between controls; the control itself is between the runs before it and those after it */
  const runs = ['']
  let place = 0
  let labelsFirst: boolean | undefined
  let visits = 0
  const read = (each: N): void => {
    const tag = dom.tag(each)
    visits += tag === 'h1' ? maxRowNodes : 1
    if (visits > maxRowNodes || (each !== node && tag && dom.hidden(each))) return
    if (!tag) {
      const text = dom.drawn(each)
      runs[runs.length - 1] += hasWords(text) ? text : ' '
      return
    }
    const isAlike = kindOf(each, tag) === kind
    if (
      each === node ||
      (each !== row && isControl({ dom, layout: null }, each, tag, roleOf(dom, each))) ||
      // what makes an element a control is not always in its markup, such as handlers for what is dropped on it
      (isAlike && !hasWords(textBelow(dom, each, { max: 1, maxVisits: 9 })))
    ) {
      if (isAlike) labelsFirst = labelsFirst ?? runs.some(hasWords)
      if (each === node) place = runs.length
      runs.push('')
      return
    }
    const children = dom.children(each)
    const space = dom.block(each) ? ' ' : ''
    runs[runs.length - 1] += space
    for (let i = 0; i < children.length; i++) read(children[i] as N)
    runs[runs.length - 1] += space
  }
  read(row)
  if (visits > maxRowNodes) return undefined
  const before = runs.slice(0, place).filter(hasWords).pop()
  return labelsFirst ? before : (runs.slice(place).find(hasWords) ?? before)
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
