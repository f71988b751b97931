import { words } from '../contract/roles.ts'
import { type FormTarget, type TargetFacts, targetLimits } from '../contract/target.ts'
import { nameOf } from './accessibility/names.ts'
import { roleOf } from './accessibility/roles.ts'
import { isEditingHost, structureRoles } from './candidates.ts'
import type { Dom } from './dom.ts'
import { dataAround, formData, type SentDataContext } from './sent-data.ts'
import { cut, textBelow, tidy } from './text.ts'

/** What `inspect` needs besides the DOM. */
export interface InspectContext<N> extends SentDataContext<N> {
  /** URL of the page */
  readonly url: string
  /** origin of the document with the element */
  readonly origin: string
  /** an absolute URL; '' if it is not one */
  resolve(url: string): string
}

const itemRoles = words('row listitem article option menuitem treeitem')
/** a page may nest elements as deep as it likes */
const maxDepth = 500
const maxVisits = 2_000
const maxItemText = 60
const maxPathName = 40

/** What an element is, where it is, and what a click or Enter on it does by itself. */
export function inspectElement<N>(context: InspectContext<N>, node: N): TargetFacts {
  const { dom, url, origin } = context
  const tag = dom.tag(node)
  const role = roleOf(dom, node)
  const type = typeOf(dom, node)
  const secret = isField(dom, node) && dom.secret(node)
  const activated = activatedBy(dom, node) ?? activatedInside(dom, node)
  const link = activated && isLink(dom, activated) ? activated : null
  const href = link ? context.resolve(dom.attr(link, 'href') ?? '') : ''
  const submits = activated ? formSentBy(context, activated) : undefined
  const enterSubmits = formSentByEnter(context, node)
  const text = isField(dom, node) ? '' : cut(visibleText(dom, node, targetLimits.text), targetLimits.text)
  return {
    url: cut(url, targetLimits.url),
    origin,
    role,
    name: nameIn(dom, node),
    path: cut(pathOf(dom, node), targetLimits.path),
    tag,
    ...(type && { type: cut(type, targetLimits.type) }),
    ...(submits && { submits }),
    ...(enterSubmits && { enterSubmits }),
    ...(href && { href: cut(href, targetLimits.url) }),
    ...(link && dom.attr(link, 'download') !== null && { download: true as const }),
    ...(secret && { secret: true as const }),
    ...(text && { text }),
    // a link sends nothing by itself; what a form sends is part of it
    ...(!submits && !enterSubmits && !leavesPage(href, url) && { data: dataAround(context, node) }),
  }
}

const leavesPage = (href: string, url: string): boolean => /^https?:/.test(href) && withoutFragment(href) !== withoutFragment(url)
const withoutFragment = (url: string): string => url.replace(/#.*$/s, '')

const nameIn = <N>(dom: Dom<N>, node: N): string =>
  cut(tidy(nameOf(dom, node, { maxChars: targetLimits.name + 1, maxVisits: 1_000 })), targetLimits.name)

function typeOf<N>(dom: Dom<N>, node: N): string {
  const tag = dom.tag(node)
  if (tag !== 'input' && tag !== 'button') return ''
  const type = (dom.attr(node, 'type') ?? '').toLowerCase()
  if (tag === 'input') return type || 'text'
  return /^(reset|button)$/.test(type) ? type : 'submit'
}

const isField = <N>(dom: Dom<N>, node: N): boolean => {
  const tag = dom.tag(node)
  return (
    (tag === 'input' && !/^(submit|image|button|reset)$/.test(typeOf(dom, node))) ||
    /^(textarea|select)$/.test(tag) ||
    isEditingHost(dom, node)
  )
}
const isLink = <N>(dom: Dom<N>, node: N): boolean => /^(a|area)$/.test(dom.tag(node)) && dom.attr(node, 'href') !== null
const isSubmitter = <N>(dom: Dom<N>, node: N): boolean => /^(submit|image)$/.test(typeOf(dom, node))
const isActivated = <N>(dom: Dom<N>, node: N): boolean =>
  isLink(dom, node) || /^(input|button|select|textarea|summary)$/.test(dom.tag(node))

/** The element whose activation a click on `node` triggers: the nearest one around it, or the control of a label. */
function activatedBy<N>(dom: Dom<N>, node: N): N | null {
  let each: N | null = node
  for (let depth = 0; each && depth < maxDepth; depth++, each = dom.parent(each)) {
    if (isActivated(dom, each)) return each
    const id: string | null = dom.tag(each) === 'label' ? dom.attr(each, 'for') : null
    if (id) return dom.byId(each, id)
  }
  return null
}

/** A click on a container hits what it contains: a button that submits, or else a link, is expected to be hit. */
const activatedInside = <N>(dom: Dom<N>, node: N): N | null =>
  findBelow(dom, node, each => isSubmitter(dom, each)) ?? findBelow(dom, node, each => isActivated(dom, each))

function findBelow<N>(dom: Dom<N>, root: N, matches: (node: N) => boolean): N | null {
  const stack: N[] = [root]
  for (let visits = 0; stack.length > 0 && visits < maxVisits; visits++) {
    const each = stack.pop() as N
    if (dom.tag(each) === '') continue
    if (matches(each)) return each
    const children = dom.children(each)
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as N)
  }
  return null
}

