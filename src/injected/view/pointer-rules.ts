import * as native from '../runtime/natives.ts'

/** a page with more rules is not searched to its end */
const maxRules = 20_000

/**
 * Whether a style rule or the style attribute sets the pointer cursor for an element itself. The computed style does not tell this from an
 * inherited cursor, and takes longer. The rules of a document or shadow root are read when it was reached.
 */
export function pointerRules(reached: ReadonlySet<Node>): (node: Node) => boolean {
  const elements = new Set<Node>()
  const searched = new Set<Node>()
  return node => {
    if (searched.size < reached.size)
      for (const root of reached) {
        if (searched.has(root)) continue
        searched.add(root)
        const found = native.allOf(root, selectorsIn(native.styleSheets(root)).join())
        for (let i = 0; i < found.length; i++) elements.add(found[i] as Node)
      }
    return elements.has(node)
  }
}

// https://drafts.csswg.org/cssom/#the-cssrule-interface
const styleRule = 1

function selectorsIn(sheets: ArrayLike<object>): string[] {
  const found = ['[style*="cursor:pointer"],[style*="cursor: pointer"]']
  const lists: ArrayLike<object>[] = []
  let count = 0
  const addRules = (rules: ArrayLike<object> | undefined) => {
    if (rules) lists.push(rules)
  }
  for (let i = 0; i < sheets.length; i++) addRules(native.sheetRules(sheets[i] as object))
  for (let list = lists.pop(); list; list = lists.pop())
    for (let i = 0; i < list.length && ++count < maxRules; i++) {
      const rule = list[i] as object
      // asking a rule of another kind throws, which is slow
      if (native.ruleType(rule) !== styleRule) addRules(native.groupRules(rule))
      else if (native.ruleCursor(rule) === 'pointer') {
        const selector = native.selectorText(rule) as string
        // a rule for everything inside an element says nothing about one of them
        if (!/&|\*\s*$|\*\s*,/.test(selector)) found.push(selector)
      }
    }
  return found
}
