import { optionSelector } from '../../contract/page-api.ts'
import { textBelow } from '../../engine/text.ts'
import * as native from '../runtime/native-actions.ts'
import { hasOutline } from '../view/drawn-value.ts'
import { sceneOf } from '../view/scene.ts'
import type { Target } from '../view/target.ts'
import type { Watch } from '../watch/watch.ts'

/** a control that draws its choices has them in an element around its input, which contains nothing else */
const maxLevels = 8
const otherControls = 'input:not([type=hidden]),select,textarea,label,legend,h1,h2,h3,[role=listbox],[contenteditable]'

/** The part of the page in which a control shows what is chosen: itself, or the box around its input. */
function choiceBox({ dom, node }: Target): Node {
  if (dom.tag(node) !== 'input') return node
  let box: Node = node
  for (let levels = 0, each = dom.parent(node); each && levels < maxLevels; each = dom.parent(each), levels++) {
    const others = Array.from(native.elementAll(each, otherControls))
    if (others.some(other => other !== node && !dom.hidden(other) && dom.attr(other, 'aria-hidden') !== 'true')) break
    box = each
    if (hasOutline(each)) break
  }
  return box
}

/** The text that a control draws; a text that is typed into it is none of it. */
export const shownText = (target: Target): string => textBelow(target.dom, choiceBox(target), { max: 2_000 })

/** What was there before the action that is performed now changed anything. */
export interface ChoiceBefore {
  readonly node: Node
  readonly watch: Watch | undefined
  /** what the control showed, and the text in it */
  readonly text: string
  readonly value: string
  /** the options of all lists */
  readonly options: ReadonlySet<Node>
}

export function choiceBefore(target: Target): ChoiceBefore {
  const { dom, node, document, session } = target
  const { actions, watch } = session
  const known = actions.choiceBefore
  if (known?.node === node && known.watch === watch) return known
  const options = new Set<Node>(Array.from(native.allOf(document, optionSelector)).filter(option => !dom.hidden(option)))
  actions.choiceBefore = { node, watch, text: shownText(target), value: dom.value(node), options }
  return actions.choiceBefore
}

/** Whether a control draws this choice, alone or as one of several; what is only typed into it is none. */
export function showsChoice(target: Target, name: string, { butPlaceholder = false } = {}): boolean {
  const { dom } = target
  if (!name) return false
  const box = choiceBox(target)
  const found = innermostWithText(target, { root: box, text: name, isDrawn: drawnTest(target) })
  if (!found || !butPlaceholder) return !!found
  for (let each: Node | null = found; each && each !== box; each = dom.parent(each))
    if (/placeholder/i.test(`${dom.attr(each, 'class')}`)) return false
  return true
}

/** A test of whether an element is drawn; it reads the layout once, so it is used before the page can change. */
export function drawnTest({ session, node }: Target): (each: Node) => boolean {
  const { layout } = sceneOf(session, node)
  return each => {
    const box = layout?.box(each)
    return !!layout && !!box && box.width > 1 && box.height > 1 && !layout.unseen(each, box)
  }
}

interface TextSearch {
  readonly root: Node
  readonly text: string
  readonly isDrawn: (node: Node) => boolean
}

/** The innermost drawn element with exactly this text. */
export function innermostWithText({ dom }: Target, { root, text, isDrawn }: TextSearch): Node | null {
  const stack: Node[] = [root]
  let found: Node | null = null
  for (let node: Node | undefined = stack.pop(); node; node = stack.pop()) {
    if (!dom.tag(node) || dom.hidden(node)) continue
    const own = textBelow(dom, node, { max: 200 })
    if (!own.includes(text)) continue
    if (own === text && isDrawn(node)) found = node
    stack.push(...Array.from(dom.children(node)))
  }
  return found
}
