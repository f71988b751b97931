import { clipboardCommandOf, toModifierFlags } from '../../../contract/clipboard-keys.ts'
import { isModifier, type Key, parseKey } from '../../../contract/keys.ts'
import { quoted, say } from '../../../contract/message.ts'
import { PagehandError } from '../errors.ts'
import type { ActionContext } from './action-context.ts'
import { keyEvent } from './key-event.ts'
import { modifierBits } from './mouse.ts'

export function requireKey(given: string): Key {
  const key = parseKey(given)
  if (!key) throw new PagehandError('invalid_key', say`There is no key called ${quoted(given, 40)}.`)
  return key
}

/** Presses and releases a key with its modifiers on the focused element. `commands` are editing commands of Blink. */
export async function pressKey(action: ActionContext, key: Key, commands: readonly string[] = []): Promise<void> {
  const modifiers = key.modifiers.map(name => requireKey(name))
  const send = (type: 'keyDown' | 'rawKeyDown' | 'keyUp', each: Key, held: readonly Key[]) =>
    action.dispatch(
      'Input.dispatchKeyEvent',
      keyEvent({ type, key: each, modifiers: bitsOf(held), commands: each === key ? commands : [] }),
    )
  const sent: Promise<unknown>[] = []
  for (const [at, each] of modifiers.entries()) sent.push(send('rawKeyDown', each, modifiers.slice(0, at + 1)))
  // a modifier that is pressed alone is held during its own keydown
  sent.push(send(key.text ? 'keyDown' : 'rawKeyDown', key, isModifier(key.key) ? [...modifiers, key] : modifiers))
  const clipboardCommand = clipboardCommandOf({ ...key, modifiers: toModifierFlags(bitsOf(modifiers)) })
  if (clipboardCommand) {
    await Promise.all(sent)
    await action.input.runClipboardCommand(clipboardCommand)
  }
  sent.push(send('keyUp', key, modifiers))
  for (const each of [...modifiers].reverse()) sent.push(send('keyUp', each, modifiers.slice(0, modifiers.indexOf(each))))
  await Promise.all(sent)
}

const bitsOf = (modifiers: readonly Key[]): number => modifierBits(modifiers.map(each => each.key))

/** Types text at the caret: a key press for each character that has a key, and inserted text for the others. */
export async function typeText(action: ActionContext, text: string): Promise<void> {
  for (const character of text.replace(/\r\n?/g, '\n')) {
    const key = character === '\n' ? requireKey('Enter') : character === '\t' ? null : parseKey(character)
    if (key) await pressKey(action, key)
    else await action.dispatch('Input.insertText', { text: character })
  }
}
