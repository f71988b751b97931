import { say, term } from '../../contract/message.ts'
import { isFrameTag } from '../../contract/roles.ts'
import type { Dom } from '../../engine/dom.ts'
import { requireJudged } from '../actions/inspect.ts'
import { describePressed, type PressedElement, replacedError } from '../actions/replaced.ts'
import { describeCover, findHitPoint, type HitPoint, requireEnabled, visibleElement } from '../actions/target.ts'
import { type EngineError, engineError, isEngineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import type { Session } from '../runtime/session.ts'
import { findTarget, type Target } from '../view/target.ts'
import { nextFrame } from './settle.ts'

// Trusted input is dispatched by coordinates, so it may reach another element than the chosen one. As in Playwright, a capturing listener in the
// isolated world checks the hit target of each event before any listener of the page runs, and stops events that miss.

export interface AimOptions {
  readonly ref: string
  /** whether it will be pressed (default: true); a disabled element may be hovered but not pressed */
  readonly press?: boolean
  /** whether to check the hit target (default: true); false for the end of a drag */
  readonly intercept?: boolean
  /** scrolls it to the middle of the viewport even if it is visible in its own frame */
  readonly scroll?: boolean
  /** time to wait for a moving element; after that its current position is used */
  readonly steadyMs: number
}

/** Scrolls an element into view, waits until it stops moving, and returns an uncovered point of it in the viewport of this document. */
export async function aim(
  session: Session,
  { ref, press = true, scroll = false, intercept: check = true, steadyMs }: AimOptions,
): Promise<{ x: number; y: number }> {
  const first = findTarget(session, ref)
  if (press) requireEnabled(first)
  if (scroll) visibleElement(first, 'center')
  findHitPoint(first)
  await waitUntilSteady(first, steadyMs)
  // it may have been removed, disabled or covered since
  const target = findTarget(session, ref)
  if (press) requireEnabled(target)
  const point = findHitPoint(target)
  // the events of a frame and of the end of a drag are not seen by the interceptor
  if (press || !check) requireJudged(target, point.hit)
  if (check) intercept({ session, dom: target.dom, document: target.document, expected: { target, point }, press })
  return { x: point.x + point.left, y: point.y + point.top }
}

async function waitUntilSteady(target: Target, ms: number): Promise<void> {
  const until = native.now() + ms
  const boxNow = () => {
    if (!native.isConnected(target.node)) throw engineError('ref_not_found', say`${target} went out of the page while it was aimed at`)
    const { scene, drawn } = visibleElement(target)
    const { x, y, width, height } = scene.layout?.box(drawn) ?? { x: 0, y: 0, width: 0, height: 0 }
    return [x, y, width, height].join()
  }
  // an animation that has just begun moves nothing until its second frame
  let before = mayBeginToMove(target) ? '' : boxNow()
  await nextFrame()
  while (native.now() < until) {
    const box = boxNow()
    if (box === before) return
    before = box
    await nextFrame()
  }
}

/** whether an animation may be about to start; those inside a shadow root are not listed */
function mayBeginToMove({ node, document, session }: Target): boolean {
  const own = session.covers?.size ?? 0
  return native.getRootNode(node) !== document || !native.animations || native.animations(document).length > own
}

const pressTypes = ['pointerdown', 'mousedown', 'touchstart']
const moveTypes = ['pointermove', 'mousemove']
const types = [...pressTypes, ...moveTypes, 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu']
/** a listener for this delays scrolling, so it is only added while needed */
const isTouch = (type: string) => type === 'touchstart'

/** The active listeners of this window. They run before all listeners of the page, since they are added before any script of the page runs. */
export const interceptors = new Set<(event: Event) => void>()
const listenFirst = (event: Event) => {
  for (const listener of interceptors) listener(event)
}
for (const type of types) if (!isTouch(type)) native.listen(window, type, listenFirst, { capture: true })

export interface HitResult {
  /** the press or the move reached the element */
  readonly hit: boolean
  /** the click did too */
  readonly clicked: boolean
  readonly error?: EngineError
}

export interface HitTargetInterceptor {
  result(): HitResult
  /** resolves with the first press */
  readonly firstPress: Promise<HitResult>
  end(): void
}
/** an interceptor ends by itself if a dialog or a navigation keeps the driver from ending it */
const maxInterceptMs = 10_000

interface InterceptOptions {
  readonly session: Session
  readonly dom: Dom<Node>
  readonly document: Document
  /** the element, or the name of one in a frame of another process: then every press in this document is a miss */
  readonly expected: { readonly target: Target; readonly point: HitPoint } | string
  /** whether a button is pressed; otherwise the pointer only moves */
  readonly press?: boolean
}

/** Checks the hit target of trusted events, and stops those that miss, since they would operate another element. */
export function intercept(options: InterceptOptions): void {
  const { session, document, expected } = options
  session.trustedState.interceptor?.end()
  const { target, point } = typeof expected === 'string' ? {} : expected
  const accepted: (Node | undefined)[] = [target?.node, target && visibleElement(target).drawn, point?.hit]
  let hit = false
  let clicked = false
  let moved = false
  let movedAway = false
  let missed: Node | null = null
  let refusal: EngineError | undefined
  let resolveFirst: (result: HitResult) => void = () => {}
  const firstPress = new Promise<HitResult>(resolve => {
    resolveFirst = resolve
  })

  const before = target && describePressed(target)
  const heard = new WeakSet<Event>()
  const listener = (event: Event) => {
    if (!event.isTrusted || heard.has(event)) return
    heard.add(event)
    const path = event.composedPath()
    const isHit = path.some(each => accepted.includes(each as Node)) || isInClosedRoot(options, accepted, event, path[0] as Element)
    if (moveTypes.includes(event.type)) {
      moved = moved || isHit
      return
    }
    // a press begins with its pointerdown; what the page shows in answer to that is not what was pressed
    const begins = event.type === 'pointerdown' || (!hit && pressTypes.includes(event.type))
    if (target && begins && (isHit || hit) && !missed && !refusal) refusal = refusalOf(options, target, event)
    if (refusal) return stop(event)
    if (isHit && !missed) {
      if (pressTypes.includes(event.type)) {
        hit = true
        resolveFirst(self.result())
      } else if (/click|contextmenu/.test(event.type)) clicked = true
      return
    }
    // after the press the page may show something else under the pointer, but the element itself must not have moved
    if (hit) {
      movedAway = movedAway || (!!target && !!point && isDrawn(target.node) && !contains(target.node, point))
      return
    }
    missed = missed ?? (path[0] as Node)
    stop(event)
  }
  const stop = (event: Event) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    resolveFirst(self.result())
  }
  const windows = windowsAround(session, document)
  for (const view of windows) {
    interceptorsOf(view)?.add(listener)
    // document.open() removes all listeners of a window, so they are added for each press
    for (const type of types) native.listen(view, type, listener, { capture: true, passive: false })
  }

  const self: HitTargetInterceptor = {
    firstPress,
    result: () => {
      // the events of a frame element are those of its document, which cannot be seen from here
      const isFrameHit = !missed && !!target && isTopFrameElement(options, target)
      const reached = !refusal && (hit || isFrameHit || (moved && !missed))
      // without a target, no press in this document is as it should be
      const isRight = reached || (!target && !missed)
      const error =
        refusal ?? (!isRight ? missError(options, missed) : before && hit && !clicked ? lostClickError(before, movedAway) : undefined)
      return { hit: reached, clicked: clicked || isFrameHit, ...(error && { error }) }
    },
    end: () => {
      resolveFirst(self.result())
      for (const view of windows) {
        interceptorsOf(view)?.delete(listener)
        for (const type of types) native.unlisten(view, type, listener, { capture: true })
      }
      if (session.trustedState.interceptor === self) delete session.trustedState.interceptor
      // every press of a command is compared with what was judged, and no press after it
      if (target && hit && !refusal) session.judged.delete(target.node)
    },
  }
  session.trustedState.interceptor = self
  native.later(self.end, maxInterceptMs)
}

export const firstPress = ({ trustedState }: Session): Promise<HitResult> | HitResult => trustedState.interceptor?.firstPress ?? noResult

const noResult: HitResult = { hit: false, clicked: false }

/** Returns the result of the interceptor, and ends it. */
export async function hitResult({ trustedState: { interceptor } }: Session): Promise<HitResult> {
  let result = interceptor?.result() ?? noResult
  // lists often close in the frame after the press that chose an option
  if (result.hit && result.error) {
    await nextFrame()
    result = interceptor?.result() ?? result
  }
  interceptor?.end()
  return result
}

/** Why a press must not go on. */
function refusalOf({ document }: InterceptOptions, target: Target, event: Event): EngineError | undefined {
  try {
    requireJudged(target, elementUnder(document, event))
    return undefined
  } catch (error) {
    if (isEngineError(error)) return error
    throw error
  }
}

/** the innermost element at the point of an event */
function elementUnder(document: Document, event: Event): Node {
  const { clientX, clientY } = (event as TouchEvent).touches?.[0] ?? (event as MouseEvent)
  return native.elementAt(document, clientX, clientY) ?? (event.composedPath()[0] as Node)
}

/** the path of an event does not include nodes of a closed shadow root; a hit test at its coordinates finds them */
function isInClosedRoot({ dom, document }: InterceptOptions, accepted: readonly (Node | undefined)[], event: Event, host: Element) {
  if (native.nodeType(host) !== 1 || !native.shadowRoot(host)) return false
  for (let each: Node | null = elementUnder(document, event); each; each = dom.parent(each)) if (accepted.includes(each)) return true
  return false
}

/** every window of the same origin has its own engine, in the same isolated world */
const interceptorsOf = (view: Window): typeof interceptors | undefined =>
  (view as unknown as { __agentBrowser?: { interceptors?: typeof interceptors } }).__agentBrowser?.interceptors

/** the windows that an event in a document passes, as far as the origin allows access */
function windowsAround(session: Session, document: Document): Window[] {
  const windows: Window[] = []
  for (let each: Document | undefined = document; each; ) {
    const view = native.defaultView(each)
    if (view) windows.push(view)
    const frame: Element | undefined = session.frames.get(each)?.element
    each = frame && native.ownerDocument(frame)
  }
  return windows
}

/** why an element that was pressed got no click; undefined if the page may have meant the press to be enough */
const lostClickError = (before: PressedElement, movedAway: boolean): EngineError | undefined =>
  movedAway
    ? engineError(
        'outcome_unknown',
        say`${before.target} was pressed, but it moved away before the button was released, so it got no click`,
      )
    : replacedError(before)

/** whether the target is a frame element and the topmost element at the point */
function isTopFrameElement({ expected }: InterceptOptions, { node, dom, document }: Target): boolean {
  const { x, y } = (expected as { readonly point: HitPoint }).point
  return isFrameTag(dom.tag(node)) && native.elementAt(document, x, y) === node
}

function missError({ session, dom, expected, press = true }: InterceptOptions, missed: Node | null): EngineError {
  const { target, point } = typeof expected === 'string' ? {} : expected
  const name = target ?? term(`${expected}`)
  // the page may have removed the listeners on the way, so the press may have happened
  if (!missed && press) return engineError('outcome_unknown', say`the press on ${name} could not be observed`)
  if (target && !native.isConnected(target.node))
    return engineError('target_moved', say`${name} was taken out of the page before it was pressed`)
  if (!missed) return engineError('target_moved', say`the press on ${name} reached nothing that can be seen from there`)
  const element = native.nodeType(missed) === 1 ? missed : (native.documentElement(document) as Node)
  const { element: cover, description, by, hint } = describeCover({ session, dom, node: target?.node ?? null }, element)
  const page = { coveredBy: description }
  if (target && point && !contains(target.node, point))
    return engineError('target_moved', say`${name} moved away before it was pressed; ${cover} was there instead`, { page })
  return engineError(
    'click_intercepted',
    say`the press on ${name} went to ${cover}, which came in front of it; it was stopped there${hint}`,
    { by, page },
  )
}

/** false for an element that is gone or hidden */
const isDrawn = (node: Element): boolean => native.getBoundingClientRect(node).width > 0

function contains(node: Element, { x, y }: HitPoint): boolean {
  const { left, top, right, bottom } = native.getBoundingClientRect(node)
  return x >= left && x <= right && y >= top && y <= bottom
}
