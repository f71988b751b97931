import { words } from '../contract/roles.ts'
import { type ControlFacts, type FormTarget, type TargetFacts, targetLimits } from '../contract/target.ts'
import { nameOf } from './accessibility/names.ts'
import { roleOf } from './accessibility/roles.ts'
import { findBelow, hrefOf, isActivated, isCommand, isField, isSubmitter, maxDepth, type Reach, reachOf, typeOf } from './activation.ts'
import { structureRoles } from './candidates.ts'
import type { Dom, Layout } from './dom.ts'
import { dataAround, formData, type SentDataContext } from './sent-data.ts'
import { cut, textBelow, tidy } from './text.ts'

/** What `inspect` needs besides the DOM. */
export interface InspectContext<N> extends SentDataContext<N> {
  readonly layout?: Layout<N> | null
  /** URL of the page */
  readonly url: string
  /** origin of the document with the element */
  readonly origin: string
  /** whether an element is a box over the page, such as a modal without a role; absent if nothing is drawn */
  overlays?(node: N): boolean
  /** an absolute URL; '' if it is not one */
  resolve(url: string): string
}

const itemRoles = words('row listitem article option menuitem treeitem')
const maxItemText = 60
const maxPathName = 40

/** What an element is, where it is, and what a click or Enter on it does by itself; `reach` has the controls that a press may operate. */
export function inspectElement<N>(context: InspectContext<N>, node: N, reach: Reach<N> = reachOf(context, node, null)): TargetFacts {
  const { dom, url, origin } = context
  const activated = [...reach.inside, ...reach.around].find(each => isActivated(dom, each))
  const enterSubmits = formSentByEnter(context, node)
  const { submits, href = '' } = activated === undefined ? controlFacts(context, node) : activationOf(context, activated)
  const others = otherControls(context, node, reach)
  const dialog = isField(dom, node) ? '' : dialogText(context, node)
  return {
    url: cut(url, targetLimits.url),
    origin,
    path: cut(pathOf(dom, node), targetLimits.path),
    ...controlFacts(context, node),
    ...(activated !== undefined && activationOf(context, activated)),
    ...(enterSubmits && { enterSubmits }),
    // a link sends nothing by itself; what a form sends is part of it
    ...(!submits && !enterSubmits && !leavesPage(href, url) && { data: dataAround(context, node) }),
    ...(isField(dom, node) && dom.secret(node) && { secret: true as const }),
    ...(dom.is(node, 'editable') && { editable: true as const }),
    ...(dialog && { dialog }),
    ...(others.length > 0 && { reaches: others.slice(0, targetLimits.reaches) }),
    ...(!(reach.isComplete && others.length <= targetLimits.reaches) && { isVague: true as const }),
  }
}

/**
 * The other controls that a press operates. The words of a link or button say what happens, and not those of what is around it: the words of
 * a container, such as a row, are those of all that is in it.
 */
function otherControls<N>(context: InspectContext<N>, node: N, { inside, around, isHit }: Reach<N>): readonly ControlFacts[] {
  const { dom } = context
  let isNamed = true
  return [...inside, ...around].flatMap(each => {
    const isPart = inside.includes(each)
    const hasWords = isNamed && (isPart || isActivated(dom, each) || isCommand(dom, each))
    if (isCommand(dom, each) && (isHit || !isPart)) isNamed = false
    if (each === node) return []
    if (hasWords) return [controlFacts(context, each)]
    const activation = activationOf(context, each)
    return activation.submits || activation.href ? [{ role: roleOf(dom, each), name: '', tag: dom.tag(each), ...activation }] : []
  })
}

/** What a control is, says and does. */
function controlFacts<N>(context: InspectContext<N>, node: N): ControlFacts {
  const { dom } = context
  const type = typeOf(dom, node)
  const text = isField(dom, node) ? '' : visibleText(dom, node)
  return {
    role: roleOf(dom, node),
    name: nameIn(dom, node),
    tag: dom.tag(node),
    ...(type && { type: cut(type, targetLimits.type) }),
    ...activationOf(context, node),
    ...(text && { text: ends(text, targetLimits.text) }),
  }
}

/** What the browser does when the control is clicked. */
function activationOf<N>(context: InspectContext<N>, node: N): Pick<ControlFacts, 'submits' | 'href' | 'download'> {
  const { dom } = context
  const submits = formSentBy(context, node)
  const given = hrefOf(dom, node)
  const href = given === null ? '' : context.resolve(given)
  return {
    ...(submits && { submits }),
    ...(href && { href: cut(href, targetLimits.url) }),
    ...(given !== null && dom.attr(node, 'download') !== null && { download: true as const }),
  }
}

const leavesPage = (href: string, url: string): boolean => /^https?:/.test(href) && withoutFragment(href) !== withoutFragment(url)
const withoutFragment = (url: string): string => url.replace(/#.*$/s, '')

const maxNameChars = 2_000

const nameIn = <N>(dom: Dom<N>, node: N): string =>
  ends(tidy(nameOf(dom, node, { maxChars: maxNameChars, maxVisits: 1_000 })), targetLimits.name)

/** The first and the last part of a long text: both may say what the control does. */
export function ends(text: string, max: number): string {
  if (text.length <= max) return text
  const half = Math.floor((max - 3) / 2)
  return `${text.slice(0, half)} … ${text.slice(-half)}`
}

/** The words of the dialog around an element. */
function dialogText<N>({ dom, layout = null, overlays }: InspectContext<N>, node: N): string {
  const panel = layout?.modalPanel() ?? null
  let each = dom.parent(node)
  for (let depth = 0; each && depth < maxDepth; depth++, each = dom.parent(each))
    if (each === panel || dom.is(each, 'modal') || /^(alert)?dialog$/.test(roleOf(dom, each)) || overlays?.(each))
      return ends(`${nameIn(dom, each)} ${visibleText(dom, each)}`.trim(), targetLimits.dialog)
  return ''
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
      ? cut(visibleText(dom, each), maxItemText)
      : labelled || /^(group|table|figure)$/.test(role)
        ? cut(tidy(nameOf(dom, each, { maxChars: maxPathName + 1, maxVisits: 200 })), maxPathName)
        : ''
    parts.push(name ? `${role} ${JSON.stringify(name)}` : role)
  }
  return parts.reverse().join(' > ')
}

const visibleText = <N>(dom: Dom<N>, node: N): string => textBelow(dom, node, { shown: each => !dom.hidden(each), max: targetLimits.text })

/** What a press on a control depends on: another key means that it does something else, or says something else, than before. */
export function controlKey<N>(context: InspectContext<N>, node: N): string {
  const { tag, type, href, submits, name, text } = controlFacts(context, node)
  // the words of a container are those of all that is in it
  const words = isActivated(context.dom, node) || isCommand(context.dom, node) ? [name, text] : []
  return JSON.stringify([tag, type, href, submits?.action, submits?.method, ...words])
}
