import type { Dom, Layout } from './dom.ts'
import { words } from './roles.ts'

const controlRoles = words(
  'link button checkbox radio switch textbox searchbox combobox listbox slider spinbutton menuitem menuitemcheckbox menuitemradio option tab treeitem scrollbar',
)
/** tags that hold something to operate, whatever their role says */
const controlTags = words('select textarea button')
const handlers = ['onclick', 'onmousedown', 'onpointerdown']
/** tags that say what they are even without an attribute; all others are generic then, and most elements are */
export const tellingTags = words(
  'article aside button dialog fieldset footer form h1 h2 h3 h4 h5 h6 header input li main menu nav ol optgroup option output search section select summary table textarea tr ul',
)

/** parts of a page that tell where one is; worth a line when something in them is */
export const structureRoles = words(
  'banner navigation main contentinfo complementary region search form dialog alertdialog alert status log table grid treegrid row list listitem article tablist tabpanel menu menubar toolbar tree radiogroup group feed application',
)
/** what interactiveOnly leaves out: blocks that are worth a line for what they hold, and things that are seen, not operated */
export const blockRoles = words('paragraph cell gridcell columnheader rowheader caption blockquote figure term definition code math note')
export const leafRoles = words('img meter progressbar separator')
/** their text stays, also when only controls are asked for: it is news */
export const newsRoles = words('alert alertdialog dialog status log')
/** one of many alike: its own words tell its controls from the next one's */
export const itemRoles = words('row listitem article')
/** surroundings, not what the page is about */
export const asideRoles = words('banner navigation contentinfo complementary search')
/** Whether a user can operate the element itself. `inherited` says that its parent shows the hand cursor already. */
export function isControl<N>({ dom, layout }: { dom: Dom<N>; layout: Layout<N> | null }, node: N, tag: string, role: string): boolean {
  if (tag === 'input') return (dom.attr(node, 'type') ?? '').toLowerCase() !== 'hidden'
  if (controlTags.has(tag) || controlRoles.has(role) || ((tag === 'a' || tag === 'area') && dom.attr(node, 'href') !== null)) return true
  if (dom.bare(node)) return layout?.listens(node) ?? false
  const tabindex = dom.attr(node, 'tabindex')
  if (tabindex !== null && Number.parseInt(tabindex, 10) >= 0) return true
  if (isEditingHost(dom, node) || dom.attr(node, 'draggable') === 'true') return true
  if ((tag === 'audio' || tag === 'video') && dom.attr(node, 'controls') !== null) return true
  for (const name of handlers) if (dom.attr(node, name) !== null) return true
  return layout?.listens(node) ?? false
}

export function isEditingHost<N>(dom: Dom<N>, node: N): boolean {
  const editable = dom.attr(node, 'contenteditable')
  return editable !== null && /^(true|plaintext-only|)$/i.test(editable)
}
