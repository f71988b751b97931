import { messageOf } from '../../contract/error-message.ts'
import { type FailureCode, failure } from '../../contract/failures.ts'
import type { ActionKind, ActionPayloads, Effect, WaitCondition } from '../../contract/page-api.ts'
import { parseCommand } from '../../contract/parse-command.ts'
import { createQueue } from '../../contract/queue.ts'
import { type AbortSignalLike, type AnyCommand, fail, ok, type Result, type Run, typed } from '../../contract/run.ts'
import type { PageSnapshotOptions } from '../../contract/snapshot.ts'
import { checkUrl } from '../../policy/url-rules.ts'
import { parseActionResult, parsePageResult, parseQueryResult } from '../../render/decode/answers.ts'
import { decode, parseSnapshot } from '../../render/decode/snapshot.ts'
import { actionJs, pageJs, queryJs, snapshotJs } from '../expressions.ts'
import { type Limits, now, pause, TimeoutError, within } from './clock.ts'
import { type Ask, createAsk } from './evaluate.ts'
import type { ScriptHost, ScriptOptions } from './host.ts'
import { info, settle } from './settle.ts'

const deadlines = { act: 15_000, look: 10_000, leave: 30_000 } as const
/** how long a list that was just opened may take to show its options */
const openingMs = 2_000
const longestWait = 120_000

interface Page {
  readonly ask: Ask
  readonly host: ScriptHost
  readonly options: Required<Omit<ScriptOptions, 'seal'>>
}
type Verb = (page: Page, command: AnyCommand, limits: Limits) => Promise<Result>

/**
 * Any WebView that can evaluate a string, as a `Run`. Commands are carried out one after the other; nothing is thrown.
 * What this cannot see: closed shadow roots, frames of other origins. What it does is not trusted input, and a page can tell.
 */
export function scriptDriver(host: ScriptHost, given: ScriptOptions = {}): Run {
  const options = { settleMs: 2_000, networkMs: 5_000, pollMs: 50, files: [], allowEval: false, ...given }
  const page: Page = { ask: createAsk(host, options.pollMs, given.seal ? { seal: given.seal } : {}), host, options }
  const enqueue = createQueue()
  return typed((command, signal) => enqueue(() => carryOut(page, command, signal)))
}

async function carryOut(page: Page, given: AnyCommand, signal?: AbortSignalLike): Promise<Result> {
  const known = Object.hasOwn(verbs, given.name) ? verbs[given.name] : undefined
  if (!known)
    return fail(
      'unsupported_action',
      `${String(given.name).slice(0, 40)} needs a browser that is driven from outside; this is a page that evaluates strings.`,
    )
  const parsed = parseCommand(given)
  if (!parsed.ok) return parsed
  const command: AnyCommand = parsed.value
  if (signal?.aborted) return fail('aborted', `${command.name} was stopped before it began.`)
  const [kind, verb] = known
  const ms = kind === 'wait' ? longestWait + 2_000 : deadlines[kind]
  try {
    return await verb(page, command, { deadline: now() + ms, signal })
  } catch (error) {
    if (!(error instanceof TimeoutError))
      return fail(kind === 'act' ? 'outcome_unknown' : 'not_bound', `The page could not be asked: ${messageOf(error).slice(0, 300)}`)
    if (error.up === 'aborted') return fail('aborted', `${command.name} was stopped${kind === 'act' ? '; it may have happened' : ''}.`)
    const code = kind === 'act' ? 'outcome_unknown' : 'page_unresponsive'
    return fail(code, `The page did not answer within ${Math.round(ms / 1_000)} s; a dialog may be open, or its scripts are stuck.`)
  }
}

const act =
  <K extends ActionKind>(kind: K, payload: (command: AnyCommand, page: Page) => unknown = () => null): Verb =>
  async (page, command, limits) => {
    const given = (await payload(command, page)) as ActionPayloads[K]
    const ask = () => page.ask.once(sealed => actionJs(String(command.ref), kind, given, sealed), parseActionResult, limits)
    let answer = await ask()
    if (!answer.ok && answer.error.opened && (await shows(page, optionRoles, limits))) answer = await ask()
    if (!answer.ok) return refusal(answer.error)
    return rested(page, { startedAt: answer.meta.startedAt, effect: answer.effect, what: String(command.ref) }, limits)
  }

const optionRoles = '[role=option],[role=menuitemradio],[role=menuitemcheckbox],[role=menuitem],[role=treeitem],[role=radio]'

/** whether something that matches comes into view within the time that a list may take to open */
async function shows(page: Page, selector: string, limits: Limits): Promise<boolean> {
  for (const until = now() + openingMs; now() < until; ) {
    await pause(page.options.pollMs, limits)
    const answer = await page.ask.patiently(sealed => pageJs('waitCheck', { selector }, sealed), parsePageResult<'waitCheck'>, limits)
    if (answer.ok && answer.data.met) return true
  }
  return false
}

