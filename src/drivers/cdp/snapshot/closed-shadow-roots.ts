import { PagehandError } from '../errors.ts'
import type { IsolatedWorld } from '../page/isolated-worlds.ts'
import type { Page } from '../page/page.ts'
import { findShadowHosts } from '../script.js'

/** the number of elements that are examined per snapshot */
const maxCandidates = 200

/**
 * Passes the closed shadow roots of a document to its engine. No script can see them, not even in an isolated world, but CDP can. Elements
 * that may have one (custom elements, and empty elements with a height) are examined once each. Returns whether all of them are.
 */
export async function openClosedShadowRoots(page: Page, world: IsolatedWorld, withinMs: number | undefined): Promise<boolean> {
  // a root that was just passed on may contain others
  for (let depth = 0; depth < 3; depth++) {
    const count = await page.evaluate<number>(world, `(${findShadowHosts})(${maxCandidates})`, withinMs)
    if (count === 0) return true
    try {
      if (!(await adoptRoots(world))) return count < maxCandidates
    } catch (error) {
      if (error instanceof PagehandError) throw error
      return false // the document changed meanwhile; the next snapshot tries again
    }
  }
  return false
}

/** Returns whether a candidate had a closed root. */
async function adoptRoots({ session, contextId, executionContextId }: IsolatedWorld): Promise<boolean> {
  const objectGroup = 'pagehand-closed-roots'
  const { result } = await session.send('Runtime.evaluate', {
    expression: 'pagehandShadowHosts.candidates',
    uniqueContextId: contextId,
    objectGroup,
  })
  const { result: properties } = await session.send('Runtime.getProperties', { objectId: result.objectId ?? '', ownProperties: true })
  try {
    const hosts = properties.flatMap(({ value }) => (value?.subtype === 'node' && value.objectId ? [value.objectId] : []))
    const adopted = hosts.map(async host => {
      const { node } = await session.send('DOM.describeNode', { objectId: host })
      const closed = node.shadowRoots?.find(root => root.shadowRootType === 'closed')
      if (!closed) return false
      const { object } = await session.send('DOM.resolveNode', { backendNodeId: closed.backendNodeId, executionContextId, objectGroup })
      await session.send('Runtime.callFunctionOn', {
        functionDeclaration: 'function (root) { __agentBrowser.adopt(this, root); pagehandShadowHosts.roots.add(root) }',
        objectId: host,
        arguments: [{ objectId: object.objectId ?? '' }],
      })
      return true
    })
    return (await Promise.all(adopted)).includes(true)
  } finally {
    session.send('Runtime.releaseObjectGroup', { objectGroup }).catch(() => {}) // gone with its document
  }
}
