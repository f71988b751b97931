import { createStyleLookup } from './css.ts'
import { parseInlineStyle, type VisibilityStyle } from './css-rules.ts'
import type { DocumentIndex } from './document-index.ts'
import { attribute, type Element, firstChild, isElement, type Node, parentOf, type Visibility } from './tree.ts'

/** Never rendered, regardless of style sheets. */
const neverRendered = new Set(
  'base basefont col colgroup datalist head link meta noembed noframes noscript param rp script source style template title track annotation annotation-xml symbol metadata clippath pattern mask marker lineargradient radialgradient filter'.split(
    ' ',
  ),
)

const drawnByBrowser = new Set(['video', 'audio', 'progress', 'meter'])

/** Returns a function that computes whether a node is rendered, from the markup and `<style>` elements. */
export function createVisibility({ styles, shadowed }: DocumentIndex, tagOf: (element: Element) => string): (node: Node) => Visibility {
  const styleOf = createStyleLookup(styles)
  const summaries = new Map<Element, unknown>()

  return node => {
    if (isElement(node)) return visibilityOf(node)
    const parent = parentOf(node)
    if (!parent) return 'visible'
    if (isFolded(node, parent)) return 'none'
    const around = visibilityOf(parent)
    return around === 'empty' ? 'none' : around
  }

  // cached for all ancestors on the way down, so that 100,000 levels take one pass and no recursion
  function visibilityOf(element: Element): Visibility {
    if (element.visibility) return element.visibility
    const parent = parentOf(element)
    if (parent?.visibility) {
      element.visibility = visibilityInside(parent.visibility, element)
      return element.visibility
    }
    const passed: Element[] = []
    let each: Element | null = element
    while (each && !each.visibility) {
      passed.push(each)
      each = parentOf(each)
    }
    let visibility: Visibility = each?.visibility ?? 'visible'
    for (let i = passed.length - 1; i >= 0; i--) {
      const next = passed[i] as Element
      visibility = visibilityInside(visibility, next)
      next.visibility = visibility
    }
    return visibility
  }

  function visibilityInside(around: Visibility, element: Element): Visibility {
    return around === 'none' || around === 'empty' ? 'none' : ownVisibility(element, around)
  }

  function ownVisibility(element: Element, around: Visibility): Visibility {
    const parent = parentOf(element)
    if (parent && isFolded(element, parent)) return 'none'
    const tag = tagOf(element)
    // a script that does not run here would show the page again
    if (tag === 'html' || tag === 'body') return 'visible'
    if (neverRendered.has(tag)) return 'none'
    let style = ''
    for (let i = 0; i < element.attrs.length; i++) {
      const { name, value } = element.attrs[i] as Element['attrs'][number]
      if (name === 'hidden' || name === 'popover') return 'none'
      if (name === 'style') style = value
      else if (name === 'type' && tag === 'input' && value.toLowerCase() === 'hidden') return 'none'
    }
    if (tag === 'dialog' && attribute(element, 'open') === null) return 'none'
    const ruled: VisibilityStyle = shadowed.size > 0 && shadowed.has(element) ? {} : styleOf(element)
    const own = style ? parseInlineStyle(style) : ruled
    if ((own.display ?? ruled.display) === 'none') return 'none'
    // visibility is inherited, and descendants can override it
    const seen = own.visibility ?? ruled.visibility ?? around
    if ((own.content ?? ruled.content) !== 'hidden') return seen
    return seen === 'visible' ? 'empty' : 'none'
  }

  /** Whether a node is content of a closed `<details>`, or fallback content of an element that the browser draws itself. */
  function isFolded(node: Node, parent: Element): boolean {
    const { tagName } = parent
    if (tagName !== 'details') return drawnByBrowser.has(tagName)
    if (attribute(parent, 'open') !== null) return false
    if (!summaries.has(parent)) summaries.set(parent, firstChild(parent, 'summary'))
    return summaries.get(parent) !== node
  }
}
