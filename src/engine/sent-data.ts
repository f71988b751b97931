import { words } from '../contract/roles.ts'
import { type SentData, type SentField, secretValue, sentDataLimits } from '../contract/target.ts'
import { nameOf } from './accessibility/names.ts'
import { roleOf } from './accessibility/roles.ts'
import { statesOf } from './accessibility/states.ts'
import { isEditingHost } from './candidates.ts'
import type { Dom } from './dom.ts'
import { keyedDigest } from './keyed-digest.ts'
import { cut, textBelow, tidy } from './text.ts'

/** What reading the data of a form needs besides the DOM. */
export interface SentDataContext<N> {
  readonly dom: Dom<N>
  /** the key of the digest; without one there is no digest */
  readonly key: string | undefined
  /** fields that are left out, because the caller sets them before the data is sent */
  readonly except: readonly N[]
  /** the form that an element belongs to */
  formOf(node: N): N | null
  /** the controls of a form, wherever they are in the document */
  controlsOf(form: N): ArrayLike<N>
  /** name and size of each file that was chosen in a field */
  filesOf(field: N): readonly string[]
  /** Reads fields as they are, secrets too; for the digest only. */
  unveiled<T>(read: () => T): T
}

/** a page may have any number of elements and characters, and inspecting one must not take long */
const maxVisits = 10_000
const maxControls = 1_000
const maxDigestChars = 200_000
const maxEditorChars = 20_000

const containerRoles = words('form dialog alertdialog main region search complementary navigation banner contentinfo')
/** widgets of scripts that have a value */
const widgetRoles = words(
  'checkbox radio switch menuitemcheckbox menuitemradio combobox listbox slider spinbutton textbox searchbox option',
)
const buttonTypes = /^(submit|image|button|reset)$/

/** The data of a form as the browser sends it, with that of the button that sends it. */
export function formData<N>(
  context: SentDataContext<N>,
  form: N,
  { submitter, head }: { readonly submitter: N | null; readonly head: readonly string[] },
): SentData {
  const inside = fieldsIn(context, form, { visits: maxVisits }).filter(each => (context.formOf(each) ?? form) === form)
  const known = new Set(inside)
  const others = Array.from(context.controlsOf(form)).filter(each => !known.has(each) && isField(context.dom, each))
  return describeData(context, [...inside, ...others], [...head, ...entryOfSubmitter(context.dom, submitter)])
}

/** The fields that a script may send: those of the nearest form, dialog or landmark that has any. */
export function dataAround<N>(context: SentDataContext<N>, node: N): SentData {
  const { dom } = context
  const budget = { visits: maxVisits }
  let fields: readonly N[] = []
  for (let each: N | null = node; each && fields.length === 0 && budget.visits > 0; each = dom.parent(each)) {
    const role = dom.tag(each) ? roleOf(dom, each) : ''
    if (dom.parent(each) && !containerRoles.has(role)) continue
    fields = fieldsIn(context, each, budget)
    // a modal dialog is the whole page while it is open
    if (dom.is(each, 'modal')) break
  }
  return describeData(context, fields, [])
}

function fieldsIn<N>({ dom }: SentDataContext<N>, root: N, budget: { visits: number }): readonly N[] {
  const found: N[] = []
  const stack: N[] = [root]
  for (let node = stack.pop(); node !== undefined && found.length < maxControls && budget.visits-- > 0; node = stack.pop()) {
    const tag = dom.tag(node)
    if (tag === '' || tag === 'datalist') continue
    if (isField(dom, node)) found.push(node)
    if (tag === 'select') continue
    const children = dom.children(node)
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as N)
  }
  return found
}

function isField<N>(dom: Dom<N>, node: N): boolean {
  const tag = dom.tag(node)
  if (tag === 'input') return !buttonTypes.test(typeOf(dom, node))
  return tag === 'select' || tag === 'textarea' || isEditingHost(dom, node) || widgetRoles.has((dom.attr(node, 'role') ?? '').trim())
}

