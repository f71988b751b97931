import * as native from '../runtime/native-actions.ts'
import { asPage } from '../runtime/pristine.ts'
import type { Session } from '../runtime/session.ts'
import { hoverAttribute } from '../view/attributes.ts'

// No script can make `:hover` match. So the `:hover` rules of the page are copied for an attribute, and the elements under the pointer carry
// the attribute until it moves on: menus and buttons that only CSS shows can be seen and clicked.

const maxRules = 5_000

/** `path` is the element and its ancestors; `stays` is false if the pointer only passes by. */
export function showHover(actions: Session['actions'], path: readonly Node[], stays: boolean): void {
  const before = actions.hoverMarked
  if (!stays && !before.length) return
  const marked = path.filter(node => native.nodeType(node) === 1)
  actions.hoverMarked = marked
  const root = native.ownerDocument(marked[0] as Node) as Document
  asPage(() => {
    try {
      if (stays) adoptHoverRules(root)
    } catch {
      // Safari before 16.4 has no adoptedStyleSheets, and a page may have elements of these names
    }
    for (const node of before) if (!marked.includes(node)) native.removeAttribute(node, hoverAttribute)
    for (const node of marked) if (!before.includes(node)) native.setAttribute(node, hoverAttribute, '')
  })
}

const adopted = new WeakMap<Document, CSSStyleSheet>()

function adoptHoverRules(root: Document): void {
  const rules: string[] = []
  for (const sheet of [...root.styleSheets]) copyHoverRules(rulesOf(sheet), rules)
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
    return [] // scripts cannot read a style sheet of another origin
  }
}

function copyHoverRules(from: readonly CSSRule[], to: string[]): void {
  for (const rule of from) {
    if (to.length > maxRules) return
    const { selectorText, media, cssText } = rule as Partial<CSSStyleRule & CSSMediaRule>
    if (selectorText?.includes(':hover')) to.push((cssText as string).split(':hover').join(`[${hoverAttribute}]`))
    else if (media && (rule as CSSMediaRule).cssRules) {
      const inner: string[] = []
      copyHoverRules(rulesOf(rule as CSSMediaRule), inner)
      if (inner.length) to.push(`@media ${media.mediaText}{${inner.join('\n')}}`)
    } else if ((rule as CSSGroupingRule).cssRules && !selectorText) copyHoverRules(rulesOf(rule as CSSGroupingRule), to)
  }
}
