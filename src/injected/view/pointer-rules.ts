import * as native from '../runtime/natives.ts'

/** a page with more rules is not searched to its end */
const maxRules = 20_000

/**
 * Whether a style rule or the style attribute sets the pointer cursor for an element itself. The computed style does not tell this from an
 * inherited cursor, and takes longer. The rules are read when the first element is asked about.
 */
export function pointerRules(): (node: Node) => boolean {
  const elements = new Map<Node, ReadonlySet<Node>>()
  return node => {
    const root = native.getRootNode(node)
    let found = elements.get(root)
    if (!found) {
      found = new Set(Array.from(native.allOf(root, selectorsIn(native.styleSheets(root)).join())))
      elements.set(root, found)
    }
    return found.has(node)
  }
}

function selectorsIn(sheets: ArrayLike<object>): string[] {
  const found = ['[style*="cursor:pointer"],[style*="cursor: pointer"]']
  const lists: ArrayLike<object>[] = []
  let count = 0
  // a style sheet of another origin cannot be read
  const addRules = (owner: object) => {
    const rules = native.rulesOf(owner)
    if (rules) lists.push(rules)
  }
  for (let i = 0; i < sheets.length; i++) addRules(sheets[i] as object)
  for (let list = lists.pop(); list; list = lists.pop())
    for (let i = 0; i < list.length && ++count < maxRules; i++) {
      const rule = list[i] as object
      const selector = native.selectorText(rule)
      if (selector === undefined) addRules(rule)
      // a rule for everything inside an element says nothing about one of them
      else if (!/&|\*\s*$|\*\s*,/.test(selector) && native.ruleCursor(rule) === 'pointer') found.push(selector)
    }
  return found
}
