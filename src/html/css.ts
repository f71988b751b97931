import { attribute, type Element, parentOf } from './tree.ts'

/** What style says about being drawn; absent where it says nothing. */
export interface VisibilityStyle {
  readonly display?: 'none' | 'shown'
  readonly visibility?: 'hidden' | 'visible'
  /** content-visibility: the element is there, and nothing in it */
  readonly content?: 'hidden' | 'visible'
}

/** Of all CSS only this is read: rules of style blocks that say something about being drawn, for selectors that need no browser. */
interface Rule extends VisibilityStyle {
  /** what the element must be, then what must stand above it */
  readonly compounds: readonly Compound[]
  /** what decides between two rules: importance, then specificity, then order */
  readonly weight: number
}

interface Compound {
  readonly tag: string
  readonly id: string
  readonly classes: readonly string[]
  /** it must be the parent of what stands to its right, and not any ancestor */
  readonly parent: boolean
}

const maxCss = 500_000
const maxRules = 2_000
const maxCompounds = 8
/** rules and ancestors looked at for one element, and on the average of all beyond the first ones: no sheet makes a page cost its square */
const maxSteps = 200
const meanSteps = 4
const firstSteps = 120_000
/** from so many rules on, it is worth remembering what they say */
const many = 8

/** What the style blocks of a document say about an element. */
export function styleSheet(styles: readonly string[]): (element: Element) => VisibilityStyle {
  const rules = styles.flatMap(css => (telling.test(css) ? rulesOf(withoutComments(css.slice(0, maxCss))) : []))
  if (rules.length === 0) return () => nothing
  const byKey = new Map<string, Rule[]>()
  rules.slice(0, maxRules).forEach(({ weight, ...rule }, order) => {
    const key = keyOf(rule.compounds[0] as Compound)
    const others = byKey.get(key) ?? []
    byKey.set(key, others)
    others.push({ ...rule, weight: weight * maxRules + order })
  })
  // the strongest is asked first
  for (const bucket of byKey.values()) bucket.sort((one, other) => other.weight - one.weight)
  const byClasses = new Map<string, readonly Rule[]>()
  const byPlace = new Map<Element, Map<string, VisibilityStyle>>()
  let steps = firstSteps

  return element => {
    const tag = byKey.get(element.tagName) ?? none
    steps += meanSteps
    if (element.attrs.length === 0) return tag === none ? nothing : strongest([tag], element)
    const id = attribute(element, 'id')
    const classes = attribute(element, 'class')
    const [byId, byClass] = [(id && byKey.get(`#${id}`)) || none, classes ? ofClasses(classes) : none]
    if (tag === none && byId === none && byClass === none) return nothing
    const buckets = [tag, byId, byClass]
    return byId === none && tag.length + byClass.length > many
      ? shared(element, classes, () => strongest(buckets, element))
      : strongest(buckets, element)
  }

  // the same tag with the same classes in the same place is drawn alike: long lists are judged once
  function shared(element: Element, classes: string | null, judge: () => VisibilityStyle): VisibilityStyle {
    const place = parentOf(element)
    if (!place) return judge()
    const known = byPlace.get(place) ?? new Map<string, VisibilityStyle>()
    byPlace.set(place, known)
    const key = `${element.tagName} ${classes}`
    const drawn = known.get(key) ?? judge()
    known.set(key, drawn)
    return drawn
  }

  // pages repeat themselves: there are far fewer lists of classes than elements
  function ofClasses(classes: string): readonly Rule[] {
    const known = byClasses.get(classes)
    if (known) return known
    if (steps < maxSteps) return none
    const own = [...new Set(classes.split(/\s+/))]
    const fitting: Rule[] = []
    for (const name of own)
      for (const rule of byKey.get(`.${name}`) ?? none) {
        if (--steps < 0) break
        if (rule.compounds[0]?.classes.every(each => own.includes(each))) fitting.push(rule)
      }
    const rules = fitting.length > 0 ? fitting : none
    byClasses.set(classes, rules)
    return rules
  }

  function strongest(buckets: readonly (readonly Rule[])[], element: Element): VisibilityStyle {
    const drawn: { -readonly [name in keyof VisibilityStyle]: VisibilityStyle[name] } = {}
    const weights = { display: 0, visibility: 0, content: 0 }
    const given = Math.max(0, Math.min(maxSteps, steps))
    const effort = { left: given }
    for (const bucket of buckets)
      for (const rule of bucket) {
        if (--effort.left < 0) break
        const shows = rule.display !== undefined && rule.weight >= weights.display
        const tells = rule.visibility !== undefined && rule.weight >= weights.visibility
        const holds = rule.content !== undefined && rule.weight >= weights.content
        if (!(shows || tells || holds) || !matches(rule.compounds, 0, element, effort)) continue
        if (shows) [drawn.display, weights.display] = [rule.display, rule.weight]
        if (tells) [drawn.visibility, weights.visibility] = [rule.visibility, rule.weight]
        if (holds) [drawn.content, weights.content] = [rule.content, rule.weight]
      }
    steps -= given - Math.max(0, effort.left)
    return drawn
  }
}

const nothing: VisibilityStyle = {}
const none: readonly Rule[] = []

/** whether the compounds from `at` on hold for an element and those above it */
function matches(compounds: readonly Compound[], at: number, element: Element, effort: { left: number }): boolean {
  if (!fits(compounds[at] as Compound, element)) return false
  const next = compounds[at + 1]
  if (!next) return true
  let up = parentOf(element)
  if (next.parent) return up !== null && matches(compounds, at + 1, up, effort)
  for (; up && --effort.left >= 0; up = parentOf(up)) if (matches(compounds, at + 1, up, effort)) return true
  return false
}

