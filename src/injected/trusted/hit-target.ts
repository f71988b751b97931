import { find, inTheWay, needEnabled, type Place, reach, seenOf, type Target } from '../actions/target.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import type { Session } from '../view/snapshot.ts'
import { nextFrame } from './settle.ts'

/** Where to press, in the viewport of the document that the engine lives in. */
export interface AimResult {
  readonly x: number
  readonly y: number
}
export interface AimOptions {
  /** a disabled element may be hovered, and never pressed */
  readonly press?: boolean
  /** false: it is not to be pressed there, but something else is let go */
  readonly hear?: boolean
  /** into the middle of the view, also where it is in view of its own frame already */
  readonly scroll?: boolean
  /** how long to wait for an element that moves; then it is aimed at where it is */
  readonly steadyMs: number
}

/** Brings an element into view, waits until it stands where it stood a frame ago, finds a point of it that is not covered, and listens there. */
export async function aim(
  session: Session,
  given: unknown,
  { press = true, scroll = false, hear = true, steadyMs }: AimOptions,
): Promise<AimResult> {
  const first = find(session, given)
  if (press) needEnabled(first)
  if (scroll) seenOf(first, 'center')
  reach(first)
  await steady(first, steadyMs)
  // what was found before may be gone, disabled or covered by now
  const target = find(session, given)
  if (press) needEnabled(target)
  const place = reach(target)
  if (hear) intercept(target, place)
  return { x: place.x + place.left, y: place.y + place.top }
}

async function steady(target: Target, ms: number): Promise<void> {
  const until = native.now() + ms
  const boxNow = () => {
    if (!native.isConnected(target.node)) throw engineError('ref_not_found', `${target.ref} went out of the page while it was aimed at`)
    const { scene, drawn } = seenOf(target)
    const { x, y, width, height } = scene.layout?.box(drawn) ?? { x: 0, y: 0, width: 0, height: 0 }
    return [x, y, width, height].join()
  }
  await nextFrame()
  for (let before = ''; native.now() < until; ) {
    const box = boxNow()
    if (box === before) return
    before = box
    await nextFrame()
  }
}

