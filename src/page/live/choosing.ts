import type { UploadFile } from '../../contract/acts.ts'
import { nameOf } from '../names.ts'
import { roleOf } from '../roles.ts'
import { statesOf } from '../states.ts'
import { cut, textBelow, tidy } from '../text.ts'
import { send } from './events.ts'
import * as lever from './levers.ts'
import * as native from './natives.ts'
import { changed } from './owed.ts'
import { press } from './pointer.ts'
import { refused } from './refused.ts'
import { isWithin, needEnabled, reach, seenOf, type Target } from './target.ts'
import { enter } from './writing.ts'

/** What must be true when the page has come to rest. */
export type Wanted = () => boolean

/** Options by value or by text. */
export function select(target: Target, values: readonly string[]): Wanted {
  const { dom, node, ref } = target
  needEnabled(target)
  if (dom.tag(node) !== 'select') return pick(target, values)
  seenOf(target, 'nearest')
  if (values.length > 1 && native.getAttribute(node, 'multiple') === null)
    throw refused('invalid_input', `${ref} takes one option, not ${values.length}`)
  const options = Array.from(dom.options(node))
  const labelOf = (option: Node) => tidy(native.getAttribute(option, 'label') || native.optionText(option) || '')
  const chosen = matching(target, values, options, option => [lever.optionValue(option) ?? '', labelOf(option)])
  for (const option of chosen)
    if (dom.is(option, 'disabled')) throw refused('not_enabled', `the option "${cut(labelOf(option), 60)}" is disabled`)
  const holds = () => options.every(option => dom.is(option, 'selected') === chosen.includes(option))
  if (holds()) return holds
  // one that only its label is drawn for cannot have the focus
  if (!dom.hidden(node)) enter(target)
  for (const option of options)
    if (dom.is(option, 'selected') !== chosen.includes(option)) lever.setOptionSelected(option, chosen.includes(option))
  // a list of one always shows something, and only another choice takes it away
  if (!holds()) throw refused('not_committed', `${ref} keeps another choice`)
  send(node, 'Event', 'input', { cancelable: false })
  changed(node)
  return holds
}

function matching(
  target: Target,
  values: readonly string[],
  options: readonly Node[],
  wordsOf: (option: Node) => readonly string[],
): Node[] {
  return values.map(value => {
    const wanted = tidy(value)
    for (const way of [0, 1]) {
      const found = options.find(option => (way ? tidy(wordsOf(option)[1] ?? '') === wanted : wordsOf(option)[0] === value))
      if (found) return found
    }
    const names = options.slice(0, 10).map(option => `"${cut(wordsOf(option)[1] ?? '', 30)}"`)
    const more = options.length > 10 ? ` and ${options.length - 10} more` : ''
    throw refused('option_not_found', `${target.ref} has no option "${cut(value, 60)}"; it has ${names.join(', ') || 'none'}${more}`)
  })
}

/** what was pressed to show its list: not every page says that it is open then */
let opening: Node | null = null

/** A list that the page draws itself: its options are clicked. One that has to be opened first is opened, and the caller asks again. */
function pick(target: Target, values: readonly string[]): Wanted {
  const { dom, node, document, ref } = target
  const role = roleOf(dom, node)
  if (!/^(combobox|listbox|menu|radiogroup|tree|grid)$/.test(role) && !native.getAttribute(node, 'aria-haspopup'))
    throw refused('not_a_select', `${ref} is no list to choose from`)
  const list = role === 'combobox' || role === 'button' ? ownList(target) : node
  const all = native.allOf(
    document,
    '[role=option],[role=menuitemradio],[role=menuitemcheckbox],[role=menuitem],[role=treeitem],[role=radio]',
  )
  // while it says that it is closed, what is open belongs to another one
  const isClosed = !list && opening !== node && statesOf(dom, node, '').expanded === false
  const options = Array.from(all).filter(each => !isClosed && !dom.hidden(each) && (!list || isWithin(dom, each, list)))
  opening = options.length ? null : node
  if (opening) {
    press(target, reach(target), {})
    const message = `the list of ${ref} was closed; it is being opened, so choose again, or take a snapshot`
    throw { ...refused('option_not_found', message), opened: true }
  }
  const textOf = (option: Node) => tidy(nameOf(dom, option) || textBelow(dom, option, { shown: each => !dom.hidden(each), max: 200 }))
  const chosen = matching(target, values, options, option => [
    native.getAttribute(option, 'data-value') ?? native.getAttribute(option, 'value') ?? '',
    textOf(option),
  ])
  for (const option of chosen) {
    const { selected, checked } = statesOf(dom, option, '')
    if (selected || checked === true) continue
    const own = { ...target, node: option as Element }
    needEnabled(own)
    press(own, reach(own), {})
  }
  // the list is often gone by now; what it left behind says what was chosen
  const words = chosen.map(textOf)
  return () =>
    chosen.every((option, at) => {
      const { selected, checked } = statesOf(dom, option, '')
      return !native.isConnected(option) || dom.hidden(option) || selected !== false || checked === true || shows(target, words[at] ?? '')
    })
}

const shows = ({ dom, node }: Target, words: string) =>
  `${dom.value(node)} ${textBelow(dom, node, { shown: each => !dom.hidden(each), max: 500 })}`.includes(words)

function ownList({ dom, node }: Target): Node | null {
  const inside = native.getAttribute(node, 'aria-controls') ?? native.getAttribute(node, 'aria-owns')
  return inside ? dom.byId(node, inside.split(' ')[0] ?? '') : null
}

const checkables = /^(checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/

export function check(target: Target, want: boolean): Wanted {
  const { dom, node, ref } = target
  const role = roleOf(dom, node)
  if (!checkables.test(role)) throw refused('not_checkable', `${ref} is a ${role}, which is neither checked nor unchecked`)
  if (!want && /radio$/.test(role)) throw refused('not_uncheckable', `${ref} is a radio`)
  needEnabled(target)
  const holds = () => statesOf(dom, node, role).checked === want
  const isMixed = dom.is(node, 'indeterminate')
  if (!holds()) press(target, reach(target), {})
  // out of the mixed state a click leads either way
  if (isMixed && !dom.is(node, 'indeterminate') && !holds()) press(target, reach(target), {})
  if (dom.tag(node) === 'input' && !holds()) throw refused('not_committed', `the page keeps ${ref} ${want ? 'unchecked' : 'checked'}`)
  return holds
}

export function upload(target: Target, files: readonly UploadFile[]): Wanted {
  const { dom, node, ref } = target
  if (dom.tag(node) !== 'input' || dom.attr(node, 'type')?.toLowerCase() !== 'file') throw refused('not_editable', `${ref} takes no files`)
  needEnabled(target)
  if (files.length > 1 && dom.attr(node, 'multiple') === null) throw refused('invalid_input', `${ref} takes one file, not ${files.length}`)
  const transfer = new DataTransfer()
  for (const { name, type = '', base64 } of files) transfer.items.add(new File([bytesOf(base64)], name, { type }))
  lever.setFiles(node, transfer.files)
  const holds = () => lever.filesOf(node)?.length === files.length
  if (!holds()) throw refused('not_committed', `this browser lets no script choose files`)
  send(node, 'Event', 'input', { cancelable: false })
  changed(node)
  return holds
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  let text: string
  try {
    text = atob(base64)
  } catch {
    throw refused('invalid_input', 'a file has a name and base64')
  }
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}