const typeOf = <N>(dom: Dom<N>, node: N): string => (dom.attr(node, 'type') ?? '').toLowerCase()

const entryOfSubmitter = <N>(dom: Dom<N>, submitter: N | null): readonly string[] =>
  submitter ? [dom.attr(submitter, 'name') ?? '', dom.attr(submitter, 'value') ?? ''] : []

function describeData<N>(context: SentDataContext<N>, fields: readonly N[], head: readonly string[]): SentData {
  const { dom, key, except, unveiled } = context
  const sent = fields.filter(each => !except.includes(each) && isSent(dom, each))
  const isHidden = (each: N) => dom.tag(each) === 'input' && typeOf(dom, each) === 'hidden'
  const shown = sent.filter(each => !isHidden(each))
  const listed: SentField[] = []
  let more = 0
  for (const each of shown) {
    const value = shownValue(context, each)
    if (value === '') continue
    if (listed.length < sentDataLimits.fields) listed.push({ label: labelOf(dom, each), value: cut(value, sentDataLimits.value) })
    else more++
  }
  return {
    ...(key && {
      digest: keyedDigest(
        key,
        unveiled(() => textOf(context, sent, head)),
      ),
    }),
    fields: listed,
    ...(more > 0 && { more }),
    ...(sent.length > shown.length && { hidden: sent.length - shown.length }),
  }
}

/** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#constructing-the-form-data-set */
function isSent<N>(dom: Dom<N>, field: N): boolean {
  const { disabled, checked, selected } = statesOf(dom, field, roleOf(dom, field))
  if (disabled) return false
  return checked === undefined ? dom.attr(field, 'role') !== 'option' || selected === true : checked !== false
}

const labelOf = <N>(dom: Dom<N>, field: N): string =>
  cut(
    tidy(nameOf(dom, field, { maxChars: sentDataLimits.label + 1, maxVisits: 200 })) || tidy(dom.attr(field, 'name') ?? ''),
    sentDataLimits.label,
  ) || roleOf(dom, field)

/** The value as a person may read it. */
function shownValue<N>(context: SentDataContext<N>, field: N): string {
  const { dom } = context
  const files = context.filesOf(field)
  if (files.length > 0) return files.join(', ')
  const { checked } = statesOf(dom, field, roleOf(dom, field))
  if (checked !== undefined) return checked === 'mixed' ? 'mixed' : 'checked'
  const value = tidy(dom.value(field), sentDataLimits.value * 4) || widgetValue(dom, field)
  return value && dom.secret(field) ? secretValue : value
}

/** What a widget of a script shows as its value. */
const widgetValue = <N>(dom: Dom<N>, field: N): string =>
  /^(input|select|textarea)$/.test(dom.tag(field))
    ? ''
    : (dom.attr(field, 'aria-valuetext') ?? dom.attr(field, 'aria-valuenow') ?? textBelow(dom, field, { max: maxEditorChars, maxVisits }))

/** All that is sent, so that different data has different texts. The lengths tell where a value ends. */
function textOf<N>(context: SentDataContext<N>, fields: readonly N[], head: readonly string[]): string {
  const { dom } = context
  let text = ''
  const add = (value: string): void => {
    text += `${value.length}:${text.length < maxDigestChars ? value.slice(0, maxDigestChars) : ''};`
  }
  for (const each of head) add(each)
  add(`${fields.length}`)
  for (const field of fields) {
    const isSelect = dom.tag(field) === 'select'
    add(dom.attr(field, 'name') ?? '')
    add(typeOf(dom, field) || dom.tag(field))
    add(isEditingHost(dom, field) ? '' : dom.value(field))
    add(widgetValue(dom, field))
    // what a choice sends is not what it shows
    if (isSelect) for (const option of Array.from(dom.options(field))) if (dom.is(option, 'selected')) add(dom.attr(option, 'value') ?? '')
    for (const file of context.filesOf(field)) add(file)
  }
  return text
}