const refusal = ({ code, message }: { code: FailureCode; message: string }): Result<never> => ({ ok: false, error: failure(code, message) })

/** The answer to an action, once the page has come to rest. */
async function rested(
  page: Page,
  { startedAt, effect, what }: { startedAt: number; effect: Effect; what: string },
  limits: Limits,
): Promise<Result> {
  const rest = await settle(page.ask, startedAt, effect, page.options, limits)
  if ('code' in rest) return refusal(rest)
  const { committed, pending, settled } = rest
  if (!committed)
    return fail(
      'not_committed',
      `The page did not keep what was done to ${what}${rest.effect.value === undefined ? '' : `: it holds ${JSON.stringify(rest.effect.value)} now`}.`,
    )
  return ok({ effect: rest.effect, trusted: false, settled, ...(pending.length ? { pending } : {}), page: rest.page })
}

/** keys and scrolling that go to the page as a whole */
const whole =
  (kind: 'pressKey' | 'scroll', payload: (command: AnyCommand) => object): Verb =>
  async (page, command, limits) => {
    const answer = await page.ask.once(sealed => pageJs(kind, payload(command) as never, sealed), parsePageResult<'scroll'>, limits)
    return answer.ok
      ? rested(page, { startedAt: answer.meta.startedAt, effect: answer.data.effect, what: 'the page' }, limits)
      : refusal(answer.error)
  }

const leave =
  (kind: 'back' | 'forward' | 'reload'): Verb =>
  async (page, _, limits) => {
    const answer = await page.ask.once(sealed => pageJs(kind, null, sealed), parsePageResult, limits)
    return answer.ok ? arrived(page, answer.meta, limits) : refusal(answer.error)
  }

const opening: Verb = async (page, { url }, limits) => {
  const verdict = checkUrl(url, { files: page.options.files })
  if (!verdict.ok) return { ok: false, error: verdict.error }
  const { navigate } = page.host
  const before = await info(page.ask, limits).catch(() => null) // nothing may be open yet
  if (navigate) {
    const failed = await within(
      navigate.call(page.host, verdict.url).then(
        () => '',
        error => messageOf(error).slice(0, 300),
      ),
      limits,
    )
    return failed ? fail('navigation_failed', failed) : arrived(page, { startedAt: 0, url: '' }, limits)
  }
  const answer = await page.ask.once(sealed => pageJs('navigate', { url: verdict.url }, sealed), parsePageResult, limits)
  return answer.ok ? arrived(page, before?.ok ? before.meta : answer.meta, limits) : refusal(answer.error)
}

/** how long a page may keep its address and its document before the way back or forward is believed to lead nowhere */
const goingMs = 3_000

/** Until another document, or another address of the same one, is there and has loaded. */
async function arrived(page: Page, from: { readonly startedAt: number; readonly url: string }, limits: Limits): Promise<Result> {
  const start = now()
  for (;;) {
    const answer = await info(page.ask, limits)
    if (!answer.ok) return refusal(answer.error)
    const hasMoved = answer.meta.startedAt !== from.startedAt || answer.data.url !== from.url
    if (hasMoved && answer.data.readyState === 'complete') return ok({ page: answer.data })
    if (!hasMoved && now() - start > goingMs) return fail('navigation_failed', `The page stayed at ${from.url.slice(0, 200)}.`)
    await pause(page.options.pollMs, limits)
  }
}

const wait: Verb = async (page, { name: _, ms, timeoutMs = 5_000, pollMs = 100, ...condition }, limits) => {
  const start = now()
  const waitedMs = () => Math.round(now() - start)
  const asked = Object.keys(condition).filter(key => condition[key] !== undefined)
  if (ms !== undefined && asked.length) return fail('invalid_wait', 'Give ms, or one condition, not both.')
  const most = Math.min(Math.max(Number(ms ?? timeoutMs) || 0, 0), longestWait)
  const until = start + most
  if (ms !== undefined) await pause(most, limits)
  let saw = 'nothing yet'
  for (;;) {
    const here = await info(page.ask, limits)
    if (!here.ok) return refusal(here.error)
    if (ms !== undefined) return ok({ met: true, saw: '', waitedMs: waitedMs(), page: here.data })
    const answer = await page.ask.patiently(
      sealed => pageJs('waitCheck', condition as WaitCondition, sealed),
      parsePageResult<'waitCheck'>,
      limits,
    )
    if (!answer.ok) return refusal(answer.error)
    if (answer.data.met) return ok({ ...answer.data, waitedMs: waitedMs(), page: here.data })
    saw = answer.data.saw
    if (now() >= until) return fail('timeout', `Not within ${most} ms: ${JSON.stringify(condition).slice(0, 200)}; last seen: ${saw}.`)
    await pause(Math.min(Math.max(Number(pollMs) || 0, 10), Math.max(until - now(), 0)), limits)
  }
}

