import type { Dom } from '../../engine/dom.ts'
import { cut, textBelow } from '../../engine/text.ts'
import * as native from '../runtime/native-actions.ts'
import { hoverAttribute, refAttribute } from '../view/attributes.ts'

/** Counts the mutations of a document from now on. */
export interface MutationCounter {
  counts(): { readonly added: number; readonly removed: number; readonly altered: number; readonly text?: string }
  /** time of the last change by `native.now`, at first the time of the start */
  lastChange(): number
  end(): void
}

const maxText = 120
/** a node that changes more often than this shows a clock or an animation */
const maxChangesPerNode = 8
const everything = { subtree: true, childList: true, attributes: true, characterData: true }

export function countMutations(dom: Dom<Node>, roots: readonly Node[]): MutationCounter {
  const counts = { added: 0, removed: 0, altered: 0 }
  let text = ''
  let lastChange = native.now()
  const changesOf = new WeakMap<Node, number>()

  const addText = (node: Node) => {
    const parent = native.nodeType(node) === 3 ? native.parentNode(node) : native.nodeType(node) === 1 ? node : null
    if (!parent || !native.isConnected(parent) || dom.hidden(parent)) return
    const words = textBelow(dom, node, { max: maxText })
    if (words && !text.includes(words)) text = cut(`${text} ${words}`.trim(), maxText)
  }
  const record = (records: readonly MutationRecord[]) => {
    const targets = new Set<Node>()
    for (const { type, target, addedNodes, removedNodes, attributeName } of records) {
      if (attributeName === refAttribute || attributeName === hoverAttribute) continue // set by the engine
      targets.add(target)
      counts.added += addedNodes.length
      counts.removed += removedNodes.length
      if (type !== 'childList') counts.altered++
      for (let i = 0; i < addedNodes.length && text.length < maxText; i++) addText(addedNodes[i] as Node)
    }
    for (const target of targets) {
      const changes = (changesOf.get(target) ?? 0) + 1
      changesOf.set(target, changes)
      if (changes <= maxChangesPerNode) lastChange = native.now()
    }
  }
  const observer = native.observe(record)
  for (const root of roots) observer.observe(root, everything)
  return {
    counts: () => {
      record(observer.takeRecords())
      return text ? { ...counts, text } : { ...counts }
    },
    lastChange: () => lastChange,
    end: () => observer.disconnect(),
  }
}
