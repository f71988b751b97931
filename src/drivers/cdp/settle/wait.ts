import type { CommandArguments } from '../../../contract/commands.ts'
import { variantPairs } from '../../../contract/fold-words.ts'
import { type Message, quoted, say, term, textOf } from '../../../contract/message.ts'
import type { WaitCheck, WaitCondition } from '../../../contract/page-api.ts'
import { waitConditions } from '../../../contract/parse-command.ts'
import { fail, ok, type Result } from '../../../contract/run.ts'
import { createEmitter } from '../emitter.ts'
import { PagehandError } from '../errors.ts'
import type { ActionOutcome, InputContext } from '../input/input-context.ts'
import { dialogOpenError } from '../page/dialogs.ts'
import { callEngine, spellRefs } from '../page/engine.ts'
import type { Frame } from '../page/frames.ts'
import { pause, waitForEvent } from '../timeout.ts'
import { watchInterruptions } from './interruptions.ts'

/** the network is idle if no request started or ended for this long */
const networkIdleMs = 500
type ConditionName = (typeof waitConditions)[number]

/** Waits for one condition. It is checked every `pollMs`, and at once when a request or a document comes or goes. */
export async function wait(command: CommandArguments<'wait'>, input: InputContext, signal: AbortSignal): Promise<Result<ActionOutcome>> {
  const given = waitConditions.filter(name => command[name] !== undefined)
  const [name] = given
  if (given.length !== 1 || !name)
    return fail('invalid_wait', say`Give exactly one of ${term(waitConditions.join(', '))}; ${given.length} were given.`)
  const startedAt = performance.now()
  const waitedMs = () => Math.round(performance.now() - startedAt)
  if (command.ms !== undefined) {
    await pause(command.ms, signal)
    return ok({ met: true, saw: '', waitedMs: waitedMs() })
  }
  const deadline = Math.min(startedAt + command.timeoutMs, input.deadline)
  const check = createCheck(name, command, input)
  const activity = watchActivity(input)
  const interruptions = watchInterruptions(input, signal)
  // while a dialog is open, the page neither runs nor answers
  const interrupted = Promise.race([
    interruptions.aborted,
    interruptions.closed,
    interruptions.dialog.then(dialog => {
      throw dialogOpenError(dialog)
    }),
  ])
  try {
    for (let saw = ''; ; ) {
      // a document that is being unloaded, or a busy page, is checked again
      const now = await Promise.race([check().catch(unmetOrThrow), interrupted])
      saw = now.saw || saw
      if (now.met) return ok({ met: true, saw: '', waitedMs: waitedMs() })
      if (performance.now() >= deadline)
        return fail('timeout', say`${describeTimeout(name, command)} within ${waitedMs()} ms.`, { page: { saw: saw || 'nothing' } })
      await Promise.race([activity.next(Math.min(command.pollMs, Math.max(deadline - performance.now(), 0))), interrupted])
    }
  } finally {
    activity.end()
    interruptions.end()
  }
}

function unmetOrThrow(error: unknown): WaitCheck {
  const code = error instanceof PagehandError ? error.code : ''
  if (code === 'target_closed') return { met: false, saw: 'the page was navigating' }
  if (code === 'page_unresponsive' || code === 'no_root') return { met: false, saw: 'the page did not answer' }
  throw error
}

function describeTimeout(name: ConditionName, command: CommandArguments<'wait'>): Message {
  const value = quoted(command[name])
  const descriptions: { readonly [N in ConditionName]: Message } = {
    ms: say`The time did not pass`,
    selector: say`Nothing that matches ${value} appeared`,
    text: say`The text ${value} did not appear`,
    textGone: say`The text ${value} did not disappear`,
    url: say`The URL did not contain ${value}`,
    load: say`The page did not reach ${value}`,
    networkIdle: say`The network did not become idle`,
    domStable: say`The DOM did not become stable`,
    ref: say`${{ ref: command.ref ?? '' }} did not become ${command.state ?? 'visible'}`,
  }
  return descriptions[name]
}

type Check = () => Promise<WaitCheck>

