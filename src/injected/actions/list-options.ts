import { quoted, say } from '../../contract/message.ts'
import { optionSelector } from '../../contract/page-api.ts'
import { nameOf } from '../../engine/accessibility/names.ts'
import { roleOf } from '../../engine/accessibility/roles.ts'
import { statesOf } from '../../engine/accessibility/states.ts'
import type { Dom } from '../../engine/dom.ts'
import { cut, textBelow, tidy } from '../../engine/text.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import { asPage } from '../runtime/pristine.ts'
import { isWithin } from '../view/dom.ts'
import type { Target } from '../view/target.ts'
import { type Condition, matchOptions } from './select.ts'
import { type ChoiceBefore, choiceBefore, drawnTest, innermostWithText, shownText, showsChoice } from './shown-choice.ts'
import { listOf, reportState } from './target.ts'

/** The options of a list that the page draws itself. */
export interface ListOptions {
  readonly open: boolean
  /** the options to click: those that are wanted and not selected yet */
  readonly toClick: readonly Node[]
  readonly isSelected: Condition
}

const closed: ListOptions = { open: false, toClick: [], isSelected: () => false }
/** a list that is drawn beside one for assistive technology is inside an ancestor that both share */
const maxAncestors = 4
const minScrollerHeight = 40

/** Finds the options of a list that the page draws itself. Throws `option_not_found` if the list is open and lacks a wanted one. */
export function findListOptions(target: Target, values: readonly string[]): ListOptions {
  const { actions } = target.session
  reportState(target)
  const opens = requireList(target)
  // such a list often closes after each choice, and its options are rendered anew
  if (opens && values.length !== 1)
    throw engineError('invalid_input', say`${target} opens a separate list: choose one option per call, or use its own button to clear it`)
  const wasPressed = actions.openingList === target.node
  const before = choiceBefore(target)
  const options = optionsOf(target, opens)
  const isDrawn = drawnTest(target)
  const drawn = options.filter(isDrawn)
  // options that have appeared belong to the list that was opened
  const fresh = opens && !controlledList(target) ? drawn.filter(option => !before.options.has(option)) : []
  const isKnown = !opens || wasPressed || fresh.length > 0 || !!controlledList(target) || isListOpen(target)
  actions.openingList = null
  try {
    if (drawn.length) return declaredOptions(target, values, fresh.length ? fresh : drawn)
    const found = options[0] && undeclaredOptions(target, values, { undrawn: options[0], isDrawn })
    if (found) return found
  } catch (error) {
    // the options may be those of another list on the page
    if (isKnown) throw error
  }
  actions.openingList = target.node
  return closed
}

/** the options that the page declares by their role */
function declaredOptions(target: Target, values: readonly string[], options: readonly Node[]): ListOptions {
  const { dom } = target
  const nameOfOption = (option: Node) => tidy(nameOf(dom, option) || visibleText(dom, option))
  const wanted = matchOptions(target, values, options, option => [
    native.getAttribute(option, 'data-value') ?? native.getAttribute(option, 'value') ?? '',
    nameOfOption(option),
  ])
  if (!values.length) {
    const toClick = options.filter(option => isChosen(dom, option))
    return { open: true, toClick, isSelected: () => !options.some(option => isChosen(dom, option)) }
  }
  const names = wanted.map(nameOfOption)
  const others = options.map(nameOfOption).filter(name => name && !names.includes(name))
  const before = choiceBefore(target)
  return {
    open: true,
    toClick: wanted.filter(option => !isChosen(dom, option)),
    isSelected: () =>
      wanted.every((option, at) => {
        if (isChosen(dom, option) || holdsChoice(target, names[at] as string)) return true
        const isGone = !native.isConnected(option) || dom.hidden(option)
        const isDenied = native.isConnected(option) && statesOf(dom, option, '').selected === false
        // of several values, each must be confirmed
        if (values.length > 1 || (isDenied && !isGone)) return false
        // the list is often gone when the page has settled; then the control shows the choice, perhaps in other words
        return showsChange(target, before) || !(isDenied || others.some(other => showsChoice(target, other)))
      }),
  }
}

/** Whether the target opens a separate list; throws if it has no list at all. */
function requireList(target: Target): boolean {
  const { dom, node } = target
  const role = roleOf(dom, node)
  if (!/^(combobox|listbox|menu|radiogroup|tree|grid)$/.test(role) && !native.getAttribute(node, 'aria-haspopup'))
    throw engineError(
      'not_a_select',
      role === 'option' ? say`${target} is an option: select it in ${listOf(target)}` : say`${target} is not a select or listbox`,
    )
  return role === 'combobox' || role === 'button'
}

/** The options that belong to the list of a target, drawn or not. */
function optionsOf(target: Target, opens: boolean): Node[] {
  const { dom, node, document, session } = target
  const list = opens ? controlledList(target) : node
  // while it says that it is closed, options inside it show the last choice, and open options elsewhere belong to another list
  const isClosed = opens && session.actions.openingList !== node && statesOf(dom, node, '').expanded === false
  const belongs = (option: Node) =>
    !dom.hidden(option) && (list ? isWithin(dom, option, list) : !isClosed) && !(isClosed && isWithin(dom, option, node))
  return Array.from(native.allOf(document, optionSelector)).filter(belongs)
}

