import { parseStyleSheets, type StyleRule, type VisibilityStyle } from './css-rules.ts'
import { matches } from './css-selector.ts'
import { attribute, type Element, parentOf } from './tree.ts'

const maxRules = 2_000
/** rules and ancestors compared with one element */
const maxSteps = 200
/** the budget for all elements: a start, and an average per element, so that the time grows linearly with the page whatever its style sheets are */
const initialSteps = 120_000
const stepsPerElement = 4
/** from this number of rules on, a style is cached for siblings with the same tag and classes */
const minCachedRules = 8

const noStyle: VisibilityStyle = {}
const noRules: readonly StyleRule[] = []

/** Whether the style sheets of a document hide an element. */
export function createStyleLookup(sheets: readonly string[]): (element: Element) => VisibilityStyle {
  const rules = parseStyleSheets(sheets).slice(0, maxRules)
  if (rules.length === 0) return () => noStyle
  const rulesByKey = indexByKey(rules)
  const rulesByClassList = new Map<string, readonly StyleRule[]>()
  const stylesByParent = new Map<Element, Map<string, VisibilityStyle>>()
  let steps = initialSteps

  return element => {
    const tagRules = rulesByKey.get(element.tagName) ?? noRules
    steps += stepsPerElement
    if (element.attrs.length === 0) return tagRules === noRules ? noStyle : cascade([tagRules], element)
    const id = attribute(element, 'id')
    const classList = attribute(element, 'class')
    const idRules = (id && rulesByKey.get(`#${id}`)) || noRules
    const classRules = classList ? rulesOfClassList(classList) : noRules
    if (tagRules === noRules && idRules === noRules && classRules === noRules) return noStyle
    const buckets = [tagRules, idRules, classRules]
    return idRules === noRules && tagRules.length + classRules.length > minCachedRules
      ? cachedStyle(element, classList, () => cascade(buckets, element))
      : cascade(buckets, element)
  }

  /** siblings with the same tag and classes have the same style, so the items of a long list are computed once */
  function cachedStyle(element: Element, classList: string | null, compute: () => VisibilityStyle): VisibilityStyle {
    const parent = parentOf(element)
    if (!parent) return compute()
    const styles = stylesByParent.get(parent) ?? new Map<string, VisibilityStyle>()
    stylesByParent.set(parent, styles)
    const key = `${element.tagName} ${classList}`
    const style = styles.get(key) ?? compute()
    styles.set(key, style)
    return style
  }

  /** cached: a page has far fewer different class lists than elements */
  function rulesOfClassList(classList: string): readonly StyleRule[] {
    const cached = rulesByClassList.get(classList)
    if (cached) return cached
    if (steps < maxSteps) return noRules
    const names = [...new Set(classList.split(/\s+/))]
    const found: StyleRule[] = []
    for (const name of names)
      for (const rule of rulesByKey.get(`.${name}`) ?? noRules) {
        if (--steps < 0) break
        if (rule.selector.compounds[0]?.classes.every(each => names.includes(each))) found.push(rule)
      }
    const result = found.length > 0 ? found : noRules
    rulesByClassList.set(classList, result)
    return result
  }

  /** for each property the value of the matching rule with the greatest weight */
  function cascade(buckets: readonly (readonly StyleRule[])[], element: Element): VisibilityStyle {
    const style: { -readonly [name in keyof VisibilityStyle]: VisibilityStyle[name] } = {}
    const weights = { display: 0, visibility: 0, content: 0 }
    const budget = Math.max(0, Math.min(maxSteps, steps))
    const effort = { left: budget }
    for (const bucket of buckets)
      for (const rule of bucket) {
        if (--effort.left < 0) break
        const setsDisplay = rule.display !== undefined && rule.weight >= weights.display
        const setsVisibility = rule.visibility !== undefined && rule.weight >= weights.visibility
        const setsContent = rule.content !== undefined && rule.weight >= weights.content
        if (!(setsDisplay || setsVisibility || setsContent) || !matches(rule.selector, element, effort)) continue
        if (setsDisplay) [style.display, weights.display] = [rule.display, rule.weight]
        if (setsVisibility) [style.visibility, weights.visibility] = [rule.visibility, rule.weight]
        if (setsContent) [style.content, weights.content] = [rule.content, rule.weight]
      }
    steps -= budget - Math.max(0, effort.left)
    return style
  }
}

/** Rules by the id, class or tag that their element must have, heaviest first. Of two equal weights the later rule is heavier. */
function indexByKey(rules: readonly StyleRule[]): ReadonlyMap<string, readonly StyleRule[]> {
  const rulesByKey = new Map<string, StyleRule[]>()
  rules.forEach((rule, order) => {
    const key = keyOf(rule)
    const bucket = rulesByKey.get(key) ?? []
    rulesByKey.set(key, bucket)
    bucket.push({ ...rule, weight: rule.weight * maxRules + order })
  })
  for (const bucket of rulesByKey.values()) bucket.sort((a, b) => b.weight - a.weight)
  return rulesByKey
}

function keyOf({ selector: { compounds } }: StyleRule): string {
  const { tag = '', id = '', classes = [] } = compounds[0] ?? {}
  if (id) return `#${id}`
  return classes[0] === undefined ? tag : `.${classes[0]}`
}
