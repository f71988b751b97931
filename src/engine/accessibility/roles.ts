import { words } from '../../contract/roles.ts'
import { hasAction, hasAria, hasLabel, hasRole } from '../attributes.ts'
import type { Dom } from '../dom.ts'

/**
 * The ARIA role: the first valid token of the role attribute, else the role of the tag in HTML-AAM or SVG-AAM; image is img, presentation is
 * none and directory is list.
 */
export function roleOf<N>(dom: Dom<N>, node: N): string {
  const tag = dom.tag(node)
  if (!tag) return 'generic'
  const role = dom.flags(node) & hasRole ? dom.attr(node, 'role') : null
  return (role && explicitRole(dom, node, role)) || implicitRole(dom, node, tag)
}

export const attributeOf = <N>(dom: Dom<N>, node: N, name: string): string => dom.attr(node, name) || ''
export const whitespace = /[\t\n\f\r ]+/
/** Whether there is only the white space of HTML: a label may consist of another space. */
export const isBlank = (text: string): boolean => !/[^\t\n\f\r ]/.test(text)

// https://w3c.github.io/aria/#document-handling_author-errors_roles
function explicitRole<N>(dom: Dom<N>, node: N, role: string): string | undefined {
  for (const word of role.split(whitespace, 20)) {
    const token = word.replace(/[A-Z]/g, letter => letter.toLowerCase()) // only ASCII: Unicode case folding would accept other letters
    if (!knownRoles.has(token) && !publishingRoles.test(token)) continue
    const known = synonyms.get(token) ?? token
    if (known === 'none') return mustBePresent(dom, node) ? undefined : known
    if ((known !== 'region' && known !== 'form') || isNamed(dom, node)) return known
  }
  return undefined
}

// https://w3c.github.io/aria/#global_states without hidden, and without those that are global only for older versions of ARIA
const globals =
  /^aria-(atomic|braillelabel|brailleroledescription|busy|controls|current|describedby|description|details|dropeffect|flowto|grabbed|keyshortcuts|label|labelledby|live|owns|relevant|roledescription)$/

// https://w3c.github.io/aria/#conflict_resolution_presentation_none
const mustBePresent = <N>(dom: Dom<N>, node: N): boolean =>
  isFocusable(dom, node) || ((dom.flags(node) & hasAria) !== 0 && dom.attrNames(node).some(name => globals.test(name)))

function isFocusable<N>(dom: Dom<N>, node: N): boolean {
  const tag = dom.tag(node)
  if (/^\s*[-+]?\d/.test(attributeOf(dom, node, 'tabindex'))) return true
  if (tag === 'summary') return summaryRole(dom, node) === 'button'
  if (tag === 'a' || tag === 'area') return linkRole(dom, node) === 'link'
  if (/^(button|input|select|textarea)$/.test(tag)) return !dom.is(node, 'disabled')
  return dom.attr(node, 'contenteditable') !== null && dom.is(node, 'editable')
}

/** Whether the author named it. */
const isNamed = <N>(dom: Dom<N>, node: N): boolean => isLabelled(dom, node) || !!attributeOf(dom, node, 'title').trim()

function isLabelled<N>(dom: Dom<N>, node: N): boolean {
  if (!(dom.flags(node) & hasLabel)) return false
  if (!isBlank(attributeOf(dom, node, 'aria-label'))) return true
  return attributeOf(dom, node, 'aria-labelledby')
    .split(whitespace, 20)
    .some(id => {
      const label = id ? dom.byId(node, id) : null
      return label !== null && hasText(dom, label)
    })
}

/** Whether a label has any words. Its name is not computed, because names depend on roles. */
function hasText<N>(dom: Dom<N>, label: N): boolean {
  const stack = [label]
  for (let i = 0; i < maxSteps; i++) {
    const node = stack.pop()
    if (node === undefined) return false
    const isElement = dom.tag(node) !== ''
    const texts = isElement ? ['aria-label', 'alt', 'title', 'value'].map(name => attributeOf(dom, node, name)) : [dom.text(node)]
    if (!texts.every(isBlank)) return true
    const children = isElement ? dom.children(node) : []
    for (let j = 0; j < children.length && j < maxSteps; j++) stack.push(children[j] as N)
  }
  return true // so much markup is not an empty label
}

type Rule = <N>(dom: Dom<N>, node: N) => string

function implicitRole<N>(dom: Dom<N>, node: N, tag: string): string {
  const rule = rolesByTag.get(tag)
  if (rule === undefined && !svgTags.test(tag)) return 'generic'
  if (dom.namespace(node) === 'svg') return svgRole(dom, node, tag)
  return typeof rule === 'function' ? rule(dom, node) : rule || 'generic'
}

