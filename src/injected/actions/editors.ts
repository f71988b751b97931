// Editors that draw their text in other elements than the one that receives the keys: an element with an EditContext
// (https://w3c.github.io/edit-context/), or a text field that is too small to be seen.
import { textBelow } from '../../engine/text.ts'
import * as native from '../runtime/native-actions.ts'
import { unveiled } from '../view/dom.ts'
import { sceneOf } from '../view/scene.ts'
import { send } from './events.ts'
import type { Field } from './fields.ts'
import { visibleElement } from './target.ts'

/** only so much of an editor's text is compared */
export const maxComparedText = 1_000_000
/** a field of this width shows no text that a person could read */
const maxKeyFieldWidth = 16
const maxAncestors = 4
const minEditor = { width: 40, height: 16 }

/** The element in which an editor draws the text of a field that only receives its keys; null for other fields. */
export function editorAround(field: Field): Element | null {
  const { node, tag, target } = field
  if (native.editContext(node)) return visibleElement(target).drawn
  return tag === 'textarea' && isUnreadable(field) ? drawnAncestor(field) : null
}

function isUnreadable({ node, target: { session, dom } }: Field): boolean {
  if (dom.attr(node, 'aria-roledescription') === 'editor') return true
  const { layout } = sceneOf(session, node)
  const box = layout?.box(node)
  if (!layout || !box) return false
  return box.width <= 3 || (box.width <= maxKeyFieldWidth && layout.transparent(node)) || !!layout.unseen(node, box)
}

function drawnAncestor({ node, target: { session, dom } }: Field): Element | null {
  const { layout } = sceneOf(session, node)
  for (let each = dom.parent(node), steps = 0; each && steps < maxAncestors; each = dom.parent(each), steps++) {
    const box = layout?.box(each)
    if (box && box.width >= minEditor.width && box.height >= minEditor.height) return each as Element
  }
  return null
}

/** text without white space, which editors draw in several ways */
export const bare = (text: string): string => text.replace(/[\s\u200b\ufeff]+/g, '')

/** What is drawn in an element, without white space. */
export const drawnText = ({ target: { dom } }: Field, element: Node): string =>
  bare(unveiled(() => textBelow(dom, element, { max: maxComparedText })))

/** Whether the text of an editor is exactly this one, apart from white space and line numbers. */
export function hasEditorText(field: Field, editor: Element, value: string): boolean {
  const wanted = bare(value)
  const reported = bare(native.editContext(field.node)?.text ?? '')
  const drawn = drawnText(field, editor)
  const lines = value.split('\n')
  // the edit context has the lines at the caret, and only lines in view are drawn; for a long text both are the last ones
  if (lines.length > 9) {
    const withoutDigits = (text: string) => text.replace(/\d/g, '')
    return (!!reported && wanted.endsWith(reported)) || (!!withoutDigits(drawn) && withoutDigits(wanted).endsWith(withoutDigits(drawn)))
  }
  // line numbers may be drawn before the whole text, or before each line
  const numbers = lines.map((_, i) => i + 1).join('')
  const numbered = lines.map((line, i) => i + 1 + bare(line)).join('')
  return reported === wanted || drawn === wanted || drawn === numbers + wanted || drawn === numbered
}

/** Whether nothing of the text that an editor drew before is left: it is empty, or shows a placeholder. */
export function isEmptied(before: string, now: string): boolean {
  const [old, rest] = [before, now].map(text => text.replace(/\d/g, '')) as [string, string]
  // a key that has removed only one character leaves the others
  return !rest || (old.length - rest.length > 1 && !old.includes(rest))
}

/** Text for an editor that draws it elsewhere (https://w3c.github.io/edit-context/): a new line, or a paste. False if it is ignored. */
export function pasteText(node: Element, text: string): boolean {
  if (text === '\n') return !send(node, 'InputEvent', 'beforeinput', { inputType: 'insertParagraph', data: null })
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  // an editor that handles the paste prevents the default action, and may insert the text later
  return !send(node, 'ClipboardEvent', 'paste', { clipboardData })
}
