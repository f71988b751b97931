import { type Key, parseKey } from '../../../contract/keys.ts'
import { PagehandError } from '../errors.ts'
import type { ActionContext } from './action.ts'
import { bitsOf } from './mouse.ts'

export function keyOf(given: string): Key {
  const key = parseKey(given)
  if (!key) throw new PagehandError('invalid_key', `There is no key called "${given.slice(0, 40)}".`)
  return key
}

/** Presses and releases a key, with what is held beside it, on what has the focus. */
export async function pressKey(deed: ActionContext, key: Key, commands: readonly string[] = []): Promise<void> {
  const held: Key[] = key.modifiers.map(name => keyOf(name))
  const sent: Promise<unknown>[] = []
  for (const [at, each] of held.entries()) sent.push(stroke(deed, 'rawKeyDown', each, held.slice(0, at + 1)))
  sent.push(stroke(deed, key.text ? 'keyDown' : 'rawKeyDown', key, held, commands))
  sent.push(stroke(deed, 'keyUp', key, held))
  for (const each of [...held].reverse()) sent.push(stroke(deed, 'keyUp', each, held.slice(0, held.indexOf(each))))
  await Promise.all(sent)
}

type Stroke = 'keyDown' | 'rawKeyDown' | 'keyUp'

const stroke = (deed: ActionContext, type: Stroke, key: Key, held: readonly Key[], commands: readonly string[] = []) =>
  deed.dispatch('Input.dispatchKeyEvent', {
    type,
    key: key.key,
    code: key.code,
    windowsVirtualKeyCode: key.keyCode,
    nativeVirtualKeyCode: key.keyCode,
    modifiers: bitsOf(held.map(each => each.key)),
    location: /Left$/.test(key.code) && /^(Shift|Control|Alt|Meta)$/.test(key.key) ? 1 : 0,
    ...(type === 'keyDown' && { text: key.text, unmodifiedText: key.text }),
    ...(commands.length && { commands: [...commands] }),
  })

/** Text at the caret: each character as the key that writes it, and what is on no key as an input method puts it there. */
export async function typeText(deed: ActionContext, text: string): Promise<void> {
  for (const character of text.replace(/\r\n?/g, '\n')) {
    const key = character === '\n' ? keyOf('Enter') : character === '\t' ? null : parseKey(character)
    if (key) await pressKey(deed, key)
    else await deed.dispatch('Input.insertText', { text: character })
  }
}