const pressing = ['pointerdown', 'mousedown', 'touchstart']
const moving = ['pointermove', 'mousemove']
const types = [...pressing, ...moving, 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu']
/** who listens for these makes scrolling wait, so it is done only while it is needed */
const touches = ['touchstart', 'touchend']

/** Whoever listens in this window for an action. It is asked before all listeners of the page, since it was there before them. */
export const interceptors = new Set<(event: Event) => void>()
for (const type of types)
  if (!touches.includes(type))
    native.listen(
      window,
      type,
      event => {
        for (const hear of interceptors) hear(event)
      },
      { capture: true },
    )

/** What became of a press. */
export interface HitResult {
  /** the press, or the move, reached the element */
  readonly hit: boolean
  /** the click that followed did too */
  readonly clicked: boolean
  /** nothing of it reached this document */
  readonly nowhere: boolean
  readonly error?: { readonly code: string; readonly message: string; readonly by?: string }
}

interface HitTargetInterceptor {
  result(): HitResult
  /** known with the first press */
  readonly pressed: Promise<HitResult>
  end(): void
}
const ears = new WeakMap<Session, HitTargetInterceptor>()
/** an ear that nobody takes off, since a dialog or a navigation came between */
const longest = 10_000

/**
 * Hears where trusted input goes, before the page does. What misses the element is stopped: it would be a click on something that nobody chose.
 * Without a target every press is a miss: the one that is aimed at is in a frame of another process.
 */
export function intercept(target: Pick<Target, 'session' | 'dom' | 'document'> & Partial<Target>, place?: Place): void {
  const { session, node, document } = target
  ears.get(session)?.end()
  const drawn = node && seenOf(target as Target).drawn
  const ours: (Node | undefined)[] = [node, drawn, place?.hit]
  let hit = false
  let clicked = false
  let moved = false
  let slipped = false
  let missed: Node | null = null
  let known: (landed: HitResult) => void = () => {}
  const pressed = new Promise<HitResult>(resolve => {
    known = resolve
  })

  const hear = (event: Event) => {
    if (!event.isTrusted) return
    const path = event.composedPath()
    const isOurs = path.some(each => ours.includes(each as Node)) || isInClosed(target, ours, event, path[0] as Element)
    if (moving.includes(event.type)) {
      moved = moved || isOurs
      return
    }
    if (isOurs && !missed) {
      if (pressing.includes(event.type)) {
        hit = true
        known(ear.result())
      } else if (/click|contextmenu/.test(event.type)) clicked = true
      return
    }
    // once it is pressed, what the page puts under the pointer is its answer; that it went from there is none
    if (hit) {
      slipped = slipped || (!!node && !!place && !!native.isConnected(node) && !isAt(node, place))
      return
    }
    missed = missed ?? (path[0] as Node)
    event.preventDefault()
    event.stopImmediatePropagation()
    known(ear.result())
  }
  const views = around(session, document)
  for (const view of views) {
    earsOf(view)?.add(hear)
    for (const type of touches) native.listen(view, type, hear, { capture: true, passive: false })
  }

  const ear: HitTargetInterceptor = {
    pressed,
    result: () => {
      const reached = hit || (moved && !missed)
      // in a frame that is only guarded, nothing is as it should be
      const isRight = reached || (!node && !missed)
      const error = !isRight ? why(target, place, missed) : slipped && !clicked ? away(target) : undefined
      return { hit: reached, clicked, nowhere: !reached && !missed, ...(error && { error }) }
    },
    end: () => {
      known(ear.result())
      for (const view of views) {
        earsOf(view)?.delete(hear)
        for (const type of touches) native.unlisten(view, type, hear, { capture: true })
      }
      if (ears.get(session) === ear) ears.delete(session)
    },
  }
  ears.set(session, ear)
  native.later(ear.end, longest)
}

export const firstPress = (session: Session): Promise<HitResult> | HitResult => ears.get(session)?.pressed ?? hitResult(session)

/** Tells what was heard, and stops listening. */
export function hitResult(session: Session): HitResult {
  const ear = ears.get(session)
  const said = ear?.result() ?? { hit: false, clicked: false, nowhere: true }
  ear?.end()
  return said
}

/** an event does not tell what it reached in a closed shadow root; where it was tells that */
function isInClosed({ dom, document }: Pick<Target, 'dom' | 'document'>, ours: readonly (Node | undefined)[], event: Event, host: Element) {
  if (native.nodeType(host) !== 1 || !native.shadowRoot(host)) return false
  const { clientX, clientY } = (event as TouchEvent).touches?.[0] ?? (event as MouseEvent)
  for (let each: Node | null = native.elementAt(document, clientX, clientY); each; each = dom.parent(each))
    if (ours.includes(each)) return true
  return false
}

/** every window of the same origin has an engine of its own, in the same world */
const earsOf = (view: Window): typeof interceptors | undefined =>
  (view as unknown as { __agentBrowser?: { interceptors?: typeof interceptors } }).__agentBrowser?.interceptors

/** the windows that a press on a document goes through, as far as they are ours to see */
function around(session: Session, document: Document): Window[] {
  const views: Window[] = []
  for (let each: Document | undefined = document; each; ) {
    const view = native.defaultView(each)
    if (view) views.push(view)
    const shown: Element | undefined = session.frames.get(each)?.element
    each = shown && native.ownerDocument(shown)
  }
  return views
}

const away = ({ ref }: Partial<Target>) =>
  engineError('target_moved', `${ref} was pressed, but moved away before the button was let go, so no click came of it`)

function why(target: Pick<Target, 'session' | 'dom'> & Partial<Target>, place: Place | undefined, missed: Node | null) {
  const { node, ref } = target
  if (node && !native.isConnected(node)) return engineError('target_moved', `${ref} was taken out of the page before it was pressed`)
  if (!missed) return engineError('target_moved', `the press on ${ref} reached nothing that can be seen from there`)
  const { what, by, hint } = inTheWay(target, native.nodeType(missed) === 1 ? missed : (native.documentElement(document) as Node))
  if (node && place && !isAt(node, place))
    return engineError('target_moved', `${ref} moved away before it was pressed; ${what} was there instead`)
  return engineError('click_intercepted', `the press on ${ref} went to ${what}, which came in front of it; it was stopped there${hint}`, by)
}

function isAt(node: Element, { x, y }: Place): boolean {
  const { left, top, right, bottom } = native.getBoundingClientRect(node)
  return x >= left && x <= right && y >= top && y <= bottom
}
