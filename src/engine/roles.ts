import type { Dom } from './dom.ts'

/** The ARIA role: the first valid token of the role attribute, else what HTML-AAM or SVG-AAM gives the tag. One spelling: img, none. */
export function roleOf<N>(dom: Dom<N>, node: N): string {
  const tag = dom.tag(node)
  if (!tag) return 'generic'
  const role = dom.attr(node, 'role')
  return (role && explicitRole(dom, node, role)) || implicitRole(dom, node, tag)
}

export const given = <N>(dom: Dom<N>, node: N, name: string): string => dom.attr(node, name) || ''
export const space = /[\t\n\f\r ]+/
/** a set of words, written as one string */
export const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

// https://w3c.github.io/aria/#document-handling_author-errors_roles
function explicitRole<N>(dom: Dom<N>, node: N, role: string): string | undefined {
  for (const word of role.split(space, 20)) {
    const token = word.replace(/[A-Z]/g, letter => letter.toLowerCase()) // Unicode folding would let other letters pass for ours
    // https://w3c.github.io/dpub-aria/ and https://w3c.github.io/graphics-aria/ have some forty; a made-up one does no harm
    if (!known.has(token) && !/^(doc|graphics)-[a-z]+$/.test(token)) continue
    if (token === 'image') return 'img'
    if (token === 'none' || token === 'presentation') return mustBePresent(dom, node) ? undefined : 'none'
    if ((token !== 'region' && token !== 'form') || isNamed(dom, node)) return token
  }
  return undefined
}

// of https://w3c.github.io/aria/#global_states those that are met
const globals = words('controls current describedby label labelledby live owns')

// https://w3c.github.io/aria/#conflict_resolution_presentation_none
const mustBePresent = <N>(dom: Dom<N>, node: N): boolean =>
  isFocusable(dom, node) || [...globals].some(name => dom.attr(node, `aria-${name}`) !== null)

function isFocusable<N>(dom: Dom<N>, node: N): boolean {
  const tag = dom.tag(node)
  if (/^\s*[-+]?\d/.test(given(dom, node, 'tabindex')) || tag === 'summary') return true
  if (tag === 'a' || tag === 'area') return linkRole(dom, node) === 'link'
  if (/^(button|input|select|textarea)$/.test(tag)) return !dom.is(node, 'disabled')
  return dom.attr(node, 'contenteditable') !== null && dom.is(node, 'editable')
}

/** Named by its author. Reading the referenced text as well would ask for names, and names ask for roles. */
function isNamed<N>(dom: Dom<N>, node: N): boolean {
  if (given(dom, node, 'aria-label').trim() || given(dom, node, 'title').trim()) return true
  return given(dom, node, 'aria-labelledby')
    .split(space, 20)
    .some(id => id && dom.byId(node, id) !== null)
}

type Rule = <N>(dom: Dom<N>, node: N) => string

function implicitRole<N>(dom: Dom<N>, node: N, tag: string): string {
  if (dom.namespace(node) === 'svg') return svgRole(dom, node, tag)
  const found = native.get(tag)
  return typeof found === 'function' ? found(dom, node) : found || 'generic'
}

const linkRole: Rule = (dom, node) => (dom.attr(node, 'href') === null && dom.attr(node, 'xlink:href') === null ? 'generic' : 'link')

// https://w3c.github.io/svg-aam/#mapping_role_table; browsers show the root as an image rather than as a graphics-document
function svgRole<N>(dom: Dom<N>, node: N, tag: string): string {
  if (tag === 'svg' || tag === 'image') return 'img'
  if (tag === 'a') return linkRole(dom, node)
  return tag === 'g' && (isNamed(dom, node) || hasChild(dom, node, 'title')) ? 'group' : 'generic'
}

// how far roles look around, up or along, so that no page makes them cost the square of its size
const farthest = 200

function hasChild<N>(dom: Dom<N>, node: N, tag: string): boolean {
  const children = dom.children(node)
  for (let i = 0; i < children.length && i < farthest; i++) if (dom.tag(children[i] as N) === tag) return true
  return false
}

function inputRole<N>(dom: Dom<N>, node: N): string {
  const type = given(dom, node, 'type').toLowerCase()
  const isListed = dom.attr(node, 'list') !== null && /^(|text|search|email|tel|url)$/.test(type)
  return isListed ? 'combobox' : inputs.get(type) || 'textbox' // unknown types are text; HTML-AAM has no role for dates and colours
}

// HTML-AAM has no role for a file field; browsers show a button
const inputs = table('button button,file,image,reset,submit|checkbox|radio|spinbutton number|slider range|searchbox search|generic hidden')

const selectRole: Rule = (dom, node) =>
  dom.attr(node, 'multiple') !== null || parseInt(given(dom, node, 'size'), 10) > 1 ? 'listbox' : 'combobox'

