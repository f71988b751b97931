import type { World } from './isolated-worlds.ts'
import type { View } from './page.ts'

interface Point {
  readonly x: number
  readonly y: number
}

/** Where a document's viewport begins in that of the top page, asked anew each time: it moves when something scrolls. */
export async function offsetOf(view: View, { frameId }: Pick<World, 'frameId'>): Promise<Point> {
  const parentId = view.worlds.parentOf(frameId)
  if (frameId === view.tab.targetId || parentId === undefined) return { x: 0, y: 0 }
  const parent = await view.worlds.when(parentId)
  const { backendNodeId } = await parent.wire.send('DOM.getFrameOwner', { frameId })
  const { model } = await parent.wire.send('DOM.getBoxModel', { backendNodeId })
  // boxes are told in the viewport of the outermost frame in the same process
  const root = await offsetOf(view, { frameId: parent.rootFrameId })
  return { x: root.x + (model.content[0] ?? 0), y: root.y + (model.content[1] ?? 0) }
}

/** The frame that an iframe element shows. */
export async function frameIn(view: View, world: World, local: string): Promise<World | undefined> {
  const objectId = await view.element(world, local)
  const { node } = await world.wire.send('DOM.describeNode', { objectId })
  world.wire.send('Runtime.releaseObject', { objectId }).catch(() => {}) // gone with its document
  return node.frameId === undefined ? undefined : view.worlds.of(node.frameId)
}
