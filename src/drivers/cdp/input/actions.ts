import { type Message, say } from '../../../contract/message.ts'
import type { Effect } from '../../../contract/page-api.ts'
import { ok, type Result } from '../../../contract/run.ts'
import { quote } from '../../../render/text/quote.ts'
import { DocumentGoneError, PagehandError } from '../errors.ts'
import type { Dialog } from '../page/dialogs.ts'
import { callEngine } from '../page/engine.ts'
import { watchInterruptions } from '../settle/interruptions.ts'
import { watchAction } from '../settle/settle.ts'
import { wait } from '../settle/wait.ts'
import { withTimeout } from '../timeout.ts'
import type { ActionContext } from './action-context.ts'
import { drag } from './drag.ts'
import { fill, type } from './fields.ts'
import type { ActionOutcome, InputCommand, InputContext, InputVerb, ResolvedRef } from './input-context.ts'
import { pressKey, requireKey } from './keyboard.ts'
import { hover, longPress, press } from './mouse.ts'
import { check, select } from './select.ts'
import { upload } from './upload.ts'
import { wheel } from './wheel.ts'

type ActionVerb = Exclude<InputVerb, 'wait'>
type ActionCommand<V extends ActionVerb> = Extract<InputCommand, { name: V }>
interface ActionPlace {
  /** the resolved `ref` of the command; only commands that require a ref may read it */
  readonly where: ResolvedRef
  readonly signal: AbortSignal
}

const verbs: { readonly [V in ActionVerb]: (action: ActionContext, command: ActionCommand<V>, place: ActionPlace) => Promise<unknown> } = {
  click: (action, { button, modifiers }, { where: { ref } }) => press(action, { ref, button, modifiers }),
  dblclick: (action, { button, modifiers }, { where: { ref } }) => press(action, { ref, button, modifiers, times: 2 }),
  longpress: (action, { ms }, { where: { ref }, signal }) => longPress(action, { ref, ms, signal }),
  hover: (action, _, { where: { ref } }) => hover(action, ref),
  focus: (action, _, { where: { ref } }) => action.call('focus', { ref }),
  blur: (action, _, { where: { ref } }) => action.call('blur', { ref }),
  fill: (action, { value, commit }, { where: { ref } }) => fill(action, { ref, value, commit: commit === true }),
  type: (action, { text }, { where: { ref } }) => type(action, { ref, text }),
  select: (action, { values }, { where: { ref } }) => select(action, { ref, values }),
  check: (action, _, { where: { ref } }) => check(action, { ref, checked: true }),
  uncheck: (action, _, { where: { ref } }) => check(action, { ref, checked: false }),
  press: async (action, { key: given }) => {
    const key = requireKey(given)
    if (action.ref !== undefined) await action.call('focusForKey', { ref: action.ref })
    await pressKey(action, key)
  },
  scrollIntoView: (action, _, { where: { ref } }) => action.call('scrollIntoView', { ref }),
  scroll: (action, command) => wheel(action, command),
  drag: async (action, { to }, { where }) => drag(action, where, await action.input.resolveRef(to)),
  upload: (action, { files }, { where }) => upload(action, where, files),
}

const pressesKeys = /^(press|type|fill|select)$/

/** the browser reports that the page has handled an input event; a page that takes longer is stuck in a handler */
const maxHandleMs = 5_000
/** a stopped action waits this long for the page to handle the last input event */
const maxLateInputMs = 300
/** a text is inserted by one event, and editors may take their time for a long one */
const maxHandleMsPerCharacter = 10
const handleLimit = (params: object = {}): number =>
  maxHandleMs + ('text' in params ? String(params.text).length * maxHandleMsPerCharacter : 0)

