import { say } from '../../contract/message.ts'
import type { Effect, SettleReport } from '../../contract/page-api.ts'
import type { Dom } from '../../engine/dom.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import type { JudgedForm, Session } from '../runtime/session.ts'
import { captureState, effectOf, scrollPosition } from './effect.ts'
import { countMutations } from './mutations.ts'

/** Observes the effects of an action from just before it until the page has settled or the next action starts. */
export interface Watch {
  /** the effects so far */
  effect(): Effect
  /** sets the element that is about to be scrolled, if it is not the document */
  setScroller(element: Element): void
  /** once the page has settled, requests are not counted any more, unless `keep` */
  report(keep?: boolean): SettleReport
  /** must still hold once the page has settled; otherwise the action is `not_committed` */
  condition: () => boolean
  /** the action was to set the state of its element, so that the state is part of its effect in any case */
  setsState: boolean
  /** events that the action has yet to send, such as the end of a long press */
  pendingEvents: number
  /** there is no action: it only observes whether the page is idle */
  readonly isPassive: boolean
  /** time of the last change by `native.now`; `startedAt` if there was none */
  lastChange(): number
  readonly startedAt: number
  /** whether a finite animation runs, or the scroll position has changed since the last call */
  isMoving(): boolean
  end(): void
}

export interface WatchOptions {
  readonly session: Session
  readonly dom: Dom<Node>
  readonly document: Document
  readonly node: Element | null
  readonly isPassive?: boolean
}

/** after this time without a change a page has reacted: two frames, and the effects of a zero timeout */
const quietMs = 50
const maxWatchMs = 30_000
const maxNamedTimers = 3

export function watch({ session, dom, document, node, isPassive = false }: WatchOptions): Watch {
  let scroller: Element | null = null
  const place = { session, dom, document, node }
  let before = captureState(place, scroller)
  let lastScroll = `${before.scroll.x} ${before.scroll.y}`
  const shadow = node && native.getRootNode(node)
  const mutations = countMutations(dom, shadow && shadow !== document ? [document, shadow] : [document])
  const startedAt = mutations.lastChange()
  const requests = session.watchRequests?.() ?? { open: () => 0, hasSent: () => false, timers: () => [], end: () => {} }
  const exits = watchExits({ session, dom, document }, shadow)
  const effect = () => {
    const changed = mutations.counts()
    const now = captureState(place, scroller)
    return {
      ...effectOf({ session, dom, before, now, changed, invalid: exits.invalid(now.focus, requests.hasSent()), setsState: self.setsState }),
      ...exits.submission(),
    }
  }
  const self: Watch = {
    effect,
    setScroller: element => {
      scroller = element
      before = captureState(place, scroller)
    },
    condition: () => true,
    setsState: false,
    pendingEvents: 0,
    isPassive,
    startedAt,
    lastChange: mutations.lastChange,
    isMoving: () => {
      const { x, y } = scrollPosition(document, scroller)
      const hasScrolled = `${x} ${y}` !== lastScroll
      lastScroll = `${x} ${y}`
      return hasScrolled || isAnimating(document)
    },
    report: keep => {
      const now = effect()
      const open = requests.open()
      const pending = [
        ...(exits.isUnloading() ? ['navigation'] : []),
        ...(native.readyState(document) === 'loading' ? ['load'] : []),
        ...(open > 0 ? [`${open} request${open > 1 ? 's' : ''}`] : []),
        ...requests
          .timers()
          .slice(0, maxNamedTimers)
          .map(ms => `timer in ${ms} ms`),
        ...(self.pendingEvents ? ['press'] : []),
        ...(isAnimating(document) ? ['animation'] : []),
        ...(native.now() - mutations.lastChange() < quietMs ? ['changes'] : []),
      ]
      if (!pending.length && !keep) requests.end()
      return { settled: !pending.length, pending, effect: now, committed: !node || !native.isConnected(node) || self.condition() }
    },
    end: () => {
      mutations.end()
      exits.end()
      requests.end()
    },
  }
  // a host that never asks again must not leave the page observed for ever
  native.later(self.end, maxWatchMs)
  return self
}

