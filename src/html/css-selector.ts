import { parse, type Selector, SelectorType } from 'css-what'
import { attribute, type Element, parentOf } from './tree.ts'

/** A selector of tags, ids, classes, and descendant and child combinators: it can be matched without a browser. */
export interface StyleSelector {
  /** from right to left: the element itself first, then its ancestors */
  readonly compounds: readonly Compound[]
  /** ids, classes and tags as one number that can be compared */
  readonly specificity: number
}

interface Compound {
  readonly tag: string
  readonly id: string
  readonly classes: readonly string[]
  /** it must match the parent of the element to its right, not just any ancestor */
  readonly isParent: boolean
}

const maxCompounds = 8

/** The selectors of a rule that can be matched without a browser; null if one of them is invalid, because CSS then ignores the rule. */
export function parseSelectors(prelude: string): StyleSelector[] | null {
  try {
    return parse(prelude).flatMap(tokens => toSelector(tokens) ?? [])
  } catch {
    return null
  }
}

/** null for pseudo-classes, attributes, sibling combinators and everything else that only a browser can match */
function toSelector(tokens: readonly Selector[]): StyleSelector | null {
  const compounds: Compound[] = []
  let compound = emptyCompound()
  for (const token of tokens) {
    if (token.type === SelectorType.Descendant || token.type === SelectorType.Child) {
      compounds.unshift({ ...compound, isParent: token.type === SelectorType.Child })
      compound = emptyCompound()
    } else if (!addTo(compound, token)) return null
  }
  compounds.unshift(compound)
  if (compounds.length > maxCompounds || compounds.some(({ tag, id, classes }) => !tag && !id && classes.length === 0)) return null
  return { compounds, specificity: specificityOf(compounds) }
}

const emptyCompound = () => ({ tag: '', id: '', classes: [] as string[], isParent: false })

function addTo(compound: ReturnType<typeof emptyCompound>, token: Selector): boolean {
  if (token.type === SelectorType.Tag && token.namespace === null) compound.tag = token.name.toLowerCase()
  // .name and #name as opposed to [class~=name] and [id=name]
  else if (token.type !== SelectorType.Attribute || token.ignoreCase !== 'quirks') return false
  else if (token.name === 'class') compound.classes.push(token.value)
  else if (compound.id) return false
  else compound.id = token.value
  return true
}

// https://www.w3.org/TR/selectors-4/#specificity-rules
function specificityOf(compounds: readonly Compound[]): number {
  let [ids, classes, tags] = [0, 0, 0]
  for (const compound of compounds) {
    if (compound.id) ids++
    classes += compound.classes.length
    if (compound.tag) tags++
  }
  return Math.min(9, ids) * 10_000 + Math.min(99, classes) * 100 + Math.min(99, tags)
}

/** Whether a selector matches an element. Every ancestor it is compared with takes one of the remaining steps. */
export function matches({ compounds }: StyleSelector, element: Element, effort: { left: number }): boolean {
  return matchesFrom(compounds, 0, element, effort)
}

function matchesFrom(compounds: readonly Compound[], index: number, element: Element, effort: { left: number }): boolean {
  if (!matchesCompound(compounds[index] as Compound, element)) return false
  const next = compounds[index + 1]
  if (!next) return true
  let ancestor = parentOf(element)
  if (next.isParent) return ancestor !== null && matchesFrom(compounds, index + 1, ancestor, effort)
  for (; ancestor && --effort.left >= 0; ancestor = parentOf(ancestor)) if (matchesFrom(compounds, index + 1, ancestor, effort)) return true
  return false
}

function matchesCompound({ tag, id, classes }: Compound, element: Element): boolean {
  if (tag && tag !== element.tagName) return false
  if (id && id !== attribute(element, 'id')) return false
  if (classes.length === 0) return true
  const classNames = attribute(element, 'class')
  if (!classNames) return false
  for (let i = 0; i < classes.length; i++) if (!hasWord(classNames, classes[i] as string)) return false
  return true
}

/** without split: it is called for many elements and rules */
function hasWord(list: string, word: string): boolean {
  for (let at = list.indexOf(word); at >= 0; at = list.indexOf(word, at + 1))
    if (!/\S/.test(list.charAt(at - 1)) && !/\S/.test(list.charAt(at + word.length))) return true
  return false
}
