import { quoted, say } from '../../contract/message.ts'
import { optionSelector } from '../../contract/page-api.ts'
import { nameOf } from '../../engine/accessibility/names.ts'
import { roleOf } from '../../engine/accessibility/roles.ts'
import { statesOf } from '../../engine/accessibility/states.ts'
import type { Dom } from '../../engine/dom.ts'
import { cut, textBelow, tidy } from '../../engine/text.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import { isWithin } from '../view/dom.ts'
import { sceneOf } from '../view/scene.ts'
import type { Target } from '../view/target.ts'
import { dispatchInputAndChange } from './change-event.ts'
import { focusField } from './fields.ts'
import { listOf, reportState, visibleElement } from './target.ts'

/** A condition that must hold once the page has settled; otherwise the action fails with `not_committed`. */
export type Condition = () => boolean

/** Selects options of a <select> by value or text. */
export function selectOptions(target: Target, values: readonly string[]): Condition {
  const { dom, node } = target
  visibleElement(target, 'nearest')
  reportState(target)
  const isSingle = native.getAttribute(node, 'multiple') === null
  if (values.length > 1 && isSingle) throw engineError('invalid_input', say`${target} takes one option, not ${values.length}`)
  const options = Array.from(dom.options(node))
  const labelOf = (option: Node) => tidy(native.getAttribute(option, 'label') || native.optionText(option) || '')
  const chosen = matchOptions(target, values, options, option => [native.optionValue(option) ?? '', labelOf(option)])
  // a single select always has a choice; the one without a value is its placeholder
  const placeholder = isSingle && !values.length && options.find(option => !native.optionValue(option))
  if (placeholder) chosen.push(placeholder)
  for (const option of chosen)
    if (dom.is(option, 'disabled'))
      throw engineError('not_enabled', say`the option of ${target} is disabled`, { page: { option: cut(labelOf(option), 60) } })
  const isSelected = () => options.every(option => dom.is(option, 'selected') === chosen.includes(option))
  if (isSelected()) return isSelected
  // a <select> behind a drawn label cannot have the focus
  if (!dom.hidden(node)) focusField(target)
  for (const option of options)
    if (dom.is(option, 'selected') !== chosen.includes(option)) native.setOptionSelected(option, chosen.includes(option))
  // a single select always has a selected option, so deselecting may have no effect
  if (!isSelected()) throw engineError('not_committed', say`${target} keeps another choice`)
  dispatchInputAndChange(node)
  return isSelected
}

/** the option for each value: the one with that value, else the one with that text */
function matchOptions(
  target: Target,
  values: readonly string[],
  options: readonly Node[],
  valueAndText: (option: Node) => readonly [value: string, text: string],
): Node[] {
  return values.map(value => {
    const text = tidy(value)
    const found =
      options.find(option => valueAndText(option)[0] === value) ?? options.find(option => tidy(valueAndText(option)[1]) === text)
    if (found) return found
    throw engineError('option_not_found', say`${target} has no option ${quoted(value, 60)}; it has ${options.length}`, {
      page: { options: options.slice(0, 10).map(option => cut(valueAndText(option)[1], 30)) },
    })
  })
}

/** The options of a list that the page draws itself. */
export interface ListOptions {
  readonly open: boolean
  /** the options to click: those that are wanted and not selected yet */
  readonly toClick: readonly Node[]
  readonly isSelected: Condition
}

const noOptions: ListOptions = { open: false, toClick: [], isSelected: () => false }

