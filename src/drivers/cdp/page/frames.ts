import { identity, type Matrix, multiply } from '../../../engine/matrix.ts'
import type { CdpSession } from '../connection/cdp-session.ts'
import type { IsolatedWorld } from './isolated-worlds.ts'
import type { Page } from './page.ts'

/** The isolated world of one frame, with the engine in it. It lives as long as the document of the frame. */
export interface Frame {
  readonly frameId: string
  /** the CDP session of the frame: that of the page, unless the frame is out of process */
  readonly session: CdpSession
  /** `uniqueContextId` of the isolated world; only pagehand can change its `__agentBrowser` */
  readonly contextId: string
  /**
   * Evaluates an expression in the isolated world and returns its value as JSON; awaits a promise and rethrows exceptions.
   * Fails with `page_unresponsive` if the page does not answer in time, and with `target_closed` if the document is gone.
   */
  evaluate<T>(expression: string): Promise<T>
  /** the session's spelling of a ref of this engine; any other word is returned unchanged */
  spell(localRef: string): string
  /** maps this frame's viewport to that of the top page; read at each call, since scrolling moves it */
  matrix(): Promise<Matrix>
}

/** Maps a frame's viewport to that of the top page; read at each call, since scrolling moves it. */
export async function frameMatrix(page: Page, { frameId }: Pick<IsolatedWorld, 'frameId'>): Promise<Matrix> {
  const parentId = page.worlds.parentOf(frameId)
  if (frameId === page.target.targetId || parentId === undefined) return identity
  const [world, parent] = await Promise.all([page.worlds.waitFor(frameId), page.worlds.waitFor(parentId)])
  const { backendNodeId } = await parent.session.send('DOM.getFrameOwner', { frameId })
  const [{ model }, size] = await Promise.all([
    parent.session.send('DOM.getBoxModel', { backendNodeId }),
    page.evaluate<readonly [number, number]>(world, '[innerWidth, innerHeight]'),
  ])
  // the corners of the content box, from the upper left one clockwise; padding and borders are around it, and transforms may turn it
  const [x = 0, y = 0, right = 0, rightY = 0, , , bottomX = 0, bottom = 0] = model.content
  const [width, height] = size.map(each => each || 1) as [number, number]
  const own: Matrix = [(right - x) / width, (rightY - y) / width, (bottomX - x) / height, (bottom - y) / height, x, y]
  // box models are relative to the viewport of the outermost frame in the same process
  return multiply(await frameMatrix(page, { frameId: parent.rootFrameId }), own)
}

/** The frame that an iframe element shows. */
export async function frameIdIn(page: Page, world: IsolatedWorld, localRef: string): Promise<string | undefined> {
  const objectId = await page.element(world, localRef)
  const { node } = await world.session.send('DOM.describeNode', { objectId })
  world.session.send('Runtime.releaseObject', { objectId }).catch(() => {}) // gone with its document
  return node.frameId
}

/** Where the content of a frame comes from, if that is not the top page: a host, or `data:`. */
export function sourceOf(page: Page, frameId: string): string | undefined {
  const topId = page.target.targetId
  if (frameId === topId) return undefined
  const origin = page.worlds.get(frameId)?.origin ?? ''
  const url = page.frameGuard.urlOf(frameId) ?? ''
  if (/^https?:/.test(origin)) return origin === page.worlds.get(topId)?.origin ? undefined : new URL(origin).host
  if (/^https?:/.test(url)) return new URL(url).host
  if (/^data:/.test(url)) return 'data:'
  // a document without a host is part of the page around it
  const parentId = page.worlds.parentOf(frameId)
  return parentId === undefined ? undefined : sourceOf(page, parentId)
}
