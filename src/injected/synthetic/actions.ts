import { hasOwn } from '../../contract/has-own.ts'
import { quoted, say, term } from '../../contract/message.ts'
import type { ActionKind, ActionPayloads, ActionResult } from '../../contract/page-api.ts'
import type { SecretRules } from '../../contract/secret-place.ts'
import { cut } from '../../engine/text.ts'
import { fieldValue } from '../actions/change-event.ts'
import { editorAround, pasteText } from '../actions/editors.ts'
import {
  comparableText,
  type Field,
  fieldOf,
  focusField,
  hasValue,
  requireSecretPlace,
  startTyping,
  textSelection,
} from '../actions/fields.ts'
import { blurElement, focusElement, focusRefused, focusTarget } from '../actions/focus.ts'
import { requireJudged } from '../actions/inspect.ts'
import { findScroller, scroll } from '../actions/scroll.ts'
import type { Condition } from '../actions/select.ts'
import { findHitPoint, type HitPoint, requireEnabled, scrollIntoView, visibleElement } from '../actions/target.ts'
import { engineError, failureOf, isEngineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import type { Session } from '../runtime/session.ts'
import { isWithin } from '../view/dom.ts'
import { focusedIn } from '../view/focused.ts'
import { responseMeta } from '../view/response-meta.ts'
import { findTarget, type Target } from '../view/target.ts'
import { requireSentForm, type Watch, watch } from '../watch/watch.ts'
import { drag, longPress } from './drag.ts'
import { fill, insertText } from './editing.ts'
import { pressKey, requireKey } from './keyboard.ts'
import { currentHit, movePointer, press } from './pointer.ts'
import { check, select, upload } from './select.ts'

type Payload = { readonly [name: string]: unknown }
/** performs an action; may return a condition that must hold once the page has settled */
type Action = (target: Target, payload: Payload, watch: Watch) => Condition | undefined

const maxPressMs = 5_000
const maxTypedText = 5_000

const requireString = (payload: Payload, name: string): string => {
  const value = payload[name]
  if (typeof value !== 'string') throw engineError('invalid_input', say`${term(name)} must be a string`)
  return value
}
const requireList = (payload: Payload, name: string): readonly unknown[] => {
  const value = payload[name]
  if (!Array.isArray(value)) throw engineError('invalid_input', say`${term(name)} must be a list`)
  return value
}
const clickTimes =
  (times: number): Action =>
  (target, payload) => {
    requireEnabled(target)
    press(target, findHitPoint(target), payload as ActionPayloads['click'], times)
  }
const fillTarget = (target: Target, value: string, commit = false): Condition => {
  if (target.dom.tag(target.node) === 'select') return select(target, [value])
  const field = fieldOf(target)
  return editorAround(field) ? overwrite(field, value) : fill(field, value, commit)
}

/** Replaces the text of an editor that draws it elsewhere. */
function overwrite(field: Field, value: string): Condition {
  const { node, target } = field
  focusField(target)
  pressKey(target, requireKey(/mac/i.test(navigator.platform) ? 'Meta+a' : 'Control+a'))
  if (!value) pressKey(target, requireKey('Backspace'))
  else if (!pasteText(node, value)) throw engineError('not_committed', say`${target} does not take text from a script`)
  return () => hasValue(field, value)
}

const actions: { readonly [kind in ActionKind]: Action } = {
  click: clickTimes(1),
  dblclick: clickTimes(2),
  longpress: (target, { ms = 600 }, watch) => {
    if (!(Number(ms) > 0 && Number(ms) <= maxPressMs)) throw engineError('invalid_input', say`ms must be a number from 1 to ${maxPressMs}`)
    requireEnabled(target)
    longPress(target, findHitPoint(target), Number(ms), watch)
  },
  hover: target => {
    movePointer(target, findHitPoint(target), { stays: true })
  },
  focus: focusTarget,
  blur: target => {
    if (focusedIn(target.document) === target.node) blurElement(target.node)
    return () => focusedIn(target.document) !== target.node
  },
  fill: (target, payload) => {
    requireSecretRules(target, payload)
    return fillTarget(target, requireString(payload, 'value'), payload.commit === true)
  },
  clear: target => fillTarget(target, ''),
  type: (target, payload) => {
    const text = requireString(payload, 'text')
    requireSecretRules(target, payload)
    if (text.length > maxTypedText) throw engineError('invalid_text', say`text is longer than ${maxTypedText} characters; use fill`)
    return type(fieldOf(target), text)
  },
  select: (target, payload) => {
    requireSecretRules(target, payload)
    const values = requireList(payload, 'values').map(String)
    return select(target, values, payload.rules ? values : [])
  },
  check: target => check(target, true),
  uncheck: target => check(target, false),
  press: (target, payload) => {
    const key = requireKey(payload.key)
    visibleElement(target, 'nearest')
    requireEnabled(target)
    const before = focusedIn(target.document)
    const now = focusElement(target.node) ? target.node : focusedIn(target.document)
    // the element may pass the focus on, or be part of the focused one; the key must not go to an unrelated element
    const isRelated = now && (now !== before || isWithin(target.dom, now, target.node) || isWithin(target.dom, target.node, now))
    if (!isRelated) throw focusRefused(target)
    pressKey(target, key)
  },
  scroll_into_view: target => {
    scrollIntoView(target)
  },
  scroll: (target, payload, watch) => {
    const { scroller, delta } = findScroller(target.session, target, payload as unknown as ActionPayloads['scroll'])
    watch.setScroller(scroller)
    scroll(scroller, delta)
  },
  drag: (target, payload) => {
    requireEnabled(target)
    const from = findHitPoint(target)
    drag(target, from, dragEnd(target, from, payload))
  },
  upload: (target, payload) => {
    const files = requireList(payload, 'files') as ActionPayloads['upload']['files']
    if (!files.every(file => typeof file?.name === 'string' && typeof file.base64 === 'string'))
      throw engineError('invalid_input', 'a file has a name and base64')
    return upload(target, files)
  },
}

/** A secret is entered only where it may be; the field that gets it is secret from then on. */
function requireSecretRules(target: Target, { rules }: Payload): void {
  if (!rules) return
  const node = target.dom.tag(target.node) === 'select' ? target.node : fieldOf(target).node
  requireSecretPlace(target, node, rules as SecretRules)
  target.session.secretFields.add(node, '')
}

/** the end of a drag: another element, or an offset */
function dragEnd(target: Target, from: HitPoint, { to, dx = 0, dy = 0 }: Payload): HitPoint {
  if (to !== undefined) {
    const goal = findTarget(target.session, to)
    const end = findHitPoint(goal)
    requireJudged(goal, end.hit)
    return end
  }
  if (!Number.isFinite(dx) || !Number.isFinite(dy)) throw engineError('invalid_coords', 'dx and dy must be numbers')
  const end = { ...from, x: from.x + Number(dx), y: from.y + Number(dy) }
  return { ...end, hit: currentHit(end) }
}

/** Types one code point after the other, as a key press if there is such a key. */
function type(field: Field, text: string): Condition {
  const { target, node } = field
  startTyping(field)
  const before = comparableText(field)
  for (const character of text) {
    if (/^[\x20-\x7e\n]$/.test(character)) pressKey(target, requireKey(character === '\n' ? 'Enter' : character))
    else insertText(focusedField(field), character)
    // a handler may have removed the field
    if (!native.isConnected(node)) break
  }
  const isUnchanged = fieldValue(node) !== undefined && textSelection(field).text === before && focusedIn(target.document) === node
  if (isUnchanged && text && !text.includes('\n')) throw engineError('not_committed', say`${target} rejected the text`)
  return () => fieldValue(node) !== undefined || comparableText(field) !== before || !text.trim()
}

/** the field with the focus: a handler may have moved it on, as fields for single digits do */
function focusedField(field: Field): Field {
  const { dom, document } = field.target
  const now = focusedIn(document)
  if (!now || now === field.node || fieldValue(now) === undefined) return field
  return { target: { ...field.target, node: now }, node: now, tag: dom.tag(now), type: dom.attr(now, 'type') ?? '' }
}

/** `action` of the page API: performs one action and returns its effect so far. */
export function action(session: Session, given: unknown, kind: unknown, payload: unknown): ActionResult {
  const name = `${kind}`.toLowerCase() as ActionKind
  const perform = hasOwn(actions, name) ? actions[name] : undefined
  const about = { type: 'action' as const, action: cut(name, 40), ref: cut(`${given}`, 40) }
  let current: Watch | undefined
  try {
    if (!perform)
      throw engineError('unsupported_action', say`unknown action ${quoted(kind, 40)}; there are ${term(Object.keys(actions).join(' '))}`)
    if (payload !== undefined && payload !== null && typeof payload !== 'object')
      throw engineError('invalid_input', 'payload must be an object')
    const target = findTarget(session, given)
    session.watch?.end()
    current = session.watch = watch(target)
    const condition = perform(target, (payload ?? {}) as Payload, current)
    requireSentForm(session)
    if (condition) current.condition = condition
    const isUnconfirmed = condition && !condition() && native.isConnected(target.node)
    return {
      ok: true,
      ...about,
      action: name,
      ref: target.ref,
      meta: responseMeta(),
      trusted: false,
      ...(isUnconfirmed && { unconfirmed: true }),
      effect: current.effect(),
    }
  } catch (error) {
    if (!isEngineError(error)) throw error
    if (current) current.condition = () => false // it was not done, whatever the page does now
    return { ok: false, ...about, error: failureOf(error), ...(current && { effect: current.effect() }) }
  }
}
