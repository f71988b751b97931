import * as native from '../runtime/native-actions.ts'

/** Scripts that were added to a document and have not run yet: the network sees that they have loaded, but not that they have run. */
export interface PendingScripts {
  isPending(): boolean
  end(): void
}

const scriptTypes = /^(|module|(text|application)\/(java|ecma)script)$/i

export function watchScripts(document: Document): PendingScripts {
  const pending = new Set<Node>()
  const collect = (records: readonly MutationRecord[]) => {
    for (const { addedNodes } of records)
      for (let i = 0; i < addedNodes.length; i++) {
        const node = addedNodes[i] as Node
        const isExternal = native.nodeName(node) === 'SCRIPT' && native.getAttribute(node, 'src')
        if (isExternal && scriptTypes.test(native.getAttribute(node, 'type') ?? '')) pending.add(node)
      }
  }
  // neither event bubbles, and both are fired after the script has run
  const remove = (event: Event) => pending.delete(event.target as Node)
  const observer = native.observe(collect)
  observer.observe(document, { subtree: true, childList: true })
  for (const type of ['load', 'error']) native.listen(document, type, remove, { capture: true })
  return {
    isPending: () => {
      // the events of a removed script do not pass the document
      for (const node of pending) if (!native.isConnected(node)) pending.delete(node)
      return pending.size > 0
    },
    end: () => {
      observer.disconnect()
      for (const type of ['load', 'error']) native.unlisten(document, type, remove, { capture: true })
    },
  }
}