/** Performs one action on the selected tab. Exceptions become failures of the command. */
export async function performAction(command: InputCommand, input: InputContext, signal: AbortSignal): Promise<Result<ActionOutcome>> {
  if (command.name === 'wait') return wait(command, input, signal)
  const where = command.ref === undefined ? undefined : await input.resolveRef(command.ref)
  const frame = where?.frame ?? (await input.top())
  const drawing = input.keepDrawing()
  drawing?.isDrawn.catch(() => {}) // the tab is gone, which the action notices too
  const guard = input.guardClipboard()
  const keyGuard = pressesKeys.test(command.name) ? input.guardKeys() : undefined
  const settle = watchAction(input, { frame, where })
  let isOver = false
  let lastInput: Promise<unknown> | undefined
  let trusted = true
  let isAnnounced = false
  /** after the first call of the action, which scrolls the element into view */
  const announce = () => {
    if (where && !isAnnounced) input.announceTarget(command.name, where)
    isAnnounced = true
  }
  const action: ActionContext = {
    input,
    frame,
    ref: where?.ref,
    ready: settle.ready,
    // only aiming may run while the watch is being set up
    call: (name, ...payload) => {
      const answer = name === 'aim' ? callEngine(frame, name, ...payload) : settle.ready.then(() => callEngine(frame, name, ...payload))
      answer.then(announce, () => {}) // the action reports its failure
      return answer
    },
    dispatch: async (method, params) => {
      await Promise.all([settle.ready, guard.ready, keyGuard?.ready])
      if (isOver) throw new PagehandError('aborted', say`The action is over.`)
      const limit = handleLimit(params)
      const sent = input.target.send(method, params)
      lastInput = sent
      return withTimeout(limit, sent, () => {
        throw new PagehandError('outcome_unknown', say`The page has been handling the input for ${limit} ms: a script of it does not end.`)
      })
    },
    markUntrusted: () => {
      trusted = false
    },
  }

  async function perform(): Promise<ActionOutcome> {
    // the name that finds the verb is that of the command
    const verb = verbs[command.name as ActionVerb] as (action: ActionContext, command: InputCommand, place: ActionPlace) => Promise<unknown>
    const performed = verb(action, command, { where: where as ResolvedRef, signal })
    // what the verb says about a text that was not entered is a consequence of it
    await performed.catch(() => {})
    if (await keyGuard?.hasStopped()) throw focusMovedError(command)
    await performed
    const { committed, pending, effect, settled } = await settle.outcome()
    if (!committed) throw notCommittedError(command, effect)
    return { effect, trusted, settled, ...(pending.length && { pending }) }
  }
  const interruptions = watchInterruptions(input, signal)
  try {
    // a dialog blocks every script of the page, so no call of the engine returns
    return ok(await Promise.race([perform(), interruptions.dialog.then(dialog => blockedByDialog(dialog, trusted)), interruptions.aborted]))
  } catch (error) {
    throw error instanceof DocumentGoneError ? leftError(command, lastInput !== undefined) : error
  } finally {
    isOver = true
    // an input event that was sent before the caller stopped the action still takes effect, and must not do so after the answer
    if (signal.aborted && lastInput) await withTimeout(maxLateInputMs, lastInput).catch(() => {})
    guard.end()
    keyGuard?.end()
    drawing?.end()
    interruptions.end()
    settle.end()
  }
}

/** The page navigated by itself, or because of the action. */
function leftError(command: InputCommand, hasDispatched: boolean): PagehandError {
  if (hasDispatched) return new PagehandError('outcome_unknown', say`The page navigated during ${command.name}.`)
  const target: Message = 'ref' in command && command.ref !== undefined ? [{ ref: command.ref }] : ['its document']
  return new PagehandError('ref_not_found', say`The page navigated before ${command.name} began, and ${target} is gone with it.`)
}

const focusMovedError = ({ name }: InputCommand): PagehandError =>
  new PagehandError(
    'approval_stale',
    say`The focus moved to another control during ${name}, and the keys that would have gone there were stopped. Take a snapshot to see what was done before.`,
  )

function notCommittedError(command: InputCommand, { value, characters, checked, selected }: Effect): PagehandError {
  const state = value ?? selected?.join(', ') ?? (checked === undefined ? undefined : checked ? 'checked' : 'unchecked')
  const now = characters === undefined ? state : `${characters} characters`
  const target: Message = 'ref' in command && command.ref !== undefined ? [{ ref: command.ref }] : ['the page']
  const message = say`${command.name} did not leave ${target} as requested.`
  return new PagehandError('not_committed', message, { page: now === undefined ? {} : { value: now } })
}

const blockedByDialog = ({ type, message, tab }: Dialog, trusted: boolean): ActionOutcome => ({
  effect: { dialog: `${type} ${quote(message)}${tab ? ` in tab ${tab}` : ''}` },
  trusted,
  settled: false,
  pending: ['dialog'],
})
