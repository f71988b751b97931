import { attribute, type Element } from './dom.ts'

/** What style says about being drawn; undefined where it says nothing. */
export interface Drawn {
  readonly display?: 'none' | 'shown'
  readonly visibility?: 'hidden' | 'visible'
}

/** Of all CSS only this is read: rules of style blocks whose selector names one element by tag, id and classes. */
interface Rule extends Drawn {
  readonly tag: string
  readonly id: string
  readonly classes: readonly string[]
  /** what decides between two rules: importance, then specificity, then order */
  readonly weight: number
}

const maxCss = 500_000
const maxRules = 2_000
// anything more than one compound may depend on what only a browser knows
const simple = /^(?<tag>[a-z][a-z0-9-]*)?(?<id>#[\w-]+)?(?<classes>(?:\.[\w-]+)*)$/i

/** What the style blocks of a document say about an element. */
export function styleSheet(styles: readonly string[]): (element: Element) => Drawn {
  const byKey = new Map<string, Rule[]>()
  let order = 0
  for (const css of styles)
    for (const [selector, body] of rulesOf(withoutComments(css.slice(0, maxCss)))) {
      const rule = order < maxRules ? ruleOf(selector, body, order) : null
      if (!rule) continue
      order++
      const key = rule.id ? `#${rule.id}` : rule.classes[0] !== undefined ? `.${rule.classes[0]}` : rule.tag
      byKey.set(key, [...(byKey.get(key) ?? []), rule])
    }
  if (byKey.size === 0) return () => nothing
  return element => strongest(keysOf(element).flatMap(key => byKey.get(key)?.filter(rule => fits(rule, element)) ?? []))
}

const nothing: Drawn = {}

/** An inline style: its last word on each counts, and it is stronger than any rule without !important. */
export function inlineStyle(style: string): Drawn {
  const { important: _, ...drawn } = declared(withoutComments(style))
  return drawn
}

const withoutComments = (css: string) => css.replace(/\/\*[\s\S]*?(\*\/|$)/g, '')

function declared(body: string): Drawn & { important: boolean } {
  const said: { display?: 'none' | 'shown'; visibility?: 'hidden' | 'visible'; important: boolean } = { important: false }
  for (const declaration of body.split(';')) {
    const [, name = '', value = '', important] = /^\s*(display|visibility)\s*:\s*([\w-]+)[^!]*(!\s*important)?/i.exec(declaration) ?? []
    if (/^display$/i.test(name)) said.display = /^none$/i.test(value) ? 'none' : 'shown'
    if (/^visibility$/i.test(name)) said.visibility = /^(hidden|collapse)$/i.test(value) ? 'hidden' : 'visible'
    if (important) said.important = true
  }
  return said
}

function ruleOf(selector: string, body: string, order: number): Rule | null {
  const parts = selector ? simple.exec(selector)?.groups : undefined
  const { important, ...drawn } = declared(body)
  if (!parts || (!drawn.display && !drawn.visibility)) return null
  const classes = (parts.classes ?? '').split('.').filter(Boolean)
  const specificity = (parts.id ? 10_000 : 0) + Math.min(99, classes.length) * 100 + (parts.tag ? 1 : 0)
  return {
    ...drawn,
    tag: (parts.tag ?? '').toLowerCase(),
    id: (parts.id ?? '').slice(1),
    classes,
    weight: ((important ? 1e5 : 0) + specificity) * maxRules + order,
  }
}

function strongest(rules: readonly Rule[]): Drawn {
  let [display, visibility]: [Rule | undefined, Rule | undefined] = [undefined, undefined]
  for (const rule of rules) {
    if (rule.display && rule.weight >= (display?.weight ?? 0)) display = rule
    if (rule.visibility && rule.weight >= (visibility?.weight ?? 0)) visibility = rule
  }
  return { ...(display?.display && { display: display.display }), ...(visibility?.visibility && { visibility: visibility.visibility }) }
}

/** selector and body of every plain rule; at-rules (media, print, …) are passed over with all that is in them */
function* rulesOf(css: string): Generator<[string, string]> {
  let at = 0
  while (at < css.length) {
    const open = css.indexOf('{', at)
    if (open < 0) return
    const head = css.slice(at, open)
    const prelude = head.slice(head.lastIndexOf(';') + 1).trim()
    const close = prelude.startsWith('@') ? endOf(css, open) : css.indexOf('}', open)
    const end = close < 0 ? css.length : close
    if (!prelude.startsWith('@')) for (const selector of prelude.split(',')) yield [selector.trim(), css.slice(open + 1, end)]
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
  if (element.attrs.length === 0) return [element.tagName]
  const id = attribute(element, 'id')
  return [element.tagName, ...(id ? [`#${id}`] : []), ...classesOf(element).map(name => `.${name}`)]
}

const classesOf = (element: Element): string[] => (attribute(element, 'class') ?? '').split(/\s+/).filter(Boolean)

function fits({ tag, id, classes }: Rule, element: Element): boolean {
  if (tag && tag !== element.tagName) return false
  if (id && id !== attribute(element, 'id')) return false
  if (classes.length === 0) return true
  const own = classesOf(element)
  return classes.every(name => own.includes(name))
}
