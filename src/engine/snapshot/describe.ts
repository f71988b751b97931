import { drawnRoles, itemRoles, namedByContent } from '../../contract/roles.ts'
import type { RefDetail, SnapshotNode } from '../../contract/snapshot.ts'
import { hasLetters, hasWords } from '../../contract/text.ts'
import { drawnControlOf } from '../accessibility/drawn.ts'
import { pictureName } from '../accessibility/hints.ts'
import { labelableTags, labelsOf, nameOf } from '../accessibility/names.ts'
import { roleOf } from '../accessibility/roles.ts'
import { type MutableStates, setIfTruthy, statesOf } from '../accessibility/states.ts'
import { hasId, hasLabel, hasPlaceholder } from '../attributes.ts'
import { blockRoles, isEditingHost } from '../candidates.ts'
import type { Dom, Scene } from '../dom.ts'
import { redactAttribute } from '../markup.ts'
import type { EngineOptions } from '../options.ts'
import { choiceTypes } from '../secrets.ts'
import { cut, isNewNumber, isSameBlock, textBelow, tidy } from '../text.ts'
import { type Candidate, isScroller, offscreenDistance, type Separator } from './candidate.ts'
import { controlHint } from './control-hint.ts'
import { drawnMark } from './drawn-mark.ts'
import { tidyLines } from './preformatted.ts'
import { isReadable, type LineTexts } from './readable.ts'
import type { Surroundings } from './surroundings.ts'

export type MutableNode = { -readonly [key in keyof SnapshotNode]: SnapshotNode[key] } & { children?: SnapshotNode[] }
export interface NodeDescription {
  readonly node: MutableNode
  readonly detail: RefDetail
  /** its name or text exceeded maxTextPerNode */
  readonly shortened: boolean
  /** something covers texts that belong on its line */
  readonly covered: boolean
}

/** Whether a name has all words of a text. */
const isPartOf = (text: string, name: string): boolean => {
  const said = name.toLowerCase()
  return text
    .toLowerCase()
    .split(/[\s|…]+/)
    .every(word => said.includes(word))
}

const fieldRoles = /^(textbox|searchbox|combobox|listbox|spinbutton|slider)$/

export interface DescribeContext<N> {
  readonly around: Surroundings<N>
  /** the element on top of it */
  readonly covered?: string | undefined
}

