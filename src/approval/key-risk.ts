import { parseKey } from '../contract/keys.ts'
import type { AnyCommand } from '../contract/run.ts'
import type { TargetFacts } from '../contract/target.ts'
import { activates, pressesDefaultButton } from './activation-risk.ts'
import type { Assessment, RiskContext } from './assessment.ts'

// Keys are judged by tag and type: a page may give any role to any element, but the browser does not act by it.

/** these change nothing but the focus, the caret or what is shown, wherever they are pressed */
const harmlessKeys = /^(Tab|Escape|Shift|Control|Alt|Meta|CapsLock|F\d+)$/
const arrowKeys = /^(Arrow(Up|Down|Left|Right)|Page(Up|Down)|Home|End)$/

/** Whether what a key does depends on the element that has the focus. */
export const dependsOnFocus = (key: unknown): boolean => !harmlessKeys.test(parseKey(key)?.key ?? '')

export function presses(assessment: Assessment, { key: given }: AnyCommand, context: RiskContext): void {
  const { key, modifiers = [] } = parseKey(String(given)) ?? { key: String(given) }
  const { target } = context
  const isCombination = modifiers.some(each => each !== 'Shift')
  const isCommand = modifiers.some(each => each === 'Control' || each === 'Meta')
  if (harmlessKeys.test(key)) assessment.add('move', 'move_focus')
  else if ((key === 'Enter' || key === ' ') && isCommand) assessment.add('submit', 'send_key')
  else if (key === 'Enter') pressesEnter(assessment, context)
  else if (arrowKeys.test(key)) {
    if (target && !holdsValue(target)) assessment.add('move', 'move_focus')
    else assessment.add('write', 'change_value')
  } else if (target?.secret) assessment.add('credentials', 'type_secret')
  else if (isCommand && /^[ac]$/i.test(key)) assessment.add('write', 'type_text')
  else if (isTextField(target) && (!isCombination || (isCommand && editingKeys.test(key)))) assessment.add('write', 'type_text')
  else if (target?.tag === 'select' && !isCombination && [...key].length === 1) assessment.add('write', 'change_value')
  else pressesOther(assessment, key, context)
}

/** select, copy, cut, paste, undo, redo, bold, italic, underline, and deleting a word */
const editingKeys = /^([acxvzybiu]|Backspace|Delete|Insert)$/i

/** Space activates what has the focus; any other key is at most a shortcut of the page, such as # to delete a mail. */
function pressesOther(assessment: Assessment, key: string, context: RiskContext): void {
  const { target } = context
  if (key === ' ' && target && !isDocument(target)) activates(assessment, target, context)
  else assessment.add('submit', 'page_shortcut')
}

export function pressesEnter(assessment: Assessment, context: RiskContext): void {
  const { target } = context
  if (!target) assessment.add('submit', 'unknown_focus')
  else if (target.enterSubmits) pressesDefaultButton(assessment, target.enterSubmits, context)
  else if (isTextField(target)) assessment.add('submit', 'enter_may_send')
  else if (isDocument(target)) assessment.add('submit', 'page_shortcut')
  else activates(assessment, target, context)
}

/** Keys are typed as one text. */
export function types(assessment: Assessment, text: string, context: RiskContext): void {
  const { target } = context
  const characters = new Set(text)
  if (characters.has('\n') || characters.has('\r')) pressesEnter(assessment, context)
  if (!target) assessment.add('submit', 'unknown_element')
  if (!target || isTextField(target)) return
  for (const character of characters) if (!/[\r\n]/.test(character)) pressesOther(assessment, character, context)
}

/** no element has the focus */
const isDocument = ({ tag }: TargetFacts): boolean => /^(body|html)$/.test(tag)

const otherInputs = /^(button|submit|reset|image|checkbox|radio|file|range|color|hidden)$/
export const isTextField = (target: TargetFacts | undefined): boolean => {
  const { tag = '', type = '', editable } = target ?? {}
  if (tag === 'input') return !otherInputs.test(type)
  return tag === 'textarea' || (editable === true && !/^(button|select|summary|a|area)$/.test(tag))
}

const inputsWithSteps = /^(radio|range|number|date|datetime-local|month|week|time|color)$/
const rolesWithValue = /^(slider|spinbutton|radio|radiogroup|listbox|option|combobox|menuitemradio|scrollbar)$/

/** Whether arrow keys change the value of an element. */
const holdsValue = ({ tag, type = '', role }: TargetFacts): boolean =>
  tag === 'select' || (tag === 'input' && inputsWithSteps.test(type)) || rolesWithValue.test(role)
