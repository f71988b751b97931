import type { ModifierKey } from '../../../contract/keys.ts'
import { say } from '../../../contract/message.ts'
import { type Matrix, mapPoint, type Point } from '../../../engine/matrix.ts'
import type { EngineResult } from '../../../injected/trusted/methods.ts'
import { PagehandError } from '../errors.ts'
import { callEngine, engineFailure, isTargetClosed, spellRefs } from '../page/engine.ts'
import type { Frame } from '../page/frames.ts'
import { anyOf, onAbort, pause, waitForEvent } from '../timeout.ts'
import type { ActionContext } from './action-context.ts'

type HitResult = EngineResult<'hitResult'>

/** time to wait for a moving element; after that its current position is used */
const steadyMs = 1_000
/** a press that missed the element was stopped, so it can be repeated */
const maxAttempts = 3

export interface MousePressOptions {
  readonly ref: string
  readonly button?: 'left' | 'middle' | 'right' | undefined
  readonly modifiers?: readonly ModifierKey[] | undefined
  readonly times?: number
  /** the element need not receive the click: lists often open, and move, on mousedown */
  readonly isPressEnough?: boolean
}

/** Presses the mouse on an element, and verifies that the press reached it. */
export async function press(action: ActionContext, options: MousePressOptions): Promise<void> {
  const { ref, button = 'left', modifiers = [], times = 1, isPressEnough = false } = options
  const bits = modifierBits(modifiers)
  for (let attempt = 1; ; attempt++) {
    const at = await aim(action, { ref })
    const { hit, clicked, error } = await sendAndVerify(action, ref, async () => {
      // sent without waiting for each other: waiting for a move costs a whole frame
      const sent = [action.dispatch('Input.dispatchMouseEvent', { type: 'mouseMoved', ...at, modifiers: bits })]
      for (let clickCount = 1; clickCount <= times; clickCount++)
        for (const type of ['mousePressed', 'mouseReleased'] as const)
          sent.push(action.dispatch('Input.dispatchMouseEvent', { type, ...at, button, clickCount, modifiers: bits, ...pressureOf(type) }))
      await Promise.all(sent)
    })
    if (!error || (hit && isPressEnough)) {
      if (!clicked && !isPressEnough)
        action.input.note('The press reached the element; the page changed under the pointer before the click did.')
      return
    }
    // an element that was pressed must not be pressed twice
    if (hit || error.code !== 'target_moved' || attempt === maxAttempts) throw engineFailure(action.frame, error)
  }
}

/** Moves the pointer over an element, and verifies that it is there. */
export async function hover(action: ActionContext, ref: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const at = await aim(action, { ref, press: false })
    await action.dispatch('Input.dispatchMouseEvent', { type: 'mouseMoved', ...at })
    const { error } = await action.call('hitResult')
    if (!error) return
    if (attempt === maxAttempts) throw engineFailure(action.frame, error)
  }
}

interface LongPressOptions {
  readonly ref: string
  readonly ms: number
  readonly signal: AbortSignal
}

