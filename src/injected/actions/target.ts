import { normalizeRef } from '../../contract/refs.ts'
import type { Aim, Box, Dom, Scene } from '../../engine/dom.ts'
import { roleOf } from '../../engine/roles.ts'
import { labelOf } from '../../engine/snapshot/collect.ts'
import { labelOf as whatIs } from '../../engine/snapshot/visibility.ts'
import { statesOf } from '../../engine/states.ts'
import { cut } from '../../engine/text.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import { asPage } from '../runtime/pristine.ts'
import { resolve, type Session, sceneOf } from '../view/snapshot.ts'

/** An element that is about to be operated. */
export interface Target {
  readonly session: Session
  readonly ref: string
  readonly node: Element
  readonly document: Document
  readonly dom: Dom<Node>
}

export function find(session: Session, given: unknown): Target {
  const ref = normalizeRef(given)
  if (!ref) throw engineError('invalid_ref', `not a ref: ${cut(`${given}`, 40)}`)
  const node = resolve(session, ref)
  if (!node) throw engineError('ref_not_found', `${ref} is not in the page`)
  return { session, ref, node, document: native.ownerDocument(node) as Document, dom: sceneOf(session, node).dom }
}

/** disabled by itself, by its fieldset, or by ARIA */
export function needEnabled({ dom, node, ref }: Target): void {
  if (statesOf(dom, node, '').disabled) throw engineError('not_enabled', `${ref} is disabled`)
}

/** Where a click reaches the element: scrolled into view if need be. `x` and `y` are in the viewport of its own document. */
export interface Place extends Aim<Node> {
  readonly hit: Element
  /** where that viewport lies in the top page */
  readonly left: number
  readonly top: number
}

const ways = ['', 'center', 'end', 'start']

export function reach(target: Target): Place {
  let over: Node | null = null
  for (const block of ways) {
    const { scene, drawn } = seenOf(target, block)
    const layout = scene.layout as NonNullable<Scene<Node>['layout']>
    const box = layout.box(drawn) as Box
    const why = layout.unseen(drawn, box)
    if (why) throw engineError('not_visible', `${target.ref} cannot be seen: ${why}`)
    const aim = layout.aim(drawn, box)
    if (aim.hit && !isAbove(target.dom, aim.hit, drawn)) {
      const { x: left, y: top } = layout.origin(drawn)
      return { ...aim, hit: aim.hit as Element, x: aim.x - left, y: aim.y - top, left, top }
    }
    over = aim.over ?? aim.hit ?? over
  }
  throw over ? blocked(target, over) : engineError('not_visible', `${target.ref} cannot be scrolled into view`)
}

/** The element, or the label that is drawn for it; scrolled first where that is asked for. */
export function seenOf(target: Target, block = ''): { scene: Scene<Node>; drawn: Element } {
  const { session, node, ref } = target
  let scene = sceneOf(session, node)
  const isDrawn = !scene.dom.hidden(node) && scene.layout?.box(node)
  const small = isDrawn && (isDrawn.width <= 1 || isDrawn.height <= 1)
  const label = !isDrawn || small || !scene.layout?.clickable(node) ? labelOf(scene, node, scene.dom.tag(node)) : null
  if (!isDrawn && !label)
    throw engineError('not_visible', `${ref} is not drawn${scene.dom.tag(node) === 'option' ? ': use select on its list' : ''}`)
  const drawn = (label?.drawn ?? node) as Element
  if (block) {
    asPage(() => native.scrollIntoView(drawn, { block, inline: 'nearest', behavior: 'instant' }))
    scene = sceneOf(session, node)
  }
  return { scene, drawn }
}

export function isWithin(dom: Dom<Node>, inner: Node | null, outer: Node): boolean {
  for (let each = inner; each; each = dom.parent(each)) if (each === outer) return true
  return false
}

/** a click there would go through it, to something around it */
function isAbove(dom: Dom<Node>, hit: Node, node: Node): boolean {
  return hit !== node && isWithin(dom, node, hit) && dom.tag(hit) !== 'label'
}

const consent = /cookie|consent|gdpr|privacy|einwilligung|隐私/i

const parts = /^((alert)?dialog|region|banner|complementary|form|menu|listbox|navigation)$/

function blocked(target: Target, over: Node) {
  const { what, by, hint } = inTheWay(target, over)
  return engineError('element_blocked', `${target.ref} is covered by ${what}${hint}`, by)
}

/** what takes the click instead, in words and with its ref, and what to do about it */
export function inTheWay(
  { session, dom, node = null }: Pick<Target, 'session' | 'dom'> & { readonly node?: Element | null },
  over: Node,
): { what: string; by?: string; hint: string } {
  const around = new Set<Node>()
  for (let each: Node | null = node; each; each = dom.parent(each)) around.add(each)
  // a button may be what is hit, but the banner it belongs to is what has to go
  let whole = over
  let words = ''
  for (let each: Node | null = over; each && !around.has(each); each = dom.parent(each)) {
    if (parts.test(roleOf(dom, each))) whole = each
    words += ` ${native.getAttribute(each, 'id') ?? ''} ${native.getAttribute(each, 'class') ?? ''}`
  }
  const by = session.refs.of(whole) ?? session.refs.of(over)
  const what = whatIs(dom, whole)
  const hint = consent.test(what + words) ? '; it looks like a consent banner: answer it first' : ''
  return { what: `${cut(what, 60)}${by ? ` (${by})` : ''}`, ...(by && { by }), hint }
}
