import type { Dom } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'
import { transformText } from './text-transform.ts'

type Where = 'before' | 'after' | 'marker'

/** The text of a pseudo-element as it is drawn, with spaces around it unless it is inline, or ''. */
export function generatedText(dom: Dom<Node>, node: Node, where: Where): string {
  const content = native.contentOf(node, `::${where}`)
  if (where === 'marker') return markerText(dom, node, content)
  if (!/["(]/.test(content)) return ''
  const style = native.styleOf(node, `::${where}`)
  if (native.styleProperty(style, 'display') === 'none' || native.styleProperty(style, 'visibility') !== 'visible') return ''
  const parts = partsOf(content)
  const text = transformText(contentText(dom, node, parts, where), native.styleProperty(style, 'text-transform'))
  if (!text) return ''
  if (native.styleProperty(style, 'display') !== 'inline') return ` ${text} `
  // alternative text describes what is drawn, so it is a word of its own
  if (!parts.includes('/')) return text
  return where === 'before' ? `${text} ` : ` ${text}`
}

const partsOf = (content: string): readonly string[] =>
  content.match(/url\("[^"]*"\)|"(\\.|[^"\\])*"|attr\([^)]*\)|counters?\([^)]*\)|\//g) ?? []

/** the text of a CSS `content` value: `"→ " / "next"` gives the alternative text after the slash, and an image gives none */
function contentText(dom: Dom<Node>, node: Node, parts: readonly string[], where: Where): string {
  let text = ''
  for (const part of parts) {
    const [, kind, argument = ''] = /^(attr|counters?)\(\s*([\w-]+)/.exec(part) ?? []
    if (part === '/') text = ''
    else if (part[0] === '"') text += unescapeCss(part.slice(1, -1))
    else if (kind === 'attr') text += native.getAttribute(node, argument) ?? ''
    else if (kind) text += counterValue(dom, node, argument, where)
  }
  return text
}

// https://drafts.csswg.org/cssom/#serialize-a-string writes control characters as their number and a space
const unescapeCss = (text: string): string =>
  text.replace(/\\(?:([\da-f]{1,6}) ?|(.))/gi, (_, code, character) => (code ? String.fromCharCode(parseInt(code, 16)) : character))

const bullets: { readonly [type: string]: string } = { disc: '\u2022 ', circle: '\u25e6 ', square: '\u25aa ' }

/** the bullet or number of a list item */
function markerText(dom: Dom<Node>, node: Node, content: string): string {
  const style = native.styleOf(node)
  if (native.styleProperty(style, 'display') !== 'list-item' || content === 'none') return ''
  if (content && content !== 'normal') return contentText(dom, node, partsOf(content), 'marker')
  const type = native.styleProperty(style, 'list-style-type')
  if (type[0] === '"') return unescapeCss(type.slice(1, -1))
  return bullets[type] ?? (type === 'decimal' ? `${counterValue(dom, node, 'list-item', 'marker')}. ` : '')
}

/** elements before the counted one that are examined */
const maxElements = 3_000

/** The value of a counter at a pseudo-element: what the elements before it, in document order, set and add. */
function counterValue(dom: Dom<Node>, target: Node, name: string, where: Where): number {
  if (name === 'list-item') return itemNumber(dom, target)
  const pattern = new RegExp(`(^| )${name} (-?\\d+)`)
  let [value, count, isDone] = [0, 0, false]
  const apply = (node: Node, pseudo?: string) => {
    const style = native.styleOf(node, pseudo)
    if (pseudo && native.styleProperty(style, 'content') === 'none') return
    const read = (property: string) => pattern.exec(native.styleProperty(style, property))?.[2]
    value = Number(read('counter-reset') ?? value)
    value += Number(read('counter-increment') ?? 0)
    value = Number(read('counter-set') ?? value)
  }
  const visit = (node: Node): void => {
    if (++count > maxElements) isDone = true
    if (isDone || !dom.tag(node)) return
    apply(node)
    apply(node, '::before')
    if (node === target && where !== 'after') isDone = true
    const children = dom.children(node)
    for (let i = 0; i < children.length && !isDone; i++) visit(children[i] as Node)
    if (isDone) return
    apply(node, '::after')
    if (node === target) isDone = true
  }
  const root = native.documentElement(native.ownerDocument(target) as Document)
  if (root) visit(root)
  return value
}

/** the number of an item in its list */
function itemNumber(dom: Dom<Node>, item: Node): number {
  const list = dom.parent(item)
  let number = Number(list && native.getAttribute(list, 'start')) || 1
  const items = list ? dom.children(list) : []
  for (let i = 0; i < items.length; i++) {
    const each = items[i] as Node
    if (dom.tag(each) !== 'li') continue
    number = Number(native.getAttribute(each, 'value')) || number
    if (each === item) break
    number++
  }
  return number
}