function createCheck(name: ConditionName, command: CommandArguments<'wait'>, input: InputContext): Check {
  const { selector, text, textGone, url, load, ref, state } = command
  switch (name) {
    case 'url':
      return async () => {
        // a part of a secret in the URL must not be found by trial and error
        const now = input.scrub((await input.pageInfo()).url)
        return { met: now.includes(url ?? ''), saw: now }
      }
    case 'load':
      return async () => checkFrame(await input.top(), { load: load ?? 'load' })
    case 'networkIdle':
      return async () => checkNetworkIdle(input)
    case 'ref':
      return () => checkRef(input, ref ?? '', state)
    case 'selector':
      return () => checkAnyFrame(input, { selector: selector ?? '' })
    case 'text':
      return () => checkAnyFrame(input, { text: text ?? '', hide: input.secretPattern(), variants: variantPairs(text ?? '') })
    case 'textGone':
      return () => checkEveryFrame(input, { textGone: textGone ?? '', hide: input.secretPattern(), variants: variantPairs(textGone ?? '') })
    default:
      return () => checkEveryFrame(input, { domStable: true })
  }
}

async function checkFrame(frame: Frame, condition: WaitCondition): Promise<WaitCheck> {
  const { met, saw } = await callEngine(frame, 'waitCheck', condition)
  return { met, saw: textOf(spellRefs(frame, saw)) }
}

/** The condition must hold in at least one frame. */
async function checkAnyFrame(input: InputContext, condition: WaitCondition): Promise<WaitCheck> {
  const [top, ...others] = await input.frames()
  if (!top) return { met: false, saw: 'no document' }
  const checks = await Promise.all([
    checkFrame(top, condition),
    ...others.map(frame => checkFrame(frame, condition).catch(emptyUnlessInvalid)),
  ])
  return checks.find(({ met }) => met) ?? checks.find(({ saw }) => saw.includes('hidden')) ?? (checks[0] as WaitCheck)
}

/** The condition must hold in all frames. */
async function checkEveryFrame(input: InputContext, condition: WaitCondition): Promise<WaitCheck> {
  const [top, ...others] = await input.frames()
  if (!top) return { met: false, saw: 'no document' }
  const met = () => ({ met: true, saw: '' }) // a frame that is gone contains nothing
  const checks = await Promise.all([checkFrame(top, condition), ...others.map(frame => checkFrame(frame, condition).catch(met))])
  return checks.find(({ met }) => !met) ?? (checks[0] as WaitCheck)
}

/** A frame that is gone or does not answer contains no match. An invalid selector is invalid in every frame. */
function emptyUnlessInvalid(error: unknown): WaitCheck {
  if (error instanceof PagehandError && error.code === 'invalid_selector') throw error
  return { met: false, saw: '' }
}

async function checkRef(input: InputContext, ref: string, state: WaitCondition['state'] = 'visible'): Promise<WaitCheck> {
  const gone = { met: state === 'detached' || state === 'hidden', saw: `${ref} is gone` }
  try {
    const { frame, ref: local } = await input.resolveRef(ref)
    return await checkFrame(frame, { ref: local, state })
  } catch (error) {
    // an element that is gone never comes back, so waiting for any other state fails at once
    if (gone.met && error instanceof PagehandError && /^(ref_not_found|target_closed)$/.test(error.code)) return gone
    throw error
  }
}

async function checkNetworkIdle(input: InputContext): Promise<WaitCheck> {
  const open = input.network.inFlight()
  const lastChange = Math.max(0, ...input.network.since(0).map(({ startedAt, endedAt }) => endedAt ?? startedAt))
  const { readyState } = await input.pageInfo()
  const idleMs = performance.now() - lastChange
  if (open.length) return { met: false, saw: `${open.length} request${open.length > 1 ? 's' : ''}, such as ${open[0]?.url.slice(0, 80)}` }
  return {
    met: readyState === 'complete' && idleMs >= networkIdleMs,
    saw: `readyState ${readyState}, a request ${Math.round(idleMs)} ms ago`,
  }
}

/** `next` resolves when a request or a document comes or goes, or after `ms`. */
function watchActivity({ target, network }: InputContext) {
  const activity = createEmitter()
  const notify = () => activity.emit()
  const unsubscribe = [
    network.onChange(notify),
    target.on('Page.lifecycleEvent', notify),
    target.on('Page.navigatedWithinDocument', notify),
  ]
  return {
    next: (ms: number) => waitForEvent(activity.on, ms),
    end: () => {
      for (const off of unsubscribe) off()
    },
  }
}
