import * as native from '../runtime/native-actions.ts'
import { asPage } from '../runtime/pristine.ts'

/**
 * No script can make `:hover` match. So the rules that ask for it are written once more for a mark that can be set, and what the pointer
 * was moved over carries the mark until it moves on: menus and buttons that only CSS shows are there to be seen and clicked.
 */
export const hoverMark = 'data-agent-hover'
const maxRules = 5_000

let marked: readonly Node[] = []

/** `inside` is the element and all around it; `begin` is false where the pointer only passes by. */
export function showHovered(inside: readonly Node[], begin: boolean): void {
  if (!begin && !marked.length) return
  const before = marked
  marked = inside.filter(node => native.nodeType(node) === 1)
  const root = native.ownerDocument(marked[0] as Node) as Document
  asPage(() => {
    try {
      if (begin) adopt(root)
    } catch {
      // Safari before 16.4 goes without, and so does a page with elements of these names
    }
    for (const node of before) if (!marked.includes(node)) native.removeAttribute(node, hoverMark)
    for (const node of marked) if (!before.includes(node)) native.setAttribute(node, hoverMark, '')
  })
}

const adopted = new WeakMap<Document, CSSStyleSheet>()

function adopt(root: Document): void {
  const rules: string[] = []
  for (const sheet of [...root.styleSheets]) copy(rulesOf(sheet), rules)
  const view = native.defaultView(root) as typeof globalThis & Window
  const sheet = adopted.get(root) ?? new view.CSSStyleSheet()
  sheet.replaceSync(rules.join('\n'))
  if (adopted.has(root)) return
  adopted.set(root, sheet)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
}

function rulesOf(sheet: CSSStyleSheet | CSSGroupingRule): readonly CSSRule[] {
  try {
    return [...sheet.cssRules]
  } catch {
    return [] // a style sheet of another origin is not told to scripts
  }
}

function copy(from: readonly CSSRule[], to: string[]): void {
  for (const rule of from) {
    if (to.length > maxRules) return
    const { selectorText, media, cssText } = rule as Partial<CSSStyleRule & CSSMediaRule>
    if (selectorText?.includes(':hover')) to.push((cssText as string).split(':hover').join(`[${hoverMark}]`))
    else if (media && (rule as CSSMediaRule).cssRules) {
      const inner: string[] = []
      copy(rulesOf(rule as CSSMediaRule), inner)
      if (inner.length) to.push(`@media ${media.mediaText}{${inner.join('\n')}}`)
    } else if ((rule as CSSGroupingRule).cssRules && !selectorText) copy(rulesOf(rule as CSSGroupingRule), to)
  }
}
