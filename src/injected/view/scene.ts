import type { Scene } from '../../engine/dom.ts'
import { identity, multiply } from '../../engine/matrix.ts'
import * as native from '../runtime/natives.ts'
import type { Session } from '../runtime/session.ts'
import type { Offset } from './boxes.ts'
import { liveDom } from './dom.ts'
import { focusedIn } from './focused.ts'
import { frameMatrix } from './frame-matrix.ts'
import { liveLayout } from './layout.ts'

/** The element of a ref while it is connected to a document that is displayed. */
export function resolve({ refs }: Session, ref: string): Element | null {
  const node = refs.find(ref)
  if (!node || !native.isConnected(node)) return null
  const document = native.ownerDocument(node)
  return document && native.defaultView(document) ? (node as Element) : null
}

/** The engine's view of the document of `root`, made anew for each command since nothing in it follows changes of the page. */
export const sceneOf = (session: Session, root: Element): Scene<Node> => createScene(session, root, { isStill: false, reached: new Set() })

/** A view that is used and dropped before a script of the page can run; `reached` are the documents and shadow roots that it has read. */
export function stillSceneOf(session: Session, root: Element): { readonly scene: Scene<Node>; readonly reached: ReadonlySet<Node> } {
  const reached = new Set<Node>()
  return { scene: createScene(session, root, { isStill: true, reached }), reached }
}

function createScene(session: Session, root: Element, { isStill, reached }: { isStill: boolean; reached: Set<Node> }): Scene<Node> {
  const offsets = new Map<Document, Offset>()
  const own = native.ownerDocument(root) as Document
  reached.add(own).add(native.getRootNode(root))
  const drawsPseudo = (node: Node, pseudo: string) => layout.drawsPseudo(node, pseudo)
  const dom = liveDom(session.secretFields, { isStill, reached, drawsPseudo })
  const { clickListeners: listeners, textPixels: pixels } = session
  const layout = liveLayout(dom, { document, offsets, listeners, pixels, reached, isStill })
  locate(own)
  const focus = focusedIn(own)
  const scene: Scene<Node> = {
    dom,
    layout,
    root,
    prefix: session.frames.get(own)?.prefix ?? '',
    focused: node => node === focus,
    frame: element => {
      const inner = native.iframeDocument(element)
      const root = inner && native.bodyOf(inner)
      if (!inner || !root) return { unreachable: inner ? 'empty' : 'another origin' }
      const prefix = session.frames.get(inner)?.prefix ?? `f${++session.frameCount}`
      session.frames.set(inner, { prefix, element: element as Element })
      reached.add(inner)
      locate(inner)
      return { root, prefix }
    },
  }
  // for a frame element, the root is the body of its document
  return { ...scene, ...(/^i?frame$/.test(dom.tag(root)) && scene.frame(root)) }

  /** records where a frame's document and the documents around it are drawn */
  function locate(inner: Document): void {
    const frame = session.frames.get(inner)?.element
    if (!frame || offsets.has(inner)) return
    const outer = native.ownerDocument(frame) as Document
    locate(outer)
    offsets.set(inner, { matrix: multiply(offsets.get(outer)?.matrix ?? identity, frameMatrix(dom, frame)), frame })
  }
}
