import { parseSelectors, type StyleSelector } from './css-selector.ts'

/** What a style says about whether an element is drawn; a property that it does not set is absent. */
export interface VisibilityStyle {
  readonly display?: 'none' | 'shown'
  readonly visibility?: 'hidden' | 'visible'
  /** content-visibility: if hidden, the element is drawn but its content is not */
  readonly content?: 'hidden' | 'visible'
}

/** A rule that affects visibility, for one of its selectors. */
export interface StyleRule extends VisibilityStyle {
  readonly selector: StyleSelector
  /** importance and specificity, by which the cascade chooses between two rules */
  readonly weight: number
}

const maxChars = 500_000
const maxNesting = 3
/** an invalid selector makes the parser throw, which takes ten times as long as parsing a valid one */
const maxInvalidRules = 500
const affectsVisibility = /display|visibility/i
/** at-rules that apply to some screens only; whether to this one is unknown */
const conditionalRule = /^@(media(?!\s+print\b)|supports|layer|container)\b/i

/** The rules of style sheets that affect visibility, in order. Other rules are skipped without parsing. */
export function parseStyleSheets(sheets: readonly string[]): StyleRule[] {
  const budget = { invalidRules: maxInvalidRules }
  return sheets.flatMap(css => (affectsVisibility.test(css) ? parseRules(withoutComments(css.slice(0, maxChars)), budget) : []))
}

/** The value of a style attribute. Of several declarations of a property the last one counts; !important is ignored. */
export const parseInlineStyle = (style: string): VisibilityStyle =>
  affectsVisibility.test(style) ? parseDeclarations(withoutComments(style)) : {}

function parseRules(css: string, budget: { invalidRules: number }, nesting = 0): StyleRule[] {
  const rules: StyleRule[] = []
  for (let at = 0; at < css.length; ) {
    const open = css.indexOf('{', at)
    if (open < 0) break
    const head = css.slice(at, open)
    const prelude = head.slice(head.lastIndexOf(';') + 1).trim()
    const close = prelude.startsWith('@') ? closingBrace(css, open) : css.indexOf('}', open)
    const end = close < 0 ? css.length : close
    at = end + 1
    const body = css.slice(open + 1, end)
    if (!affectsVisibility.test(body)) continue
    if (prelude.startsWith('@')) {
      // content that may be visible is kept rather than lost: of a conditional rule only what shows elements counts
      if (nesting < maxNesting && conditionalRule.test(prelude)) rules.push(...parseRules(body, budget, nesting + 1).flatMap(showingPart))
      continue
    }
    const { important, ...style } = parseDeclarations(body)
    if ((!style.display && !style.visibility && !style.content) || budget.invalidRules === 0) continue
    const selectors = parseSelectors(prelude)
    if (!selectors) budget.invalidRules--
    for (const selector of selectors ?? []) rules.push({ ...style, selector, weight: (important ? 1e5 : 0) + selector.specificity })
  }
  return rules
}

function showingPart({ selector, weight, ...style }: StyleRule): StyleRule[] {
  const shown = Object.entries(style).filter(([, value]) => value === 'shown' || value === 'visible')
  return shown.length > 0 ? [{ ...Object.fromEntries(shown), selector, weight }] : []
}

function parseDeclarations(body: string): VisibilityStyle & { important?: true } {
  const style: { -readonly [name in keyof VisibilityStyle]: VisibilityStyle[name] } & { important?: true } = {}
  for (const declaration of body.split(';')) {
    const [, name = '', value = '', important] =
      /^\s*(display|(?:content-)?visibility)\s*:\s*([\w-]+)[^!]*(!\s*important)?/i.exec(declaration) ?? []
    if (/^display$/i.test(name)) style.display = /^none$/i.test(value) ? 'none' : 'shown'
    if (/^visibility$/i.test(name)) style.visibility = /^(hidden|collapse)$/i.test(value) ? 'hidden' : 'visible'
    if (/^content-/i.test(name)) style.content = /^hidden$/i.test(value) ? 'hidden' : 'visible'
    if (important) style.important = true
  }
  return style
}

const withoutComments = (css: string) => (css.includes('/*') ? css.replace(/\/\*[\s\S]*?(\*\/|$)/g, '') : css)

function closingBrace(css: string, open: number): number {
  const braces = /[{}]/g
  braces.lastIndex = open
  let depth = 0
  for (let brace = braces.exec(css); brace; brace = braces.exec(css)) {
    if (brace[0] === '{') depth++
    else if (--depth === 0) return brace.index
  }
  return css.length
}
