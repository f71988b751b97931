import { messageOf } from '../../contract/error-message.ts'
import { type FailureCode, failure, failures, isFailureCode, limitPageWords, type PageWords } from '../../contract/failures.ts'
import { type Message, say } from '../../contract/message.ts'
import {
  type ActionResult,
  type Effect,
  type PageInfo,
  type PageOperation,
  type PageResult,
  type QueryResult,
  queryKinds,
  queryLimits,
  type SettleReport,
  type WaitCheck,
} from '../../contract/page-api.ts'
import { type ControlFacts, type FormTarget, type SentData, sentDataLimits, type TargetFacts, targetLimits } from '../../contract/target.ts'
import { inline } from '../text/quote.ts'
import {
  booleanField,
  countField,
  isObject,
  maxLengths,
  objectOf,
  pixelField,
  refField,
  roleField,
  tagField,
  textField,
  tristateField,
  trueField,
  type UntypedObject,
} from './fields.ts'
import { decode } from './snapshot.ts'

// The page may have made up any part of its answers, so every field is checked. None of these functions throws.

/**
 * Checks the answer to `actionJs`.
 *
 * @example
 * const result = AgentBrowser.parseActionResult(await webview.evaluate(AgentBrowser.actionJs('click', { ref: 'e12' })))
 */
export const parseActionResult = (json: unknown): ActionResult =>
  parseAnswer('action', json, (answer, meta) => {
    const subject = { action: textField(answer.action, 40), ref: refField(answer.ref) ?? textField(answer.ref, 40) }
    const effect = effectOf(answer.effect)
    if (answer.ok !== true) return { ok: false, ...subject, error: errorOf(answer), ...(isObject(answer.effect) && { effect }) }
    return {
      ok: true,
      ...subject,
      meta,
      trusted: answer.trusted === true,
      ...(answer.unconfirmed === true && { unconfirmed: true }),
      effect,
    }
  }) as ActionResult

/**
 * Checks the answer to `queryJs`.
 *
 * @example
 * const result = AgentBrowser.parseQueryResult(await webview.evaluate(AgentBrowser.queryJs('e12', 'text')))
 */
export const parseQueryResult = (json: unknown): QueryResult =>
  parseAnswer('query', json, (answer, meta) => {
    const subject = { ref: refField(answer.ref) ?? textField(answer.ref, 40), kind: textField(answer.kind, 40) }
    if (answer.ok !== true) return { ok: false, ...subject, error: errorOf(answer) }
    if (!queryKinds.some(kind => kind === answer.kind)) return null
    const value = typeof answer.value === 'boolean' ? answer.value : textField(answer.value, queryLimits.max)
    return { ok: true, ...subject, meta, value, truncated: answer.truncated === true }
  }) as QueryResult

/**
 * Checks the answer to `pageJs`.
 *
 * @example
 * const info = AgentBrowser.parsePageResult<'info'>(await webview.evaluate(AgentBrowser.pageJs('info')))
 */
export const parsePageResult = <K extends PageOperation = PageOperation>(json: unknown): PageResult<K> =>
  parseAnswer('page', json, (answer, meta) => {
    const kind = textField(answer.kind, 40)
    if (answer.ok !== true) return { ok: false, kind, error: errorOf(answer) }
    const read = Object.hasOwn(pageReaders, kind) ? pageReaders[kind as PageOperation] : undefined
    return read ? { ok: true, kind, meta, data: read(objectOf(answer.data)) } : null
  }) as PageResult<K>

type AnswerType = 'action' | 'query' | 'page'
type AnswerMeta = { readonly ts: number; readonly url: string; readonly startedAt: number }

function parseAnswer(type: AnswerType, json: unknown, read: (answer: UntypedObject, meta: AnswerMeta) => object | null): object {
  const subject = { action: { action: '', ref: '' }, query: { kind: '', ref: '' }, page: { kind: '' } }[type]
  const refuse = (why: Message, page?: PageWords) => ({ ok: false, type, ...subject, error: failure('invalid_json', why, { page }) })
  try {
    const answer = objectOf(decode(json))
    if (answer.type !== type) return refuse(say`this is not the answer to a call of type ${type}.`)
    const { ts, url, startedAt } = objectOf(answer.meta)
    const result = read(answer, { ts: countField(ts) ?? 0, url: textField(url, maxLengths.url), startedAt: countField(startedAt) ?? 0 })
    return result ? { type, ...result } : refuse(say`the answer is of no known kind.`)
  } catch (error) {
    // JSON.parse, or a getter or proxy in an object that did not come from JSON
    return refuse(say`the answer is not JSON.`, { error: messageOf(error) })
  }
}

function errorOf({ error }: UntypedObject) {
  const { code, message, by, opened, page } = objectOf(error)
  const known: FailureCode = isFailureCode(code) ? code : 'outcome_unknown'
  const blocker = refField(by)
  const words = limitPageWords(objectOf(page))
  return {
    code: known,
    message: inline(textField(message, maxLengths.message)),
    hint: failures[known],
    ...(blocker && { by: blocker }),
    ...(words && { page: words }),
    ...(opened === true && { opened }),
  }
}

const optionalText = (maxLength: number) => (value: unknown) => (typeof value === 'string' ? textField(value, maxLength) : undefined)
const textList = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.slice(0, 100).map(each => textField(each, maxLengths.state)) : undefined

