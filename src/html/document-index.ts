import { attribute, type Element, isElement, type Node } from './tree.ts'

/** What is found by a name or from elsewhere in the document, noted in one pass over it. */
export interface DocumentIndex {
  readonly ids: ReadonlyMap<string, Element>
  /** the control that a label is for */
  readonly controls: ReadonlyMap<Element, Element>
  readonly labels: ReadonlyMap<Element, readonly Element[]>
  /** of several radios of one name that are marked as checked, the last one is: by form and name */
  readonly checked: ReadonlyMap<Element | null, ReadonlyMap<string, Element>>
  /** elements in shadow roots: the styles of the page do not reach them */
  readonly shadowed: ReadonlySet<Element>
  /** the text of style blocks */
  readonly styles: readonly string[]
}

/** Reads the document once, in order, and drops its comments: nobody asks for them. */
export function indexDocument(root: Element, shadowed: ReadonlySet<Element>): DocumentIndex {
  const ids = new Map<string, Element>()
  const styles: string[] = []
  const found: Element[] = []
  const controls = new Map<Element, Element>()
  const checked = new Map<Element | null, Map<string, Element>>()
  /** labels around this place that have no control yet; the first one in them is theirs */
  const waiting: Element[] = []
  /** forms around this place */
  const forms: Element[] = []
  // an element stands on the stack a second time where its end must be known
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
    if (!control) continue
    const others = labels.get(control)
    if (others) others.push(label)
    else labels.set(control, [label])
  }
  return { ids, controls, labels, checked, shadowed, styles }

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
      // a style block in a shadow is for that shadow alone, and is not read
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

const isKept = (child: { readonly nodeName: string }) => child.nodeName !== '#comment'
const labelable = new Set('button input meter output progress select textarea'.split(' '))
const notable = new Set([...labelable, 'label', 'form', 'style'])
const isLabelable = (element: Element) => labelable.has(element.tagName) && attribute(element, 'type')?.toLowerCase() !== 'hidden'