/** Finds the options of a list that the page draws itself. */
export function findListOptions(target: Target, values: readonly string[]): ListOptions {
  const { dom, node, document, session } = target
  const role = roleOf(dom, node)
  reportState(target)
  if (!/^(combobox|listbox|menu|radiogroup|tree|grid)$/.test(role) && !native.getAttribute(node, 'aria-haspopup'))
    throw engineError(
      'not_a_select',
      role === 'option' ? say`${target} is an option: select it in ${listOf(target)}` : say`${target} is not a select or listbox`,
    )
  const opens = role === 'combobox' || role === 'button'
  // such a list often closes after each choice, and its options are rendered anew
  if (opens && values.length !== 1)
    throw engineError('invalid_input', say`${target} opens a separate list: choose one option per call, or use its own button to clear it`)
  const list = opens ? controlledList(target) : node
  // while it says that it is closed, options inside it show the last choice, and open options elsewhere belong to another list
  const isClosed = opens && session.actions.openingList !== node && statesOf(dom, node, role).expanded === false
  const belongs = (option: Node) =>
    !dom.hidden(option) && (list ? isWithin(dom, option, list) : !isClosed) && !(isClosed && isWithin(dom, option, node))
  const options = Array.from(native.allOf(document, optionSelector)).filter(belongs)
  session.actions.openingList = options.length ? null : node
  if (!options.length) return noOptions
  if (!options.some(option => isDrawn(target, option))) return findDrawnOptions(target, values, options[0] as Element)
  const nameOfOption = (option: Node) => tidy(nameOf(dom, option) || visibleText(dom, option))
  const wanted = matchOptions(target, values, options, option => [
    native.getAttribute(option, 'data-value') ?? native.getAttribute(option, 'value') ?? '',
    nameOfOption(option),
  ])
  if (!values.length) {
    const toClick = options.filter(option => isChosen(dom, option))
    return { open: true, toClick, isSelected: () => !options.some(option => isChosen(dom, option)) }
  }
  // the list is often gone when the page has settled; then the text of the control tells the choice
  const names = wanted.map(nameOfOption)
  return {
    open: true,
    toClick: wanted.filter(option => !isChosen(dom, option)),
    isSelected: () =>
      wanted.every((option, at) => {
        if (isChosen(dom, option) || showsText(target, names[at] ?? '')) return true
        // of several values, each must be confirmed
        const isGone = !native.isConnected(option) || dom.hidden(option)
        return values.length === 1 && (isGone || statesOf(dom, option, '').selected === undefined)
      }),
  }
}

function isChosen(dom: Dom<Node>, option: Node): boolean {
  const { selected, checked } = statesOf(dom, option, '')
  return selected === true || checked === true
}

const visibleText = (dom: Dom<Node>, node: Node) => textBelow(dom, node, { max: 200 })

function isDrawn({ session }: Target, node: Node): boolean {
  const box = sceneOf(session, node as Element).layout?.box(node)
  return !!box && box.width > 1 && box.height > 1
}

/** Some lists have options for assistive technology only, and draw others beside them: those are found by their text and clicked. */
function findDrawnOptions(target: Target, values: readonly string[], undrawn: Node): ListOptions {
  const { dom, node } = target
  const toClick = values.map(value => {
    let found: Node | null = null
    let around = dom.parent(undrawn)
    for (let steps = 0; around && !found && steps < 4; steps++, around = dom.parent(around))
      found = innermostWithText(target, around, tidy(value))
    if (!found)
      throw engineError('option_not_found', say`${target} shows no option ${quoted(value, 60)}; take a snapshot and click the one you want`)
    return found
  })
  return { open: true, toClick, isSelected: () => statesOf(dom, node, '').expanded !== true }
}

/** the innermost drawn element with exactly this text */
function innermostWithText(target: Target, root: Node, text: string): Node | null {
  const { dom } = target
  const stack: Node[] = [root]
  let found: Node | null = null
  for (let node: Node | undefined = stack.pop(); node; node = stack.pop()) {
    if (!dom.tag(node) || dom.hidden(node)) continue
    const own = visibleText(dom, node)
    if (!own.includes(text)) continue
    if (own === text && isDrawn(target, node)) found = node
    stack.push(...Array.from(dom.children(node)))
  }
  return found
}

const showsText = ({ dom, node }: Target, text: string) => `${dom.value(node)} ${textBelow(dom, node, { max: 500 })}`.includes(text)

function controlledList({ dom, node }: Target): Node | null {
  const ids = native.getAttribute(node, 'aria-controls') ?? native.getAttribute(node, 'aria-owns')
  return ids ? dom.byId(node, ids.split(' ')[0] ?? '') : null
}
