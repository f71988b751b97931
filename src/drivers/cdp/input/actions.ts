import { ok, type Result } from '../../../contract/run.ts'
import { PagehandError } from '../errors.ts'
import type { Dialog } from '../page/dialogs.ts'
import { watchInterruptions } from '../settle/interruptions.ts'
import { watchAction } from '../settle/settle.ts'
import { wait } from '../settle/wait.ts'
import { type ActionContext, callEngine } from './action.ts'
import type { ActionOutcome, InputCommand, InputContext, InputVerb, ResolvedRef } from './context.ts'
import { drag } from './drag.ts'
import { fill, type } from './fields.ts'
import { keyOf, pressKey } from './keyboard.ts'
import { hover, longPress, press } from './mouse.ts'
import { check, select, upload } from './select.ts'
import { wheel } from './wheel.ts'

type Verb = Exclude<InputVerb, 'wait'>
type Command<V extends Verb> = Extract<InputCommand, { name: V }>
interface At {
  /** where its ref leads; without one it is for the page, and that does not ask */
  readonly where: ResolvedRef
  readonly signal: AbortSignal
}

const verbs: { readonly [V in Verb]: (deed: ActionContext, command: Command<V>, at: At) => Promise<unknown> } = {
  click: (deed, { button, modifiers }, { where: { ref } }) => press(deed, { ref, button, modifiers }),
  dblclick: (deed, { button, modifiers }, { where: { ref } }) => press(deed, { ref, button, modifiers, times: 2 }),
  longpress: (deed, { ms }, { where: { ref }, signal }) => longPress(deed, { ref, ms, signal }),
  hover: (deed, _, { where: { ref } }) => hover(deed, ref),
  focus: (deed, _, { where: { ref } }) => deed.call('focus', { ref }),
  blur: (deed, _, { where: { ref } }) => deed.call('blur', { ref }),
  fill: (deed, { value, commit }, { where: { ref } }) => fill(deed, { ref, value, commit: commit === true }),
  type: (deed, { text }, { where: { ref } }) => type(deed, { ref, text }),
  select: (deed, { values }, { where: { ref } }) => select(deed, { ref, values }),
  check: (deed, _, { where: { ref } }) => check(deed, { ref, want: true }),
  uncheck: (deed, _, { where: { ref } }) => check(deed, { ref, want: false }),
  press: async (deed, { key }) => {
    const wanted = keyOf(key)
    if (deed.ref !== undefined) await deed.call('ready', { ref: deed.ref })
    await pressKey(deed, wanted)
  },
  scrollIntoView: (deed, _, { where: { ref } }) => deed.call('show', { ref }),
  scroll: (deed, command) => wheel(deed, command),
  drag: async (deed, { to }, { where }) => drag(deed, where, await deed.input.resolveRef(to)),
  upload: (deed, { files }, { where }) => upload(deed, where, files),
}

/** Carries out one verb of the hands on the tab in front. What it throws becomes a failure of the command. */
export async function performAction(command: InputCommand, hands: InputContext, signal: AbortSignal): Promise<Result<ActionOutcome>> {
  if (command.name === 'wait') return wait(command, hands, signal)
  const where = command.ref === undefined ? undefined : await hands.resolveRef(command.ref)
  const frame = where?.frame ?? (await hands.top())
  const settle = watchAction(hands, { frame, where })
  let isOver = false
  let trusted = true
  const deed: ActionContext = {
    input: hands,
    frame,
    ref: where?.ref,
    ready: settle.ready,
    call: async (name, payload = {}) => {
      // only aiming may go on while the watch is being set up
      if (name !== 'aim') await settle.ready
      return callEngine(hands, frame, name, payload)
    },
    dispatch: async (method, params) => {
      await settle.ready
      if (isOver) throw new PagehandError('aborted', 'The action is over.')
      return hands.target.send(method, params)
    },
    byScript: () => {
      trusted = false
    },
  }

  async function carryOut(): Promise<ActionOutcome> {
    await (verbs[command.name as Verb] as (deed: ActionContext, command: InputCommand, at: At) => Promise<unknown>)(deed, command, {
      where: where as ResolvedRef,
      signal,
    })
    const { committed, pending, effect, settled } = await settle.outcome()
    if (!committed) throw new PagehandError('not_committed', notCommitted(command, effect))
    return { effect, trusted, settled, ...(pending.length && { pending }) }
  }
  const stop = watchInterruptions(hands, signal)
  try {
    // a dialog stops every script of the page, so nothing that is asked of it answers
    return ok(await Promise.race([carryOut(), stop.dialog.then(dialog => blocked(dialog, trusted)), stop.aborted]))
  } finally {
    isOver = true
    stop.end()
    settle.end()
  }
}

function notCommitted(
  command: InputCommand,
  { value, checked, selected }: { value?: string; checked?: unknown; selected?: readonly string[] },
): string {
  const now = value ?? selected?.join(', ') ?? (checked === undefined ? undefined : checked ? 'checked' : 'unchecked')
  const ref = 'ref' in command ? command.ref : ''
  return `${command.name} had no lasting effect on ${ref}${now === undefined ? '' : `: it holds "${now}" now`}.`
}

const blocked = ({ type, message, tab }: Dialog, trusted: boolean): ActionOutcome => ({
  effect: { dialog: `${type} "${message}"${tab ? ` in tab ${tab}` : ''}` },
  trusted,
  settled: false,
  pending: ['dialog'],
})