const snapshot: Verb = async ({ ask }, { name: _, maxChars: __, ...options }, limits) => {
  const answer = await ask.patiently(sealed => snapshotJs(options as PageSnapshotOptions, sealed), keep, limits)
  return answer.ok ? ok(answer.json) : refusal(answer.error)
}
/** the page's own JSON goes on to `render`, which looks at it again; here only whether it is one */
function keep(json: unknown): { ok: true; json: unknown } | { ok: false; error: { code: FailureCode; message: string } } {
  const parsed = parseSnapshot(json)
  return parsed.ok ? { ok: true, json: decode(json) } : parsed
}

const query: Verb = async ({ ask }, { ref, kind, limitChars }, limits) => {
  const payload = limitChars === undefined ? null : { limitChars: Number(limitChars) }
  const answer = await ask.patiently(sealed => queryJs(String(ref), String(kind) as never, payload, sealed), parseQueryResult, limits)
  return answer.ok ? ok({ value: answer.value, truncated: answer.truncated }) : refusal(answer.error)
}

const screenshot: Verb = async (page, command, limits) => {
  if (!page.host.screenshot || command.fullPage || command.ref || command.annotate)
    return fail('unsupported_action', `This host takes ${page.host.screenshot ? 'pictures of what is in view only' : 'no pictures'}.`)
  const picture = await within(page.host.screenshot(), limits)
  const here = await info(page.ask, limits)
  return here.ok ? ok({ ...picture, page: here.data }) : refusal(here.error)
}

const evaluate: Verb = async (page, { js, limitChars = 2_000 }, limits) => {
  if (!page.options.allowEval)
    return fail('disabled', 'Running JavaScript is switched off: scriptDriver(host, { allowEval: true }) switches it on.')
  const value = await within(page.host.evaluate(String(js)), limits)
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
  const here = await info(page.ask, limits)
  const most = Math.min(Number(limitChars) || 0, 100_000)
  return here.ok ? ok({ value: text.slice(0, most), truncated: text.length > most, page: here.data }) : refusal(here.error)
}

const status: Verb = async ({ ask }, _, limits) => {
  const here = await info(ask, limits)
  const cannot = ['closed shadow roots', 'frames of other origins', 'trusted input', 'tabs', 'dialogs']
  return ok({ running: here.ok, driver: 'script', trusted: false, cannot, ...(here.ok && { page: here.data }) })
}

const uploads = async ({ files }: AnyCommand, { host }: Page): Promise<unknown> => ({
  files: await Promise.all((Array.isArray(files) ? files : []).map(path => host.readFile?.(String(path)))),
})

const upload: Verb = async (page, command, limits) =>
  page.host.readFile
    ? act('upload', uploads)(page, command, limits)
    : fail('unsupported_action', 'This host reads no files: give it readFile(path).')

const pressing = ({ button, modifiers }: AnyCommand) => ({
  ...(button !== undefined && { button }),
  ...(modifiers !== undefined && { modifiers }),
})

const verbs: { readonly [name: string]: readonly [keyof typeof deadlines | 'wait', Verb] } = {
  open: ['leave', opening],
  back: ['leave', leave('back')],
  forward: ['leave', leave('forward')],
  reload: ['leave', leave('reload')],
  close: ['leave', (page, command, limits) => opening(page, { ...command, url: 'about:blank' }, limits)],
  snapshot: ['look', snapshot],
  query: ['look', query],
  screenshot: ['look', screenshot],
  status: ['look', status],
  wait: ['wait', wait],
  click: ['act', act('click', pressing)],
  dblclick: ['act', act('dblclick', pressing)],
  longpress: ['act', act('longpress', ({ ms }) => ({ ...(ms !== undefined && { ms }) }))],
  hover: ['act', act('hover')],
  focus: ['act', act('focus')],
  blur: ['act', act('blur')],
  fill: ['act', act('fill', ({ value, commit }) => ({ value, commit }))],
  type: ['act', act('type', ({ text }) => ({ text }))],
  select: ['act', act('select', ({ values }) => ({ values }))],
  check: ['act', act('check')],
  uncheck: ['act', act('uncheck')],
  press: ['act', (page, command, limits) => (command.ref === undefined ? pressed : act('press', key))(page, command, limits)],
  scrollIntoView: ['act', act('scroll_into_view')],
  scroll: ['act', (page, command, limits) => (command.ref === undefined ? scrolled : act('scroll', way))(page, command, limits)],
  drag: ['act', act('drag', ({ to }) => ({ to }))],
  upload: ['act', upload],
  evaluate: ['act', evaluate],
}
const key = ({ key }: AnyCommand) => ({ key })
const way = ({ direction, amount }: AnyCommand) => ({ direction, ...(amount !== undefined && { amount }) })
const pressed = whole('pressKey', key)
const scrolled = whole('scroll', way)