const effectReaders: { readonly [name in keyof Required<Effect>]: (value: unknown) => Effect[name] } = {
  value: optionalText(maxLengths.state),
  characters: countField,
  checked: tristateField,
  selected: textList,
  expanded: booleanField,
  pressed: tristateField,
  files: textList,
  url: optionalText(maxLengths.url),
  focus: optionalText(maxLengths.state),
  dialog: optionalText(maxLengths.state),
  answered: () => undefined, // only the browser answers a dialog
  scroll: value => (isObject(value) ? { x: pixelField(value.x) ?? 0, y: pixelField(value.y) ?? 0 } : undefined),
  gone: trueField,
  submitted: booleanField,
  invalid: value =>
    isObject(value) ? { field: textField(value.field, maxLengths.state), message: textField(value.message, maxLengths.state) } : undefined,
  changed: value => {
    if (!isObject(value)) return undefined
    const text = textField(value.text, maxLengths.state)
    const counts = { added: countField(value.added) ?? 0, removed: countField(value.removed) ?? 0, altered: countField(value.altered) ?? 0 }
    return text ? { ...counts, text } : counts
  },
}

function effectOf(value: unknown): Effect {
  const given = objectOf(value)
  const effect: { [name: string]: unknown } = {}
  for (const name of Object.keys(effectReaders) as (keyof Effect)[]) {
    const found = Object.hasOwn(given, name) ? effectReaders[name](given[name]) : undefined
    if (found !== undefined) effect[name] = found
  }
  return effect
}

/** An origin is a part of grants, so it must be nothing but an origin. */
const originField = (value: unknown): string =>
  typeof value === 'string' && /^(null|[a-z]+:\/\/[^\s/;,"'<>]+)$/.test(value) ? textField(value, targetLimits.url) : ''

/** Checks the facts about an element, which a page may have made up. */
export function targetFacts(facts: UntypedObject): TargetFacts {
  const enterSubmits = formField(facts.enterSubmits)
  const { reaches, chosen } = facts
  return {
    url: textField(facts.url, targetLimits.url),
    origin: originField(facts.origin),
    path: textField(facts.path, targetLimits.path),
    ...controlFacts(facts),
    ...(enterSubmits && { enterSubmits }),
    ...(facts.secret === true && { secret: true as const }),
    ...(facts.editable === true && { editable: true as const }),
    ...(isObject(facts.data) && { data: dataField(facts.data) }),
    ...(typeof facts.dialog === 'string' && { dialog: textField(facts.dialog, targetLimits.dialog) }),
    ...(Array.isArray(reaches) && { reaches: reaches.slice(0, targetLimits.reaches).map(each => controlFacts(objectOf(each))) }),
    ...(Array.isArray(chosen) && { chosen: chosen.slice(0, targetLimits.chosen).map(each => textField(each, targetLimits.name)) }),
    ...((facts.isVague === true || (Array.isArray(reaches) && reaches.length > targetLimits.reaches)) && { isVague: true as const }),
  }
}

function controlFacts(facts: UntypedObject): ControlFacts {
  const submits = formField(facts.submits)
  return {
    role: roleField(facts.role),
    name: textField(facts.name, targetLimits.name),
    tag: tagField(facts.tag),
    ...(typeof facts.type === 'string' && { type: textField(facts.type, targetLimits.type) }),
    ...(submits && { submits }),
    ...(typeof facts.href === 'string' && { href: textField(facts.href, targetLimits.url) }),
    ...(facts.download === true && { download: true as const }),
    ...(typeof facts.text === 'string' && { text: textField(facts.text, targetLimits.text) }),
  }
}

function dataField({ digest, fields, more, hidden }: UntypedObject): SentData {
  const counts = { more: countField(more) ?? 0, hidden: countField(hidden) ?? 0 }
  return {
    ...(typeof digest === 'string' && { digest: textField(digest, sentDataLimits.digest) }),
    fields: (Array.isArray(fields) ? fields : [])
      .slice(0, sentDataLimits.fields)
      .map(objectOf)
      .map(({ label, value }) => ({ label: textField(label, sentDataLimits.label), value: textField(value, sentDataLimits.value) })),
    ...(counts.more > 0 && { more: counts.more }),
    ...(counts.hidden > 0 && { hidden: counts.hidden }),
  }
}

function formField(value: unknown): FormTarget | undefined {
  if (!isObject(value)) return undefined
  const { action, method, button, data } = value
  return {
    action: textField(action, targetLimits.url),
    method: method === 'post' || method === 'dialog' ? method : 'get',
    ...(typeof button === 'string' && { button: textField(button, targetLimits.url) }),
    ...(isObject(data) && { data: dataField(data) }),
  }
}

const actionData = (data: UntypedObject) => ({ effect: effectOf(data.effect) })
const noData = () => ({})

const pageReaders: { readonly [kind in PageOperation]: (data: UntypedObject) => object } = {
  info: ({ url, title, readyState, viewport, scroll }): PageInfo => ({
    url: textField(url, maxLengths.url),
    title: textField(title, maxLengths.title),
    readyState: textField(readyState, 20),
    viewport: { width: countField(objectOf(viewport).width) ?? 0, height: countField(objectOf(viewport).height) ?? 0 },
    scroll: {
      x: pixelField(objectOf(scroll).x) ?? 0,
      y: pixelField(objectOf(scroll).y) ?? 0,
      height: countField(objectOf(scroll).height) ?? 0,
    },
  }),
  inspect: targetFacts,
  scroll: actionData,
  pressKey: actionData,
  keyDown: actionData,
  keyUp: actionData,
  navigate: ({ url }) => ({ url: textField(url, maxLengths.url) }),
  back: noData,
  forward: noData,
  reload: noData,
  settled: ({ settled, pending, effect, committed }): SettleReport => ({
    settled: settled === true,
    pending: textList(pending) ?? [],
    effect: effectOf(effect),
    committed: committed !== false,
  }),
  waitCheck: ({ met, saw }): WaitCheck => ({ met: met === true, saw: textField(saw, maxLengths.state) }),
}
