import type { PageOperation, PageResult, ScrollOptions } from '../../contract/page-api.ts'
import { cut } from '../../engine/text.ts'
import { checkUrlSyntax } from '../../policy/url-rules.ts'
import { focusedIn } from '../actions/focus.ts'
import { directionOf, scroll, scrollerFrom } from '../actions/scroll.ts'
import type { Target } from '../actions/target.ts'
import { engineError, isRefused } from '../runtime/errors.ts'
import { answered } from '../runtime/meta.ts'
import * as native from '../runtime/native-actions.ts'
import { infoOf, type Session, sceneOf } from '../view/snapshot.ts'
import { waitCheck } from '../watch/wait-conditions.ts'
import { type Watch, watch } from '../watch/watch.ts'
import { keyDown, keyOf, keyUp, pressKey } from './keyboard.ts'

type Payload = { readonly [name: string]: unknown }
type Answer = (session: Session, payload: Payload) => object

const watched = (session: Session, work: (target: Target, watch: Watch) => void): object => {
  // keys go into the frame that has the focus
  let own = document
  for (let inner: Document | undefined = own; inner; inner = native.iframeDocument(focusedIn(own) ?? own)) own = inner
  const body = native.bodyOf(own)
  if (!body) throw engineError('no_root', 'no body')
  const target = { session, ref: '', node: body, document: own, dom: sceneOf(session, body).dom }
  session.watch?.end()
  const begun = watch({ ...target, node: null })
  session.watch = begun
  work(target, begun)
  return { effect: begun.effect() }
}
const key =
  (work: (target: Target, key: ReturnType<typeof keyOf>) => void): Answer =>
  (session, payload) => {
    const wanted = keyOf(payload.key)
    return watched(session, target => work(target, wanted))
  }
/** leaves this document a moment later, so that the answer still gets out */
const leaving = (work: () => void): object => {
  native.later(work, 0)
  return {}
}

const kinds: { readonly [kind in PageOperation]: Answer } = {
  info: () => infoOf(),
  scroll: (session, payload) => {
    const way = directionOf(payload as unknown as ScrollOptions)
    if (!way) throw engineError('invalid_input', 'direction must be up, down, left or right, and amount a number above 0')
    const { width, height } = infoOf().viewport
    // what scrolls in an application is often not the page but what fills it
    const from = native.elementAt(document, width / 2, height / 2) ?? (native.documentElement(document) as Element)
    const scroller = scrollerFrom(session, from, way[0], way[1])
    if (!scroller) throw engineError('no_progress', `the page does not scroll further ${payload.direction}`)
    return watched(session, (_, watch) => {
      watch.scrolls(scroller)
      scroll(scroller, way)
    })
  },
  pressKey: key(pressKey),
  keyDown: key(keyDown),
  keyUp: key(keyUp),
  navigate: (_, { url }) => {
    const verdict = checkUrlSyntax(url)
    if (!verdict.ok) throw engineError(verdict.code, verdict.message)
    leaving(() => native.assign(verdict.url))
    return { url: verdict.url }
  },
  back: () => gone(-1),
  forward: () => gone(1),
  reload: () => leaving(() => location.reload()),
  settled: session => session.watch?.settled() ?? { settled: true, pending: [], effect: {}, committed: true },
  waitCheck: (session, payload) => waitCheck(session, payload),
}

function gone(by: number): object {
  // a page may have a variable of that name
  const { navigation } = globalThis as { navigation?: { canGoBack?: boolean; canGoForward?: boolean } }
  const can = (by < 0 ? navigation?.canGoBack : navigation?.canGoForward) ?? (by > 0 || history.length > 1)
  if (!can) throw engineError('no_history', `there is no page to go ${by < 0 ? 'back' : 'forward'} to`)
  return leaving(() => history.go(by))
}

export function page(session: Session, kind: unknown, payload: unknown): PageResult {
  const name = `${kind}`
  const found = Object.keys(kinds).find(each => each.toLowerCase() === name.toLowerCase()) as PageOperation | undefined
  const about = { type: 'page' as const, kind: cut(name, 40) }
  try {
    if (!found) throw engineError('unsupported_page', `unknown kind ${about.kind}; there are ${Object.keys(kinds).join(' ')}`)
    if (payload !== undefined && payload !== null && typeof payload !== 'object')
      throw engineError('invalid_input', 'payload must be an object')
    const data = kinds[found](session, (payload ?? {}) as Payload)
    return { ok: true, ...about, kind: found, meta: answered(), data } as PageResult
  } catch (error) {
    if (!isRefused(error)) throw error
    return { ok: false, ...about, error }
  }
}
