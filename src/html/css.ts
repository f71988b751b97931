import { attribute, type Element } from './dom.ts'

/** Of all CSS only this is read: rules of style blocks that hide what a simple selector names. */
interface Rule {
  readonly tag: string
  readonly id: string
  readonly classes: readonly string[]
}

const maxCss = 500_000
const maxRules = 2_000
// tag, #id and .class in one compound; anything more may depend on what only a browser knows
const simple = /^(?<tag>[a-z][a-z0-9-]*)?(?<id>#[\w-]+)?(?<classes>(?:\.[\w-]+)*)$/i
const hiding = /(^|;)\s*(display\s*:\s*none|visibility\s*:\s*(hidden|collapse))\s*(!important\s*)?(;|$)/i
const showing = /(^|;)\s*(display|visibility)\s*:/i

/** Whether a style block hides an element. A later rule for the same selector that shows it again takes it back. */
export function hiddenByCss(styles: readonly string[]): (element: Element) => boolean {
  const rules = new Map<string, Rule>()
  for (const css of styles) for (const [selector, body] of rulesOf(css.slice(0, maxCss))) note(rules, selector, body)
  const byKey = new Map<string, Rule[]>()
  for (const rule of rules.values()) {
    const key = rule.id ? `#${rule.id}` : rule.classes[0] !== undefined ? `.${rule.classes[0]}` : rule.tag
    byKey.set(key, [...(byKey.get(key) ?? []), rule])
  }
  if (byKey.size === 0) return () => false
  return element => keysOf(element).some(key => byKey.get(key)?.some(rule => fits(rule, element)))
}

function note(rules: Map<string, Rule>, selector: string, body: string): void {
  if (hiding.test(body)) {
    const parts = simple.exec(selector)?.groups
    if (parts && selector && rules.size < maxRules)
      rules.set(selector, {
        tag: (parts.tag ?? '').toLowerCase(),
        id: (parts.id ?? '').slice(1),
        classes: (parts.classes ?? '').split('.').filter(Boolean),
      })
  } else if (showing.test(body)) rules.delete(selector)
}

/** selector and body of every plain rule; at-rules (media, print, …) are passed over with all that is in them */
function* rulesOf(css: string): Generator<[string, string]> {
  const text = css.replace(/\/\*[\s\S]*?(\*\/|$)/g, '')
  let at = 0
  while (at < text.length) {
    const open = text.indexOf('{', at)
    if (open < 0) return
    const head = text.slice(at, open)
    const statement = head.lastIndexOf(';')
    const prelude = head.slice(statement + 1).trim()
    const close = prelude.startsWith('@') ? endOf(text, open) : text.indexOf('}', open)
    const end = close < 0 ? text.length : close
    if (!prelude.startsWith('@')) for (const selector of prelude.split(',')) yield [selector.trim(), text.slice(open + 1, end)]
    at = end + 1
  }
}

function endOf(text: string, open: number): number {
  let depth = 0
  for (let i = open; i < text.length; i++) {
    if (text[i] === '{') depth++
    else if (text[i] === '}' && --depth === 0) return i
  }
  return text.length
}

function keysOf(element: Element): string[] {
  const keys = [element.tagName]
  const id = attribute(element, 'id')
  if (id) keys.push(`#${id}`)
  for (const name of classesOf(element)) keys.push(`.${name}`)
  return keys
}

const classesOf = (element: Element): string[] => (attribute(element, 'class') ?? '').split(/\s+/).filter(Boolean)

function fits({ tag, id, classes }: Rule, element: Element): boolean {
  if (tag && tag !== element.tagName) return false
  if (id && id !== attribute(element, 'id')) return false
  if (classes.length === 0) return true
  const own = classesOf(element)
  return classes.every(name => own.includes(name))
}
