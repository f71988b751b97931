import type { ActionKind, ActionPayloads, ActionResult } from '../../contract/page-api.ts'
import { cut } from '../../engine/text.ts'
import { fieldValue } from '../actions/change-event.ts'
import { enter, type Field, fieldOf, fill, hand, holds, insert, isSet, shown, toEnd, written } from '../actions/fields.ts'
import { blurred, focusedIn, focusOn } from '../actions/focus.ts'
import { directionOf, scroll, scrollerFrom } from '../actions/scroll.ts'
import { check, select, upload, type Wanted } from '../actions/select.ts'
import { find, isWithin, needEnabled, type Place, reach, seenOf, type Target } from '../actions/target.ts'
import { engineError, isRefused } from '../runtime/errors.ts'
import { answered } from '../runtime/meta.ts'
import * as native from '../runtime/native-actions.ts'
import type { Session } from '../view/snapshot.ts'
import { type Watch, watch } from '../watch/watch.ts'
import { drag, longPress } from './drag.ts'
import { keyOf, pressKey } from './keyboard.ts'
import { hitNow, moveTo, press } from './pointer.ts'

type Payload = { readonly [name: string]: unknown }
/** carries it out; may return what must be true when the page has come to rest */
type Act = (target: Target, payload: Payload, watched: () => Watch) => Wanted | undefined

const most = 5_000

const text = (payload: Payload, name: string): string => {
  const value = payload[name]
  if (typeof value !== 'string') throw engineError('invalid_input', `${name} must be a string`)
  return value
}
const list = (payload: Payload, name: string): readonly unknown[] => {
  const value = payload[name]
  if (!Array.isArray(value) || !value.length) throw engineError('invalid_input', `${name} must be a list`)
  return value
}
const pressing =
  (times: number): Act =>
  (target, payload) => {
    needEnabled(target)
    press(target, reach(target), payload as ActionPayloads['click'], times)
  }
const filling: Act = (target, payload) => {
  const value = text(payload, 'value')
  if (target.dom.tag(target.node) === 'select') return select(target, [value])
  const field = fieldOf(target)
  return native.editContext(field.node) ? overwrite(field, value) : fill(field, value, payload.commit === true)
}

/** Replaces the text of an editor that draws it elsewhere. */
function overwrite(field: Field, value: string): Wanted {
  const { node, target } = field
  enter(target)
  pressKey(target, keyOf(/mac/i.test(navigator.platform) ? 'Meta+a' : 'Control+a'))
  if (!value) pressKey(target, keyOf('Backspace'))
  else if (!hand(node, value)) throw engineError('not_committed', `${target.ref} does not take text from a script`)
  return () => holds(field, value)
}

export const acts: { readonly [kind in ActionKind]: Act } = {
  click: pressing(1),
  dblclick: pressing(2),
  longpress: (target, { ms = 600 }, watched) => {
    if (!(Number(ms) > 0 && Number(ms) <= most)) throw engineError('invalid_input', `ms must be a number from 1 to ${most}`)
    needEnabled(target)
    longPress(target, reach(target), Number(ms), watched())
  },
  hover: target => {
    moveTo(target.session, target.dom, reach(target), undefined, true)
  },
  focus: target => {
    seenOf(target)
    needEnabled(target)
    if (!focusOn(target.node)) throw engineError('not_committed', `${target.ref} does not take the focus`)
    return () => focusedIn(target.document) === target.node
  },
  blur: target => {
    if (focusedIn(target.document) === target.node) blurred(target.node)
    return () => focusedIn(target.document) !== target.node
  },
  fill: filling,
  clear: target => filling(target, { value: '' }, () => undefined as never),
  type: (target, payload) => {
    const said = text(payload, 'text')
    if (said.length > most) throw engineError('invalid_text', `text is longer than ${most} characters; use fill`)
    return type(fieldOf(target), said)
  },
  select: (target, payload) => select(target, list(payload, 'values').map(String)),
  check: target => check(target, true),
  uncheck: target => check(target, false),
  press: (target, payload) => {
    const key = keyOf(payload.key)
    seenOf(target, 'nearest')
    needEnabled(target)
    const before = focusedIn(target.document)
    const now = focusOn(target.node) ? target.node : focusedIn(target.document)
    // it may hand the focus on, or be part of what has it; but a key is not for whatever else has it
    const isFor = now && (now !== before || isWithin(target.dom, now, target.node) || isWithin(target.dom, target.node, now))
    if (!isFor) throw engineError('not_committed', `${target.ref} does not take the focus`)
    pressKey(target, key)
  },
  scroll_into_view: target => {
    const { scene, drawn } = seenOf(target, 'nearest')
    const why = scene.layout?.unseen(drawn, scene.layout.box(drawn) as never)
    if (why) throw engineError('not_visible', `${target.ref} cannot be seen: ${why}`)
  },
  scroll: ({ session, node, ref }, payload, watched) => {
    const way = directionOf(payload as unknown as ActionPayloads['scroll'])
    if (!way) throw engineError('invalid_input', 'direction must be up, down, left or right, and amount a number above 0')
    const scroller = scrollerFrom(session, node, way[0], way[1])
    if (!scroller) throw engineError('no_progress', `nothing at ${ref} scrolls further ${payload.direction}`)
    watched().scrolls(scroller)
    scroll(scroller, way)
  },
  drag: (target, payload) => {
    needEnabled(target)
    const from = reach(target)
    drag(target, from, goal(target, from, payload))
  },
  upload: (target, payload) => {
    const files = list(payload, 'files') as ActionPayloads['upload']['files']
    if (!files.every(file => typeof file?.name === 'string' && typeof file.base64 === 'string'))
      throw engineError('invalid_input', 'a file has a name and base64')
    return upload(target, files)
  },
}

