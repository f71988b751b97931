import type { Dom } from '../../engine/dom.ts'
import { isSecret, redacted } from '../../engine/secrets.ts'
import * as native from '../runtime/native-actions.ts'
import type { Session } from './snapshot.ts'

interface Writer {
  readonly session: Session
  readonly dom: Dom<Node>
}

const voids = /^(area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/
const signs: { readonly [sign: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\u00a0': '&nbsp;' }
const escaped = (text: string) => text.replace(/[&<>"\u00a0]/g, sign => signs[sign] as string)

const isKept = ({ session, dom }: Writer, node: Node) => isSecret(dom, node) || session.onceSecret.has(node)

/** attributes as they are told: what a secret field began with is as secret as what it holds */
export function told(writer: Writer, node: Element): [string, string][] {
  return native.attributeNames(node).map(name => {
    const value = native.getAttribute(node, name) ?? ''
    return [name, value && name === 'value' && isKept(writer, node) ? redacted : value]
  })
}

/** Markup of an element, written until it is longer than the limit and no further; without comments, and without secrets. */
export const outer = (writer: Writer & { readonly node: Element }, limit: number): string => markup(writer, [writer.node], limit)
export const inner = (writer: Writer & { readonly node: Element }, limit: number): string =>
  markup(writer, childrenOf(writer, writer.node).reverse(), limit)

type Part = Node | string

function markup(writer: Writer, stack: Part[], limit: number): string {
  let html = ''
  for (let next = stack.pop(); next !== undefined && html.length <= limit; next = stack.pop()) {
    if (typeof next === 'string') html += next
    else if (!writer.dom.tag(next)) html += textOf(writer, next)
    else {
      const tag = writer.dom.tag(next)
      html += `<${tag}`
      for (const [name, value] of told(writer, next as Element)) html += ` ${name}="${escaped(value)}"`
      html += '>'
      if (voids.test(tag)) continue
      stack.push(`</${tag}>`)
      for (const child of childrenOf(writer, next).reverse()) stack.push(child)
    }
  }
  return html
}

/** what they hold is text to a browser with scripts, and may be markup with secrets */
const sealed = /^(noscript|iframe|noembed|noframes)$/

function childrenOf(writer: Writer, node: Node): Part[] {
  if (sealed.test(writer.dom.tag(node))) return []
  if (writer.dom.tag(node) === 'textarea' && isKept(writer, node)) return native.firstChild(node) ? [redacted] : []
  const found: Part[] = []
  for (let child = native.firstChild(node); child; child = native.nextSibling(child))
    if (/^[13]$/.test(`${native.nodeType(child)}`)) found.push(child)
  return found
}

function textOf({ dom }: Writer, text: Node): string {
  const parent = native.parentNode(text)
  const value = dom.text(text)
  return parent && /^(script|style)$/.test(dom.tag(parent)) ? value : escaped(value)
}
