import { type Message, say, term } from '../../contract/message.ts'
import { isFrameTag } from '../../contract/roles.ts'
import { roleOf } from '../../engine/accessibility/roles.ts'
import { statesOf } from '../../engine/accessibility/states.ts'
import { isCommand } from '../../engine/activation.ts'
import type { Aim, Box, Dom, Scene } from '../../engine/dom.ts'
import { visibleStandIn } from '../../engine/snapshot/placement.ts'
import { describeElement } from '../../engine/snapshot/visibility.ts'
import { cut } from '../../engine/text.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import { asPage } from '../runtime/pristine.ts'
import { isWithin } from '../view/dom.ts'
import { sceneOf } from '../view/scene.ts'
import type { Target } from '../view/target.ts'

/** throws if it is disabled by itself, by its fieldset, by ARIA, or as a part of a disabled button */
export function requireEnabled(target: Target): void {
  const { dom, node } = target
  if (statesOf(dom, node, '').disabled) throw engineError('not_enabled', say`${target} is disabled`)
  for (let each = dom.parent(node); each; each = dom.parent(each))
    if (dom.tag(each) === 'button' && dom.is(each, 'disabled')) throw engineError('not_enabled', say`${target} is in a disabled button`)
}

/** An action that sets the state of its element reports that state even if it was the same before. */
export function reportState({ session: { watch } }: Target): void {
  if (watch) watch.setsState = true
}

/** A point at which a click reaches the element. `x` and `y` are in the viewport of its document. */
export interface HitPoint extends Aim<Node> {
  readonly hit: Element
  /** what to add for the same point in the viewport of the top page */
  readonly left: number
  readonly top: number
}

/** positions to scroll the element to until a click reaches it; '' does not scroll */
const scrollBlocks = ['', 'center', 'end', 'start']

/** Scrolls the element into view if necessary, and finds a point that nothing covers, beside the links, buttons and frames in the element if there is one. */
export function findHitPoint(target: Target, blocks: readonly string[] = scrollBlocks): HitPoint {
  let over: Node | null = null
  for (const block of blocks) {
    const { scene, drawn } = visibleElement(target, block)
    const layout = scene.layout as NonNullable<Scene<Node>['layout']>
    const box = layout.box(drawn) as Box
    const why = layout.unseen(drawn, box)
    if (why) throw engineError('not_visible', say`${target} cannot be seen: ${term(why)}`)
    const aim = layout.aim(drawn, box, hit => isInCommand(target.dom, hit, drawn))
    if (aim.hit && !passesThrough(target.dom, aim.hit, drawn)) {
      const { x, y } = layout.inFrame(drawn, aim)
      return { ...aim, hit: aim.hit as Element, x, y, left: aim.x - x, top: aim.y - y }
    }
    over = aim.over ?? aim.hit ?? over
  }
  throw over ? blockedError(target, over) : engineError('not_visible', say`${target} cannot be scrolled into view`)
}

/** whether an element is, or is in, a link, button or frame in another one */
function isInCommand(dom: Dom<Node>, hit: Node, around: Node): boolean {
  for (let each: Node | null = isWithin(dom, hit, around) ? hit : null; each && each !== around; each = dom.parent(each))
    if (isCommand(dom, each) || isFrameTag(dom.tag(each))) return true
  return false
}

/** Scrolls the element into view; throws if that does not show it. */
export function scrollIntoView(target: Target): void {
  const { scene, drawn } = visibleElement(target, 'nearest')
  const why = scene.layout?.unseen(drawn, scene.layout.box(drawn) as Box)
  if (why) throw engineError('not_visible', say`${target} cannot be seen: ${term(why)}`)
}

/** The ref of the list that an option belongs to, in words if it has none. */
export function listOf({ session, dom, node }: Pick<Target, 'session' | 'dom' | 'node'>): Message {
  let list = dom.parent(node)
  while (list && dom.tag(list) !== 'select' && roleOf(dom, list) !== 'listbox') list = dom.parent(list)
  const ref = list ? session.refs.of(list) : undefined
  return ref === undefined ? ['its list'] : [{ ref }]
}

/** The element, or its label if only that is drawn. `block` scrolls it into view first. */
export function visibleElement(target: Target, block = ''): { scene: Scene<Node>; drawn: Element } {
  const { session, node } = target
  let scene = sceneOf(session, node)
  const box = !scene.dom.hidden(node) && scene.layout?.box(node)
  const isTiny = box && (box.width <= 1 || box.height <= 1)
  const label = !box || isTiny || !scene.layout?.clickable(node) ? visibleStandIn(scene, node, scene.dom.tag(node)) : null
  if (!box && !label)
    throw engineError(
      'not_visible',
      say`${target} is not drawn${scene.dom.tag(node) === 'option' ? say`: use select on ${listOf(target)}` : ''}`,
    )
  const drawn = (label?.visibleNode ?? node) as Element
  if (block) {
    asPage(() => native.scrollIntoView(drawn, { block, inline: 'nearest', behavior: 'instant' }))
    scene = sceneOf(session, node)
  }
  return { scene, drawn }
}

/** whether a click there passes through the element to an ancestor of it, other than the label, button or link that it is a part of */
function passesThrough(dom: Dom<Node>, hit: Node, node: Node): boolean {
  if (hit === node || !isWithin(dom, node, hit)) return false
  for (let each: Node | null = hit; each; each = dom.parent(each))
    if (dom.tag(each) === 'label' || /^(button|link)$/.test(roleOf(dom, each))) return false
  return true
}

function blockedError(target: Target, over: Node) {
  const { element, description, by, hint } = describeCover(target, over)
  return engineError('element_blocked', say`${target} is covered by ${element}${hint}`, { by, page: { coveredBy: description } })
}

const consentWords = /cookie|consent|gdpr|privacy|einwilligung|隐私/i

const coverRoles = /^((alert)?dialog|region|banner|complementary|form|menu|listbox|navigation)$/

export interface Cover {
  /** its ref, if it has one */
  readonly element: Message
  /** role and name, as the page gives them */
  readonly description: string
  readonly by?: string
  readonly hint: '' | typeof consentHint
}
const consentHint = '; it looks like a consent banner: answer it first'

/** The element that takes the click instead, and what to do about it. */
export function describeCover(
  { session, dom, node = null }: Pick<Target, 'session' | 'dom'> & { readonly node?: Element | null },
  over: Node,
): Cover {
  const ancestors = new Set<Node>()
  for (let each: Node | null = node; each; each = dom.parent(each)) ancestors.add(each)
  // the hit element may be a button, but the banner around it has to be dismissed
  let cover = over
  let words = ''
  for (let each: Node | null = over; each && !ancestors.has(each); each = dom.parent(each)) {
    if (coverRoles.test(roleOf(dom, each))) cover = each
    words += ` ${native.getAttribute(each, 'id') ?? ''} ${native.getAttribute(each, 'class') ?? ''}`
  }
  const by = session.refs.of(cover) ?? session.refs.of(over)
  const label = describeElement(dom, cover)
  return {
    element: by ? [{ ref: by }] : ['another element'],
    description: cut(label, 60),
    ...(by && { by }),
    hint: consentWords.test(label + words) ? consentHint : '',
  }
}
