import type { Key } from '../../contract/keys.ts'
import { quoted, say, term, textOf } from '../../contract/message.ts'
import type { PageOperation, PageResult, ScrollOptions } from '../../contract/page-api.ts'
import { cut } from '../../engine/text.ts'
import { checkUrlSyntax } from '../../policy/url-syntax.ts'
import { inspect } from '../actions/inspect.ts'
import { findScroller, scroll } from '../actions/scroll.ts'
import { engineError, failureOf, isEngineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import type { Session } from '../runtime/session.ts'
import { focusedIn } from '../view/focused.ts'
import { pageInfo } from '../view/page-info.ts'
import { responseMeta } from '../view/response-meta.ts'
import { sceneOf } from '../view/scene.ts'
import type { Target } from '../view/target.ts'
import { waitCheck } from '../watch/wait-conditions.ts'
import { type Watch, watch } from '../watch/watch.ts'
import { keyDown, keyUp, pressKey, requireKey } from './keyboard.ts'

type Payload = { readonly [name: string]: unknown }
type Operation = (session: Session, payload: Payload) => object

/** Performs an action on the page and returns its effect so far. */
const withEffect = (session: Session, work: (target: Target, watch: Watch) => void): object => {
  // keys go to the frame that has the focus
  let focused = document
  for (let inner: Document | undefined = focused; inner; inner = native.iframeDocument(focusedIn(focused) ?? focused)) focused = inner
  const body = native.bodyOf(focused)
  if (!body) throw engineError('no_root', 'no body')
  const target = { session, ref: '', node: body, document: focused, dom: sceneOf(session, body).dom }
  session.watch?.end()
  const current = watch({ ...target, node: null })
  session.watch = current
  work(target, current)
  return { effect: current.effect() }
}
const withKey =
  (work: (target: Target, key: Key) => void): Operation =>
  (session, payload) => {
    const key = requireKey(payload.key)
    return withEffect(session, target => work(target, key))
  }
/** navigates after the response has been returned */
const navigateLater = (work: () => void): object => {
  native.later(work, 0)
  return {}
}

const operations: { readonly [kind in PageOperation]: Operation } = {
  info: () => pageInfo(),
  inspect: (session, payload) => inspect(session, payload),
  scroll: (session, payload) => {
    const { scroller, delta } = findScroller(session, null, payload as unknown as ScrollOptions)
    return withEffect(session, (_, watch) => {
      watch.setScroller(scroller)
      scroll(scroller, delta)
    })
  },
  pressKey: withKey(pressKey),
  keyDown: withKey(keyDown),
  keyUp: withKey(keyUp),
  navigate: (_, { url }) => {
    const verdict = checkUrlSyntax(url)
    if (!verdict.ok) throw engineError(verdict.code, verdict.message, { page: { url: verdict.given } })
    navigateLater(() => native.assign(verdict.url))
    return { url: verdict.url }
  },
  back: () => goInHistory(-1),
  forward: () => goInHistory(1),
  reload: () => navigateLater(() => location.reload()),
  settled: session => session.watch?.report() ?? { settled: true, pending: [], effect: {}, committed: true },
  waitCheck: (session, payload) => {
    const { met, saw } = waitCheck(session, payload)
    return { met, saw: typeof saw === 'string' ? saw : textOf(saw) }
  },
}

function goInHistory(by: number): object {
  // a page may have a variable of this name
  const { navigation } = globalThis as { navigation?: { canGoBack?: boolean; canGoForward?: boolean } }
  const can = (by < 0 ? navigation?.canGoBack : navigation?.canGoForward) ?? (by > 0 || history.length > 1)
  if (!can) throw engineError('no_history', say`there is no page to go ${by < 0 ? 'back' : 'forward'} to`)
  return navigateLater(() => history.go(by))
}

/** `page` of the page API */
export function page(session: Session, kind: unknown, payload: unknown): PageResult {
  const given = `${kind}`
  const name = Object.keys(operations).find(each => each.toLowerCase() === given.toLowerCase()) as PageOperation | undefined
  const about = { type: 'page' as const, kind: cut(given, 40) }
  try {
    if (!name)
      throw engineError('unsupported_page', say`unknown kind ${quoted(given, 40)}; there are ${term(Object.keys(operations).join(' '))}`)
    if (payload !== undefined && payload !== null && typeof payload !== 'object')
      throw engineError('invalid_input', 'payload must be an object')
    const data = operations[name](session, (payload ?? {}) as Payload)
    return { ok: true, ...about, kind: name, meta: responseMeta(), data } as PageResult
  } catch (error) {
    if (!isEngineError(error)) throw error
    return { ok: false, ...about, error: failureOf(error) }
  }
}
