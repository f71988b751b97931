import type { ScrollOptions } from '../../contract/page-api.ts'
import type { Dom } from '../../engine/dom.ts'
import { findScroller, type ScrollDelta, scroll, scrollContainer } from '../actions/scroll.ts'
import * as native from '../runtime/native-actions.ts'
import type { Session } from '../runtime/session.ts'
import { focusedIn } from '../view/focused.ts'
import { pageInfo } from '../view/page-info.ts'
import { sceneOf } from '../view/scene.ts'
import { findTarget } from '../view/target.ts'
import { nextFrame } from './settle.ts'
import { startWatch } from './watch.ts'

/** parts of the width and the height at which to try the wheel, from the middle outward */
const positions = [0.5, 0.3, 0.7, 0.1, 0.9, 0.02, 0.98]
/** the wheel changes the value of a number field that has the focus, and pages change fields in its handler */
const fieldTags = /^(input|select|option)$/
const fieldRoles = /^(slider|spinbutton|scrollbar)$/
const frameTags = /^(iframe|frame|object|embed)$/
const maxFields = 1_000
const [selectedIndex] = native.unsure<[native.Get<number>]>('HTMLSelectElement', 'selectedIndex')

export const wheelMethods = {
  /**
   * The point at which to turn the wheel, and by how much, to scroll the target (default: the page). Scrolling must not change a field:
   * if there is no point without one, the engine scrolls instead, and the result is null.
   */
  wheelPoint: (session: Session, { ref, ...options }: { readonly ref?: string } & ScrollOptions) => {
    const { scroller, delta } = findScroller(session, ref === undefined ? null : findTarget(session, ref), options)
    const isPage = scroller === native.scrollingElement(native.ownerDocument(scroller) as Document)
    if (!isPage) native.scrollIntoView(scroller, { block: 'nearest', inline: 'nearest', behavior: 'instant' })
    startWatch(session, { ref, scroller })
    session.trustedState.fieldsBeforeWheel = fieldValues()
    const point = findPoint(session, scroller, { isPage, delta })
    if (!point) scroll(scroller, delta)
    return point && { ...point, dx: delta[0], dy: delta[1] }
  },
  /** whether the watched element starts to scroll within the time, and whether a field has changed */
  wheelResult: async (session: Session, { ms }: { readonly ms: number }) => {
    for (const until = native.now() + ms; native.now() < until && !session.watch?.effect().scroll; ) await nextFrame()
    return { scrolled: !!session.watch?.effect().scroll, changedField: fieldValues() !== session.trustedState.fieldsBeforeWheel }
  },
}

/** A point at which the wheel scrolls the scroller; otherwise one without a field or a frame. */
function findPoint(session: Session, scroller: Element, { isPage, delta }: { readonly isPage: boolean; readonly delta: ScrollDelta }) {
  const { width, height } = pageInfo().viewport
  const { dom, layout } = sceneOf(session, scroller)
  const inner = native.ownerDocument(scroller) as Document
  const own = { x: 0, y: 0, width: native.clientWidth(scroller) ?? width, height: native.clientHeight(scroller) ?? height }
  const view = layout?.inTopPage(scroller, own) ?? own
  const box = (isPage ? null : layout?.box(scroller)) ?? view
  const within = (start: number, size: number, max: number, at: number) => {
    const from = Math.max(start, 0)
    return from + (Math.min(start + size, max) - from) * at
  }
  let second: { readonly x: number; readonly y: number } | null = null
  for (const down of positions) {
    for (const right of positions) {
      const [x, y] = [within(box.x, box.width, width, right), within(box.y, box.height, height, down)]
      const outerHit = native.elementAt(document, x, y)
      const at = layout?.inFrame(scroller, { x, y }) ?? { x, y }
      const hit = inner === document ? outerHit : native.elementAt(inner, at.x, at.y)
      if (!hit || isInField(dom, hit) || (outerHit && isInField(dom, outerHit))) continue
      if (!frameTags.test(dom.tag(hit)) && scrollContainer(session, hit, delta) === scroller) return { x, y }
      second ??= frameTags.test(dom.tag(hit)) ? null : { x, y }
    }
  }
  return second
}

function isInField(dom: Dom<Node>, hit: Element): boolean {
  for (let each: Node | null = hit; each; each = dom.parent(each))
    if (fieldTags.test(dom.tag(each)) || fieldRoles.test(dom.attr(each, 'role') ?? '')) return true
  return false
}

/** The values of the fields as one string, to be compared with a later one. */
function fieldValues(): string {
  const fields = Array.from(native.allOf(document, 'input,textarea,select')).slice(0, maxFields)
  const focused = focusedIn(document)
  return [...fields, ...(focused ? [focused] : [])]
    .map(field => `${native.inputValue(field) ?? native.textareaValue(field) ?? selectedIndex(field)} ${native.inputChecked(field)}`)
    .join('\n')
}
