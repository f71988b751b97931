import { PagehandError } from '../errors.ts'
import type { ActionContext } from './action.ts'
import { keyOf, pressKey, typeText } from './keyboard.ts'

interface Field {
  /** set: it is done; elsewhere: it is drawn by other elements than the one that takes the keys */
  readonly way: 'set' | 'field' | 'editor' | 'elsewhere'
  /** it holds something */
  readonly held: boolean
}

/** Replaces what a field holds: selected and written over, as a person does it; what has no text of its own is set. */
export async function fill(
  deed: ActionContext,
  { ref, value, commit = false }: { ref: string; value: string; commit?: boolean },
): Promise<void> {
  const { way, held } = await deed.call<Field>('fill', { ref, value })
  if (way === 'set') return deed.byScript()
  if (way === 'field') {
    if (value) await deed.dispatch('Input.insertText', { text: value })
    else if (held) await pressKey(deed, keyOf('Delete'))
  } else await edit(deed, { ref, value, way })
  // leaving it is what commits a field (C22)
  if (commit) await deed.call('blur', { ref })
}

/** An editor is asked by its own key first, since it may hold more than it shows; then by what is selected in the page. */
async function edit(deed: ActionContext, { ref, value, way }: { ref: string; value: string; way: Field['way'] }): Promise<void> {
  await pressKey(deed, keyOf(process.platform === 'darwin' ? 'Meta+a' : 'Control+a'), ['selectAll'])
  await write(deed, value)
  const isDone = async () => (await deed.call<{ holds: boolean }>('holds', { ref, value })).holds
  if (await isDone()) return
  await deed.call('frame') // some show it with the next frame
  if (way === 'elsewhere' || (await isDone())) return
  await deed.call('selectAll', { ref })
  await deed.call('frame') // editors learn of a selection a moment later
  await write(deed, value)
}

const write = (deed: ActionContext, value: string): Promise<unknown> =>
  value ? deed.dispatch('Input.insertText', { text: value }) : pressKey(deed, keyOf('Delete'))

const most = 5_000

export async function type(deed: ActionContext, { ref, text }: { ref: string; text: string }): Promise<void> {
  if (text.length > most) throw new PagehandError('invalid_text', `The text is longer than ${most} characters; use fill.`)
  await deed.call('type', { ref })
  await typeText(deed, text)
  const { typed } = await deed.call<{ typed: boolean }>('typed')
  if (!typed && text && !text.includes('\n'))
    throw new PagehandError('not_committed', `${deed.input.spell(deed.frame, ref)} takes nothing of that.`)
}
