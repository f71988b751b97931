import type { FailureCode } from '../../contract/failures.ts'
import { normalizeRef } from '../../contract/refs.ts'
import type { Snapshot, SnapshotError, SnapshotMeta } from '../../contract/snapshot.ts'
import type { Scene } from '../../engine/dom.ts'
import type { Options } from '../../engine/options.ts'
import type { Refs } from '../../engine/refs.ts'
import { snapshot } from '../../engine/snapshot/snapshot.ts'
import { cut, tidy } from '../../engine/text.ts'
import * as native from '../runtime/natives.ts'
import type { PendingRequests } from '../synthetic/pending-requests.ts'
import type { Watch } from '../watch/watch.ts'
import { liveDom } from './dom.ts'
import { liveLayout, type Offset } from './layout.ts'

/** What lives as long as the document it was injected into. */
export interface Session {
  readonly refs: Refs<Node>
  readonly onceSecret: WeakSet<Node>
  /** documents of frames, with the start of their refs and the element that shows them */
  readonly frames: WeakMap<Document, { readonly prefix: string; readonly element: Element }>
  frameCount: number
  /** what the last snapshot looked for: only the same kind can tell what is new */
  kind: string
  /** what the pointer was last moved over */
  hover?: { deref(): Node | undefined }
  /** the last action, until the next one */
  watch?: Watch
  /** how requests of the page are noticed; absent where somebody outside sees them better */
  readonly traffic?: () => PendingRequests
  readonly verified: boolean
  readonly version: string
}

export const mark = 'data-agent-ref'
/** what crosses the bridge stays below 100 KB, whatever the page holds; the rest is for what is not a node */
const maxBytes = 95_000
export const maxUrl = 2_000
const maxTitle = 500
export const began = Math.round(native.wallClock() - native.now())

/** The element of a ref while it can be seen: connected, and in a document that is on display. */
export function resolve({ refs }: Session, ref: string): Element | null {
  const node = refs.find(ref)
  if (!node || !native.isConnected(node)) return null
  const document = native.ownerDocument(node)
  return document && native.defaultView(document) ? (node as Element) : null
}

export function takeSnapshot(session: Session, options: Options, tampered: boolean): Snapshot | SnapshotError {
  const scope = options.scope === undefined ? native.bodyOf(document) : scoped(session, options.scope)
  if (!scope) return refuse('no_root', 'no body', 'snapshot')
  if (typeof scope === 'string')
    return refuse(
      scope,
      `${scope === 'scope_not_found' ? 'nothing matches' : 'not a CSS selector:'} ${cut(options.scope as string, 80)}`,
      'snapshot',
    )
  const afterRef = options.after === undefined ? undefined : normalizeRef(options.after)
  if (afterRef === null) return refuse('invalid_ref', `not a ref: ${cut(options.after as string, 40)}`, 'snapshot')
  const after = afterRef === undefined ? undefined : resolve(session, afterRef)
  const gone = () => refuse('ref_not_found', `${afterRef} is not in this snapshot`, 'snapshot')
  if (after === null) return gone()

  const kind = `${options.interactiveOnly}${options.includeHidden}`
  const taken = snapshot(sceneOf(session, scope), options, {
    refs: session.refs,
    meta: metaOf(session, tampered, { ...(options.scope && { scope: cut(options.scope, 200) }), ...(afterRef && { after: afterRef }) }),
    clock: native.now,
    first: session.kind !== kind,
    maxBytes,
    ...(after ? { after } : {}),
  })
  if (!taken) return gone()
  session.kind = kind
  if (options.markDom)
    for (const { node, ref } of taken.marked) if (native.getAttribute(node, mark) !== ref) native.setAttribute(node, mark, ref)
  return taken.json
}

export const refuse = <T extends string>(code: FailureCode, message: string, type: T) => ({
  ok: false as const,
  type,
  error: { code, message },
})

function scoped(session: Session, scope: string): Element | 'invalid_selector' | 'scope_not_found' {
  const ref = normalizeRef(scope)
  if (ref) return resolve(session, ref) ?? 'scope_not_found'
  try {
    return native.querySelector(document, scope) ?? 'scope_not_found'
  } catch {
    return 'invalid_selector' // querySelector throws for nothing else
  }
}

export function sceneOf(session: Session, root: Element): Scene<Node> {
  const offsets = new Map<Document, Offset>()
  const dom = liveDom(session.onceSecret)
  const layout = liveLayout(dom, { document, offsets })
  const own = native.ownerDocument(root) as Document
  locate(own)
  let focus: Element | undefined = native.activeElement(own)
  for (let root = focus && native.shadowRoot(focus); root; root = focus && native.shadowRoot(focus))
    focus = native.shadowActiveElement(root) ?? undefined
  if (focus === native.bodyOf(own)) focus = undefined
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
      locate(inner)
      return { root, prefix }
    },
  }
  // who asks for a frame wants what is in it
  return { ...scene, ...(dom.tag(root) === 'iframe' && scene.frame(root)) }

  /** notes where the viewport of a frame's document lies, and of those around it */
  function locate(inner: Document): void {
    const frame = session.frames.get(inner)?.element
    if (!frame || offsets.has(inner)) return
    const outer = native.ownerDocument(frame) as Document
    locate(outer)
    const { x, y } = offsets.get(outer) ?? { x: 0, y: 0 }
    const { left, top } = native.getBoundingClientRect(frame)
    offsets.set(inner, { x: x + left + (native.clientLeft(frame) ?? 0), y: y + top + (native.clientTop(frame) ?? 0), frame })
  }
}

/** where one is */
export function infoOf() {
  const root = native.scrollingElement(document) ?? (native.documentElement(document) as Element)
  const measure = (read: typeof native.clientWidth) => Math.round(read(root) ?? 0)
  return {
    url: cut(native.documentURL(document) ?? '', maxUrl),
    title: cut(tidy(native.titleOf(document) ?? ''), maxTitle),
    viewport: { width: measure(native.clientWidth), height: measure(native.clientHeight) },
    scroll: { x: measure(native.scrollLeft), y: measure(native.scrollTop), height: measure(native.scrollHeight) },
    readyState: native.readyState(document) ?? '',
  }
}

const metaOf = (
  { verified, version }: Session,
  tampered: boolean,
  asked: Pick<SnapshotMeta, 'scope' | 'after'>,
): Omit<SnapshotMeta, 'dialog'> => ({
  ...infoOf(),
  ts: native.wallClock(),
  startedAt: began,
  version,
  integrity: tampered ? 'tampered' : verified ? 'verified' : 'unverified',
  ...asked,
})
