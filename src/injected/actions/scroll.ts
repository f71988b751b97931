import type { Key } from '../../contract/keys.ts'
import type { ScrollOptions } from '../../contract/page-api.ts'
import * as native from '../runtime/native-actions.ts'
import { asPage } from '../runtime/pristine.ts'
import { type Session, sceneOf } from '../view/snapshot.ts'

const directions = ['up', 'down', 'left', 'right']

/** what scrolls at an element, or where the page is looked at: the nearest that has room that way; null where there is none */
export function scrollerFrom(session: Session, from: Element, dx: number, dy: number): Element | null {
  const { dom } = sceneOf(session, from)
  const document = native.ownerDocument(from) as Document
  const page = native.scrollingElement(document) ?? null
  for (let each: Node | null = from; each; each = dom.parent(each)) {
    const element = each as Element
    if (element === page || /^(html|body)$/.test(dom.tag(element))) break
    const style = native.styleOf(element)
    if (/auto|scroll/.test(style(dy ? 'overflow-y' : 'overflow-x')) && hasRoom(element, dx, dy)) return element
  }
  return page && hasRoom(page, dx, dy) ? page : null
}

function hasRoom(element: Element, dx: number, dy: number): boolean {
  const x = native.scrollLeft(element) ?? 0
  const y = native.scrollTop(element) ?? 0
  const width = (native.scrollWidth(element) ?? 0) - (native.clientWidth(element) ?? 0)
  const height = (native.scrollHeight(element) ?? 0) - (native.clientHeight(element) ?? 0)
  // what is written from right to left counts down from 0
  const left = native.styleOf(element)('direction') === 'rtl' ? -width : 0
  return dy > 0 ? y < height - 1 : dy < 0 ? y > 0 : dx > 0 ? x < left + width - 1 : x > left
}

export const directionOf = ({ direction, amount = 300 }: ScrollOptions): readonly [number, number] | null => {
  const at = directions.indexOf(direction)
  const by = at % 2 ? amount : -amount
  return at >= 0 && Number.isFinite(amount) && amount > 0 ? (at < 2 ? [0, by] : [by, 0]) : null
}

export const scroll = (element: Element, [left, top]: readonly [number, number]): void =>
  asPage(() => native.scrollBy(element, { left, top, behavior: 'instant' }))

/** what Space, PageDown, the arrows, Home and End do where there is nothing to write */
export function scrollFrom(session: Session, node: Element, { key, modifiers }: Key): void {
  const page = native.scrollingElement(native.ownerDocument(node) as Document)
  const screen = (page && native.clientHeight(page)) ?? 0
  const up = key === ' ' && modifiers.includes('Shift')
  const by: { readonly [key: string]: readonly [number, number] } = {
    ' ': [0, up ? -screen : screen],
    PageDown: [0, screen],
    PageUp: [0, -screen],
    ArrowDown: [0, 40],
    ArrowUp: [0, -40],
    ArrowRight: [40, 0],
    ArrowLeft: [-40, 0],
    Home: [0, -1e7],
    End: [0, 1e7],
  }
  const way = by[key]
  const scroller = way && scrollerFrom(session, node, way[0], way[1])
  if (scroller) scroll(scroller, way)
}