/** The name, text, value, states and attributes of a candidate. */
export function describe<N>(
  scene: Scene<N>,
  candidate: Candidate<N>,
  options: EngineOptions,
  { around, covered }: DescribeContext<N>,
): NodeDescription {
  const { dom, layout } = scene
  const { node: element, tag, role, kind } = candidate
  const flags = kind === 'text' ? 0 : dom.flags(element)
  // collecting does not measure structure, because there may be thousands of such elements
  const box = candidate.box ?? (kind === 'structure' && layout ? layout.box(element) : null)
  const max = options.maxTextPerNode
  const isHeading = role === 'heading' && kind !== 'control'
  const control = kind === 'control'
  // a control is named by its content, but the texts of a row are cells on its line
  const namedAs = control && role !== 'row' ? '' : role
  const computedName =
    kind === 'text'
      ? ''
      : tidy(
          isHeading && !dom.attr(element, 'aria-label')
            ? visibleText(scene, element, max)
            : nameFor(dom, element, { role: namedAs, max, flags }),
        )
  // a glyph or an emoji alone says less than the tooltip
  const title = control && !hasWords(computedName) ? tidy(dom.attr(element, 'title') ?? '') : ''
  const line: LineTexts = { max, keepsLines: options.order === 'document' && kind === 'text', covered: false }
  const isLabelledHeading = isHeading && !!dom.attr(element, 'aria-label')
  const drawnText = isHeading ? (isLabelledHeading ? tidy(visibleText(scene, element, max)) : '') : ownText(scene, candidate, line)
  const ownName = hasWords(title) ? title : computedName
  const isPicture = control && !hasWords(ownName) && !hasLetters(drawnText) && isPlainControl(candidate)
  const name = (isPicture && tidy(pictureName(dom, element, max + 2))) || ownName
  const drawn = control ? drawnControlOf(dom, element, candidate) : undefined
  const type = tag === 'input' ? (dom.attr(element, 'type') ?? '') : ''
  const isField = /^(input|select|textarea)$/.test(tag)
  // the content of a scope root has its own lines, but a field has none
  const hasValue = isField
    ? (control || kind === 'root') && !choiceTypes.test(type)
    : control && (fieldRoles.test(role) || isEditingHost(dom, element))
  const saysTheSame = (text: string) => isPartOf(text, name) || !hasWords(text)
  const ownDrawn = (isLabelledHeading || (control && name && candidate.gathersText)) && saysTheSame(drawnText) ? '' : drawnText
  const labelled = control ? tidy(labelText(scene, candidate, max)) : ''
  const words = labelled && !saysTheSame(labelled) ? [labelled, ownDrawn].filter(each => each).join(' | ') : ownDrawn
  const mark = words && control && isPlainControl(candidate) ? drawnMark(dom, element) : ''
  // what a combobox without a field contains is its choice
  const ownWords = hasValue && !isField && role === 'combobox' ? '' : mark ? `${mark} ${words}` : words
  // a control that is nothing but a glyph
  const text = ownWords || !control || name ? ownWords : tidy(generated(dom, element, 'before') + generated(dom, element, 'after'))
  const value = hasValue
    ? dom.value(element) || (role === 'combobox' && !dom.secret(element) && (words || layout?.drawnValue(element)))
    : ''
  const shortened = name.length > max || words.length > max
  const node: MutableNode = { tag, role: drawn?.role ?? role }
  if (name) node.name = cut(name, max)
  if (text) node.text = cut(text, max)
  if (value) setIfTruthy(node, 'value', cut(tidy(value), max))
  if (control && !hasLetters(name) && !hasLetters(text) && !(flags & hasPlaceholder && dom.attr(element, 'placeholder')))
    setIfTruthy(
      node,
      'hint',
      controlHint(scene, candidate, { around, isNumber: hasWords(name + text), hasValue: !!value, drawnRole: drawn?.role }),
    )
  if (control) node.interactive = true
  const offset = candidate.offscreenPixels || (box && layout ? offscreenDistance(box, layout) : 0)
  if (offset) node.offset = offset
  if (options.boxes && box) node.box = [Math.round(box.x), Math.round(box.y), Math.round(box.width), Math.round(box.height)]
  if (candidate.hiddenReason) node.visible = false
  const { covered: hasCovered } = line
  if (kind === 'text') return { node, detail: {}, shortened, covered: hasCovered }

  const states: MutableStates = statesOf(dom, element, role)
  if (scene.focused(element)) states.focused = true
  if (/dialog$/.test(role) && (dom.is(element, 'modal') || dom.attr(element, 'aria-modal') === 'true')) states.modal = true
  if (box && drawnRoles.has(role)) states.size = `${Math.round(box.width)}x${Math.round(box.height)}`
  if (candidate.scrolls && (isScroller(candidate) || role !== 'generic')) states.scrolls = candidate.scrolls
  if (candidate.isInert) states.inert = true
  if (candidate.hiddenReason) states.hidden = candidate.hiddenReason
  if (candidate.unreachableReason) states.unreachable = candidate.unreachableReason
  if (covered) states.covered = covered
  const allStates = drawn ? { ...drawn.states, ...states } : states
  if (Object.keys(allStates).length) node.states = allStates
  const detail: { -readonly [key in keyof RefDetail]: RefDetail[key] } = {}
  const attrs = flags ? attributes(dom, element, { type, tag, options }) : null
  if (attrs && Object.keys(attrs).length) detail.attrs = attrs
  detail.path = pathOf(dom, element)
  return { node, detail, shortened, covered: hasCovered }
}

/** Whether nothing but its texts would be shown of what is inside. A control inside has its own pictures and marks. */
const isPlainControl = <N>({ role, hasControls }: Candidate<N>): boolean =>
  !hasControls && !namedByContent.has(role) && !fieldRoles.test(role) && !drawnRoles.has(role)

