import type { CommandArguments } from '../../../contract/commands.ts'
import type { WaitCheck, WaitCondition } from '../../../contract/page-api.ts'
import { fail, ok, type Result } from '../../../contract/run.ts'
import { PagehandError } from '../errors.ts'
import { engineError } from '../input/action.ts'
import type { ActionOutcome, InputContext } from '../input/context.ts'
import { pause } from '../input/mouse.ts'
import type { Frame } from '../page/frames.ts'
import { watchInterruptions } from './interruptions.ts'
import { createSignal } from './signal.ts'

/** without a request for this long, the network is idle */
const idleMs = 500
const conditions = ['ms', 'selector', 'text', 'textGone', 'url', 'load', 'networkIdle', 'domStable', 'ref'] as const

/** Waits for one condition, asked from outside of the page again and again: at once when something happens, and otherwise as often as wanted. */
export async function wait(command: CommandArguments<'wait'>, hands: InputContext, signal: AbortSignal): Promise<Result<ActionOutcome>> {
  const given = conditions.filter(name => command[name] !== undefined)
  const [name] = given
  if (given.length !== 1 || !name) return fail('invalid_wait', `Give one of ${conditions.join(', ')}; there are ${given.length}.`)
  const began = performance.now()
  const waitedMs = () => Math.round(performance.now() - began)
  if (command.ms !== undefined) {
    await pause(command.ms, signal)
    return ok({ met: true, saw: '', waitedMs: waitedMs() })
  }
  const until = Math.min(began + command.timeoutMs, hands.deadline)
  const check = checkOf(name, command, hands)
  const bell = ring(hands)
  const stop = watchInterruptions(hands, signal)
  // while there is a dialog the page does nothing, and answers nothing
  const interrupted = Promise.race([
    stop.aborted,
    stop.dialog.then(({ type, message, tab }) => {
      throw new PagehandError('dialog_open', `${type} "${message}" opened${tab ? ` in tab ${tab}` : ''} while this was waited for.`)
    }),
  ])
  try {
    for (let saw = ''; ; ) {
      // a document that is going, or a page that is busy, is asked again
      const now = await Promise.race([check().catch(forgiven), interrupted])
      saw = now.saw || saw
      if (now.met) return ok({ met: true, saw: '', waitedMs: waitedMs() })
      if (performance.now() >= until)
        return fail('timeout', `${worded(name, command)} within ${waitedMs()} ms; saw: ${saw || 'nothing of it'}.`)
      await Promise.race([bell.next(Math.min(command.pollMs, Math.max(until - performance.now(), 0))), interrupted])
    }
  } finally {
    bell.end()
    stop.end()
  }
}

function forgiven(error: unknown): WaitCheck {
  const code = error instanceof PagehandError ? error.code : ''
  if (code === 'target_closed') return { met: false, saw: 'the page was going to another document' }
  if (code === 'page_unresponsive' || code === 'no_root') return { met: false, saw: 'the page did not answer' }
  throw error
}

const worded = (name: string, command: CommandArguments<'wait'>): string => {
  const said = `${command[name as 'text']}`.slice(0, 80)
  const words: { readonly [name: string]: string } = {
    selector: `Nothing that matches ${said} appeared`,
    text: `The text "${said}" did not appear`,
    textGone: `The text "${said}" did not go`,
    url: `The address did not come to hold "${said}"`,
    load: `The page did not reach ${said}`,
    networkIdle: 'The network did not come to rest',
    domStable: 'The page did not come to rest',
    ref: `${said} did not become ${command.state ?? 'visible'}`,
  }
  return words[name] as string
}

type Check = () => Promise<WaitCheck>

