import { words } from '../../contract/roles.ts'
import { hasWords } from '../../contract/text.ts'
import type { Dom } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'

/** elements inside a listening one that are examined; a larger one is an application or a page, not a list */
const maxVisits = 1_500
/** elements that are examined in one snapshot, so that a thousand listening elements around each other do not take long */
const maxAllVisits = 20_000
/** characters that take as long to read as an element */
const charsPerVisit = 100
const maxSheetRows = 50
const maxScripted = 500
const maxContainerChars = 20_000
const minMembers = 3
/** longer texts are there to be read */
const maxMemberChars = 120
const maxCellChars = 15
const maxKeyChars = 3
/** the share of its text that an element consists of */
const minShare = 0.6
/** the share of empty cells from which a table is a sheet to fill in */
const minEmpty = 0.1

/** parts of a text or a table that are not clicked by themselves */
const textTags = words('br caption col colgroup dd dt h1 h2 h3 h4 h5 h6 hr legend option p pre script style template tfoot th thead')

/**
 * The things that an element listens for if no cursor tells: elements of one kind beside each other, such as the cards of a board, the rows
 * of a table or the keys of a keypad, and the icons in them; not if its content is a text, if it shows a cursor somewhere, or if nothing in it
 * repeats. Elements with a class for scripts always count.
 */
export function membersOf(dom: Dom<Node>, container: Node, isKnownControl: (node: Node) => boolean): readonly Node[] {
  const members: Node[] = []
  const before = allVisits.get(dom) ?? 0
  if (before > maxAllVisits) return members
  const length = lengthOf(container)
  let visits = 0
  let isText = length > maxContainerChars
  let isPlane = false
  if (!isText) descend(container)
  allVisits.set(dom, before + visits + 1 + Math.ceil(length / charsPerVisit))
  const scripted = Array.from(native.elementAll(container, scriptSelector)).slice(0, maxScripted)
  return (isText || (members.length < minMembers && !isPlane) ? [] : members).concat(scripted.filter(each => !isKnownControl(each)))

  function descend(node: Node): void {
    for (const group of kindsIn(dom, node)) {
      const isRepeated = group.length > 1 && !textTags.has(dom.tag(group[0] as Node))
      const isSheet = isRepeated && isSheetOf(dom, group)
      for (const each of group) {
        if (++visits > maxVisits) isText = true
        if (isText) return
        if (isKnownControl(each)) continue
        if (native.styleValue(each, 'cursor') === 'pointer') isText = true
        else if (node === container && isPlaced(dom, container, each)) {
          isPlane = true
          addMember(each, node)
        } else if (isRepeated && !(isSheet || isStack(dom, each) || isHeaderRow(dom, each))) addMember(each, node)
        else if (sortClass.test(dom.attr(each, 'class') ?? '') && dom.tag(each) === 'th') members.push(each)
        else if (elementsIn(dom, each).length) descend(each)
        else isText = isText || lengthOf(each) > maxMemberChars
      }
    }
  }

  function addMember(member: Node, parent: Node): void {
    const length = lengthOf(member)
    const isRow = dom.tag(member) === 'tr'
    // an item with a bullet is a part of a text
    const isBulleted = dom.tag(member) === 'li' && parent !== container && native.styleValue(member, 'list-style-type') !== 'none'
    const controls = isRow ? 0 : controlsLength(member)
    if ((length > maxMemberChars && !isRow) || isBulleted || controls >= Math.max(1, length) * minShare) return
    // if a script looks for parts of it, it does not look for the member itself
    if (native.elementAll(member, scriptSelector).length === 0) members.push(member)
    addParts(member, member)
  }

  /** the characters of the controls in an element, at least one for each */
  function controlsLength(node: Node): number {
    return elementsIn(dom, node).reduce(
      (sum, child) => sum + (++visits > maxVisits ? 0 : isKnownControl(child) ? Math.max(1, lengthOf(child)) : controlsLength(child)),
      0,
    )
  }

  /** icons behind the start of a member do something of their own, such as a trash can or a drawn checkbox */
  function addParts(node: Node, member: Node): void {
    elementsIn(dom, node).forEach((child, i) => {
      if (++visits > maxVisits || isKnownControl(child)) return
      const isLeading = i === 0 && node === member
      if (!isLeading && isIcon(dom, child)) members.push(child)
      else addParts(child, member)
    })
  }
}

