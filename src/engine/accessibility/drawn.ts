import type { NodeStates } from '../../contract/snapshot.ts'
import { hasWords } from '../../contract/text.ts'
import type { Dom } from '../dom.ts'
import { textBelow } from '../text.ts'
import { firstElements } from './hints.ts'

/** What an element without a role looks like. It is a guess, and `stateFrom` has its source. */
export interface DrawnControl {
  readonly role?: 'switch' | 'checkbox' | 'radio'
  readonly states: Pick<NodeStates, 'checked' | 'selected' | 'expanded' | 'stateFrom'>
}

const parts =
  '(-(root|base|box|control|input|inner|core|track|thumb|knob|handle|slider|bar|ball|dot|mark|checkmark|indicator|ui|module|small|medium|large|xs|sm|md|lg|is|on|off|(un)?checked|(in)?active|selected|enabled|disabled|true|false))*$'
// a toggle after another word opens what the word names: menu-toggle, dropdown-toggle
const kinds = new RegExp(`^([^:]*-)?(switch|check-?box|radio)(-(button|btn|icon))?${parts}|^(([a-z]{0,2}|mat|slide|react)-)*toggle${parts}`)
// other words before on and enabled make something else of them: add-on, js-enabled
const onWords = /^([^:]*-)?(checked|active|selected|current|chosen|picked)$|^(([^:]*-)?(is|switch|toggle|check-?box|radio)-)?(on|enabled)$/
// short for several things: the state only of an element that has this word and is otherwise like one beside it
const shortOnWords = /^([^:]*-)?(sel|cur|pressed|highlighted)$/
const noOnWords = /(^|-)(not|non|un|no|de|in|has|never)-(is-)?[a-z]+$/
const onStates = /^(on|checked|true|active|selected|open)$/
const offStates = /^(off|unchecked|false|inactive|closed)$/
const choiceStates = /^(on|off|(un)?checked|true|false)$/
const onOffWords = /^(on|off|yes|no|an|aus|ja|nein|oui|non|s[ií]|[io01开关開關]){1,2}$/i
const ariaStates = ['aria-checked', 'aria-pressed', 'aria-selected']

const drawnWords = /switch|check|radio|toggle|on\b|on[-_]|enabled|active|selected|current|chosen|picked|pressed|highlighted|sel\b|cur\b/i
/** attributes of custom elements, and of pages that style by them */
const onAttributes = ['data-active', 'data-selected', 'active', 'selected', 'checked']
const drawnAttributes = new Set([...onAttributes, 'data-state', 'data-checked'])
/** roles of elements that are plain if they have a listener: tabs are list items, the days of a calendar are cells */
const plainRoles = new Set(['generic', 'listitem', 'item', 'cell', 'gridcell', 'row', 'paragraph', 'article'])

/**
 * A switch, checkbox or radio button made of plain elements, and whether a class or an attribute shows it as on, as selected or as open.
 * One that has a role or contains controls has only states.
 */
export function drawnControlOf<N>(dom: Dom<N>, node: N, { role: ownRole, hasControls }: DrawnInput): DrawnControl {
  if (!plainRoles.has(ownRole)) return { states: {} }
  const tag = dom.tag(node)
  // most elements look like none of these
  if (!drawnWords.test(`${tag} ${dom.attr(node, 'class') ?? ''}`) && !dom.attrNames(node).some(name => drawnAttributes.has(name)))
    return { states: {} }
  const words = classWords(dom, node)
  const drawn = readDrawn(dom, node, tag.includes('-') ? [tag, ...words] : words)
  return ownRole === 'generic' && !hasControls ? drawn : onlySelected(drawn)
}

interface DrawnInput {
  readonly role: string
  readonly hasControls: boolean
}

function onlySelected({ role, states: { checked, ...states } }: DrawnControl): DrawnControl {
  return role ? { states: checked ? { selected: true, ...states } : {} } : { states }
}

function readDrawn<N>(dom: Dom<N>, node: N, words: readonly string[]): DrawnControl {
  const known = words.map(word => kinds.exec(word)).find(word => word)
  const checked = dom.attr(node, 'data-checked')
  const state = (checked === '' ? 'true' : (checked ?? dom.attr(node, 'data-state') ?? '')).toLowerCase()
  const isStated = onStates.test(state) || offStates.test(state)
  const isChoice = choiceStates.test(state)
  const role = /^(check|radio)/.test(known?.[2] ?? '')
    ? known?.[2] === 'radio'
      ? 'radio'
      : 'checkbox'
    : !known && !isChoice
      ? undefined
      : isWordless(dom, node)
        ? 'switch'
        : isChoice
          ? 'checkbox'
          : undefined
  const isOnByAttribute = !isStated && onAttributes.some(name => /^(true|checked|selected|active)?$/.test(dom.attr(node, name) ?? 'no'))
  const isOn = isStated
    ? onStates.test(state)
    : isOnByAttribute ||
      words.some(word => isOnWord(word, !!role) || (shortOnWords.test(word) && isMarkedAmongSiblings(dom, node, word))) ||
      // the box that is drawn beside the label of a checkbox
      (!!role &&
        firstElements(dom, node).some(each =>
          classWords(dom, each).some(word => /^([a-z]+-)?checked$/.test(word) && !noOnWords.test(word)),
        ))
  const stateFrom = isStated ? 'data-state' : isOnByAttribute ? 'attribute' : 'class'
  const isInAria = ariaStates.some(name => dom.attr(node, name) !== null)
  if (role) return { role, states: isInAria ? {} : { checked: isOn, stateFrom } }
  if (/^(open|closed)$/.test(state)) return { states: { expanded: isOn, stateFrom } }
  return { states: isOn && !isInAria ? { selected: true, stateFrom } : {} }
}

const isOnWord = (word: string, isChoice: boolean): boolean =>
  onWords.test(word) && !noOnWords.test(word) && (isChoice || word !== 'enabled')

const maxSiblings = 100

function isMarkedAmongSiblings<N>(dom: Dom<N>, node: N, mark: string): boolean {
  const parent = dom.parent(node)
  const siblings = parent ? dom.children(parent) : []
  const kind = kindOf(dom, node, mark)
  for (let i = 0; kind && i < siblings.length && i < maxSiblings; i++) {
    const each = siblings[i] as N
    if (each !== node && dom.tag(each) && kindOf(dom, each) === kind) return true
  }
  return false
}

/** the classes of an element without one; '' if it has no other */
const kindOf = <N>(dom: Dom<N>, node: N, without = ''): string =>
  classWords(dom, node)
    .filter(word => word !== without)
    .join(' ')

const maxClassChars = 60

/** The class names in one spelling, without the hashes of CSS modules: mui-checked for Mui-checked, switch-on for Switch_on__x1Y. */
const classWords = <N>(dom: Dom<N>, node: N): string[] =>
  (dom.attr(node, 'class') ?? '')
    .split(/\s+/)
    .filter(word => word && word.length < maxClassChars)
    .map(word =>
      word
        .replace(/_{2,}(?![A-Z]?[a-z]+$)[^_]*[A-Z][^_]*$/, '')
        .replace(/([a-z])([A-Z])/g, '$1-$2')
        .replace(/[-_]+/g, '-')
        .replace(/-\w*\d\w*/g, '')
        .toLowerCase(),
    )

/** Whether it has no words inside except those of its two positions: what has others is a button or a link that is called a switch. */
const isWordless = <N>(dom: Dom<N>, node: N): boolean =>
  textBelow(dom, node, { max: 40, maxVisits: 50 })
    .split(/\s+/)
    .every(word => !hasWords(word) || onOffWords.test(word))
