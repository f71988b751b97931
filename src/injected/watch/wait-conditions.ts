import type { WaitCheck, WaitCondition } from '../../contract/page-api.ts'
import { normalizeRef } from '../../contract/refs.ts'
import { statesOf } from '../../engine/states.ts'
import { cut, textBelow, tidy } from '../../engine/text.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/natives.ts'
import { infoOf, resolve, type Session, sceneOf } from '../view/snapshot.ts'
import { watch } from './watch.ts'

/** without a change or a request for this long, a page is at rest */
const restMs = 500
const enough = 100_000

type Check = (session: Session, wanted: string, condition: WaitCondition) => WaitCheck

const shown = (session: Session) => {
  const body = native.bodyOf(document)
  if (!body) return ''
  const { dom } = sceneOf(session, body)
  return textBelow(dom, body, { shown: each => !dom.hidden(each), max: enough })
}
const rest = (session: Session, isAtRest: (pending: readonly string[]) => boolean): WaitCheck => {
  const body = native.bodyOf(document)
  if (body && !session.watch?.resting) session.watch?.end()
  if (body && !session.watch?.resting)
    session.watch = watch({ session, dom: sceneOf(session, body).dom, document, node: null, resting: true })
  const { pending } = session.watch?.settled(true) ?? { pending: [] }
  const busy = pending.filter(each => each !== 'changes')
  const quiet = native.now() - (session.watch?.lastChange() ?? 0)
  return { met: isAtRest(busy) && quiet >= restMs, saw: pending.join(', ') || `changes ${Math.round(quiet)} ms ago` }
}

const checks: { readonly [name: string]: Check } = {
  selector: (session, selector) => {
    let found: ArrayLike<Element> = []
    try {
      found = native.allOf(document, selector)
    } catch {
      throw engineError('invalid_selector', `not a CSS selector: ${cut(selector, 80)}`)
    }
    const body = native.bodyOf(document)
    const dom = body && sceneOf(session, body).dom
    for (let i = 0; i < found.length; i++) if (dom && !dom.hidden(found[i] as Element)) return { met: true, saw: '' }
    return { met: false, saw: found.length ? `${found.length} that match, all hidden` : 'nothing that matches' }
  },
  text: (session, text) => ({ met: shown(session).includes(tidy(text)), saw: 'no such text' }),
  textGone: (session, text) => ({ met: !shown(session).includes(tidy(text)), saw: 'the text is still there' }),
  url: (_, part) => ({ met: infoOf().url.includes(part), saw: infoOf().url }),
  load: (_, event) => {
    const state = native.readyState(document) ?? ''
    return { met: state === 'complete' || (event === 'domcontentloaded' && state === 'interactive'), saw: `readyState ${state}` }
  },
  domStable: session => rest(session, () => true),
  networkIdle: session =>
    rest(session, pending => !pending.some(each => /request|load|navigation/.test(each)) && native.readyState(document) === 'complete'),
  ref: (session, given, { state = 'visible' }) => {
    const ref = normalizeRef(given)
    if (!ref) throw engineError('invalid_ref', `not a ref: ${cut(given, 40)}`)
    const node = resolve(session, ref)
    const is = statesNow(session, node)
    if (!Object.hasOwn(is, state)) throw engineError('invalid_wait', `no such state: ${cut(state, 40)}`)
    const words = Object.keys(is).filter(name => is[name])
    return { met: is[state] === true, saw: `${ref} is ${words.join(', ')}` }
  },
}

function statesNow(session: Session, node: Element | null): { readonly [state: string]: boolean } {
  const dom = node && sceneOf(session, node).dom
  const states = dom ? statesOf(dom, node as Element, '') : {}
  const isDrawn = !!dom && !dom.hidden(node as Element)
  return {
    attached: !!node,
    detached: !node,
    visible: isDrawn,
    hidden: !isDrawn,
    enabled: !!node && !states.disabled,
    disabled: !!states.disabled,
    checked: states.checked === true,
    unchecked: states.checked === false,
  }
}

/** One look at a condition, right now; whoever waits asks again. */
export function waitCheck(session: Session, condition: object): WaitCheck {
  const wanted = Object.keys(condition).filter(name => name !== 'state' && (condition as Record<string, unknown>)[name] !== undefined)
  const name = wanted[0] ?? ''
  const value = (condition as Record<string, unknown>)[name]
  if (wanted.length !== 1 || !Object.hasOwn(checks, name)) throw engineError('invalid_wait', `give one of ${Object.keys(checks).join(' ')}`)
  if (value !== true && (typeof value !== 'string' || !value)) throw engineError('invalid_wait', `${name} must be a string`)
  return (checks[name] as Check)(session, `${value}`, condition as WaitCondition)
}