const minPlaneHeight = 200

/** whether an element with words was put somewhere on a plane, such as an appointment into a day */
function isPlaced(dom: Dom<Node>, plane: Node, node: Node): boolean {
  if (native.styleValue(node, 'position') !== 'absolute' || !hasWords(textOf(node)) || !elementsIn(dom, node).length) return false
  const { height } = native.getBoundingClientRect(plane)
  return height >= minPlaneHeight && native.getBoundingClientRect(node).height < height / 2
}

/** a column header that sorts its table */
const sortClass = /(^|[-_\s])sort/
/** by convention, such a class is there for scripts and not for styles */
const scriptSelector = '[class^="js-"],[class*=" js-"]'
const minIconSize = 8
const maxIconSize = 64

/** whether an element is small and has no words */
function isIcon(dom: Dom<Node>, node: Node): boolean {
  const text = textOf(node)
  if (hasWords(text) || /^t[dh]$/.test(dom.tag(node))) return false
  const { width, height } = native.getBoundingClientRect(node)
  return Math.max(width, height) <= maxIconSize && (text !== '' || Math.min(width, height) >= minIconSize)
}

/** elements that were examined so far in each view of the document */
const allVisits = new WeakMap<Dom<Node>, number>()

const textOf = (node: Node): string => (native.textContent(node) ?? '').trim()
const lengthOf = (node: Node): number => textOf(node).length

function elementsIn(dom: Dom<Node>, node: Node): Node[] {
  const children = dom.children(node)
  const elements: Node[] = []
  if (dom.tag(node) === 'svg') return elements
  for (let i = 0; i < children.length && elements.length <= maxVisits; i++)
    if (dom.tag(children[i] as Node)) elements.push(children[i] as Node)
  return elements
}

/** the elements directly inside another one, by tag and first class word */
function kindsIn(dom: Dom<Node>, node: Node): readonly Node[][] {
  const kinds = new Map<string, Node[]>()
  for (const each of elementsIn(dom, node)) {
    const kind = `${dom.tag(each)}.${(dom.attr(each, 'class') ?? '').trim().split(/\s/)[0]}`
    const group = kinds.get(kind)
    if (group) group.push(each)
    else kinds.set(kind, [each])
  }
  return [...kinds.values()]
}

/** the repeated parts that an element consists of, or none */
function partsOf(dom: Dom<Node>, node: Node): readonly Node[] {
  const inside = elementsIn(dom, node)
  if (inside.length === 1) return partsOf(dom, inside[0] as Node)
  const length = lengthOf(node)
  const isMost = (group: readonly Node[]) =>
    group.length > 1 &&
    !textTags.has(dom.tag(group[0] as Node)) &&
    group.reduce((sum, each) => sum + lengthOf(each), 0) >= length * minShare
  return kindsIn(dom, node).find(isMost) ?? []
}

/** whether an element consists of things of one kind below each other, as a column of a board does */
function isStack(dom: Dom<Node>, node: Node): boolean {
  const [first, second] = partsOf(dom, node)
  if (!first || !second || dom.tag(node) === 'tr') return false
  return native.getBoundingClientRect(second).top >= native.getBoundingClientRect(first).bottom - 1
}

const isHeaderRow = (dom: Dom<Node>, node: Node): boolean =>
  dom.tag(node) === 'tr' && elementsIn(dom, node).every(each => dom.tag(each) === 'th')

/** whether rows consist of cells to be chosen one by one: a sheet with empty cells, the keys of a keypad, the days of a month */
function isSheetOf(dom: Dom<Node>, rows: readonly Node[]): boolean {
  const cells = rows
    .slice(0, maxSheetRows)
    .flatMap(row => (dom.tag(row) === 'tr' ? elementsIn(dom, row).filter(each => dom.tag(each) === 'td') : partsOf(dom, row)))
  const empty = cells.filter(cell => !lengthOf(cell) && !elementsIn(dom, cell).length)
  const longest = cells.reduce((most, cell) => Math.max(most, lengthOf(cell)), 0)
  return cells.length > 0 && longest <= (empty.length >= cells.length * minEmpty ? maxCellChars : maxKeyChars)
}
