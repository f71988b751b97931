import * as native from '../runtime/natives.ts'

/** the innermost focused element, through open shadow roots; null if only a body that cannot be edited has the focus */
export function focusedIn(document: Document): Element | null {
  let focus = native.activeElement(document) ?? null
  for (let root = focus && native.shadowRoot(focus); root; root = focus && native.shadowRoot(focus)) {
    const inner = native.shadowActiveElement(root)
    if (!inner) break
    focus = inner
  }
  return focus && focus === native.bodyOf(document) && !native.isContentEditable(focus) ? null : focus
}
