import type { Refs } from '../engine/refs.ts'
import type { Element, Node } from './tree.ts'

/** The numbers of a parsed page. Its elements live as long as it does, so each carries its own; nothing in it is ever new. */
export function createTreeRefs(): Refs<Node> {
  const numbered: Element[] = []
  const spelled = ({ refNumber: number }: Element) => `e${number}`
  return {
    of: node => ((node as Element).refNumber ? spelled(node as Element) : undefined),
    ensure: node => {
      const element = node as Element
      element.refNumber ||= numbered.push(element)
      return spelled(element)
    },
    find: ref => numbered[Number(/^e(\d+)$/.exec(ref)?.[1]) - 1],
    wasSeen: () => true,
    markSeen: () => {},
  }
}