/** Listens to the events by which the browser sends or rejects a form or leaves the page; those that the page dispatches do neither. */
function watchExits({ session, dom, document }: Pick<WatchOptions, 'session' | 'dom' | 'document'>, shadow: Node | null) {
  const types = new Set<string>()
  // a form that is sent after the action, such as by a person, is not one of this action
  const { judgedForm } = session
  session.refusedForm = undefined
  // whether the page prevents a submission is known after all its listeners have run
  const submissions: Event[] = []
  const invalid: [Event, Element][] = []
  const listener = (event: Event) => {
    if (!event.isTrusted) return
    types.add(event.type)
    if (event.type === 'invalid') invalid.push([event, event.target as Element])
    else if (event.type === 'submit' && sendsForm(event)) {
      if (judgedForm && session.judgedForm === judgedForm) refuseOtherForm(session, judgedForm, event)
      submissions.push(event)
    }
  }
  const view = native.defaultView(document) as Window
  const forEach = (call: typeof native.listen) => {
    // `form.submit()` fires only `formdata`; the events of a form do not leave their shadow root
    for (const type of ['beforeunload', 'submit', 'formdata', 'invalid'])
      for (const on of [view, shadow || view]) call(on, type, listener, { capture: true })
  }
  forEach(native.listen)
  return {
    isUnloading: () => types.has('beforeunload'),
    submission: () => (submissions.length ? { submitted: submissions.some(event => !event.defaultPrevented) } : {}),
    // a browser that does not send a form focuses the field, if it can and may; a page that only checks its fields does not. After any
    // other event the page may have sent the form, valid or not
    invalid: (focus: Element | null, hasSent: boolean) =>
      hasSent || types.size > 1
        ? undefined
        : invalid.find(([event, field]) => field === focus || event.defaultPrevented || dom.hidden(field))?.[1],
    end: () => forEach(native.unlisten),
  }
}

/** A script may send a form elsewhere while the press that sends it is on its way, or one that nobody expects: what was judged is what is sent. */
function refuseOtherForm(session: Session, { node, sends, form, key }: JudgedForm, event: Event): void {
  const target = event.target as Node
  const method = attributeOf(event, 'method').toLowerCase() === 'post' ? 'post' : 'get'
  const origin = originOf(attributeOf(event, 'action'), target)
  if (sends ? form !== target || key === `${origin} ${method}` : method === 'get' && origin === ownOrigin(target)) return
  session.refusedForm = sends ? 'elsewhere' : 'unasked'
  if (!sends) session.sendsForm.add(node)
  event.preventDefault()
  event.stopImmediatePropagation()
}

const ownOrigin = (node: Node): string | undefined => native.defaultView(native.ownerDocument(node) as Document)?.origin

/** Fails if the action would have sent a form that it must not send. */
export function requireSentForm(session: Session): void {
  const { refusedForm } = session
  session.judgedForm = undefined
  session.refusedForm = undefined
  if (!refusedForm) return
  throw engineError(
    'approval_stale',
    refusedForm === 'elsewhere'
      ? say`the form would have been sent to another origin, or with another method, than the one that was judged; it was not sent`
      : say`a script of the page would have sent a form that nobody was asked about; it was not sent. Press the button that sends it`,
  )
}

function originOf(url: string, node: Node): string {
  try {
    return new URL(url, native.baseURI(node) ?? '').origin
  } catch {
    return '' // not a URL
  }
}

const attributeOf = ({ submitter, target }: Partial<SubmitEvent>, name: string): string =>
  (submitter && native.getAttribute(submitter, `form${name}`)) ?? native.getAttribute(target as Node, name) ?? ''

/** whether a form sends its data at all: not if it closes a dialog or runs a script */
const sendsForm = (event: Event): boolean =>
  attributeOf(event, 'method').toLowerCase() !== 'dialog' && !/^\s*javascript:/i.test(attributeOf(event, 'action'))

/** whether an animation or transition is running that will end */
function isAnimating(document: Document): boolean {
  const all = native.animations ? native.animations(document) : []
  for (let i = 0; i < all.length; i++) {
    const { playState, effect, currentTime } = all[i] as Animation
    const end = effect?.getComputedTiming().endTime
    if (playState === 'running' && Number(end) < 1e5 && Number(currentTime) < Number(end)) return true
  }
  return false
}
