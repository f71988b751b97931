import { attribute, type Element, isElement, type Node } from './tree.ts'

/** What is looked up by name or from elsewhere in the document, collected in one pass. */
export interface DocumentIndex {
  readonly ids: ReadonlyMap<string, Element>
  /** The elements that name an id in `aria-owns`. */
  readonly owners: ReadonlyMap<string, readonly Element[]>
  /** The control of each label. */
  readonly controls: ReadonlyMap<Element, Element>
  readonly labels: ReadonlyMap<Element, readonly Element[]>
  /** The checked radio by form and name: of several with the attribute `checked`, the last one. */
  readonly checked: ReadonlyMap<Element | null, ReadonlyMap<string, Element>>
  /** Elements in shadow roots, to which the styles of the page do not apply. */
  readonly shadowed: ReadonlySet<Element>
  /** The text of `<style>` elements. */
  readonly styles: readonly string[]
}

/** Reads the document once, in order, and removes its comments, which are never used. */
export function indexDocument(root: Element, shadowed: ReadonlySet<Element>): DocumentIndex {
  const ids = new Map<string, Element>()
  const owners = new Map<string, Element[]>()
  const styles: string[] = []
  const found: Element[] = []
  const controls = new Map<Element, Element>()
  const checked = new Map<Element | null, Map<string, Element>>()
  /** Open labels without a control; the first control inside becomes theirs. */
  const waiting: Element[] = []
  /** Open forms, the innermost last. */
  const forms: Element[] = []
  // an element whose end must be known is pushed a second time
  const stack: Node[] = [root]
  const open = new Set<Node>()
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!isElement(node)) continue
    if (open.size > 0 && open.delete(node)) {
      if (node === waiting[waiting.length - 1]) waiting.pop()
      if (node === forms[forms.length - 1]) forms.pop()
      continue
    }
    const tag = node.tagName
    const id = node.attrs.length > 0 ? attribute(node, 'id') : null
    if (id && !ids.has(id)) ids.set(id, node)
    const owned = node.attrs.length > 0 ? attribute(node, 'aria-owns') : null
    if (owned) for (const each of owned.split(/\s+/, 50)) addTo(owners, each, node)
    if (notable.has(tag)) note(node, tag)
    const { childNodes } = node
    let comments = false
    for (let i = childNodes.length - 1; i >= 0; i--) {
      const child = childNodes[i] as Node
      if ((child.nodeName as string) === '#comment') comments = true
      else stack.push(child)
    }
    if (comments) node.childNodes = childNodes.filter(isKept)
  }
  const labels = new Map<Element, Element[]>()
  for (const label of found) {
    const target = attribute(label, 'for')
    const named = target === null ? undefined : ids.get(target)
    if (named && isLabelable(named)) controls.set(label, named)
    const control = controls.get(label)
    if (control) addTo(labels, control, label)
  }
  return { ids, owners, controls, labels, checked, shadowed, styles }

  function note(node: Element, tag: string): void {
    if (tag === 'label' || tag === 'form') {
      open.add(node)
      stack.push(node)
      if (tag === 'form') forms.push(node)
      else {
        found.push(node)
        if (attribute(node, 'for') === null) waiting.push(node)
      }
    } else if (tag === 'style') {
      // a <style> in a shadow root applies to that root only, and is ignored
      if (!shadowed.has(node) && /^\s*(all|screen)?\s*$/i.test(attribute(node, 'media') ?? ''))
        styles.push(node.childNodes.map(child => ('value' in child ? child.value : '')).join(''))
    } else if (isLabelable(node)) {
      for (const label of waiting.splice(0)) controls.set(label, node)
      if (tag === 'input') noteChecked(node)
    }
  }

  function noteChecked(input: Element): void {
    const name = attribute(input, 'name')
    if (!name || attribute(input, 'checked') === null || attribute(input, 'type')?.toLowerCase() !== 'radio') return
    const form = forms[forms.length - 1] ?? null
    const group = checked.get(form) ?? new Map<string, Element>()
    checked.set(form, group.set(name, input))
  }
}

function addTo<K>(lists: Map<K, Element[]>, key: K, element: Element): void {
  const list = lists.get(key)
  if (list) list.push(element)
  else lists.set(key, [element])
}

const isKept = (child: { readonly nodeName: string }) => child.nodeName !== '#comment'
const labelable = new Set('button input meter output progress select textarea'.split(' '))
const notable = new Set([...labelable, 'label', 'form', 'style'])
const isLabelable = (element: Element) => labelable.has(element.tagName) && attribute(element, 'type')?.toLowerCase() !== 'hidden'
