import { say } from '../../../contract/message.ts'
import type { Emitter } from '../emitter.ts'
import { PagehandError } from '../errors.ts'
import type { SessionClipboard } from '../input/session-clipboard.ts'
import type { ActionTarget } from '../page/action-target.ts'
import type { Page } from '../page/page.ts'
import type { Pages } from '../page/pages.ts'
import { type LiveTabInfo, listTabs, watchTabs } from './live-tabs.ts'
import { PersonInput, type PersonKeyEvent, type PersonMouseEvent } from './person-input.ts'
import { type LiveFrame, Screencast, type ScreencastOptions } from './screencast.ts'

/**
 * The selected tab for a person: its picture as it changes, and the person's own mouse and keyboard. Input goes to the page at once, beside
 * the commands of the session; who may operate the page at a time is for the caller to decide.
 *
 * @example
 * const { ready, stop } = session.live().watch(frame => {
 *   show(frame)
 *   ready()
 * })
 */
export interface LiveView {
  /** Calls `onFrame` with the newest picture, and with the next one after `ready` was called. An idle page is shown once. */
  watch(onFrame: (frame: LiveFrame) => void): { ready(): void; stop(): void }
  /** Calls the listener with the reason when no picture can be made. Returns the function that removes the listener. */
  onFailure(listener: (reason: string) => void): () => void
  /**
   * Calls the listener with the time, in ISO 8601, of everything that an older picture cannot show: input of a person, an action, a
   * navigation, another tab. The listener is called at once with the last such time.
   */
  onChange(listener: (at: string) => void): () => void
  /** Calls the listener with the element that an action operates, at about the time when the action does. */
  onTarget(listener: (target: ActionTarget) => void): () => void
  /** The tabs. Answers while a command is running, and takes none of the notes for its result. */
  tabs(): Promise<readonly LiveTabInfo[]>
  /** Calls the listener when the tabs have changed: number, selection, URL, title, loading. */
  onTabs(listener: () => void): () => void
  mouse(event: PersonMouseEvent): Promise<void>
  key(event: PersonKeyEvent): Promise<void>
  /** Enters text at the caret, such as that of an input method or from the clipboard. */
  text(text: string): Promise<void>
}

/** a page that asks something holds back the answer to its own input */
const inputMs = 2_000

export interface LiveViewContext extends ScreencastOptions {
  /** throws if the browser is not running */
  pages(): Pages
  readonly clipboard: SessionClipboard
  readonly targets: Pick<Emitter<ActionTarget>, 'on'>
  /** without the secrets of the session */
  scrub<T>(given: T): T
}

export function createLiveView({ page, activity, pages, targets, clipboard, scrub }: LiveViewContext): LiveView {
  const screencast = new Screencast({ page, activity })
  const input = new PersonInput(clipboard)
  const tabs = async () => scrub(await listTabs(pages()))
  /** @param changes whether the page is expected to look different afterwards; a pointer moves too often for that */
  const send = async (dispatch: (page: Page) => Promise<void>, { changes = true } = {}): Promise<void> => {
    const current = page()
    if (!current) throw new PagehandError('not_running', say`No tab is open.`)
    await current.settled('painted')
    const late = new Promise<void>(resolve => setTimeout(resolve, inputMs).unref())
    if (changes) screencast.noteInput()
    await Promise.race([dispatch(current), late])
    // a frame painted meanwhile may be one from before the page handled the input
    if (changes) screencast.noteInput()
  }
  return {
    watch: onFrame => screencast.watch(frame => onFrame({ ...frame, url: scrub(frame.url) })),
    onFailure: listener => screencast.onFailure(listener),
    onChange: listener => screencast.onChange(listener),
    onTarget: listener => targets.on(listener),
    tabs,
    onTabs: listener => watchTabs(tabs, listener),
    mouse: event => send(current => input.mouse(current, event), { changes: event.kind !== 'move' }),
    key: event => send(current => input.key(current, event)),
    text: text => send(current => input.text(current, text)),
  }
}
