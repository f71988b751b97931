import { messageOf } from '../../contract/error-message.ts'
import type { FailureCode, PageWords } from '../../contract/failures.ts'
import { variantPairs } from '../../contract/fold-words.ts'
import { say, term } from '../../contract/message.ts'
import { type ActionKind, type ActionPayloads, type Effect, optionSelector, type WaitCondition } from '../../contract/page-api.ts'
import { type AnyCommand, fail, ok, type Result } from '../../contract/run.ts'
import type { SecretRules } from '../../contract/secret-place.ts'
import type { PageSnapshotOptions } from '../../contract/snapshot.ts'
import { checkUrl } from '../../policy/url-rules.ts'
import { parseActionResult, parsePageResult, parseQueryResult } from '../../render/decode/answers.ts'
import { decode, parseSnapshot } from '../../render/decode/snapshot.ts'
import { expandSecrets, secretNames } from '../../secrets/named-secrets.ts'
import type { SessionSecrets } from '../../secrets/session-secrets.ts'
import { actionJs, pageJs, queryJs, snapshotJs } from '../expressions.ts'
import { now, pause, type TimeLimit, withinLimit } from './clock.ts'
import type { PageEvaluator } from './evaluate.ts'
import type { ScriptHost, ScriptOptions } from './host.ts'
import { readInfo, settle } from './settle.ts'

/** time for a list that was clicked to show its options */
const maxOpenMs = 2_000
export const maxWaitMs = 120_000

export interface ScriptPage {
  readonly secrets: SessionSecrets
  readonly evaluator: PageEvaluator
  readonly host: ScriptHost
  readonly options: Required<Omit<ScriptOptions, 'seal'>>
  /** the key of the digests of data that would be sent */
  readonly dataKey: string
  /** the highest number of a ref so far: a call that was meant for one page must not find another element on the next */
  lastRef: number
}
type Verb = (page: ScriptPage, command: AnyCommand, limit: TimeLimit) => Promise<Result>

type PageError = { readonly code: FailureCode; readonly message: string; readonly page?: PageWords }
const failed = ({ code, message, page }: PageError): Result<never> => fail(code, term(message), { page })

const act =
  <K extends ActionKind>(kind: K, payloadOf: (command: AnyCommand, page: ScriptPage) => unknown = () => null): Verb =>
  async (page, command, limit) => {
    const payload = (await payloadOf(command, page)) as ActionPayloads[K]
    const perform = () => page.evaluator.once(options => actionJs(String(command.ref), kind, payload, options), parseActionResult, limit)
    let response = await perform()
    if (!response.ok && response.error.opened && (await appears(page, optionSelector, limit))) response = await perform()
    if (!response.ok) return failed(response.error)
    return settledResult(page, { startedAt: response.meta.startedAt, effect: response.effect, name: { ref: String(command.ref) } }, limit)
  }

/** whether an element that matches becomes visible before the time for opening a list is up */
async function appears(page: ScriptPage, selector: string, limit: TimeLimit): Promise<boolean> {
  for (const until = now() + maxOpenMs; now() < until; ) {
    await pause(page.options.pollMs, limit)
    const response = await page.evaluator.untilAnswered(
      options => pageJs('waitCheck', { selector }, options),
      parsePageResult<'waitCheck'>,
      limit,
    )
    if (response.ok && response.data.met) return true
  }
  return false
}

interface PerformedAction {
  readonly startedAt: number
  readonly effect: Effect
  /** the element or the page, for messages */
  readonly name: { readonly ref: string } | 'the page'
}

/** The result of an action once the page has settled. */
async function settledResult(page: ScriptPage, { startedAt, effect: first, name }: PerformedAction, limit: TimeLimit): Promise<Result> {
  const result = await settle(page.evaluator, { startedAt, effect: first, limits: page.options }, limit)
  if ('error' in result) return failed(result.error)
  const { effect, committed, pending, settled } = result
  if (!committed)
    return fail('not_committed', say`The page did not keep the change of ${name}.`, {
      page: effect.value === undefined ? {} : { value: heldBy(effect) },
    })
  return ok({ effect, trusted: false, settled, ...(pending.length ? { pending } : {}), page: result.page })
}

