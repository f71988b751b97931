import { quoted, say } from '../../contract/message.ts'
import { cut, tidy } from '../../engine/text.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import type { Target } from '../view/target.ts'
import { dispatchInputAndChange } from './change-event.ts'
import { focusField } from './fields.ts'
import { reportState, visibleElement } from './target.ts'

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
export function matchOptions(
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
