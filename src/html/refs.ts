import type { Refs } from '../engine/refs.ts'
import type { Element, Node } from './tree.ts'

/** The numbers of a parsed page. Its elements live as long as it does, so each carries its own; nothing in it is ever new. */
export function treeRefs(): Refs<Node> {
  const numbered: Element[] = []
  const spelled = ({ number }: Element) => `e${number}`
  return {
    of: node => ((node as Element).number ? spelled(node as Element) : undefined),
    give: node => {
      const element = node as Element
      element.number ||= numbered.push(element)
      return spelled(element)
    },
    find: ref => numbered[Number(/^e(\d+)$/.exec(ref)?.[1]) - 1],
    seen: () => true,
    see: () => {},
  }
}