const heldBy = ({ value, characters }: Effect) => (characters === undefined ? (value ?? '') : `${characters} characters`)

/** keys and scrolling without a ref */
const actOnPage =
  (kind: 'pressKey' | 'scroll', payloadOf: (command: AnyCommand) => object): Verb =>
  async (page, command, limit) => {
    const response = await page.evaluator.once(
      options => pageJs(kind, payloadOf(command) as never, options),
      parsePageResult<'scroll'>,
      limit,
    )
    if (!response.ok) return failed(response.error)
    return settledResult(page, { startedAt: response.meta.startedAt, effect: response.data.effect, name: 'the page' }, limit)
  }

const navigateHistory =
  (kind: 'back' | 'forward' | 'reload'): Verb =>
  async (page, _, limit) => {
    const response = await page.evaluator.once(options => pageJs(kind, null, options), parsePageResult, limit)
    return response.ok ? loadedResult(page, response.meta, limit) : failed(response.error)
  }

const open: Verb = async (page, { url }, limit) => {
  const verdict = checkUrl(url, { files: page.options.files })
  if (!verdict.ok) return { ok: false, error: verdict.error }
  const { navigate } = page.host
  const before = await readInfo(page.evaluator, limit).catch(() => null) // there may be no page yet
  if (navigate) {
    const problem = await withinLimit(
      navigate.call(page.host, verdict.url).then(
        () => '',
        error => messageOf(error).slice(0, 300),
      ),
      limit,
    )
    if (problem) return fail('navigation_failed', 'The page did not load.', { page: { url: verdict.url, error: problem } })
    // hosts resolve when the navigation starts, commits or has loaded; a fragment of the same page begins no new document
    const isSamePage = before?.ok && before.data.url === verdict.url && verdict.url.includes('#')
    return loadedResult(page, before?.ok && !isSamePage ? before.meta : { startedAt: 0, url: '' }, limit, maxHostStartMs)
  }
  const response = await page.evaluator.once(options => pageJs('navigate', { url: verdict.url }, options), parsePageResult, limit)
  return response.ok ? loadedResult(page, before?.ok ? before.meta : response.meta, limit) : failed(response.error)
}

/** time for a navigation to start; after that it is considered to lead nowhere */
const maxStartMs = 3_000
/** the same if the host navigates: its server may be slow, and the host would report a failure */
const maxHostStartMs = 20_000

/** Waits until another document, or another URL of the same document, has loaded. */
async function loadedResult(
  page: ScriptPage,
  from: { readonly startedAt: number; readonly url: string },
  limit: TimeLimit,
  startMs = maxStartMs,
): Promise<Result> {
  const start = now()
  for (;;) {
    const info = await readInfo(page.evaluator, limit)
    if (!info.ok) return failed(info.error)
    const hasNavigated = info.meta.startedAt !== from.startedAt || info.data.url !== from.url
    if (hasNavigated && info.data.readyState === 'complete') return ok({ page: info.data })
    if (!hasNavigated && now() - start > startMs)
      return fail('navigation_failed', say`The page stayed where it was.`, { page: { url: from.url } })
    await pause(page.options.pollMs, limit)
  }
}

const wait: Verb = async (page, { name: _, ms, timeoutMs = 5_000, pollMs = 100, ...condition }, limit) => {
  const start = now()
  const waitedMs = () => Math.round(now() - start)
  const totalMs = Math.min(Math.max(Number(ms ?? timeoutMs) || 0, 0), maxWaitMs)
  const until = start + totalMs
  const { text, textGone } = condition as WaitCondition
  const variants = variantPairs(`${text ?? ''}${textGone ?? ''}`)
  if (ms !== undefined) await pause(totalMs, limit)
  for (;;) {
    const info = await readInfo(page.evaluator, limit)
    if (!info.ok) return failed(info.error)
    if (ms !== undefined) return ok({ met: true, saw: '', waitedMs: waitedMs(), page: info.data })
    const check = await page.evaluator.untilAnswered(
      options => pageJs('waitCheck', { ...(condition as WaitCondition), variants }, options),
      parsePageResult<'waitCheck'>,
      limit,
    )
    if (!check.ok) return failed(check.error)
    if (check.data.met) return ok({ ...check.data, waitedMs: waitedMs(), page: info.data })
    if (now() >= until)
      return fail('timeout', say`Not within ${totalMs} ms: ${term(JSON.stringify(condition).slice(0, 200))}.`, {
        page: { saw: check.data.saw },
      })
    await pause(Math.min(Math.max(Number(pollMs) || 0, 10), Math.max(until - now(), 0)), limit)
  }
}

