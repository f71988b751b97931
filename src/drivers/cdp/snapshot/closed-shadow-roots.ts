import { PagehandError } from '../errors.ts'
import type { IsolatedWorld } from '../page/isolated-worlds.ts'
import type { Page } from '../page/page.ts'

/** so many elements are asked about in one snapshot */
const most = 200

/**
 * Hands the closed shadow roots of a document to its engine. No script can see them, not even in a world of its own, but the protocol can:
 * it is asked about elements that may have one (custom elements, and empty boxes that are drawn), each of them once.
 */
export async function openClosedShadowRoots(view: Page, world: IsolatedWorld, withinMs: number | undefined): Promise<void> {
  // a root that was just handed over may hold further ones
  for (let depth = 0; depth < 3; depth++) {
    const count = await view.evaluate<number>(world, `(${suspects})(${most})`, withinMs)
    if (count === 0) return
    try {
      if (!(await adopt(world))) return
    } catch (error) {
      if (error instanceof PagehandError) throw error
      return // the document changed meanwhile; the next snapshot asks again
    }
  }
}

/** whether there was a closed root among the suspects */
async function adopt({ session: wire, contextId, executionContextId }: IsolatedWorld): Promise<boolean> {
  const objectGroup = 'pagehand-closed-roots'
  const { result } = await wire.send('Runtime.evaluate', { expression: 'pagehandSuspects.now', uniqueContextId: contextId, objectGroup })
  const { result: properties } = await wire.send('Runtime.getProperties', { objectId: result.objectId ?? '', ownProperties: true })
  try {
    const hosts = properties.flatMap(({ value }) => (value?.subtype === 'node' && value.objectId ? [value.objectId] : []))
    const adopted = hosts.map(async host => {
      const { node } = await wire.send('DOM.describeNode', { objectId: host })
      const closed = node.shadowRoots?.find(root => root.shadowRootType === 'closed')
      if (!closed) return false
      const { object } = await wire.send('DOM.resolveNode', { backendNodeId: closed.backendNodeId, executionContextId, objectGroup })
      await wire.send('Runtime.callFunctionOn', {
        functionDeclaration: 'function (root) { __agentBrowser.adopt(this, root); pagehandSuspects.roots.add(root) }',
        objectId: host,
        arguments: [{ objectId: object.objectId ?? '' }],
      })
      return true
    })
    return (await Promise.all(adopted)).includes(true)
  } finally {
    wire.send('Runtime.releaseObjectGroup', { objectGroup }).catch(() => {}) // gone with its document
  }
}

// through the prototypes: a form's fields stand before its own properties
const suspects = `most => {
  const get = (of, name) => { const { get } = Object.getOwnPropertyDescriptor(of.prototype, name); return node => get.call(node) }
  const [tag, root, height] = [get(Element, 'localName'), get(Element, 'shadowRoot'), get(Element, 'clientHeight')]
  const inner = get(HTMLIFrameElement, 'contentDocument')
  const all = node => (node.nodeType === 9 ? Document : DocumentFragment).prototype.querySelectorAll.call(node, '*')
  const hosts = /^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/
  const state = globalThis.pagehandSuspects ??= { asked: new WeakSet(), roots: new Set(), now: [] }
  state.now = []
  const places = [document, ...state.roots]
  for (let at = 0; at < places.length && state.now.length < most; at++)
    for (const node of all(places[at])) {
      const name = tag(node)
      const open = root(node)
      if (open) places.push(open)
      else if (name === 'iframe' && node instanceof HTMLIFrameElement) { const document = inner(node); if (document) places.push(document) }
      else if (state.now.length < most && !state.asked.has(node) && (name.includes('-') || (hosts.test(name) && !node.firstChild && height(node) > 0))) {
        state.asked.add(node)
        state.now.push(node)
      }
    }
  return state.now.length
}`