const linkRole: Rule = (dom, node) => (dom.attr(node, 'href') === null && dom.attr(node, 'xlink:href') === null ? 'generic' : 'link')

const svgTags = /^(svg|image|a|g)$/

// https://w3c.github.io/svg-aam/#mapping_role_table; browsers show the root as an image rather than as a graphics-document
function svgRole<N>(dom: Dom<N>, node: N, tag: string): string {
  if (tag === 'svg' || tag === 'image') return 'img'
  if (tag === 'a') return linkRole(dom, node)
  return tag === 'g' && (isNamed(dom, node) || firstChild(dom, node, 'title') !== null) ? 'group' : 'generic'
}

// a limit for searching ancestors and siblings, so that no page makes the cost quadratic
const maxSteps = 200

function firstChild<N>(dom: Dom<N>, node: N, tag: string): N | null {
  const children = dom.children(node)
  for (let i = 0; i < children.length && i < maxSteps; i++) if (dom.tag(children[i] as N) === tag) return children[i] as N
  return null
}

function inputRole<N>(dom: Dom<N>, node: N): string {
  const type = attributeOf(dom, node, 'type').toLowerCase()
  const list = /^(|text|search|email|tel|url)$/.test(type) ? attributeOf(dom, node, 'list') : ''
  const suggestions = list ? dom.byId(node, list) : null
  const hasList = suggestions !== null && dom.tag(suggestions) === 'datalist'
  return hasList ? 'combobox' : inputRoles.get(type) || 'textbox' // unknown types are text fields; HTML-AAM has no role for dates and colours
}

// HTML-AAM has no role for a file input; browsers show a button
const inputRoles = parseTable(
  'button button,file,image,reset,submit|checkbox|radio|spinbutton number|slider range|searchbox search|generic hidden',
)

const selectRole: Rule = (dom, node) =>
  dom.attr(node, 'multiple') !== null || parseInt(attributeOf(dom, node, 'size'), 10) > 1 ? 'listbox' : 'combobox'

function imageRole<N>(dom: Dom<N>, node: N): string {
  const alt = dom.attr(node, 'alt')
  if (alt === null || !isBlank(alt) || isLabelled(dom, node)) return 'img'
  return dom.flags(node) & hasAction && isFocusable(dom, node) ? 'img' : 'none'
}

// https://w3c.github.io/html-aam/#el-header, #el-footer and #el-aside
function isInsidePart<N>(dom: Dom<N>, node: N, parts: RegExp): boolean {
  let above = dom.parent(node)
  for (let i = 0; above !== null && i < maxSteps; i++, above = dom.parent(above))
    if (parts.test(dom.attr(above, 'role') || dom.tag(above))) return true
  return false
}

const parts = /^(article|aside|complementary|nav|navigation|region|section)$/
const partsOrMain = new RegExp(`${parts.source}|^main$`)

const landmarkRole =
  (role: string): Rule =>
  (dom, node) =>
    isInsidePart(dom, node, partsOrMain) ? 'generic' : role
const asideRole: Rule = (dom, node) => (isNamed(dom, node) || !isInsidePart(dom, node, parts) ? 'complementary' : 'generic')

/** The role of a table part depends on its table: cell in a table, gridcell in a grid, none in a layout table. */
function inTable<N>(dom: Dom<N>, node: N, role: string): string {
  let above = dom.parent(node)
  for (let i = 0; above !== null && i < 9 && dom.tag(above) !== 'table'; i++) above = dom.parent(above)
  const kind = above === null ? '' : roleOf(dom, above)
  if (kind === 'table' || kind === 'none') return kind === 'none' ? kind : role
  return kind !== 'grid' && kind !== 'treegrid' ? 'generic' : role === 'cell' ? 'gridcell' : role
}

const tablePartRole =
  (role: string): Rule =>
  (dom, node) =>
    inTable(dom, node, role)

function headerCellRole<N>(dom: Dom<N>, node: N): string {
  const scope = attributeOf(dom, node, 'scope')
  const row = dom.parent(node)
  const isRowHeader = /^row/i.test(scope) || (!/^col/i.test(scope) && row !== null && !isHeaderRow(dom, row))
  return inTable(dom, node, isRowHeader ? 'rowheader' : 'columnheader')
}

