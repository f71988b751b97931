import { isModifier, type Key, parseKey } from '../../../contract/keys.ts'
import { quoted, say } from '../../../contract/message.ts'
import { PagehandError } from '../errors.ts'
import type { ActionContext } from './action-context.ts'
import { modifierBits } from './mouse.ts'

export function requireKey(given: string): Key {
  const key = parseKey(given)
  if (!key) throw new PagehandError('invalid_key', say`There is no key called ${quoted(given, 40)}.`)
  return key
}

/** Presses and releases a key with its modifiers on the focused element. `commands` are editing commands of Blink. */
export async function pressKey(action: ActionContext, key: Key, commands: readonly string[] = []): Promise<void> {
  const modifiers = key.modifiers.map(name => requireKey(name))
  const send = (type: KeyEvent['type'], each: Key, held: readonly Key[]) =>
    action.dispatch('Input.dispatchKeyEvent', keyEvent({ type, key: each, modifiers: held, commands: each === key ? commands : [] }))
  const sent: Promise<unknown>[] = []
  for (const [at, each] of modifiers.entries()) sent.push(send('rawKeyDown', each, modifiers.slice(0, at + 1)))
  // a modifier that is pressed alone is held during its own keydown
  sent.push(send(key.text ? 'keyDown' : 'rawKeyDown', key, isModifier(key.key) ? [...modifiers, key] : modifiers))
  sent.push(send('keyUp', key, modifiers))
  for (const each of [...modifiers].reverse()) sent.push(send('keyUp', each, modifiers.slice(0, modifiers.indexOf(each))))
  await Promise.all(sent)
}

interface KeyEvent {
  readonly type: 'keyDown' | 'rawKeyDown' | 'keyUp'
  readonly key: Key
  readonly modifiers: readonly Key[]
  readonly commands: readonly string[]
}

const keyEvent = ({ type, key, modifiers, commands }: KeyEvent) => ({
  type,
  key: key.key,
  code: key.code,
  windowsVirtualKeyCode: key.keyCode,
  nativeVirtualKeyCode: key.keyCode,
  modifiers: modifierBits(modifiers.map(each => each.key)),
  location: /Left$/.test(key.code) && /^(Shift|Control|Alt|Meta)$/.test(key.key) ? 1 : 0,
  ...(type === 'keyDown' && { text: key.text, unmodifiedText: key.text }),
  ...(type !== 'keyUp' && commands.length && { commands: [...commands] }),
})

/** Types text at the caret: a key press for each character that has a key, and inserted text for the others. */
export async function typeText(action: ActionContext, text: string): Promise<void> {
  for (const character of text.replace(/\r\n?/g, '\n')) {
    const key = character === '\n' ? requireKey('Enter') : character === '\t' ? null : parseKey(character)
    if (key) await pressKey(action, key)
    else await action.dispatch('Input.insertText', { text: character })
  }
}