function fits({ tag, id, classes }: Compound, element: Element): boolean {
  if (tag && tag !== element.tagName) return false
  if (id && id !== attribute(element, 'id')) return false
  if (classes.length === 0) return true
  const own = attribute(element, 'class') ?? ''
  return classes.every(name => hasWord(own, name))
}

function hasWord(list: string, word: string): boolean {
  for (let at = list.indexOf(word); at >= 0; at = list.indexOf(word, at + 1))
    if (!/\S/.test(list.charAt(at - 1)) && !/\S/.test(list.charAt(at + word.length))) return true
  return false
}

/** An inline style: its last word on each counts, and it is stronger than any rule without !important. */
export function inlineStyle(style: string): VisibilityStyle {
  return telling.test(style) ? declared(withoutComments(style)) : nothing
}

const telling = /display|visibility/i
const withoutComments = (css: string) => (css.includes('/*') ? css.replace(/\/\*[\s\S]*?(\*\/|$)/g, '') : css)

function declared(body: string): VisibilityStyle & { important?: true } {
  const said: { -readonly [name in keyof VisibilityStyle]: VisibilityStyle[name] } & { important?: true } = {}
  for (const declaration of body.split(';')) {
    const [, name = '', value = '', important] =
      /^\s*(display|(?:content-)?visibility)\s*:\s*([\w-]+)[^!]*(!\s*important)?/i.exec(declaration) ?? []
    if (/^display$/i.test(name)) said.display = /^none$/i.test(value) ? 'none' : 'shown'
    if (/^visibility$/i.test(name)) said.visibility = /^(hidden|collapse)$/i.test(value) ? 'hidden' : 'visible'
    if (/^content-/i.test(name)) said.content = /^hidden$/i.test(value) ? 'hidden' : 'visible'
    if (important) said.important = true
  }
  return said
}

/** at-rules whose rules hold for some screens: nobody knows whether for this one */
const sometimes = /^@(media(?!\s+print\b)|supports|layer|container)\b/i
const maxNesting = 3

/** Rules in their order, their weight without it. Of what holds for some screens only, that counts which shows: it is told rather than lost. */
function rulesOf(css: string, nesting = 0): Rule[] {
  const rules: Rule[] = []
  for (let at = 0; at < css.length; ) {
    const open = css.indexOf('{', at)
    if (open < 0) break
    const head = css.slice(at, open)
    const prelude = head.slice(head.lastIndexOf(';') + 1).trim()
    const close = prelude.startsWith('@') ? endOf(css, open) : css.indexOf('}', open)
    const end = close < 0 ? css.length : close
    at = end + 1
    const body = css.slice(open + 1, end)
    if (!telling.test(body)) continue
    if (prelude.startsWith('@')) {
      if (nesting < maxNesting && sometimes.test(prelude)) rules.push(...rulesOf(body, nesting + 1).flatMap(showing))
      continue
    }
    const { important, ...drawn } = declared(body)
    if (!drawn.display && !drawn.visibility && !drawn.content) continue
    for (const selector of prelude.split(',')) {
      const compounds = compoundsOf(selector.trim())
      if (compounds) rules.push({ ...drawn, compounds, weight: (important ? 1e5 : 0) + specificity(compounds) })
    }
  }
  return rules
}

function showing({ compounds, weight, ...said }: Rule): Rule[] {
  const drawn = Object.entries(said).filter(([, value]) => value === 'shown' || value === 'visible')
  return drawn.length > 0 ? [{ ...Object.fromEntries(drawn), compounds, weight }] : []
}

function endOf(text: string, open: number): number {
  const braces = /[{}]/g
  braces.lastIndex = open
  let depth = 0
  for (let brace = braces.exec(text); brace; brace = braces.exec(text)) {
    if (brace[0] === '{') depth++
    else if (--depth === 0) return brace.index
  }
  return text.length
}

const simple = /^(?<tag>[a-z][a-z0-9-]*)?(?<id>#[\w-]+)?(?<classes>(?:\.[\w-]+)*)$/i

/** A selector from its end to its beginning; null where it depends on what only a browser knows. */
function compoundsOf(selector: string): readonly Compound[] | null {
  const compounds: Compound[] = []
  const parts = selector.replace(/\s*>\s*/g, '>').split(/(>|\s+)/)
  for (let i = parts.length - 1; i >= 0; i -= 2) {
    const { tag = '', id = '', classes = '' } = (parts[i] && simple.exec(parts[i] as string)?.groups) || {}
    if (!(tag || id || classes) || compounds.length === maxCompounds) return null
    compounds.push({ tag: tag.toLowerCase(), id: id.slice(1), classes: classes.split('.').filter(Boolean), parent: parts[i + 1] === '>' })
  }
  return compounds
}

const keyOf = ({ tag, id, classes }: Compound): string => (id ? `#${id}` : classes[0] !== undefined ? `.${classes[0]}` : tag)

function specificity(compounds: readonly Compound[]): number {
  let [ids, classes, tags] = [0, 0, 0]
  for (const each of compounds) {
    if (each.id) ids++
    classes += each.classes.length
    if (each.tag) tags++
  }
  return Math.min(9, ids) * 10_000 + Math.min(99, classes) * 100 + Math.min(99, tags)
}
