import { hasOwn } from '../../contract/has-own.ts'
import { type Message, quoted, say, term } from '../../contract/message.ts'
import type { WaitCondition, WaitConditionName } from '../../contract/page-api.ts'
import { normalizeRef } from '../../contract/refs.ts'
import { statesOf } from '../../engine/accessibility/states.ts'
import { comparesSecrets, redacted, secretSelector } from '../../engine/secrets.ts'
import { textBelow, tidy } from '../../engine/text.ts'
import { engineError } from '../runtime/errors.ts'
import * as native from '../runtime/natives.ts'
import type { Session } from '../runtime/session.ts'
import { pageInfo } from '../view/page-info.ts'
import { resolve, sceneOf } from '../view/scene.ts'
import { watch } from './watch.ts'

/** without a change or a request for this long, a page is idle */
const idleMs = 500
const maxText = 100_000

/** `saw` describes the actual state, for the message of a timeout */
export interface ConditionState {
  readonly met: boolean
  readonly saw: string | Message
}
const seen: ConditionState = { met: true, saw: '' }
type Check = (session: Session, value: string, condition: WaitCondition) => ConditionState

const visibleText = (session: Session, { hide, variants }: WaitCondition) => {
  const body = native.bodyOf(document)
  if (!body) return ''
  const { dom } = sceneOf(session, body)
  // elements beside the body are drawn too
  const text = textBelow(dom, native.documentElement(document) ?? body, { max: maxText })
  // a secret that the page repeats, with or without spaces, must not be found by trial and error
  const hidden = (words: string) => (hide ? words.replace(new RegExp(hide, 'gi'), redacted) : words)
  return hidden(comparable(hidden(text), variants))
}

// white space depends on layout, and a caller may have the words from a line that joins several blocks
function comparable(text: string, variants = ''): string {
  const words = tidy(text, maxText)
    .replace(/(^| )([|…]( |$))*/g, '')
    .normalize('NFKC')
  if (!variants) return words
  return words.replace(/[^\0-\xff]/g, character => {
    const at = variants.indexOf(character)
    return at < 0 || at % 2 ? character : (variants[at + 1] as string)
  })
}
const showsText = (session: Session, text: string, condition: WaitCondition) =>
  visibleText(session, condition).includes(comparable(text, condition.variants))

const checkIdle = (session: Session, isIdle: (pending: readonly string[]) => boolean): ConditionState => {
  const body = native.bodyOf(document)
  if (body && !session.watch?.isPassive) {
    session.watch?.end()
    session.watch = watch({ session, dom: sceneOf(session, body).dom, document, node: null, isPassive: true })
  }
  const { pending } = session.watch?.report(true) ?? { pending: [] }
  const busy = pending.filter(each => each !== 'changes')
  const quietFor = native.now() - (session.watch?.lastChange() ?? 0)
  return { met: isIdle(busy) && quietFor >= idleMs, saw: pending.join(', ') || `changes ${Math.round(quietFor)} ms ago` }
}

const checks: { readonly [name in WaitConditionName]: Check } = {
  selector: (session, selector) => {
    let found: ArrayLike<Element> = []
    if (comparesSecrets(selector)) throw engineError('invalid_selector', say`${term(secretSelector)} ${quoted(selector)}`)
    try {
      found = native.allOf(document, selector)
    } catch {
      throw engineError('invalid_selector', say`not a CSS selector: ${quoted(selector)}`)
    }
    const body = native.bodyOf(document)
    const dom = body && sceneOf(session, body).dom
    for (let i = 0; i < found.length; i++) if (dom && !dom.hidden(found[i] as Element)) return { met: true, saw: '' }
    return { met: false, saw: found.length ? `${found.length} that match, all hidden` : 'nothing that matches' }
  },
  text: (session, text, condition) => (showsText(session, text, condition) ? seen : { met: false, saw: 'no such text' }),
  textGone: (session, text, condition) => (showsText(session, text, condition) ? { met: false, saw: 'the text is still there' } : seen),
  url: (_, part) => ({ met: pageInfo().url.includes(part), saw: pageInfo().url }),
  load: (_, event) => {
    const state = native.readyState(document) ?? ''
    return { met: state === 'complete' || (event === 'domcontentloaded' && state === 'interactive'), saw: `readyState ${state}` }
  },
  domStable: session => checkIdle(session, () => true),
  networkIdle: session =>
    checkIdle(
      session,
      pending => !pending.some(each => /request|load|navigation/.test(each)) && native.readyState(document) === 'complete',
    ),
  ref: (session, given, { state = 'visible' }) => {
    const ref = normalizeRef(given)
    if (!ref) throw engineError('invalid_ref', say`not a ref: ${quoted(given, 40)}`)
    const states = waitStates(session, resolve(session, ref))
    if (!hasOwn(states, state)) throw engineError('invalid_wait', say`no such state: ${quoted(state, 40)}`)
    const words = Object.keys(states).filter(name => states[name])
    return { met: states[state] === true, saw: say`${{ ref }} is ${term(words.join(', '))}` }
  },
}

function waitStates(session: Session, node: Element | null): { readonly [state: string]: boolean } {
  const dom = node && sceneOf(session, node).dom
  const states = dom ? statesOf(dom, node as Element, '') : {}
  const isVisible = !!dom && !dom.hidden(node as Element)
  return {
    attached: !!node,
    detached: !node,
    visible: isVisible,
    hidden: !isVisible,
    enabled: !!node && !states.disabled,
    disabled: !!states.disabled,
    checked: states.checked === true,
    unchecked: states.checked === false,
  }
}

/** Checks a condition once; the caller polls. */
export function waitCheck(session: Session, condition: object): ConditionState {
  const values = condition as { readonly [name: string]: unknown }
  const given = Object.keys(values).filter(name => !/^(state|hide|variants)$/.test(name) && values[name] !== undefined)
  const name = given[0] ?? ''
  const value = values[name]
  if (given.length !== 1 || !hasOwn(checks, name))
    throw engineError('invalid_wait', say`give one of ${term(Object.keys(checks).join(' '))}`)
  if (value !== true && (typeof value !== 'string' || !value)) throw engineError('invalid_wait', say`${term(name)} must be a string`)
  return checks[name as WaitConditionName](session, `${value}`, condition as WaitCondition)
}