function isChosen(dom: Dom<Node>, option: Node): boolean {
  const { selected, checked } = statesOf(dom, option, '')
  return selected === true || checked === true
}

const visibleText = (dom: Dom<Node>, node: Node) => textBelow(dom, node, { max: 200 })

interface Undeclared {
  /** an option for assistive technology */
  readonly undrawn: Node
  readonly isDrawn: (node: Node) => boolean
}

/** Some lists have options for assistive technology only, and draw others beside them: those are found by their text. Null if none is drawn. */
function undeclaredOptions(target: Target, values: readonly string[], { undrawn, isDrawn }: Undeclared): ListOptions | null {
  const popups = popupsAround(target, undrawn)
  const popup = popups.find(isDrawn)
  if (!popup) return null
  const names = values.map(value => tidy(value))
  const before = choiceBefore(target)
  const toClick = names.map((text, at) => {
    for (const root of popups) {
      const found = innermostWithText(target, { root, text, isDrawn })
      if (found) return found
    }
    throw engineError('option_not_found', say`${target} shows no option ${quoted(values[at], 60)}`, {
      page: { options: textsIn(target, popup, isDrawn) },
    })
  })
  return {
    open: true,
    // a second click would remove one of several choices
    toClick: toClick.filter((_, at) => !showsChoice(target, names[at] as string, { butPlaceholder: true })),
    isSelected: () => names.every(name => holdsChoice(target, name)) || showsChange(target, before),
  }
}

/** the ancestors of an option that may be the list around it, up to what also contains the control */
function popupsAround({ dom, node }: Target, option: Node): Node[] {
  const found: Node[] = []
  for (let each = dom.parent(option); each && found.length < maxAncestors; each = dom.parent(each)) {
    if (/^(body|html)$/.test(dom.tag(each)) || isWithin(dom, node, each)) break
    found.push(each)
  }
  return found
}

/** the texts of a list, one for each of its innermost elements */
function textsIn({ dom }: Target, root: Node, isDrawn: (node: Node) => boolean): string[] {
  const texts: string[] = []
  const stack: Node[] = [root]
  for (let node = stack.pop(); node && texts.length < 10; node = stack.pop()) {
    if (!dom.tag(node) || dom.hidden(node)) continue
    const children = Array.from(dom.children(node))
    const elements = children.filter(child => dom.tag(child))
    const text = elements.length || !isDrawn(node) ? '' : visibleText(dom, node)
    if (text) texts.push(cut(text, 30))
    stack.push(...elements.reverse())
  }
  return texts
}

function controlledList({ dom, node }: Target): Node | null {
  const ids = native.getAttribute(node, 'aria-controls') ?? native.getAttribute(node, 'aria-owns')
  return ids ? dom.byId(node, ids.split(' ')[0] ?? '') : null
}

/** Whether a control shows a choice, or has it as its text once the list is closed; before that it may only be typed. */
const holdsChoice = (target: Target, name: string): boolean =>
  showsChoice(target, name) || (target.dom.value(target.node) === name && !isListOpen(target))

/** Whether a control shows another choice than before the action, perhaps in other words than those of the option. */
const showsChange = (target: Target, before: ChoiceBefore): boolean =>
  shownText(target) !== before.text || (target.dom.value(target.node) !== before.value && !isListOpen(target))

/** Whether the list of a target is open: its options are drawn, or the control says so. */
export function isListOpen(target: Target): boolean {
  const { dom, node } = target
  if (statesOf(dom, node, '').expanded !== undefined) return statesOf(dom, node, '').expanded === true
  const list = controlledList(target)
  return !!list && drawnTest(target)(list)
}

/** Scrolls an open list that renders only a part of its options: to its start, or one page on. False if it cannot scroll further. */
export function scrollList(target: Target, toStart: boolean): boolean {
  const options = optionsOf(target, requireList(target))
  const isDrawn = drawnTest(target)
  const from = options.find(isDrawn) ?? options[0]
  const scroller = from && scrollerAround(target, from, isDrawn(from))
  if (!scroller) return false
  const before = native.scrollTop(scroller) ?? 0
  const page = Math.max((native.clientHeight(scroller) ?? 0) * 0.9, 1)
  asPage(() => native.scrollBy(scroller, { top: toStart ? -1e7 : page, behavior: 'instant' }))
  return toStart || (native.scrollTop(scroller) ?? 0) > before
}

/** what scrolls the options: an ancestor of them, or an element beside those for assistive technology */
function scrollerAround(target: Target, option: Node, isDeclared: boolean): Element | null {
  const scrolls = (node: Node) =>
    native.styleValue(node, 'overflow-y') !== 'visible' &&
    (native.clientHeight(node) ?? 0) > minScrollerHeight &&
    (native.scrollHeight(node) ?? 0) > (native.clientHeight(node) ?? 0) + 1
  for (const each of popupsAround(target, option)) {
    const found = scrolls(each) ? each : isDeclared ? undefined : Array.from(native.elementAll(each, '*')).find(scrolls)
    if (found && !target.dom.hidden(found)) return found as Element
  }
  return null
}
