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