function formSentBy<N>(context: InspectContext<N>, submitter: N): FormTarget | undefined {
  const form = isSubmitter(context.dom, submitter) ? context.formOf(submitter) : null
  return form ? formTarget(context, form, submitter) : undefined
}

/** Enter presses the default button of the form, the first one that submits; a form without one is sent if it has a single text field. */
function formSentByEnter<N>(context: InspectContext<N>, node: N): FormTarget | undefined {
  const { dom, formOf } = context
  const form = dom.tag(node) === 'input' && isField(dom, node) ? formOf(node) : null
  return form
    ? formTarget(
        context,
        form,
        findBelow(dom, form, each => isSubmitter(dom, each) && formOf(each) === form),
      )
    : undefined
}

function formTarget<N>(context: InspectContext<N>, form: N, submitter: N | null): FormTarget {
  const { dom, resolve, url } = context
  const read = (name: string) => (submitter ? dom.attr(submitter, `form${name}`) : null) ?? dom.attr(form, name) ?? ''
  const given = read('method').toLowerCase()
  const method = given === 'post' || given === 'dialog' ? given : 'get'
  const action = resolve(tidy(read('action'))) || url
  return {
    action: cut(action, targetLimits.url),
    method,
    ...(submitter && { button: nameIn(dom, submitter) }),
    data: formData(context, form, { submitter, head: [action, method, read('enctype'), read('target')] }),
  }
}

/** main > form "Checkout" > row "Green tea, 2": the structure around an element, outermost first. */
function pathOf<N>(dom: Dom<N>, node: N): string {
  const parts: string[] = []
  let each = dom.parent(node)
  for (let depth = 0; each && depth < maxDepth; depth++, each = dom.parent(each)) {
    const role = dom.tag(each) ? roleOf(dom, each) : ''
    if (!structureRoles.has(role) && !itemRoles.has(role)) continue
    const labelled = ['aria-label', 'aria-labelledby'].some(name => dom.attr(each as N, name) !== null)
    const name = itemRoles.has(role)
      ? cut(visibleText(dom, each, maxItemText), maxItemText)
      : labelled || /^(group|table|figure)$/.test(role)
        ? cut(tidy(nameOf(dom, each, { maxChars: maxPathName + 1, maxVisits: 200 })), maxPathName)
        : ''
    parts.push(name ? `${role} ${JSON.stringify(name)}` : role)
  }
  return parts.reverse().join(' > ')
}

const visibleText = <N>(dom: Dom<N>, node: N, max: number): string =>
  textBelow(dom, node, { shown: each => !dom.hidden(each), max: max + 1 })
