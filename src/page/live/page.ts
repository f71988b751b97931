import type { PageKind, PageResult, Scrolling } from '../../contract/acts.ts'
import { cut } from '../text.ts'
import { keyDown, keyOf, keyUp, pressKey } from './keyboard.ts'
import * as lever from './levers.ts'
import { answered, infoOf, type Session, sceneOf } from './look.ts'
import * as native from './natives.ts'
import { type Refused, refused } from './refused.ts'
import { directionOf, scroll, scrollerFrom } from './scrolling.ts'
import type { Target } from './target.ts'
import { waitCheck } from './waiting.ts'
import { watch } from './watch.ts'

type Payload = { readonly [name: string]: unknown }
type Answer = (session: Session, payload: Payload) => object

const watched = (session: Session, work: (target: Target) => void, scroller: Element | null = null): object => {
  const body = native.bodyOf(document)
  if (!body) throw refused('no_root', 'no body')
  const target = { session, ref: '', node: body, document, dom: sceneOf(session, body).dom }
  session.watch?.end()
  session.watch = watch({ ...target, node: null, scroller })
  work(target)
  return { effect: session.watch.effect() }
}
const key =
  (work: (target: Target, key: ReturnType<typeof keyOf>) => void): Answer =>
  (session, payload) => {
    const wanted = keyOf(payload.key)
    return watched(session, target => work(target, wanted))
  }
/** leaves this document a moment later, so that the answer still gets out */
const leaving = (work: () => void): object => {
  lever.later(work, 0)
  return {}
}

const kinds: { readonly [kind in PageKind]: Answer } = {
  info: () => infoOf(),
  scroll: (session, payload) => {
    const way = directionOf(payload as unknown as Scrolling)
    if (!way) throw refused('invalid_input', 'direction must be up, down, left or right, and amount a number above 0')
    const { width, height } = infoOf().viewport
    // what scrolls in an application is often not the page but what fills it
    const from = native.elementAt(document, width / 2, height / 2) ?? (native.documentElement(document) as Element)
    const scroller = scrollerFrom(session, from, way[0], way[1])
    if (!scroller) throw refused('no_progress', `the page does not scroll further ${payload.direction}`)
    return watched(session, () => scroll(scroller, way), scroller)
  },
  pressKey: key(pressKey),
  keyDown: key(keyDown),
  keyUp: key(keyUp),
  navigate: (_, { url }) => {
    const href = allowed(url)
    leaving(() => lever.assign(href))
    return { url: href }
  },
  back: () => gone(-1),
  forward: () => gone(1),
  reload: () => leaving(() => location.reload()),
  settled: session => session.watch?.settled() ?? { settled: true, pending: [], effect: {}, committed: true },
  waitCheck: (session, payload) => waitCheck(session, payload),
}

function gone(by: number): object {
  const { navigation } = globalThis as { navigation?: { canGoBack: boolean; canGoForward: boolean } }
  const can = navigation ? (by < 0 ? navigation.canGoBack : navigation.canGoForward) : by > 0 || history.length > 1
  if (!can) throw refused('no_history', `there is no page to go ${by < 0 ? 'back' : 'forward'} to`)
  return leaving(() => history.go(by))
}

/** http, https and about:blank, judged by what the URL is and not by how it is spelled */
function allowed(given: unknown): string {
  if (typeof given !== 'string' || /[\u0000-\u001f\u007f]/.test(given))
    throw refused('invalid_url', 'the URL holds control characters, or is none')
  let href = ''
  try {
    href = new URL(given).href
  } catch {
    throw refused('invalid_url', `not an absolute URL: ${cut(given, 80)}`)
  }
  if (!/^(https?:\/\/|about:blank$)/.test(href))
    throw refused('url_not_allowed', `only http, https and about:blank are opened, not ${cut(href, 40)}`)
  return href
}

export function page(session: Session, kind: unknown, payload: unknown): PageResult {
  const name = `${kind}`
  const found = Object.keys(kinds).find(each => each.toLowerCase() === name.toLowerCase()) as PageKind | undefined
  const about = { type: 'page' as const, kind: cut(name, 40) }
  try {
    if (!found) throw refused('unsupported_page', `unknown kind ${about.kind}; there are ${Object.keys(kinds).join(' ')}`)
    if (payload !== undefined && payload !== null && typeof payload !== 'object')
      throw refused('invalid_input', 'payload must be an object')
    const data = kinds[found](session, (payload ?? {}) as Payload)
    return { ok: true, ...about, kind: found, meta: answered(), data } as PageResult
  } catch (error) {
    if (!(error as Refused).code) throw error
    return { ok: false, ...about, error: error as Refused }
  }
}
