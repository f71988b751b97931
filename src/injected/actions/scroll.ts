import type { Key } from '../../contract/keys.ts'
import { say } from '../../contract/message.ts'
import { type ScrollOptions, scrollDirections } from '../../contract/page-api.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import { asPage } from '../runtime/pristine.ts'
import type { Session } from '../runtime/session.ts'
import { pageInfo } from '../view/page-info.ts'
import { sceneOf } from '../view/scene.ts'
import type { Target } from '../view/target.ts'

export type ScrollDelta = readonly [dx: number, dy: number]

/** The scroll container of a `scroll` command: the nearest one at the target, or in the middle of the viewport, that can scroll on. */
export function findScroller(session: Session, target: Target | null, options: ScrollOptions): { scroller: Element; delta: ScrollDelta } {
  const delta = scrollDelta(options)
  if (!delta) throw engineError('invalid_input', 'direction must be up, down, left or right, and amount a number above 0')
  const { width, height } = pageInfo().viewport
  // the scroll container of an application is often not the document but an element that fills it
  const from = target?.node ?? native.elementAt(document, width / 2, height / 2) ?? (native.documentElement(document) as Element)
  const scroller = scrollContainer(session, from, delta) ?? (target ? null : largestScroller(session, delta))
  if (scroller) return { scroller, delta }
  const { direction } = options
  throw engineError(
    'no_progress',
    target ? say`nothing at ${target} scrolls further ${direction}` : `the page does not scroll further ${direction}`,
  )
}

function scrollDelta({ direction, amount = 300 }: ScrollOptions): ScrollDelta | null {
  const at = scrollDirections.indexOf(direction)
  const by = at % 2 ? amount : -amount
  return at >= 0 && Number.isFinite(amount) && amount > 0 ? (at < 2 ? [0, by] : [by, 0]) : null
}

/** the nearest ancestor that can scroll further that way, or the page, or null */
export function scrollContainer(session: Session, from: Element, delta: ScrollDelta): Element | null {
  const { dom } = sceneOf(session, from)
  const document = native.ownerDocument(from) as Document
  const page = native.scrollingElement(document) ?? null
  for (let each: Node | null = from; each; each = dom.parent(each)) {
    const element = each as Element
    if (element === page || /^(html|body)$/.test(dom.tag(element))) break
    if (/auto|scroll/.test(native.styleValue(element, delta[1] ? 'overflow-y' : 'overflow-x')) && canScroll(element, delta)) return element
  }
  return page && canScroll(page, delta) ? page : null
}

/** the largest element in view that can scroll further that way, for a page whose middle does not scroll */
function largestScroller(session: Session, delta: ScrollDelta): Element | null {
  const { width, height } = pageInfo().viewport
  let largest: Element | null = null
  let most = 0
  const elements = native.allOf(document, '*')
  for (let i = 0; i < elements.length && i < maxElements; i++) {
    const each = elements[i] as Element
    if (!canScroll(each, delta) || scrollContainer(session, each, delta) !== each) continue
    const { left, top, right, bottom } = native.getBoundingClientRect(each)
    const area = Math.max(0, Math.min(right, width) - Math.max(left, 0)) * Math.max(0, Math.min(bottom, height) - Math.max(top, 0))
    if (area > most) [largest, most] = [each, area]
  }
  return largest
}

const maxElements = 20_000

function canScroll(element: Element, [dx, dy]: ScrollDelta): boolean {
  const x = native.scrollLeft(element) ?? 0
  const y = native.scrollTop(element) ?? 0
  const width = (native.scrollWidth(element) ?? 0) - (native.clientWidth(element) ?? 0)
  const height = (native.scrollHeight(element) ?? 0) - (native.clientHeight(element) ?? 0)
  // right-to-left content has scroll positions from 0 down
  const left = native.styleValue(element, 'direction') === 'rtl' ? -width : 0
  return dy > 0 ? y < height - 1 : dy < 0 ? y > 0 : dx > 0 ? x < left + width - 1 : x > left
}

export const scroll = (element: Element, [left, top]: ScrollDelta): void =>
  asPage(() => native.scrollBy(element, { left, top, behavior: 'instant' }))

/** Scrolls as Space, PageDown, the arrows, Home and End do outside of fields. */
export function scrollByKey(session: Session, node: Element, { key, modifiers }: Key): void {
  const page = native.scrollingElement(native.ownerDocument(node) as Document)
  const screen = (page && native.clientHeight(page)) ?? 0
  const deltas: { readonly [key: string]: ScrollDelta } = {
    ' ': [0, modifiers.includes('Shift') ? -screen : screen],
    PageDown: [0, screen],
    PageUp: [0, -screen],
    ArrowDown: [0, 40],
    ArrowUp: [0, -40],
    ArrowRight: [40, 0],
    ArrowLeft: [-40, 0],
    Home: [0, -1e7],
    End: [0, 1e7],
  }
  const delta = deltas[key]
  const scroller = delta && scrollContainer(session, node, delta)
  if (scroller) scroll(scroller, delta)
}