// the name of a heading is its visible text, so that hidden text cannot become part of it
const visibleText = <N>({ dom, layout }: Scene<N>, node: N, max: number) =>
  generated(dom, node, 'before') +
  textBelow(dom, node, { shown: element => !dom.hidden(element) && !layout?.unreadable(element), max }) +
  generated(dom, node, 'after')

/** The visible words of the labels of a control whose name is in an attribute, which may say something else. */
function labelText<N>(scene: Scene<N>, { node }: Candidate<N>, max: number): string {
  const { dom } = scene
  if (!labelableTags.test(dom.tag(node))) return ''
  const labels = labelsOf(dom, node)
  return [node, ...labels].some(each => dom.flags(each) & hasLabel) ? labels.map(label => visibleText(scene, label, max)).join(' ') : ''
}

function nameFor<N>(
  dom: Dom<N>,
  node: N,
  { role, max, flags }: { readonly role: string; readonly max: number; readonly flags: number },
): string {
  const labelled = (flags & hasLabel) !== 0
  // their content gets its own lines, so it is not their name too
  if ((blockRoles.has(role) || itemRoles.has(role)) && !labelled) return ''
  const name = nameOf(dom, node, { maxChars: max + 2, maxVisits: 1_000, ...(role === 'dialog' && { role }) })
  // the placeholder is printed as such; as a name it would look like a label
  const placeholder = !labelled && flags & hasPlaceholder && tidy(dom.attr(node, 'placeholder') ?? '')
  return placeholder && placeholder === tidy(name) && !labelsOf(dom, node).length ? '' : name
}

/** The texts on the line of a candidate: as they are drawn in one block, with a separator between blocks, cell by cell in a row. */
function ownText<N>(scene: Scene<N>, candidate: Candidate<N>, line: LineTexts): string {
  const { dom } = scene
  if (candidate.role === 'row') return rowText(scene, candidate, line)
  const { texts } = candidate
  if (!texts.length) return ''
  const between: Separator | ' ' = candidate.kind === 'text' ? ' ' : ' | '
  let text = ''
  let last: N | null = null
  let separator = ''
  for (const each of texts) {
    if (text.length > line.max) break
    if (typeof each === 'string') separator = each
    else if (isReadable(scene, each, candidate, line)) {
      const drawn = withGenerated(dom, each, drawnLines(dom, each))
      const words = isStruck(dom, each) ? strike(drawn) : drawn
      if (/[^\s\0]/.test(words)) {
        const joint = !last || isSameBlock(dom, last, each) ? separator : between
        if (text.trim()) text += joint
        last = each
        separator = ''
      }
      text += isNewNumber(dom, text, words, dom.parent(each)) ? ` ${words}` : words
    }
  }
  const lines = text.split('\0')
  if (line.keepsLines && lines.length > 1) return tidyLines(lines)
  return lines
    .map(each => tidy(each))
    .filter(each => each)
    .join(lineSeparator)
}

const lineSeparator: Separator = ' | '

const phraseTags = new Set(
  'a abbr b bdi bdo cite code del em font i ins kbd label mark q s small span strike strong sub sup time u'.split(' '),
)
/** elements around a text that are searched for a line through it */
const maxStruckLevels = 4

/** Whether a line is drawn through a text: an old price, a task that is done. A decoration is drawn through everything inside its element. */
function isStruck<N>(dom: Dom<N>, text: N): boolean {
  let each = dom.parent(text)
  for (let level = 0; each && level < maxStruckLevels; level++, each = dom.parent(each)) {
    if (dom.is(each, 'struck')) return true
    // by its tag, because a style would be read for every text
    if (!phraseTags.has(dom.tag(each))) return false
  }
  return false
}

/** As in Markdown. */
const strike = (words: string): string => words.replace(/\S(.*\S)?/s, '~~$&~~')

/** The characters of a text node, with `\0` for line breaks that are drawn: they separate lines as blocks do. */
function drawnLines<N>(dom: Dom<N>, text: N): string {
  const words = dom.drawn(text)
  const parent = words.includes('\n') ? dom.parent(text) : null
  return parent && dom.is(parent, 'preformatted') ? words.replace(/\n/g, '\0') : words
}

