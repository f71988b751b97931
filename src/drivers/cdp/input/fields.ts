import { say } from '../../../contract/message.ts'
import { PagehandError } from '../errors.ts'
import type { ActionContext } from './action-context.ts'
import { pressKey, requireKey, typeText } from './keyboard.ts'

interface FillOptions {
  readonly ref: string
  readonly value: string
  readonly commit?: boolean
}

/** Replaces the value of a field by typing over its selected text; a field that cannot be typed into is set by the engine. */
export async function fill(action: ActionContext, { ref, value: given, commit = false }: FillOptions): Promise<void> {
  const { text: value, rules } = await action.input.expandSecrets(given)
  if (rules) {
    await action.call('insertSecret', { ref, text: value, rules, replace: true })
    if (commit) await action.call('commit', { ref })
    return
  }
  const step = await action.call('startFill', { ref, value })
  if (step.kind === 'done') return action.markUntrusted()
  if (step.kind === 'drawn-elsewhere') await fillDrawnEditor(action, { ref, value }, step.isEmpty)
  else if (step.kind === 'editor') await fillEditor(action, { ref, value })
  else if (value) await action.dispatch('Input.insertText', { text: value })
  else if (!step.isEmpty) await pressKey(action, requireKey('Delete'))
  // leaving a field commits it (C22)
  if (commit) await action.call('commit', { ref })
}

/** Selects all by the key first, since an editor may contain more than it shows, and by the DOM selection if that has no effect. */
async function fillEditor(action: ActionContext, { ref, value }: FillOptions): Promise<void> {
  await selectAllByKey(action)
  await replaceSelection(action, value)
  if (await action.call('hasValue', { ref, value })) return
  await action.call('nextFrame') // some editors render in the next frame
  if (await action.call('hasValue', { ref, value })) return
  await action.call('selectAll', { ref })
  await action.call('nextFrame') // editors learn of a selection asynchronously
  await replaceSelection(action, value)
}

/** frames in which an editor may draw what a key has changed */
const maxFrames = 30

/**
 * Fills an editor whose selection cannot be read: the old text is deleted first, and nothing is inserted unless it is gone. Lines are pasted,
 * since an editor indents lines that are typed.
 */
async function fillDrawnEditor(action: ActionContext, { ref, value }: FillOptions, isEmpty: boolean): Promise<void> {
  if (!isEmpty) {
    await selectAllByKey(action)
    await pressKey(action, requireKey('Delete'))
    if (!(await holdsSoon(action, () => action.call('isEmptied', { ref })))) {
      await pressKey(action, requireKey(commandKey('z')))
      throw new PagehandError(
        'not_committed',
        say`The text of ${{ ref: action.frame.spell(ref) }} could not be replaced: the editor keeps it. Click into it, select and delete its text with press, then use type.`,
      )
    }
  }
  if (!value) return
  if (value.includes('\n') && (await action.call('paste', { ref, text: value }))) action.markUntrusted()
  else await action.dispatch('Input.insertText', { text: value })
  await holdsSoon(action, () => action.call('hasValue', { ref, value })) // the watch of the action reports what it is then
}

async function holdsSoon(action: ActionContext, holds: () => Promise<boolean>): Promise<boolean> {
  for (let frames = 0; frames < maxFrames; frames++) {
    if (await holds()) return true
    await action.call('nextFrame')
  }
  return false
}

const commandKey = (key: string): string => `${process.platform === 'darwin' ? 'Meta' : 'Control'}+${key}`
const selectAllByKey = (action: ActionContext): Promise<void> => pressKey(action, requireKey(commandKey('a')), ['selectAll'])

const replaceSelection = (action: ActionContext, value: string): Promise<unknown> =>
  value ? action.dispatch('Input.insertText', { text: value }) : pressKey(action, requireKey('Delete'))

const maxTypedText = 5_000

export async function type(action: ActionContext, { ref, text: given }: { readonly ref: string; readonly text: string }): Promise<void> {
  const { text, rules } = await action.input.expandSecrets(given)
  // at once: between two keys, the focus could go to a frame of another origin
  if (rules) return action.call('insertSecret', { ref, text, rules, replace: false })
  if (text.length > maxTypedText)
    throw new PagehandError('invalid_text', say`The text is longer than ${maxTypedText} characters; use fill.`)
  await action.call('startTyping', { ref, text })
  await typeText(action, text)
  const hasTyped = await action.call('hasTyped')
  if (!hasTyped && text && !text.includes('\n'))
    throw new PagehandError('not_committed', say`${{ ref: action.frame.spell(ref) }} rejected the text.`)
}
