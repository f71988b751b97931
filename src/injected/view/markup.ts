import type { Dom } from '../../engine/dom.ts'
import { escapeHtml, rawTextTags, redactAttribute, voidTags } from '../../engine/markup.ts'
import { redacted } from '../../engine/secrets.ts'
import * as native from '../runtime/native-actions.ts'

interface MarkupContext {
  readonly dom: Dom<Node>
}

export const attributesOf = (context: MarkupContext, node: Element): [string, string][] =>
  native
    .attributeNames(node)
    .map(name => [name, redactAttribute(name, native.getAttribute(node, name) ?? '', () => context.dom.secret(node))])

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
      for (const [name, value] of attributesOf(context, next as Element)) html += ` ${name}="${escapeHtml(value)}"`
      html += '>'
      if (voidTags.test(tag)) continue
      stack.push(`</${tag}>`)
      for (const child of childrenOf(context, next).reverse()) stack.push(child)
    }
  }
  return html
}

function childrenOf(context: MarkupContext, node: Node): Part[] {
  if (rawTextTags.test(context.dom.tag(node))) return []
  if (context.dom.tag(node) === 'textarea' && context.dom.secret(node)) return native.firstChild(node) ? [redacted] : []
  const found: Part[] = []
  for (let child = native.firstChild(node); child; child = native.nextSibling(child))
    if (/^[13]$/.test(`${native.nodeType(child)}`)) found.push(child)
  return found
}

function textOf({ dom }: MarkupContext, text: Node): string {
  const parent = native.parentNode(text)
  // `drawn` is redacted in a secret editor, and transformed by CSS elsewhere
  const value = dom.drawn(text) === redacted ? redacted : dom.text(text)
  return parent && /^(script|style)$/.test(dom.tag(parent)) ? value : escapeHtml(value)
}
