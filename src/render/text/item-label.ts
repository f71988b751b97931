import { itemRoles } from '../../contract/roles.ts'
import type { RenderNode } from './passes.ts'
import type { Row } from './rows.ts'

const maxChars = 60

/**
 * Returns the name or text of the row or item around a control, by the index of its row: it tells four "Delete" buttons apart, and says what
 * a field without a name is. '' for a control whose role and name are unique.
 */
export function itemLabels(rows: readonly Row[]): (index: number) => string {
  const namesakes = new Map<string, number>()
  for (const { node } of rows) if (node.interactive) namesakes.set(roleAndName(node), (namesakes.get(roleAndName(node)) ?? 0) + 1)
  return index => {
    const row = rows[index]
    if (!row?.node.interactive || (row.node.name && (namesakes.get(roleAndName(row.node)) ?? 0) < 2)) return ''
    let around = rows[row.parent]
    while (around && !itemRoles.has(around.node.role)) around = rows[around.parent]
    return around ? labelOf(around.node, row.node) : ''
  }
}

const roleAndName = ({ role, name }: RenderNode): string => `${role} ${name}`

/** The name of an item, its texts, or else the first other name in it. */
function labelOf(item: RenderNode, control: RenderNode): string {
  if (item.name) return item.name
  const texts: string[] = []
  const names: string[] = []
  const pending = [item]
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node === control) continue
    if (node.interactive) names.push(node.name)
    else if (node.text || node.name) texts.push(node.text || node.name)
    pending.push(...[...node.children].reverse())
  }
  return texts.join(' | ').slice(0, maxChars) || (names.find(name => name && name !== control.name) ?? '').slice(0, maxChars)
}