/** where a drag ends: at another element, or so far away */
function goal(target: Target, from: Place, { to, dx = 0, dy = 0 }: Payload): Place {
  if (to !== undefined) return reach(find(target.session, to))
  if (!Number.isFinite(dx) || !Number.isFinite(dy)) throw engineError('invalid_coords', 'dx and dy must be numbers')
  const end = { ...from, x: from.x + Number(dx), y: from.y + Number(dy) }
  return { ...end, hit: hitNow(end) }
}

/** One code point after the other, each as a key where it is on the keyboard. */
function type(field: Field, said: string): Wanted {
  const { target, node } = field
  if (isSet(field)) throw engineError('not_editable', `${target.ref} is set as a whole; use fill`)
  const isNew = focusedIn(target.document) !== node
  enter(target)
  if (isNew) toEnd(field)
  const before = shown(field)
  for (const each of said) {
    if (/^[\x20-\x7e\n]$/.test(each)) pressKey(target, keyOf(each === '\n' ? 'Enter' : each))
    else insert(fieldNow(field), each)
    // a handler may have moved the focus on, as fields for single digits do, or taken the field away
    if (!native.isConnected(node)) break
  }
  const isSame = fieldValue(node) !== undefined && written(field).text === before && focusedIn(target.document) === node
  if (isSame && said && !said.includes('\n')) throw engineError('not_committed', `${target.ref} takes nothing of that`)
  return () => fieldValue(node) !== undefined || shown(field) !== before || !said.trim()
}

/** the field that has the focus by now, where that has gone on to another one */
function fieldNow(field: Field): Field {
  const { dom, document } = field.target
  const now = focusedIn(document)
  if (!now || now === field.node || fieldValue(now) === undefined) return field
  return { target: { ...field.target, node: now }, node: now, tag: dom.tag(now), type: dom.attr(now, 'type') ?? '' }
}

/** One action: watched from before it begins, told with what it led to by the time it returns. */
export function action(session: Session, given: unknown, kind: unknown, payload: unknown): ActionResult {
  const name = `${kind}`.toLowerCase() as ActionKind
  const act = Object.hasOwn(acts, name) ? acts[name] : undefined
  const about = { type: 'action' as const, action: cut(name, 40), ref: cut(`${given}`, 40) }
  let watched: Watch | undefined
  try {
    if (!act) throw engineError('unsupported_action', `unknown action ${cut(`${kind}`, 40)}; there are ${Object.keys(acts).join(' ')}`)
    if (payload !== undefined && payload !== null && typeof payload !== 'object')
      throw engineError('invalid_input', 'payload must be an object')
    const target = find(session, given)
    session.watch?.end()
    watched = session.watch = watch(target)
    const wanted = act(target, (payload ?? {}) as Payload, () => watched as Watch)
    if (wanted) watched.wanted = wanted
    const late = wanted && !wanted() && native.isConnected(target.node)
    return {
      ok: true,
      ...about,
      action: name,
      ref: target.ref,
      meta: answered(),
      trusted: false,
      ...(late && { unconfirmed: true }),
      effect: watched.effect(),
    }
  } catch (error) {
    if (!isRefused(error)) throw error
    return { ok: false, ...about, error, ...(watched && { effect: watched.effect() }) } as ActionResult
  }
}