/** more than a snapshot can have */
const maxNewRefs = 100_000
/** a ref has at most nine digits */
const maxRefsAfter = 99_000_000

const snapshot: Verb = async (page, { name: _, maxChars: __, ...given }, limit) => {
  const snapshotOptions = { ...given, refsAfter: Math.min(page.lastRef, maxRefsAfter) } as PageSnapshotOptions
  const response = await page.evaluator.untilAnswered(options => snapshotJs(snapshotOptions, options), checkSnapshot, limit)
  if (!response.ok) return failed(response.error)
  const numbers = response.refs.map(ref => Number(/\d+$/.exec(ref)?.[0]))
  // a page that made up a number must not use up those of other pages
  page.lastRef = Math.max(page.lastRef, ...numbers.filter(number => number <= page.lastRef + maxNewRefs))
  return ok(response.json)
}
/** Checks the JSON of the page and passes it on unchanged; `render` parses it. */
function checkSnapshot(json: unknown): { ok: true; json: unknown; refs: readonly string[] } | { ok: false; error: PageError } {
  const parsed = parseSnapshot(json)
  return parsed.ok ? { ok: true, json: decode(json), refs: Object.keys(parsed.refs) } : parsed
}

const query: Verb = async ({ evaluator }, { ref, kind, limitChars }, limit) => {
  const payload = limitChars === undefined ? null : { limitChars: Number(limitChars) }
  const response = await evaluator.untilAnswered(
    options => queryJs(String(ref), String(kind) as never, payload, options),
    parseQueryResult,
    limit,
  )
  return response.ok ? ok({ value: response.value, truncated: response.truncated }) : failed(response.error)
}

const inspect: Verb = async ({ evaluator, dataKey }, { ref, guard, sends, values, except = [] }, limit) => {
  const payload = {
    ...(ref !== undefined && { ref: String(ref) }),
    ...(guard === true && { guard: true as const }),
    ...(sends === true && { sends: true as const }),
    ...(Array.isArray(values) && { values: values.map(String) }),
    key: dataKey,
    except: except as readonly string[],
  }
  const response = await evaluator.untilAnswered(options => pageJs('inspect', payload, options), parsePageResult<'inspect'>, limit)
  return response.ok ? ok(response.data) : failed(response.error)
}

const screenshot: Verb = async (page, command, limit) => {
  if (!page.host.screenshot) return fail('unsupported_action', 'This host takes no screenshots.')
  if (command.fullPage || command.ref || command.annotate || command.mark)
    return fail('unsupported_action', 'This host takes screenshots of the viewport only.')
  const image = await withinLimit(page.host.screenshot(), limit)
  const info = await readInfo(page.evaluator, limit)
  return info.ok ? ok({ ...image, page: info.data }) : failed(info.error)
}

const evaluate: Verb = async (page, { js, limitChars = 2_000 }, limit) => {
  if (!page.options.allowEval)
    return fail('disabled', 'Running JavaScript is switched off: scriptDriver(host, { allowEval: true }) switches it on.')
  const value = await withinLimit(page.host.evaluate(String(js)), limit)
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
  const info = await readInfo(page.evaluator, limit)
  const maxChars = Math.min(Number(limitChars) || 0, 100_000)
  return info.ok ? ok({ value: text.slice(0, maxChars), truncated: text.length > maxChars, page: info.data }) : failed(info.error)
}

const status: Verb = async ({ evaluator, options }, _, limit) => {
  const info = await readInfo(evaluator, limit)
  const names = secretNames(options.secrets)
  const cannot = ['closed shadow roots', 'frames of other origins', 'trusted input', 'tabs', 'dialogs']
  return ok({
    running: info.ok,
    driver: 'script',
    trusted: false,
    cannot,
    ...(names.length > 0 && { secrets: names }),
    ...(info.ok && { page: info.data }),
  })
}

