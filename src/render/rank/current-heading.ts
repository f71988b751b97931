import { words } from '../../contract/roles.ts'
import type { ParsedNode } from '../decode/snapshot.ts'
import { hasControlRole } from './controls.ts'
import { textIn } from './text-in.ts'

/** parts of a page about which the headings outside say nothing, neither before nor behind them */
const separateRoles = words('iframe dialog alertdialog navigation complementary contentinfo')
/** parts of a page whose headings say nothing about what is behind them */
const partRoles = words(
  'iframe dialog alertdialog navigation complementary contentinfo banner main region search form tabpanel group article listitem item list feed ' +
    'table grid treegrid row cell gridcell columnheader rowheader figure blockquote definition alert status log menu toolbar tree radiogroup',
)

/** The heading above the current node, while a page is visited in document order. */
export class CurrentHeading {
  text = ''
  #level = 0

  /** Visits what is inside a node. */
  within(node: ParsedNode, visit: () => void): void {
    const [text, level] = [this.text, this.#level]
    if (separateRoles.has(node.role)) this.text = ''
    if (node.role === 'heading') {
      this.text = textIn(node, 200)
      this.#level = node.states?.level ?? 2
    }
    visit()
    const isPart = (partRoles.has(node.role) && node.tag !== 'hgroup') || (node.interactive === true && !hasControlRole(node))
    // the title of the page is often in the header before its content
    if (!isPart || (node.role === 'banner' && this.text !== text && this.#level === 1)) return
    this.text = text
    this.#level = level
  }
}