function checkOf(name: (typeof conditions)[number], command: CommandArguments<'wait'>, hands: InputContext): Check {
  const { selector, text, textGone, url, load, ref, state } = command
  switch (name) {
    case 'url':
      return async () => {
        const now = (await hands.pageInfo()).url
        return { met: now.includes(url ?? ''), saw: now }
      }
    case 'load':
      return async () => look(hands, await hands.top(), { load: load ?? 'load' })
    case 'networkIdle':
      return async () => idle(hands)
    case 'ref':
      return () => ofRef(hands, ref ?? '', state)
    case 'selector':
      return () => anywhere(hands, { selector: selector ?? '' })
    case 'text':
      return () => anywhere(hands, { text: text ?? '' })
    case 'textGone':
      return () => everywhere(hands, { textGone: textGone ?? '' })
    default:
      return () => everywhere(hands, { domStable: true })
  }
}

interface Said {
  readonly ok: boolean
  readonly data: WaitCheck
  readonly error?: Parameters<typeof engineError>[2]['error']
}

async function look(hands: InputContext, frame: Frame, condition: WaitCondition): Promise<WaitCheck> {
  const said = JSON.parse(await frame.evaluate<string>(`__agentBrowser.call("page",["waitCheck",${JSON.stringify(condition)}])`)) as Said
  if (!said.ok) throw engineError(hands, frame, { ref: condition.ref, error: said.error })
  return said.data
}

/** in one document at least */
async function anywhere(hands: InputContext, condition: WaitCondition): Promise<WaitCheck> {
  const [top, ...others] = await hands.frames()
  if (!top) return { met: false, saw: 'no document' }
  const checks = [look(hands, top, condition), ...others.map(frame => look(hands, frame, condition).catch(unreachable))]
  const all = await Promise.all(checks)
  return all.find(({ met }) => met) ?? all.find(({ saw }) => saw.includes('hidden')) ?? (all[0] as WaitCheck)
}

/** in all documents */
async function everywhere(hands: InputContext, condition: WaitCondition): Promise<WaitCheck> {
  const [top, ...others] = await hands.frames()
  if (!top) return { met: false, saw: 'no document' }
  const gone = () => ({ met: true, saw: '' })
  const all = await Promise.all([look(hands, top, condition), ...others.map(frame => look(hands, frame, condition).catch(gone))])
  return all.find(({ met }) => !met) ?? (all[0] as WaitCheck)
}

/** a frame that goes, or does not answer, has nothing to show; a selector that is none is none everywhere */
const unreachable = (error: unknown): WaitCheck => {
  if (error instanceof PagehandError && error.code === 'invalid_selector') throw error
  return { met: false, saw: '' }
}

async function ofRef(hands: InputContext, ref: string, state: WaitCondition['state'] = 'visible'): Promise<WaitCheck> {
  const gone = { met: state === 'detached' || state === 'hidden', saw: `${ref} is gone` }
  try {
    const { frame, ref: local } = await hands.resolveRef(ref)
    const { met, saw } = await look(hands, frame, { ref: local, state })
    return { met, saw: saw.replace(local, ref) }
  } catch (error) {
    // what is gone never comes back, so waiting for anything else of it is in vain
    if (gone.met && error instanceof PagehandError && /^(ref_not_found|target_closed)$/.test(error.code)) return gone
    throw error
  }
}

async function idle(hands: InputContext): Promise<WaitCheck> {
  const open = hands.network.inFlight()
  const last = Math.max(0, ...hands.network.since(0).map(({ startedAt: began, endedAt: ended }) => ended ?? began))
  const { readyState } = await hands.pageInfo()
  const quiet = performance.now() - last
  if (open.length) return { met: false, saw: `${open.length} request${open.length > 1 ? 's' : ''}, such as ${open[0]?.url.slice(0, 80)}` }
  return { met: readyState === 'complete' && quiet >= idleMs, saw: `readyState ${readyState}, a request ${Math.round(quiet)} ms ago` }
}

/** Wakes whoever waits when requests or documents come and go, and at the latest when their time is over. */
function ring({ target: tab, network }: InputContext) {
  const { notify: wake, wait: heard } = createSignal()
  const off = [network.onChange(wake), tab.on('Page.lifecycleEvent', wake), tab.on('Page.navigatedWithinDocument', wake)]
  return {
    next: heard,
    end: () => {
      for (const step of off) step()
    },
  }
}
