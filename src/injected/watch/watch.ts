import type { Effect, SettleReport } from '../../contract/page-api.ts'
import type { Dom } from '../../engine/dom.ts'
import { cut, textBelow } from '../../engine/text.ts'
import * as native from '../runtime/native-actions.ts'
import { hoverMark } from '../synthetic/hover.ts'
import { mark, type Session } from '../view/snapshot.ts'
import { effectOf, type Moment, momentOf, scrollOf } from './effect.ts'

/** What an action leads to is watched from just before it until it has come to rest, or the next one begins. */
export interface Watch {
  /** what it has led to until now */
  effect(): Effect
  /** what is about to be scrolled, where it is not the document */
  scrolls(element: Element): void
  /** what is at rest is watched no longer, unless `on` */
  settled(on?: boolean): SettleReport
  /** what must still be true when all is quiet; what is kept from being so is `not_committed` */
  wanted: () => boolean
  /** something of ours that is still to come, such as the end of a long press */
  open: number
  readonly resting: boolean
  /** by the clock of `native.now`; that of the beginning while there was none */
  lastChange(): number
  readonly began: number
  /** an animation or transition that will end, or a scroll that has not */
  moving(): boolean
  end(): void
}

export interface Watched {
  readonly session: Session
  readonly dom: Dom<Node>
  readonly document: Document
  readonly node: Element | null
  /** nobody acted: it is watched for coming to rest alone */
  readonly resting?: boolean
}

/** without a change for this long, a page has answered: two frames, and what a timer of 0 leads to */
const quietMs = 50
const longest = 30_000
const maxText = 120
/** what changes more often than this is a clock, not an answer */
const often = 8

export function watch({ session, dom, document, node, resting = false }: Watched): Watch {
  let scroller: Element | null = null
  let before: Moment = momentOf(dom, document, node, scroller)
  const seen = { added: 0, removed: 0, altered: 0, text: '' }
  const began = native.now()
  let lastChange = began
  let place = `${before.scroll.x} ${before.scroll.y}`
  const times = new WeakMap<Node, number>()
  const note = (records: readonly MutationRecord[]) => {
    const places = new Set<Node>()
    for (const { type, target, addedNodes, removedNodes, attributeName } of records) {
      if (attributeName === mark || attributeName === hoverMark) continue // that was us
      places.add(target)
      seen.added += addedNodes.length
      seen.removed += removedNodes.length
      if (type !== 'childList') seen.altered++
      for (let i = 0; i < addedNodes.length && seen.text.length < maxText; i++) tell(addedNodes[i] as Node)
    }
    for (const place of places) {
      const count = (times.get(place) ?? 0) + 1
      times.set(place, count)
      if (count <= often) lastChange = native.now()
    }
  }
  const tell = (added: Node) => {
    const parent = native.nodeType(added) === 3 ? native.parentNode(added) : native.nodeType(added) === 1 ? added : null
    if (!parent || !native.isConnected(parent) || dom.hidden(parent)) return
    const words = textBelow(dom, added, { shown: each => !dom.hidden(each), max: maxText })
    if (words && !seen.text.includes(words)) seen.text = cut(`${seen.text} ${words}`.trim(), maxText)
  }
  const observer = native.observe(note)
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  const shadow = node && native.getRootNode(node)
  if (shadow && shadow !== document) observer.observe(shadow, { subtree: true, childList: true, attributes: true, characterData: true })

  let leaving = false
  let submitted = false
  const leave = ({ type }: Event) => {
    if (type === 'submit') submitted = true
    else leaving = true
  }
  const view = native.defaultView(document) as Window
  // a submit does not leave its shadow root
  const heard: [EventTarget, string][] = [
    [view, 'beforeunload'],
    [view, 'submit'],
    [shadow || view, 'submit'],
  ]
  for (const [on, event] of heard) native.listen(on, event, leave, { capture: true })
  const requests = session.traffic?.() ?? { open: () => 0, end: () => {} }

  const effect = () => {
    note(observer.takeRecords())
    const { text, ...counts } = seen
    const now = momentOf(dom, document, node, scroller)
    return { ...effectOf(session, dom, before, now, text ? { ...counts, text } : counts), ...(submitted && { submitted }) }
  }
  const self: Watch = {
    effect,
    scrolls: element => {
      scroller = element
      before = momentOf(dom, document, node, scroller)
    },
    wanted: () => true,
    open: 0,
    resting,
    began,
    lastChange: () => lastChange,
    moving: () => {
      const { x, y } = scrollOf(document, scroller)
      const has = `${x} ${y}` !== place
      place = `${x} ${y}`
      return has || moving(document)
    },
    settled: on => {
      const now = effect()
      const pending = [
        ...(leaving ? ['navigation'] : []),
        ...(native.readyState(document) === 'loading' ? ['load'] : []),
        ...(requests.open() > 0 ? [`${requests.open()} request${requests.open() > 1 ? 's' : ''}`] : []),
        ...(self.open ? ['press'] : []),
        ...(moving(document) ? ['animation'] : []),
        ...(native.now() - lastChange < quietMs ? ['changes'] : []),
      ]
      if (!pending.length && !on) requests.end()
      return { settled: !pending.length, pending, effect: now, committed: !node || !native.isConnected(node) || self.wanted() }
    },
    end: () => {
      observer.disconnect()
      for (const [on, event] of heard) native.unlisten(on, event, leave, { capture: true })
      requests.end()
    },
  }
  // a host that never asks again must not leave the page watched for ever
  native.later(self.end, longest)
  return self
}

/** an animation or transition that will end */
function moving(document: Document): boolean {
  const all = native.animations ? native.animations(document) : []
  for (let i = 0; i < all.length; i++) {
    const { playState, effect, currentTime } = all[i] as Animation
    const end = effect?.getComputedTiming().endTime
    if (playState === 'running' && Number(end) < 1e5 && Number(currentTime) < Number(end)) return true
  }
  return false
}
