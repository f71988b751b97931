import type { ListenerUpdate } from '../../../injected/trusted/click-listeners.ts'
import type { IsolatedWorld } from '../page/isolated-worlds.ts'
import type { Page } from '../page/page.ts'
import { withTimeout } from '../timeout.ts'

const clickTypes = new Set(['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup'])
/** an element that listens to more types than this is the root of a framework, which dispatches the events itself */
const maxOwnTypes = 30
/** nodes that are passed to the engine per snapshot; a page with more gets the others in the next one */
const maxNewNodes = 1_500

/** What is known about the listeners of a world. */
interface KnownListeners {
  /** the document as an object of the inspector, in the isolated world */
  readonly documentId: string
  /** the same document in the world of the page: listing its listeners in another world crashes the renderer later */
  readonly pageDocumentId: string
  /** the window of the page's own scripts; '' in a frame */
  readonly windowId: string
  readonly nodes: Set<number>
  /** the update that the engine has */
  update: string
}

const known = new WeakMap<IsolatedWorld, KnownListeners>()
const maxMs = 1_500

/**
 * Passes the click listeners of a document and its same-origin frames to its engine. No script can see them, but CDP can: one call lists
 * those of all nodes, and each node that is new is passed on once. Returns whether the engine knows all that it can know.
 */
export async function readClickListeners(page: Page, world: IsolatedWorld): Promise<boolean> {
  // a document that changes during the call, or a page that hangs, is left to the snapshot: the cursor also tells what can be clicked
  return withTimeout(maxMs, update(page, world), () => false).catch(() => false)
}

async function update(page: Page, world: IsolatedWorld): Promise<boolean> {
  const { session } = world
  if (!(await page.evaluate<boolean>(world, '__agentBrowser.clickListeners.canBeListed()'))) return true
  const state = known.get(world) ?? (await start(world))
  known.set(world, state)
  const [{ listeners }, ofWindow] = await Promise.all([
    session.send('DOMDebugger.getEventListeners', { objectId: state.pageDocumentId, depth: -1, pierce: true }),
    state.windowId ? session.send('DOMDebugger.getEventListeners', { objectId: state.windowId }) : undefined,
  ])
  const typesOf = new Map<number, Set<string>>()
  for (const { backendNodeId, type } of listeners) {
    if (backendNodeId === undefined) continue
    const types = typesOf.get(backendNodeId) ?? new Set()
    typesOf.set(backendNodeId, types.add(type))
  }
  const ids = [...typesOf].filter(([, types]) => [...types].some(type => clickTypes.has(type))).map(([id]) => id)
  const rootIds = ids.filter(id => (typesOf.get(id)?.size ?? 0) > maxOwnTypes)
  const dropIds = [...typesOf].filter(([, types]) => types.has('drop')).map(([id]) => id)
  await passNodes(world, state, [...new Set([...ids, ...dropIds])])
  const hasWindow = ofWindow?.listeners.some(({ type }) => clickTypes.has(type)) ?? true
  const isComplete = ids.every(id => state.nodes.has(id))
  const payload: ListenerUpdate = { ids, rootIds, dropIds, hasWindow, isComplete }
  const json = JSON.stringify(payload)
  if (json === state.update) return isComplete
  await page.evaluate(world, `__agentBrowser.clickListeners.update(${json})`)
  state.update = json
  return isComplete
}

async function start({ session, contextId, frameId, rootFrameId }: IsolatedWorld): Promise<KnownListeners> {
  // without an object group the listeners are listed without their functions
  const [document, window] = await Promise.all([
    session.send('Runtime.evaluate', { expression: 'document', uniqueContextId: contextId }),
    frameId === rootFrameId ? session.send('Runtime.evaluate', { expression: 'window' }) : undefined,
  ])
  const windowId = window?.result.objectId ?? ''
  const documentId = document.result.objectId ?? ''
  const { node } = await session.send('DOM.describeNode', { objectId: documentId })
  const { object } = await session.send('DOM.resolveNode', { backendNodeId: node.backendNodeId })
  return { documentId, pageDocumentId: object.objectId ?? '', windowId, nodes: new Set(), update: '' }
}

/** Makes the nodes that are not known yet known to the engine. */
async function passNodes(
  { session, contextId, executionContextId }: IsolatedWorld,
  { nodes, documentId }: KnownListeners,
  ids: readonly number[],
) {
  const added = ids.filter(id => !nodes.has(id)).slice(0, maxNewNodes)
  if (added.length === 0) return
  const objectGroup = `pagehand-listeners-${contextId}`
  try {
    const resolved = await Promise.all(
      added.map(async backendNodeId => {
        const found = await session.send('DOM.resolveNode', { backendNodeId, executionContextId, objectGroup }).catch(() => undefined)
        return found?.object.objectId ? [{ backendNodeId, objectId: found.object.objectId }] : []
      }),
    )
    const found = resolved.flat()
    await session.send('Runtime.callFunctionOn', {
      functionDeclaration: 'function (ids, ...nodes) { __agentBrowser.clickListeners.add(ids, nodes) }',
      objectId: documentId,
      arguments: [{ value: found.map(({ backendNodeId }) => backendNodeId) }, ...found.map(({ objectId }) => ({ objectId }))],
    })
    for (const id of added) nodes.add(id)
  } finally {
    session.send('Runtime.releaseObjectGroup', { objectGroup }).catch(() => {}) // gone with its document
  }
}