const readFiles = async ({ files }: AnyCommand, { host }: ScriptPage): Promise<unknown> => ({
  files: await Promise.all((Array.isArray(files) ? files : []).map(path => host.readFile?.(String(path)))),
})

const upload: Verb = async (page, command, limit) =>
  page.host.readFile
    ? act('upload', readFiles)(page, command, limit)
    : fail('unsupported_action', 'This host reads no files: give it readFile(path).')

/** `fill` or `type`; the host replaces the names of secrets, and the script checks the origin before it enters them */
const enter =
  (kind: 'fill' | 'type', field: 'value' | 'text'): Verb =>
  async (page, command, limit) => {
    const expanded = await expandSecrets(String(command[field]), page.options.secrets, (value, origins) =>
      page.secrets.add([value], origins),
    )
    if (!expanded.ok) return expanded
    const { text, rules } = expanded.data
    return act(kind, ({ commit }) => ({ [field]: text, ...(kind === 'fill' && { commit }), ...(rules && { rules }) }))(page, command, limit)
  }

const select: Verb = async (page, command, limit) => {
  const values = (command.values as readonly unknown[]).map(String)
  const texts: string[] = []
  let rules: SecretRules | undefined
  // the rules of all values together are the strictest
  for (const text of [values.join('\n'), ...values]) {
    const expanded = await expandSecrets(text, page.options.secrets, (value, origins) => page.secrets.add([value], origins))
    if (!expanded.ok) return expanded
    rules ??= expanded.data.rules
    texts.push(expanded.data.text)
  }
  return act('select', () => ({ values: texts.slice(1), ...(rules && { rules }) }))(page, command, limit)
}

const pressPayload = ({ button, modifiers }: AnyCommand) => ({
  ...(button !== undefined && { button }),
  ...(modifiers !== undefined && { modifiers }),
})
const keyPayload = ({ key }: AnyCommand) => ({ key })
const scrollPayload = ({ direction, amount }: AnyCommand) => ({ direction, ...(amount !== undefined && { amount }) })

/** performs one verb with a ref, and another without */
const withOrWithoutRef =
  (onElement: Verb, onPage: Verb): Verb =>
  (page, command, limit) =>
    (command.ref === undefined ? onPage : onElement)(page, command, limit)

/** The verbs of the script driver, each with the kind that decides about its deadline. */
export const scriptVerbs: { readonly [name: string]: readonly [kind: 'act' | 'look' | 'leave' | 'wait', verb: Verb] } = {
  open: ['leave', open],
  back: ['leave', navigateHistory('back')],
  forward: ['leave', navigateHistory('forward')],
  reload: ['leave', navigateHistory('reload')],
  close: ['leave', (page, command, limit) => open(page, { ...command, url: 'about:blank' }, limit)],
  snapshot: ['look', snapshot],
  query: ['look', query],
  inspect: ['look', inspect],
  screenshot: ['look', screenshot],
  status: ['look', status],
  wait: ['wait', wait],
  click: ['act', act('click', pressPayload)],
  dblclick: ['act', act('dblclick', pressPayload)],
  longpress: ['act', act('longpress', ({ ms }) => ({ ...(ms !== undefined && { ms }) }))],
  hover: ['act', act('hover')],
  focus: ['act', act('focus')],
  blur: ['act', act('blur')],
  fill: ['act', enter('fill', 'value')],
  type: ['act', enter('type', 'text')],
  select: ['act', select],
  check: ['act', act('check')],
  uncheck: ['act', act('uncheck')],
  press: ['act', withOrWithoutRef(act('press', keyPayload), actOnPage('pressKey', keyPayload))],
  scrollIntoView: ['act', act('scroll_into_view')],
  scroll: ['act', withOrWithoutRef(act('scroll', scrollPayload), actOnPage('scroll', scrollPayload))],
  drag: ['act', act('drag', ({ to }) => ({ to }))],
  upload: ['act', upload],
  evaluate: ['act', evaluate],
}