export async function longPress(action: ActionContext, { ref, ms, signal }: LongPressOptions): Promise<void> {
  const at = await aim(action, { ref })
  const { error } = await sendAndVerify(action, ref, async () => {
    await action.dispatch('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
    await pause(ms, signal)
    await action.dispatch('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  })
  if (error) throw engineFailure(action.frame, error)
}

/** Sends input and returns the element that it reached. If the page navigates at once, the first press is the result. */
async function sendAndVerify(action: ActionContext, ref: string, send: () => Promise<void>): Promise<HitResult> {
  const { frame } = action
  const first = action.call('firstPress').catch(() => undefined)
  // input and evaluations use different channels: once this is answered, the engine has received the call before it
  await action.call('viewport')
  await send()
  const result = action.call('hitResult').catch(error => {
    if (isTargetClosed(error) || action.input.pendingNavigation() !== undefined) return undefined
    throw error
  })
  result.catch(() => {}) // the navigation may be first
  const answered = new AbortController()
  const current = await Promise.race([result, pendingNavigation(action, answered.signal)]).finally(() => answered.abort())
  const pressed = current ? undefined : await first
  // a page that navigated because of the click has received it
  const outcome = current ?? (pressed && { ...pressed, clicked: true })
  if (!outcome) throw new PagehandError('outcome_unknown', say`The page went away while ${{ ref: frame.spell(ref) }} was pressed.`)
  for (const other of await otherFrames(action)) {
    const { error } = await callEngine(other, 'hitResult').catch(() => ({ error: undefined }))
    if (error) throw engineFailure(other, { ...error, code: 'click_intercepted' })
  }
  return outcome
}

/** a page that is about to be left usually answers within this time */
const leavingMs = 500

/** Resolves when the press has led to a navigation whose server is waited for; the page does not answer until then. */
async function pendingNavigation({ input }: ActionContext, signal: AbortSignal): Promise<undefined> {
  for (const until = performance.now() + input.settle.networkMs; performance.now() < until && !signal.aborted; ) {
    await waitForEvent(
      anyOf(input.network.onChange, listener => onAbort(signal, listener)),
      leavingMs,
    )
    if (input.pendingNavigation() === undefined) continue
    await pause(leavingMs, signal)
    if (input.pendingNavigation() !== undefined) return undefined
  }
  return new Promise<undefined>(() => {})
}

interface AimOptions {
  readonly ref: string
  readonly press?: boolean
  /** false for the end of a drag: the hit target is not checked */
  readonly intercept?: boolean
}

/** The point of the top viewport at which to press an element. The engine checks the hit target of events from then on. */
export async function aim(action: ActionContext, { ref, press = true, intercept = true }: AimOptions): Promise<Point> {
  const { input, frame } = action
  const top = await input.top()
  const name = frame.spell(ref)
  if (frame.frameId === top.frameId) return action.call('aim', { ref, press, intercept, steadyMs })
  for (const scroll of [false, true]) {
    const own = await action.call('aim', { ref, press, intercept, steadyMs, scroll })
    const at = mapPoint(await steadyMatrix(frame, top), own)
    const { width, height } = await callEngine(top, 'viewport')
    const isInView = at.x >= 0 && at.y >= 0 && at.x < width && at.y < height
    const cover = isInView ? await callEngine(top, 'coverAt', at) : null
    if (isInView && !cover) {
      for (const other of intercept ? await otherFrames(action) : []) await callEngine(other, 'interceptAll', { name })
      return at
    }
    if (!scroll) continue
    if (!cover) throw new PagehandError('not_visible', say`${{ ref: name }} cannot be scrolled into view: its frame is out of it.`)
    const message = say`The frame of ${{ ref: name }} is covered by ${spellRefs(top, cover.element)}${cover.hint}.`
    throw new PagehandError('element_blocked', message, { page: { coveredBy: cover.description } })
  }
  throw new PagehandError('not_visible', say`${{ ref: name }} cannot be scrolled into view.`)
}

/** the frames that must not receive the input, if the element is in a frame of another process */
async function otherFrames({ input, frame }: ActionContext): Promise<readonly Frame[]> {
  const { frameId } = await input.top()
  if (frame.frameId === frameId) return []
  // frames of the same process may be inside the element
  return (await input.frames()).filter(other => other.frameId === frameId || other.session !== frame.session)
}

/** waits until the frame element stops moving: another process scrolls it, so it may move after its own document has settled */
async function steadyMatrix(frame: Frame, top: Frame): Promise<Matrix> {
  let before = await frame.matrix()
  for (let frames = 0; frames < 60; frames++) {
    await callEngine(top, 'nextFrame')
    const now = await frame.matrix()
    if (`${now}` === `${before}`) return now
    before = now
  }
  return before
}

/** a mouse has a pressure of 0.5 while a button is down, https://w3c.github.io/pointerevents/#dom-pointerevent-pressure */
export const pressureOf = (type: string): { readonly force?: number } => (type === 'mousePressed' ? { force: 0.5 } : {})

/** the bit field that the Input domain uses */
export const modifierBits = (modifiers: readonly string[]): number =>
  modifiers.reduce((bits, name) => bits | ({ Alt: 1, Control: 2, Meta: 4, Shift: 8 }[name] ?? 0), 0)
