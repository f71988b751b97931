import { hasWords } from '../../contract/text.ts'
import { roleOf } from '../accessibility/roles.ts'
import { hasHidden } from '../attributes.ts'
import { isControl } from '../candidates.ts'
import type { Dom } from '../dom.ts'
import { isSameBlock, textBelow } from '../text.ts'
import { offscreenDistance } from './candidate.ts'
import { add, type Level, type Walk } from './walk.ts'

const maxItemTexts = 100
const visibleCharacter = /[^\0- \xa0]/

/** Adds a text node to the line of its parent, to the current run of text, or as a new line. */
export function addText<N>(walk: Walk<N>, node: N, { inherited: context, blockRoot }: Level<N>): void {
  const { dom, layout } = walk
  const { includeHidden, interactiveOnly } = walk.options
  const { parent, insideAside, insideNamed } = context
  if (insideNamed) {
    if (parent.kind === 'control' && parent.gathersText && parent.texts.length < maxItemTexts) parent.texts.push(node)
    return
  }
  const { textRun } = walk
  const isInRun = textRun?.parent === parent
  if (!visibleCharacter.test(dom.text(node))) {
    // a space between two words of a run
    if (isInRun && !textRun.endsInBlank) {
      textRun.textLine?.texts.push(node)
      textRun.endsInBlank = true
    }
    return
  }
  const isItem = parent.gathersText
  const isIntro = !insideAside && walk.introRoom > 0
  const isWanted = !interactiveOnly || context.liveRegion
  // controls and headings print their text on their own line; so do items, unless every text gets a line
  if (parent.kind === 'control' || parent.role === 'heading' || (!isWanted && isItem)) {
    if (isItem && !parent.texts.length && (isIntro || (parent.kind === 'structure' && takeValue(walk, node)))) {
      if (isIntro) walk.introRoom -= dom.text(node).length
      parent.isIntro = true
    }
    if (parent.texts.length >= maxItemTexts) return
    if (parent.texts.length && !isInRun) parent.texts.push(' … ')
    parent.texts.push(node)
    walk.textRun = { textLine: parent, parent, blockRoot, last: node, endsInBlank: false }
    return
  }
  if (isInRun && (textRun.textLine ? isSameBlock(dom, textRun.last, node) : textRun.blockRoot === blockRoot)) {
    textRun.textLine?.texts.push(node)
    textRun.last = node
    textRun.endsInBlank = false
    return
  }
  if (!isWanted && !isIntro && !takeValue(walk, node)) {
    if (!dom.hidden(node)) walk.skippedTexts.push(walk.candidates.length)
    walk.textRun = { textLine: null, parent, blockRoot, last: node, endsInBlank: false }
    return
  }
  const element = dom.parent(node) ?? walk.scene.root
  const hiddenReason = context.hiddenReason || (dom.hidden(node) ? 'not drawn' : '')
  const box = (layout?.box(element) && layout.box(node)) ?? null
  if ((hiddenReason && !includeHidden) || (layout && !box)) return
  if (!isWanted && isIntro) walk.introRoom -= dom.text(node).trim().length
  const fields = { node: element, tag: '#text', role: 'text', kind: 'text' } as const
  const textLine = add(walk, fields, { visibleNode: element, box, hiddenReason }, context)
  textLine.texts.push(node)
  walk.textRun = { textLine, parent, blockRoot, last: node, endsInBlank: false }
}

/** A line break ends a run of text as the end of a block does. */
export function endLine<N>(walk: Walk<N>, { inherited: { parent } }: Level<N>): void {
  const { textRun } = walk
  if (!textRun || textRun.parent !== parent) return
  if (textRun.textLine === parent) parent.texts.push(' | ')
  else walk.textRun = null
}

/** longer texts are read, not looked up */
const maxValueChars = 80

/** Whether a text is short and in view, and there is room for it: a total, a date, a state. */
function takeValue<N>(walk: Walk<N>, text: N): boolean {
  const { dom, layout, isFar } = walk
  const { length } = dom.text(text).trim()
  if (!layout || isFar || walk.valueRoom <= 0 || length > maxValueChars) return false
  const box = layout.box(text)
  if (!box || offscreenDistance(box, layout) !== 0 || box.x >= layout.width || box.x + box.width <= 0) {
    walk.valueRoom -= valueCost
    return false
  }
  walk.valueRoom -= length
  return true
}

/** each text that is out of view takes some of the room, so that few of them are measured */
const valueCost = 5

/** The most characters of a text beside which there is another one for screen readers. */
const maxTwinChars = 40
const iconFonts = /icon|symbol|glyph|\bfa\b/i

/** Whether all that an element contains is a few words that are drawn, and not the name of an icon. */
export function isShortText<N>(dom: Dom<N>, node: N): boolean {
  if (dom.flags(node) & hasHidden || /^(i|svg)$/.test(dom.tag(node)) || iconFonts.test(dom.attr(node, 'class') ?? '')) return false
  if (dom.hidden(node)) return false
  const text = textBelow(dom, node, { max: maxTwinChars, maxVisits: maxTwinVisits })
  return text.length <= maxTwinChars && hasWords(text) && !hasControl(dom, node)
}

const maxTwinVisits = 20

function hasControl<N>(dom: Dom<N>, node: N): boolean {
  const stack = [node]
  for (let each = stack.pop(), visits = 0; each !== undefined; each = stack.pop()) {
    if (++visits > maxTwinVisits || isControl({ dom, layout: null }, each, dom.tag(each), roleOf(dom, each))) return true
    const children = dom.children(each)
    for (let i = 0; i < children.length; i++) if (dom.tag(children[i] as N)) stack.push(children[i] as N)
  }
  return false
}
