import { words } from '../../contract/roles.ts'
import { hasAriaHidden, hasId } from '../attributes.ts'
import type { Dom } from '../dom.ts'

const maxOwners = 20
const maxAncestors = 200

/** The element that owns another one by aria-owns: the first one that names it, is not inside it, can have children and is not hidden. */
export function ownerOf<N>(dom: Dom<N>, node: N): N | null {
  const owners = dom.flags(node) & hasId ? dom.owners(node).slice(0, maxOwners) : []
  return owners.find(owner => !childless.has(dom.tag(owner)) && !dom.hidden(owner) && canOwn(dom, owner, node)) ?? null
}

const childless = words('area audio br canvas embed hr iframe img input meter object progress select textarea video')

/** Whether an element is in the accessibility tree (https://github.com/w3c/aria/issues/1839) and not part of what it would own. */
function canOwn<N>(dom: Dom<N>, owner: N, node: N): boolean {
  let each: N | null = owner
  for (let i = 0; each !== null && i < maxAncestors; i++, each = dom.parent(each))
    if (each === node || (dom.flags(each) & hasAriaHidden && dom.attr(each, 'aria-hidden') === 'true')) return false
  return true
}
