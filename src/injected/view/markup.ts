import type { Dom } from '../../engine/dom.ts'
import { isSecret, redacted } from '../../engine/secrets.ts'
import * as native from '../runtime/native-actions.ts'
import type { Session } from '../runtime/session.ts'

interface MarkupContext {
  readonly session: Session
  readonly dom: Dom<Node>
}

const voidTags = /^(area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/
const entities: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\u00a0': '&nbsp;' }
const escapeText = (text: string) => text.replace(/[&<>"\u00a0]/g, character => entities[character] as string)

const isSecretField = ({ session, dom }: MarkupContext, node: Node) => isSecret(dom, node) || session.onceSecret.has(node)

/** the attributes of an element; the `value` attribute of a secret field is as secret as its value */
export function attributesOf(context: MarkupContext, node: Element): [string, string][] {
  return native.attributeNames(node).map(name => {
    const value = native.getAttribute(node, name) ?? ''
    return [name, value && name === 'value' && isSecretField(context, node) ? redacted : value]
  })
}

/** HTML of an element without comments and secrets; writing stops once it exceeds the limit. */
export const outerHtml = (context: MarkupContext & { readonly node: Element }, limit: number): string =>
  markup(context, [context.node], limit)
export const innerHtml = (context: MarkupContext & { readonly node: Element }, limit: number): string =>
  markup(context, childrenOf(context, context.node).reverse(), limit)

type Part = Node | string

function markup(context: MarkupContext, stack: Part[], limit: number): string {
  let html = ''
  for (let next = stack.pop(); next !== undefined && html.length <= limit; next = stack.pop()) {
    if (typeof next === 'string') html += next
    else if (!context.dom.tag(next)) html += textOf(context, next)
    else {
      const tag = context.dom.tag(next)
      html += `<${tag}`
      for (const [name, value] of attributesOf(context, next as Element)) html += ` ${name}="${escapeText(value)}"`
      html += '>'
      if (voidTags.test(tag)) continue
      stack.push(`</${tag}>`)
      for (const child of childrenOf(context, next).reverse()) stack.push(child)
    }
  }
  return html
}

/** with scripting enabled the content of these is text, and that text may be markup with secrets */
const rawTextTags = /^(noscript|iframe|noembed|noframes)$/

function childrenOf(context: MarkupContext, node: Node): Part[] {
  if (rawTextTags.test(context.dom.tag(node))) return []
  if (context.dom.tag(node) === 'textarea' && isSecretField(context, node)) return native.firstChild(node) ? [redacted] : []
  const found: Part[] = []
  for (let child = native.firstChild(node); child; child = native.nextSibling(child))
    if (/^[13]$/.test(`${native.nodeType(child)}`)) found.push(child)
  return found
}

function textOf({ dom }: MarkupContext, text: Node): string {
  const parent = native.parentNode(text)
  const value = dom.text(text)
  return parent && /^(script|style)$/.test(dom.tag(parent)) ? value : escapeText(value)
}
