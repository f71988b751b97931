import * as native from '../runtime/natives.ts'

/** elements that are compared with the rules one by one; for more it is faster to ask for all elements that the rules match */
const maxMatches = 100
/** a page with more rules is not searched to its end */
const maxRules = 20_000

/**
 * Whether a style rule or the style attribute sets the pointer cursor for an element itself. The computed style does not tell this from an
 * inherited cursor, and takes longer. The rules of a document or shadow root are read when it was reached.
 */
export function pointerRules(reached: ReadonlySet<Node>): (node: Node) => boolean {
  const elements = new Set<Node>()
  const selectors = new Map<Node, string>()
  let asked = 0
  let searched = 0
  return node => {
    if (++asked <= maxMatches) return native.matches(node, selectorOf(native.getRootNode(node)))
    if (searched < reached.size) {
      searched = reached.size
      for (const root of reached) {
        const found = native.allOf(root, selectorOf(root))
        for (let i = 0; i < found.length; i++) elements.add(found[i] as Node)
      }
    }
    return elements.has(node)
  }

  function selectorOf(root: Node): string {
    const selector = selectors.get(root) ?? selectorsIn(native.styleSheets(root)).join()
    selectors.set(root, selector)
    return selector
  }
}

function selectorsIn(sheets: ArrayLike<object>): string[] {
  const found = ['[style*="cursor:pointer"],[style*="cursor: pointer"]']
  const lists = Array.from(sheets, sheet => native.sheetRules(sheet) ?? [])
  let count = 0
  for (let list = lists.pop(); list; list = lists.pop())
    for (let i = 0; i < list.length && ++count < maxRules; i++) {
      const rule = list[i] as object
      const cursor = native.ruleCursor(rule)
      if (cursor === undefined) lists.push(native.groupRules(rule) ?? [])
      if (cursor !== 'pointer') continue
      const selector = native.selectorText(rule) as string
      // a rule for everything inside an element says nothing about one of them
      if (!/&|\*\s*$|\*\s*,/.test(selector)) found.push(selector)
    }
  return found
}