const imageRole: Rule = (dom, node) =>
  dom.attr(node, 'alt') === null || ['alt', 'aria-label', 'aria-labelledby'].some(name => given(dom, node, name).trim()) ? 'img' : 'none'

// https://w3c.github.io/html-aam/#el-header, #el-footer and #el-aside
function isInside<N>(dom: Dom<N>, node: N, parts: RegExp): boolean {
  let above = dom.parent(node)
  for (let i = 0; above !== null && i < farthest; i++, above = dom.parent(above))
    if (parts.test(dom.attr(above, 'role') || dom.tag(above))) return true
  return false
}

const parts = /^(article|aside|complementary|nav|navigation|region|section)$/
const partsOrMain = new RegExp(`${parts.source}|^main$`)

const ofPage =
  (role: string): Rule =>
  (dom, node) =>
    isInside(dom, node, partsOrMain) ? 'generic' : role
const asideRole: Rule = (dom, node) => (isNamed(dom, node) || !isInside(dom, node, parts) ? 'complementary' : 'generic')

/** Parts of a table are what their table is: cells of a table, grid cells of a grid, nothing where the table is for layout. */
function inTable<N>(dom: Dom<N>, node: N, role: string): string {
  let above = dom.parent(node)
  for (let i = 0; above !== null && i < 9 && dom.tag(above) !== 'table'; i++) above = dom.parent(above)
  const kind = above === null ? '' : roleOf(dom, above)
  if (kind === 'table' || kind === 'none') return kind === 'none' ? kind : role
  return kind !== 'grid' && kind !== 'treegrid' ? 'generic' : role === 'cell' ? 'gridcell' : role
}

const ofTable =
  (role: string): Rule =>
  (dom, node) =>
    inTable(dom, node, role)

function headerCellRole<N>(dom: Dom<N>, node: N): string {
  const scope = given(dom, node, 'scope')
  const row = dom.parent(node)
  const isOfRow = /^row/i.test(scope) || (!/^col/i.test(scope) && row !== null && hasChild(dom, row, 'td'))
  return inTable(dom, node, isOfRow ? 'rowheader' : 'columnheader')
}

const itemRole: Rule = (dom, node) => {
  const above = dom.parent(node)
  // https://w3c.github.io/aria/#presentational-role-inheritance
  return above !== null && dom.attr(above, 'role') && roleOf(dom, above) === 'none' ? 'none' : 'listitem'
}

const summaryRole: Rule = (dom, node) => {
  const above = dom.parent(node)
  return above !== null && dom.tag(above) === 'details' ? 'button' : 'generic'
}

/** 'heading h1,h2|main' gives h1 and h2 the role heading, and main its own name. */
export function table<V = never>(list: string): Map<string, string | V> {
  const roles = new Map<string, string | V>()
  for (const row of list.split('|')) {
    const [role = '', tags = role] = row.split(' ')
    for (const tag of tags.split(',')) roles.set(tag, role)
  }
  return roles
}

// https://w3c.github.io/html-aam/#html-element-role-mappings
const native = table<Rule>(
  'article|blockquote|button|caption|code|definition dd|deletion del,s|dialog|document html|emphasis em|figure|form|' +
    'group address,details,fieldset,optgroup|heading h1,h2,h3,h4,h5,h6|insertion ins|list ul,ol,menu|main|mark|' +
    'math|meter|navigation nav|option|paragraph p|progressbar progress|search|separator hr|status output|strong|subscript sub|' +
    'superscript sup|table|term dfn,dt|textbox textarea|time',
)

// every role a tag has by itself, and the others; abstract ones (widget, landmark, …) are not known: https://w3c.github.io/aria/#abstract_roles
const known = new Set<string | Rule>([
  ...native.values(),
  ...words(
    'alert alertdialog application banner cell checkbox columnheader combobox complementary contentinfo feed generic ' +
      'grid gridcell image img link listbox listitem log marquee menu menubar menuitem menuitemcheckbox menuitemradio none note presentation ' +
      'radio radiogroup region row rowgroup rowheader scrollbar searchbox slider spinbutton suggestion ' +
      'switch tab tablist tabpanel timer toolbar tooltip tree treegrid treeitem',
  ),
])

const contextual: Record<string, Rule> = {
  a: linkRole,
  area: linkRole,
  aside: asideRole,
  footer: ofPage('contentinfo'),
  header: ofPage('banner'),
  img: imageRole,
  input: inputRole,
  li: itemRole,
  section: (dom, node) => (isNamed(dom, node) ? 'region' : 'generic'),
  select: selectRole,
  summary: summaryRole,
  tbody: ofTable('rowgroup'),
  td: ofTable('cell'),
  tfoot: ofTable('rowgroup'),
  th: headerCellRole,
  thead: ofTable('rowgroup'),
  tr: ofTable('row'),
}
for (const tag of Object.keys(contextual)) native.set(tag, contextual[tag] as Rule)
