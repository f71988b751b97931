import * as native from '../runtime/native-actions.ts'

/** Scripts that came into a document and have not run yet: that they are loaded is known outside before they run. */
export interface Scripts {
  waiting(): boolean
  end(): void
}

const runs = /^(|module|(text|application)\/(java|ecma)script)$/i

export function watchScripts(document: Document): Scripts {
  const waiting = new Set<Node>()
  const gather = (records: readonly MutationRecord[]) => {
    for (const { addedNodes } of records)
      for (let i = 0; i < addedNodes.length; i++) {
        const node = addedNodes[i] as Node
        if (native.nodeName(node) === 'SCRIPT' && native.getAttribute(node, 'src') && runs.test(native.getAttribute(node, 'type') ?? ''))
          waiting.add(node)
      }
  }
  // neither bubbles, and both are told when the script has run
  const done = (event: Event) => waiting.delete(event.target as Node)
  const observer = native.observe(gather)
  observer.observe(document, { subtree: true, childList: true })
  for (const type of ['load', 'error']) native.listen(document, type, done, { capture: true })
  return {
    waiting: () => {
      // what is taken out again tells nothing any more
      for (const node of waiting) if (!native.isConnected(node)) waiting.delete(node)
      return waiting.size > 0
    },
    end: () => {
      observer.disconnect()
      for (const type of ['load', 'error']) native.unlisten(document, type, done, { capture: true })
    },
  }
}