/**
 * The characters of a text node with those of the pseudo-elements around it: a currency, "sold out". Elements without attributes are not
 * asked, because it takes long and hardly any page styles them so.
 */
function withGenerated<N>(dom: Dom<N>, text: N, words: string): string {
  const parent = dom.parent(text)
  if (parent === null || !dom.flags(parent)) return words
  const children = dom.children(parent)
  const before = children[0] === text ? generated(dom, parent, 'before') : ''
  return before + words + (children[children.length - 1] === text ? generated(dom, parent, 'after') : '')
}

/** The text of a pseudo-element, without the glyphs of icon fonts. */
const generated = <N>(dom: Dom<N>, node: N, where: 'before' | 'after'): string => dom.generated(node, where).replace(/[\ue000-\uf8ff]/g, '')

const cellRoles = /^(cell|gridcell|columnheader|rowheader)$/

/** A place for each cell, so that the texts stand below their headers even if a cell is empty or has only controls. */
function rowText<N>(scene: Scene<N>, row: Candidate<N>, line: LineTexts): string {
  const { dom } = scene
  const cells = new Map<N, string>()
  const children = dom.children(row.node)
  for (let i = 0; i < children.length; i++) {
    const child = children[i] as N
    if (dom.tag(child) && cellRoles.test(roleOf(dom, child)) && !dom.hidden(child)) cells.set(child, '')
  }
  const texts = new Map<N | null, (N | Separator)[]>()
  let cell: N | null = null
  for (const each of row.texts) {
    if (typeof each !== 'string') {
      let up: N | null = each
      while (up && !cells.has(up) && up !== row.node) up = dom.parent(up)
      cell = up
    }
    const list = texts.get(cell) ?? []
    // a separator in front belongs to the cell before
    if (list.length || typeof each !== 'string') list.push(each)
    texts.set(cell, list)
  }
  const textOf = (list: (N | Separator)[] = []) => ownText(scene, { ...row, role: 'cell', texts: list }, line)
  const rest = [...texts.keys()].filter(key => !key || !cells.has(key)).map(key => textOf(texts.get(key)))
  return [...[...cells.keys()].map(key => textOf(texts.get(key))), ...rest]
    .join(' | ')
    .replace(/ {2,}/g, ' ')
    .replace(/[ |]+$/, '')
    .trimStart()
}

function attributes<N>(
  dom: Dom<N>,
  node: N,
  { type, tag, options }: { type: string; tag: string; options: EngineOptions },
): Record<string, string> {
  const attrs: Record<string, string> = {}
  const names = dom.attrNames(node)
  for (const name of options.includeAttrs) {
    if (!names.includes(name) && !names.includes(name.toLowerCase())) continue
    const attribute = tidy(dom.attr(node, name) ?? '')
    let value = redactAttribute(name, attribute, () => dom.secret(node))
    // the attribute is only the initial value of a field; its current value is printed elsewhere
    if (name === 'value' && value === attribute && tag === 'input' && !choiceTypes.test(type)) continue
    // javascript: and data: URLs are long and tell a model nothing
    if (name === 'href') value = value.replace(/^(javascript|data):.*/i, '$1:…')
    if (value) attrs[name] = cut(value, options.maxAttrValueLen)
  }
  return attrs
}

const maxPathStep = 24

/** main>form#search>button: up to the nearest id, at most three elements; for people who read the JSON */
function pathOf<N>(dom: Dom<N>, node: N): string {
  let path = ''
  let each: N | null = node
  for (let steps = 0; each && steps < 3; steps++, each = dom.parent(each)) {
    const id = dom.flags(each) & hasId ? dom.attr(each, 'id') : null
    const step = id ? `${dom.tag(each)}#${tidy(id)}` : dom.tag(each)
    path = (step.length > maxPathStep ? cut(step, maxPathStep) : step) + (path && `>${path}`)
    if (id) break
  }
  return path
}
