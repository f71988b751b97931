import type { UploadFile } from '../../contract/page-api.ts'
import type { Dom } from '../../engine/dom.ts'
import { nameOf } from '../../engine/names.ts'
import { roleOf } from '../../engine/roles.ts'
import { statesOf } from '../../engine/states.ts'
import { cut, textBelow, tidy } from '../../engine/text.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import { press } from '../synthetic/pointer.ts'
import { sceneOf } from '../view/snapshot.ts'
import { dispatchChange } from './change-event.ts'
import { send } from './events.ts'
import { enter } from './fields.ts'
import { isWithin, needEnabled, reach, seenOf, type Target } from './target.ts'

/** What must be true when the page has come to rest. */
export type Wanted = () => boolean

/** Options by value or by text. */
export function select(target: Target, values: readonly string[]): Wanted {
  needEnabled(target)
  return target.dom.tag(target.node) === 'select' ? choose(target, values) : pick(target, values)
}

/** In a list that the browser draws. */
export function choose(target: Target, values: readonly string[]): Wanted {
  const { dom, node, ref } = target
  seenOf(target, 'nearest')
  if (values.length > 1 && native.getAttribute(node, 'multiple') === null)
    throw engineError('invalid_input', `${ref} takes one option, not ${values.length}`)
  const options = Array.from(dom.options(node))
  const labelOf = (option: Node) => tidy(native.getAttribute(option, 'label') || native.optionText(option) || '')
  const chosen = matching(target, values, options, option => [native.optionValue(option) ?? '', labelOf(option)])
  for (const option of chosen)
    if (dom.is(option, 'disabled')) throw engineError('not_enabled', `the option "${cut(labelOf(option), 60)}" is disabled`)
  const holds = () => options.every(option => dom.is(option, 'selected') === chosen.includes(option))
  if (holds()) return holds
  // one that only its label is drawn for cannot have the focus
  if (!dom.hidden(node)) enter(target)
  for (const option of options)
    if (dom.is(option, 'selected') !== chosen.includes(option)) native.setOptionSelected(option, chosen.includes(option))
  // a list of one always shows something, and only another choice takes it away
  if (!holds()) throw engineError('not_committed', `${ref} keeps another choice`)
  send(node, 'Event', 'input', { cancelable: false })
  dispatchChange(node)
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
    throw engineError('option_not_found', `${target.ref} has no option "${cut(value, 60)}"; it has ${names.join(', ') || 'none'}${more}`)
  })
}

/** A list that the page draws itself: its options are clicked. One that has to be opened first is opened, and the caller asks again. */
function pick(target: Target, values: readonly string[]): Wanted {
  const { ref } = target
  const { chosen, open, holds } = optionsFor(target, values)
  if (!open) {
    press(target, reach(target), {})
    const message = `the list of ${ref} was closed; it is being opened, so choose again, or take a snapshot`
    throw { ...engineError('option_not_found', message), opened: true }
  }
  for (const option of chosen) {
    const own = { ...target, node: option as Element }
    needEnabled(own)
    press(own, reach(own), {})
  }
  return holds
}

interface Choosing {
  readonly open: boolean
  readonly chosen: readonly Node[]
  readonly holds: Wanted
}

/** what is being opened: not every page says that it is open then */
let opening: Node | null = null

/** What there is to choose from in such a list: `chosen` are those to be clicked, since they are not chosen already. */
export function optionsFor(target: Target, values: readonly string[]): Choosing {
  const { dom, node, document, ref } = target
  const role = roleOf(dom, node)
  if (!/^(combobox|listbox|menu|radiogroup|tree|grid)$/.test(role) && !native.getAttribute(node, 'aria-haspopup'))
    throw engineError('not_a_select', `${ref} is no list to choose from`)
  const opens = role === 'combobox' || role === 'button'
  // such a list often closes after each choice, and is drawn anew
  if (opens && values.length > 1) throw engineError('invalid_input', `${ref} opens a list of its own: choose one option per call`)
  const list = opens ? ownList(target) : node
  const all = native.allOf(
    document,
    '[role=option],[role=menuitemradio],[role=menuitemcheckbox],[role=menuitem],[role=treeitem],[role=radio]',
  )
  // while it says that it is closed, what it shows in itself is what was chosen last, and what is open elsewhere belongs to another one
  const isClosed = opens && opening !== node && statesOf(dom, node, role).expanded === false
  const isOurs = (each: Node) =>
    !dom.hidden(each) && (list ? isWithin(dom, each, list) : !isClosed) && !(isClosed && isWithin(dom, each, node))
  const options = Array.from(all).filter(isOurs)
  opening = options.length ? null : node
  if (opening) return { open: false, chosen: [], holds: () => false }
  if (!options.some(option => isDrawn(target, option))) return drawnFor(target, values, options[0] as Element)
  const textOf = (option: Node) => tidy(nameOf(dom, option) || shownText(dom, option))
  const wanted = matching(target, values, options, option => [
    native.getAttribute(option, 'data-value') ?? native.getAttribute(option, 'value') ?? '',
    textOf(option),
  ])
  // the list is often gone by now; what it left behind says what was chosen
  const words = wanted.map(textOf)
  return {
    open: true,
    chosen: wanted.filter(option => !isChosen(dom, option)),
    holds: () =>
      wanted.every((option, at) => {
        if (isChosen(dom, option) || shows(target, words[at] ?? '')) return true
        // of several, each has to be seen
        const isAway = !native.isConnected(option) || dom.hidden(option)
        return values.length === 1 && (isAway || statesOf(dom, option, '').selected === undefined)
      }),
  }
}

