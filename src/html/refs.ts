import type { Refs } from '../engine/refs.ts'
import type { Element, Node } from './tree.ts'

/** The refs of a parsed page. Each element stores its own number; no element is ever reported as new. */
export function createTreeRefs(): Refs<Node> {
  const numbered: Element[] = []
  const format = ({ refNumber: number }: Element) => `e${number}`
  return {
    of: node => ((node as Element).refNumber ? format(node as Element) : undefined),
    ensure: node => {
      const element = node as Element
      element.refNumber ||= numbered.push(element)
      return format(element)
    },
    find: ref => numbered[Number(/^e(\d+)$/.exec(ref)?.[1]) - 1],
    wasSeen: () => true,
    markSeen: () => {},
  }
}
