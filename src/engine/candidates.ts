import { words } from '../contract/roles.ts'
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
export function isControl<N>(
  { dom, layout }: { dom: Dom<N>; layout: Layout<N> | null },
  node: N,
  tag: string,
  role: string,
  names: readonly string[] = dom.bare(node) ? [] : dom.attrNames(node),
): boolean {
  if (tag === 'input') return (dom.attr(node, 'type') ?? '').toLowerCase() !== 'hidden'
  if (controlTags.has(tag) || controlRoles.has(role) || ((tag === 'a' || tag === 'area') && dom.attr(node, 'href') !== null)) return true
  for (const name of names) if (mayMakeControl(name) && makesControl(dom, node, tag, name)) return true
  return layout?.listens(node) ?? false
}

/** a page has few different attributes */
const attributeVerdicts = new Map<string, boolean>()
const maxVerdicts = 5_000
function mayMakeControl(name: string): boolean {
  let verdict = attributeVerdicts.get(name)
  if (verdict === undefined) {
    verdict = /^(tabindex|contenteditable|draggable|controls)$/.test(name) || isActionAttribute(name)
    if (attributeVerdicts.size < maxVerdicts) attributeVerdicts.set(name, verdict)
  }
  return verdict
}

function makesControl<N>(dom: Dom<N>, node: N, tag: string, name: string): boolean {
  const value = () => dom.attr(node, name) ?? ''
  if (name === 'tabindex') return Number.parseInt(value(), 10) >= 0
  if (name === 'contenteditable') return isEditingHost(dom, node)
  if (name === 'draggable') return value() === 'true'
  if (name === 'controls') return tag === 'audio' || tag === 'video'
  return isActionAttribute(name) && tag !== 'form' && isClickAction(dom, node, name, value())
}

// handlers in markup, and what libraries that listen on the document look for: Stimulus, Bootstrap, Google's jsaction, AngularJS, Angular,
// Vue, Alpine, htmx, Livewire, Phoenix, and data attributes of the same meaning; docs/snapshot.md lists them
export const isActionAttribute = (name: string): boolean => name.length > 4 && actionAttributes.test(name)
const actionAttributes =
  /^(on(click|mousedown|mouseup|pointerdown|pointerup)|(data-)?(ng-click|jsaction)|data-(action|route|href|url-to|click|onclick|command|cmd|dismiss|toggle|bs-(toggle|dismiss|slide(-to)?))|\(click\)|(v-on:|@|x-on:|on:)click(\.[\w.]+)?|(data-)?hx-(get|post|put|patch|delete)|wire:click(\.[\w.]+)?|phx-click)$/

/** Whether the action of the attribute belongs to clicks: `data-action="input->form#check"` and `jsaction="load:start"` do not. */
function isClickAction<N>(dom: Dom<N>, node: N, name: string, value: string): boolean {
  if (name.endsWith('jsaction')) return /(^|;\s*)(click:|[\w.]+(;|$))/.test(value)
  if (name === 'data-action') return value !== '' && (!value.includes('->') || /\bclick->/.test(value))
  if (name === 'data-toggle') return value !== 'buttons'
  return !name.includes('hx-') || /^$|click/.test(dom.attr(node, 'hx-trigger') ?? '')
}

export function isEditingHost<N>(dom: Dom<N>, node: N): boolean {
  const editable = dom.attr(node, 'contenteditable')
  return editable !== null && /^(true|plaintext-only|)$/i.test(editable)
}

/** Whether its name is not its content. */
export const isLabelled = (names: readonly string[]): boolean => names.includes('aria-label') || names.includes('aria-labelledby')