function isChosen(dom: Dom<Node>, option: Node): boolean {
  const { selected, checked } = statesOf(dom, option, '')
  return selected === true || checked === true
}

const shownText = (dom: Dom<Node>, node: Node) => textBelow(dom, node, { shown: each => !dom.hidden(each), max: 200 })

function isDrawn({ session }: Target, node: Node): boolean {
  const box = sceneOf(session, node as Element).layout?.box(node)
  return !!box && box.width > 1 && box.height > 1
}

/** Options that only assistive technology gets to know, beside others that are seen: those are clicked, by their text. */
function drawnFor(target: Target, values: readonly string[], unseen: Node): Choosing {
  const { dom, node, ref } = target
  const chosen = values.map(value => {
    let found: Node | null = null
    let around = dom.parent(unseen)
    for (let steps = 0; around && !found && steps < 4; steps++, around = dom.parent(around)) found = innermost(target, around, tidy(value))
    if (!found)
      throw engineError('option_not_found', `${ref} shows no option "${cut(value, 60)}"; take a snapshot and click the one you want`)
    return found
  })
  return { open: true, chosen, holds: () => statesOf(dom, node, '').expanded !== true }
}

/** the drawn element that says this and nothing else */
function innermost(target: Target, root: Node, text: string): Node | null {
  const { dom } = target
  const stack: Node[] = [root]
  let found: Node | null = null
  for (let node: Node | undefined = stack.pop(); node; node = stack.pop()) {
    if (!dom.tag(node) || dom.hidden(node)) continue
    const said = shownText(dom, node)
    if (!said.includes(text)) continue
    if (said === text && isDrawn(target, node)) found = node
    stack.push(...Array.from(dom.children(node)))
  }
  return found
}

const shows = ({ dom, node }: Target, words: string) =>
  `${dom.value(node)} ${textBelow(dom, node, { shown: each => !dom.hidden(each), max: 500 })}`.includes(words)

function ownList({ dom, node }: Target): Node | null {
  const inside = native.getAttribute(node, 'aria-controls') ?? native.getAttribute(node, 'aria-owns')
  return inside ? dom.byId(node, inside.split(' ')[0] ?? '') : null
}

export const checkables = /^(checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/

export function check(target: Target, want: boolean): Wanted {
  const { dom, node, ref } = target
  const role = roleOf(dom, node)
  if (!checkables.test(role)) throw engineError('not_checkable', `${ref} is a ${role}, which is neither checked nor unchecked`)
  if (!want && /radio$/.test(role)) throw engineError('not_uncheckable', `${ref} is a radio`)
  needEnabled(target)
  const holds = () => statesOf(dom, node, role).checked === want
  const isMixed = dom.is(node, 'indeterminate')
  if (!holds()) press(target, reach(target), {})
  // out of the mixed state a click leads either way
  if (isMixed && !dom.is(node, 'indeterminate') && !holds()) press(target, reach(target), {})
  if (dom.tag(node) === 'input' && !holds()) throw engineError('not_committed', `the page keeps ${ref} ${want ? 'unchecked' : 'checked'}`)
  return holds
}

export function upload(target: Target, files: readonly UploadFile[]): Wanted {
  const { dom, node, ref } = target
  if (dom.tag(node) !== 'input' || dom.attr(node, 'type')?.toLowerCase() !== 'file')
    throw engineError('not_editable', `${ref} takes no files`)
  needEnabled(target)
  if (files.length > 1 && dom.attr(node, 'multiple') === null)
    throw engineError('invalid_input', `${ref} takes one file, not ${files.length}`)
  const transfer = new DataTransfer()
  for (const { name, type = '', base64 } of files) transfer.items.add(new File([bytesOf(base64)], name, { type }))
  native.setFiles(node, transfer.files)
  const holds = () => native.filesOf(node)?.length === files.length
  if (!holds()) throw engineError('not_committed', `this browser lets no script choose files`)
  send(node, 'Event', 'input', { cancelable: false })
  dispatchChange(node)
  return holds
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  let text: string
  try {
    text = atob(base64)
  } catch {
    throw engineError('invalid_input', 'a file has a name and base64')
  }
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}
