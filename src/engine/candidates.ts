import { words } from '../contract/roles.ts'
import { flagOf, hasAction, isActionAttribute } from './attributes.ts'
import type { Dom, Layout } from './dom.ts'

const controlRoles = words(
  'link button checkbox radio switch textbox searchbox combobox listbox slider spinbutton menuitem menuitemcheckbox menuitemradio option tab treeitem scrollbar',
)
/** tags that are controls whatever their role is */
const controlTags = words('select textarea button')
/** tags that have a role without any attribute; all others are generic then, and most elements are */
export const tagsWithRole = words(
  'article aside button dialog fieldset footer form h1 h2 h3 h4 h5 h6 header input li main menu nav ol optgroup option output search section select summary table textarea tr ul',
)

/** tags without a role, whatever attributes they have other than `role`, those of ARIA and `title` */
export const plainTags = words('b big center circle div ellipse font i kbd label line path polygon polyline rect samp small span u use var')

/** parts of a page that get a line if something inside them does */
export const structureRoles = words(
  'banner navigation main contentinfo complementary region search form dialog alertdialog alert status log table grid treegrid row list listitem article tablist tabpanel menu menubar toolbar tree radiogroup group feed application',
)
/** blocks that get a line for their content; interactiveOnly leaves them out */
export const blockRoles = words('paragraph cell gridcell columnheader rowheader caption blockquote figure term definition code math note')
/** elements to look at rather than to operate; interactiveOnly leaves them out */
export const leafRoles = words('img meter progressbar separator')
/** messages and dialogs, whose text is shown even if only controls are wanted */
export const liveRoles = words('alert alertdialog dialog status log')
/** the surroundings of the main content */
export const asideRoles = words('banner navigation contentinfo complementary search')

/** Whether a user can operate the element itself. */
export function isControl<N>({ dom, layout }: { dom: Dom<N>; layout: Layout<N> | null }, node: N, tag: string, role: string): boolean {
  if (tag === 'input') return (dom.attr(node, 'type') ?? '').toLowerCase() !== 'hidden'
  if (controlTags.has(tag) || controlRoles.has(role) || ((tag === 'a' || tag === 'area') && dom.attr(node, 'href') !== null)) return true
  if (dom.flags(node) & hasAction && dom.attrNames(node).some(name => flagOf(name) & hasAction && makesControl(dom, node, tag, name)))
    return true
  return layout?.listens(node) ?? false
}

function makesControl<N>(dom: Dom<N>, node: N, tag: string, name: string): boolean {
  const value = () => dom.attr(node, name) ?? ''
  if (name === 'tabindex') return Number.parseInt(value(), 10) >= 0
  if (name === 'contenteditable') return isEditingHost(dom, node)
  if (name === 'draggable') return value() === 'true'
  if (name === 'controls') return tag === 'audio' || tag === 'video'
  return isActionAttribute(name) && tag !== 'form' && isClickAction(dom, node, name, value())
}

/** Whether the action of the attribute belongs to clicks: `data-action="input->form#check"` and `jsaction="load:start"` do not. */
function isClickAction<N>(dom: Dom<N>, node: N, name: string, value: string): boolean {
  if (name.endsWith('jsaction')) return /(^|;\s*)(click:|[\w.]+(;|$))/.test(value)
  if (name === 'data-action') return value !== '' && (!value.includes('->') || /\bclick->/.test(value))
  if (name === 'data-toggle') return value !== 'buttons'
  return !name.includes('hx-') || /^$|click/.test(dom.attr(node, 'hx-trigger') ?? '')
}

export function isEditingHost<N>(dom: Dom<N>, node: N): boolean {
  const editable = dom.flags(node) & hasAction ? dom.attr(node, 'contenteditable') : null
  return editable !== null && /^(true|plaintext-only|)$/i.test(editable)
}
