import { isSameBlock } from '../text.ts'
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
    if (isItem && isIntro && !parent.texts.length) {
      walk.introRoom -= dom.text(node).length
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
  if (!isWanted && !isIntro) {
    if (!dom.hidden(node)) walk.skippedTexts.push(walk.candidates.length)
    walk.textRun = { textLine: null, parent, blockRoot, last: node, endsInBlank: false }
    return
  }
  const element = dom.parent(node) ?? walk.scene.root
  const hiddenReason = context.hiddenReason || (dom.hidden(node) ? 'not drawn' : '')
  const box = (layout?.box(element) && layout.box(node)) ?? null
  if ((hiddenReason && !includeHidden) || (layout && !box)) return
  if (!isWanted) walk.introRoom -= dom.text(node).trim().length
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
