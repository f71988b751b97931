import type { Key } from '../../../contract/keys.ts'
import type { Params } from '../connection/protocol.ts'

interface KeyPress {
  readonly type: 'keyDown' | 'rawKeyDown' | 'keyUp'
  readonly key: Key
  /** Alt 1, Control 2, Meta 4, Shift 8 */
  readonly modifiers: number
  /** editing commands of Blink */
  readonly commands?: readonly string[]
}

/**
 * The parameters of a key press that only the page receives. Without `nativeVirtualKeyCode`, Chromium drops a key that the page does not
 * handle; with it, the key goes to the shortcuts of the browser, and Control+w closes a tab.
 */
export function keyEvent({ type, key, modifiers, commands = [] }: KeyPress): Params<'Input.dispatchKeyEvent'> {
  return {
    type,
    key: key.key,
    code: key.code,
    windowsVirtualKeyCode: key.keyCode,
    modifiers,
    location: /Left$/.test(key.code) && /^(Shift|Control|Alt|Meta)$/.test(key.key) ? 1 : 0,
    ...(type === 'keyDown' && { text: key.text, unmodifiedText: key.text }),
    ...(type !== 'keyUp' && commands.length > 0 && { commands: [...commands] }),
  }
}