/** Whether the headers in a row are those of columns: there is no data in the row, except in the corner of the table. */
function isHeaderRow<N>(dom: Dom<N>, row: N): boolean {
  const above = dom.parent(row)
  if (above !== null && dom.tag(above) === 'thead') return true
  const children = dom.children(row)
  let headers = 0
  let hasCorner = false
  for (let i = 0; i < children.length && i < maxSteps; i++) {
    const cell = children[i] as N
    const tag = dom.tag(cell)
    if (tag === 'th') headers++
    else if (tag === 'td' && !isEmpty(dom, cell)) {
      if (headers > 0 || hasCorner) return false
      hasCorner = true
    }
  }
  // one value before one header is a row with the header at its end
  return !hasCorner || headers > 1
}

function isEmpty<N>(dom: Dom<N>, cell: N): boolean {
  const children = dom.children(cell)
  for (let i = 0; i < children.length; i++) if (dom.tag(children[i] as N) || dom.text(children[i] as N).trim()) return false
  return true
}

const itemRole: Rule = (dom, node) => {
  const above = dom.parent(node)
  // https://w3c.github.io/aria/#presentational-role-inheritance
  return above !== null && dom.attr(above, 'role') && roleOf(dom, above) === 'none' ? 'none' : 'listitem'
}

const summaryRole: Rule = (dom, node) => {
  const above = dom.parent(node)
  // only the first one opens the details
  return above !== null && dom.tag(above) === 'details' && firstChild(dom, above, 'summary') === node ? 'button' : 'generic'
}

/** Parses 'heading h1,h2|main' to { h1: heading, h2: heading, main: main }. */
export function parseTable<V = never>(list: string): Map<string, string | V> {
  const roles = new Map<string, string | V>()
  for (const row of list.split('|')) {
    const [role = '', tags = role] = row.split(' ')
    for (const tag of tags.split(',')) roles.set(tag, role)
  }
  return roles
}

// https://w3c.github.io/html-aam/#html-element-role-mappings
const rolesByTag = parseTable<Rule>(
  'article|blockquote|button|caption|code|definition dd|deletion del,s|dialog|document html|emphasis em|figure|form|' +
    'group address,details,fieldset,hgroup,optgroup|heading h1,h2,h3,h4,h5,h6|insertion ins|list ul,ol,menu|main|mark|' +
    'math|meter|navigation nav|option|paragraph p|progressbar progress|search|separator hr|status output|strong|subscript sub|' +
    'superscript sup|table|term dfn,dt|textbox textarea|time',
)

// all roles except the abstract ones (widget, landmark, …): https://w3c.github.io/aria/#abstract_roles
const knownRoles = new Set<string | Rule>([
  ...rolesByTag.values(),
  ...words(
    'alert alertdialog application banner cell checkbox columnheader combobox comment complementary contentinfo directory feed generic ' +
      'grid gridcell image img link listbox listitem log marquee menu menubar menuitem menuitemcheckbox menuitemradio none note presentation ' +
      'radio radiogroup region row rowgroup rowheader scrollbar searchbox sectionfooter sectionheader slider spinbutton suggestion ' +
      'switch tab tablist tabpanel timer toolbar tooltip tree treegrid treeitem',
  ),
])

const synonyms = parseTable('img image|none presentation|list directory')

// https://w3c.github.io/dpub-aria/ and https://w3c.github.io/graphics-aria/
const publishingRoles =
  /^(doc-(abstract|acknowledgments|afterword|appendix|backlink|biblio(entry|graphy|ref)|chapter|colophon|conclusion|cover|credits?|dedication|endnotes?|epigraph|epilogue|errata|example|footnote|foreword|gloss(ary|ref)|index|introduction|noteref|notice|page(break|footer|header|list)|part|preface|prologue|pullquote|qna|subtitle|tip|toc)|graphics-(document|object|symbol))$/

const contextual: Record<string, Rule> = {
  a: linkRole,
  area: linkRole,
  aside: asideRole,
  footer: landmarkRole('contentinfo'),
  header: landmarkRole('banner'),
  img: imageRole,
  input: inputRole,
  li: itemRole,
  section: (dom, node) => (isNamed(dom, node) ? 'region' : 'generic'),
  select: selectRole,
  summary: summaryRole,
  tbody: tablePartRole('rowgroup'),
  td: tablePartRole('cell'),
  tfoot: tablePartRole('rowgroup'),
  th: headerCellRole,
  thead: tablePartRole('rowgroup'),
  tr: tablePartRole('row'),
}
for (const tag of Object.keys(contextual)) rolesByTag.set(tag, contextual[tag] as Rule)
