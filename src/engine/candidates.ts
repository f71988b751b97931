import { words } from '../contract/roles.ts'
import type { Dom, Layout } from './dom.ts'

const controlRoles = words(
  'link button checkbox radio switch textbox searchbox combobox listbox slider spinbutton menuitem menuitemcheckbox menuitemradio option tab treeitem scrollbar',
)
/** tags that are controls whatever their role is */
const controlTags = words('select textarea button')
const handlers = ['onclick', 'onmousedown', 'onpointerdown']
/** tags that have a role without any attribute; all others are generic then, and most elements are */
export const tagsWithRole = words(
  'article aside button dialog fieldset footer form h1 h2 h3 h4 h5 h6 header input li main menu nav ol optgroup option output search section select summary table textarea tr ul',
)

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
  if (!dom.bare(node)) {
    // plain statements without closures: a large page has many elements that get this far
    const tabIndex = dom.attr(node, 'tabindex')
    if (tabIndex !== null && Number.parseInt(tabIndex, 10) >= 0) return true
    if (isEditingHost(dom, node) || dom.attr(node, 'draggable') === 'true') return true
    if ((tag === 'audio' || tag === 'video') && dom.attr(node, 'controls') !== null) return true
    for (const name of handlers) if (dom.attr(node, name) !== null) return true
  }
  return layout?.listens(node) ?? false
}

export function isEditingHost<N>(dom: Dom<N>, node: N): boolean {
  const editable = dom.attr(node, 'contenteditable')
  return editable !== null && /^(true|plaintext-only|)$/i.test(editable)
}
