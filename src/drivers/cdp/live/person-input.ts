import { clipboardCommandOf, toModifierFlags } from '../../../contract/clipboard-keys.ts'
import { parseKey } from '../../../contract/keys.ts'
import { keyEvent } from '../input/key-event.ts'
import type { SessionClipboard } from '../input/session-clipboard.ts'
import type { Page } from '../page/page.ts'

/**
 * An event of a person's mouse over the picture of a tab, in CSS pixels of its viewport.
 *
 * @example
 * const press: PersonMouseEvent = { kind: 'down', x: 40, y: 12, button: 'left', modifiers: 0 }
 */
export interface PersonMouseEvent {
  readonly kind: 'move' | 'down' | 'up' | 'wheel'
  readonly x: number
  readonly y: number
  readonly button?: 'left' | 'middle' | 'right'
  readonly clickCount?: number
  readonly deltaX?: number
  readonly deltaY?: number
  /** Alt 1, Control 2, Meta 4, Shift 8 */
  readonly modifiers: number
}

/**
 * An event of a person's keyboard, as the browser of that person reports it.
 *
 * @example
 * const enter: PersonKeyEvent = { kind: 'down', key: 'Enter', code: 'Enter', modifiers: 0 }
 */
export interface PersonKeyEvent {
  readonly kind: 'down' | 'up'
  readonly key: string
  readonly code: string
  readonly modifiers: number
}

const mouseTypes = { move: 'mouseMoved', down: 'mousePressed', up: 'mouseReleased', wheel: 'mouseWheel' } as const
const mouseButtons = { left: 1, right: 2, middle: 4 } as const

export class PersonInput {
  readonly #clipboard: SessionClipboard
  /** the buttons that are held, as a bit field */
  #buttons = 0

  constructor(clipboard: SessionClipboard) {
    this.#clipboard = clipboard
  }

  async mouse(page: Page, event: PersonMouseEvent): Promise<void> {
    const { kind, x, y, button = 'left', clickCount = 1, deltaX = 0, deltaY = 0, modifiers } = event
    if (kind === 'down') this.#buttons |= mouseButtons[button]
    if (kind === 'up') this.#buttons &= ~mouseButtons[button]
    const isPress = kind === 'down' || kind === 'up'
    const dispatch = () =>
      page.target.send('Input.dispatchMouseEvent', {
        type: mouseTypes[kind],
        x,
        y,
        modifiers,
        buttons: this.#buttons,
        button: isPress ? button : 'none',
        ...(isPress && { clickCount }),
        ...(kind === 'down' && { force: 0.5 }),
        ...(kind === 'wheel' && { deltaX, deltaY }),
      })
    await (isPress ? this.#guarded(page, dispatch) : dispatch())
  }

  async key(page: Page, { kind, key, code, modifiers }: PersonKeyEvent): Promise<void> {
    // with Control or Meta a letter is a command, not text
    const text = key === 'Enter' ? '\r' : [...key].length === 1 && (modifiers & 6) === 0 ? key : ''
    const press = { key, code, keyCode: parseKey(key)?.keyCode ?? 0, text, modifiers: [] }
    const type = kind === 'up' ? 'keyUp' : text ? 'keyDown' : 'rawKeyDown'
    await this.#guarded(page, () => page.target.send('Input.dispatchKeyEvent', keyEvent({ type, key: press, modifiers })))
    const command = kind === 'down' && clipboardCommandOf({ ...press, modifiers: toModifierFlags(modifiers) })
    if (command) await this.#clipboard.use(page, command)
  }

  /** A press may run a command of the page that copies. */
  async #guarded(page: Page, dispatch: () => Promise<unknown>): Promise<void> {
    const guard = this.#clipboard.guard(page)
    try {
      await guard.ready
      await dispatch()
    } finally {
      guard.end()
    }
  }

  /** Text of an input method, or from the clipboard. */
  async text(page: Page, text: string): Promise<void> {
    await page.target.send('Input.insertText', { text })
  }
}
