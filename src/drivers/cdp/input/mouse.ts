import type { Modifier } from '../../../contract/page-api.ts'
import { PagehandError } from '../errors.ts'
import type { Frame } from '../page/frames.ts'
import { type ActionContext, callEngine, engineError, isGone } from './action.ts'

interface Point {
  readonly x: number
  readonly y: number
}
interface Landed {
  readonly hit: boolean
  readonly clicked: boolean
  readonly nowhere: boolean
  readonly error?: { readonly code: 'target_moved' | 'click_intercepted'; readonly message: string; readonly by?: string }
}
interface Aim {
  readonly ref: string
  readonly press?: boolean
  /** false: it is only where something else is let go */
  readonly hear?: boolean
}

/** an element that moves for longer than this is aimed at where it is */
const steadyMs = 1_000
/** a press that missed was stopped, so it can be tried again */
const attempts = 3

export interface MousePressOptions {
  readonly ref: string
  readonly button?: 'left' | 'middle' | 'right' | undefined
  readonly modifiers?: readonly Modifier[] | undefined
  readonly times?: number
}

/** A press of the mouse that is known to have reached the element. */
export async function press(deed: ActionContext, { ref, button = 'left', modifiers = [], times = 1 }: MousePressOptions): Promise<void> {
  const held = bitsOf(modifiers)
  for (let attempt = 1; ; attempt++) {
    const at = await aim(deed, { ref })
    const landed = await landing(deed, ref, async () => {
      // one after the other without waiting: a move that is waited for costs a whole frame
      const sent = [deed.dispatch('Input.dispatchMouseEvent', { type: 'mouseMoved', ...at, modifiers: held })]
      for (let clickCount = 1; clickCount <= times; clickCount++)
        for (const type of ['mousePressed', 'mouseReleased'] as const)
          sent.push(deed.dispatch('Input.dispatchMouseEvent', { type, ...at, button, clickCount, modifiers: held }))
      await Promise.all(sent)
    })
    if (!landed.error) {
      if (!landed.clicked) deed.input.note('The press reached the element; the page changed under the pointer before the click did.')
      return
    }
    // what was pressed has had its effect, and must not be pressed twice
    if (landed.hit || landed.error.code !== 'target_moved' || attempt === attempts)
      throw engineError(deed.input, deed.frame, { ref, error: landed.error })
  }
}

/** The pointer over an element, known to have come there. */
export async function hover(deed: ActionContext, ref: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const at = await aim(deed, { ref, press: false })
    await deed.dispatch('Input.dispatchMouseEvent', { type: 'mouseMoved', ...at })
    const { error } = await deed.call<Landed>('landed')
    if (!error) return
    if (attempt === attempts) throw engineError(deed.input, deed.frame, { ref, error })
  }
}

export async function longPress(deed: ActionContext, { ref, ms, signal }: { ref: string; ms: number; signal: AbortSignal }): Promise<void> {
  const at = await aim(deed, { ref })
  const { error } = await landing(deed, ref, async () => {
    await deed.dispatch('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
    await pause(ms, signal)
    await deed.dispatch('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  })
  if (error) throw engineError(deed.input, deed.frame, { ref, error })
}

export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Sends input, and tells what it reached. A page that goes away at once has told with the first press already. */
async function landing(deed: ActionContext, ref: string, send: () => Promise<void>): Promise<Landed> {
  const first = deed.call<Landed>('landing').catch(() => undefined)
  // input takes another way than questions: when this is answered, the one before it has been heard
  await deed.call('view')
  await send()
  const here = await deed.call<Landed>('landed').catch(error => {
    if (isGone(error)) return undefined
    throw error
  })
  const told = here ? undefined : await first
  // a page that went away because of the click has heard it
  const landed = here ?? (told && { ...told, clicked: true })
  if (!landed) throw new PagehandError('outcome_unknown', `The page went away while ${deed.input.spell(deed.frame, ref)} was pressed.`)
  for (const frame of await unguarded(deed)) {
    const { error } = await callEngine<Landed>(deed.input, frame, 'landed').catch(() => ({ error: undefined }))
    if (error) throw engineError(deed.input, frame, { ref, error: { ...error, code: 'click_intercepted' } })
  }
  return landed
}

/** The point of the top viewport at which an element is pressed; the engine listens there from now on. */
export async function aim(deed: ActionContext, { ref, press = true, hear = true }: Aim): Promise<Point> {
  const { input: hands, frame } = deed
  const top = await hands.top()
  if (frame.frameId === top.frameId) return deed.call<Point>('aim', { ref, press, hear, steadyMs })
  for (const scroll of [false, true]) {
    const own = await deed.call<Point>('aim', { ref, press, hear, steadyMs, scroll })
    const offset = await steadyOffset(deed, top)
    const at = { x: own.x + offset.x, y: own.y + offset.y }
    const { width, height } = await callEngine<{ width: number; height: number }>(hands, top, 'view')
    const isInView = at.x >= 0 && at.y >= 0 && at.x < width && at.y < height
    const over = isInView ? await callEngine<{ what?: string; by?: string; hint?: string }>(hands, top, 'over', at) : {}
    if (isInView && !over.what) {
      for (const other of hear ? await unguarded(deed) : []) await callEngine(hands, other, 'guard', { whose: hands.spell(frame, ref) })
      return at
    }
    if (!scroll) continue
    const word = hands.spell(frame, ref)
    if (!over.what) throw new PagehandError('not_visible', `${word} cannot be scrolled into view: its frame is out of it.`)
    const message = `the frame of ${word} is covered by ${over.what}${over.hint}`
    throw engineError(hands, top, { error: { code: 'element_blocked', message, ...(over.by && { by: over.by }) } })
  }
  throw new PagehandError('not_visible', `${hands.spell(frame, ref)} cannot be scrolled into view.`)
}

/** the other documents, where what is aimed at in one of another process must not land */
async function unguarded({ input: hands, frame }: ActionContext): Promise<readonly Frame[]> {
  const { frameId } = await hands.top()
  if (frame.frameId === frameId) return []
  // those of the same process may be a part of what is aimed at
  return (await hands.frames()).filter(other => other.frameId === frameId || other.session !== frame.session)
}

/** scrolling goes from one process to the other, so a frame may still move when its own document has come to rest */
async function steadyOffset({ input: hands, frame }: ActionContext, top: Frame): Promise<Point> {
  let before = await frame.offset()
  for (let frames = 0; frames < 60; frames++) {
    await callEngine(hands, top, 'frame')
    const now = await frame.offset()
    if (now.x === before.x && now.y === before.y) return now
    before = now
  }
  return before
}

export const bitsOf = (modifiers: readonly string[]): number =>
  modifiers.reduce((bits, name) => bits | ({ Alt: 1, Control: 2, Meta: 4, Shift: 8 }[name] ?? 0), 0)
