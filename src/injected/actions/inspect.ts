import { say } from '../../contract/message.ts'
import { optionSelector } from '../../contract/page-api.ts'
import { normalizeRef } from '../../contract/refs.ts'
import { type TargetFacts, targetLimits } from '../../contract/target.ts'
import { nameOf } from '../../engine/accessibility/names.ts'
import { controlsAround, reachOf } from '../../engine/activation.ts'
import type { Box, Dom, Layout } from '../../engine/dom.ts'
import { controlKey, ends, type InspectContext, inspectElement } from '../../engine/inspect.ts'
import { textBelow, tidy } from '../../engine/text.ts'
import { engineError, isEngineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import type { JudgedForm, Session } from '../runtime/session.ts'
import { unveiled } from '../view/dom.ts'
import { focusedIn } from '../view/focused.ts'
import { resolve, sceneOf } from '../view/scene.ts'
import { findTarget, type Target } from '../view/target.ts'
import { findHitPoint } from './target.ts'

/** What `inspect` reports besides the element itself. */
export interface InspectPayload {
  readonly ref?: unknown
  /** remembers the controls that a press would operate, and where its form is sent: the next action fails if it turns out otherwise */
  readonly guard?: unknown
  /** the next action, which `guard` has prepared, may send a form */
  readonly sends?: unknown
  /** the options that would be chosen in it */
  readonly values?: unknown
  /** the key of the digest of the data that would be sent */
  readonly key?: unknown
  /** the refs of fields that are left out of the data */
  readonly except?: unknown
}

/** What an element is and does. Without a ref: the focused element, or the body if there is none. Throws an EngineError. */
export function inspect(session: Session, { ref, guard, sends, values, key, except }: InspectPayload = {}): TargetFacts {
  const hasRef = ref !== undefined && ref !== null
  const node = hasRef ? findTarget(session, ref).node : focusedElement()
  let form: Element | null = null
  const context = contextOf(session, node, {
    key,
    except,
    onForm: found => {
      form = found
    },
  })
  const reach = reachOf(context, node, hasRef ? hitOf(findTarget(session, ref)) : node)
  const facts = inspectElement(context, node, reach)
  const wanted = Array.isArray(values) ? values.map(String) : []
  const chosen = Array.isArray(values) ? chosenTexts(context, node, wanted) : []
  if (guard === true) {
    if (!hasRef) session.judgedFocus = node
    if (Array.isArray(values)) session.judgedTexts.ofList.set(node, [...wanted.map(shortText), ...chosen])
    session.judged.set(node, new Map([...reach.inside, ...reach.around].map(each => [each, controlKey(context, each)])))
    session.judgedForm = { node, sends: false, ...judgedForm(form, facts) }
  }
  if (sends === true && session.judgedForm) session.judgedForm.sends = true
  return { ...facts, ...(chosen.length > 0 && { chosen }), ...(session.sendsForm.has(node) && { isVague: true as const }) }
}

interface ContextOptions extends Pick<InspectPayload, 'key' | 'except'> {
  readonly onForm?: (form: Element) => void
}

function contextOf(session: Session, node: Element, { key, except, onForm }: ContextOptions = {}): InspectContext<Node> {
  const own = native.ownerDocument(node) as Document
  const base = native.baseURI(node) ?? ''
  const { dom, layout } = sceneOf(session, node)
  return {
    dom,
    layout,
    url: native.documentURL(document) ?? '',
    origin: originOf(own),
    key: typeof key === 'string' ? key : undefined,
    except: Array.isArray(except) ? except.flatMap(each => resolve(session, normalizeRef(each) ?? '') ?? []) : [],
    formOf: each => {
      const found = native.formAround(each)
      if (found) onForm?.(found)
      return found
    },
    controlsOf: form => native.formElements(form) ?? [],
    filesOf: field => Array.from(native.filesOf(field) ?? []).map(({ name, size }) => `${name} (${size} bytes)`),
    unveiled,
    overlays: each => isOverlay(each, layout?.box(each) ?? null, layout),
    resolve: url => {
      try {
        return new URL(url, base).href
      } catch {
        return '' // not a URL, so that nothing is opened
      }
    },
  }
}

function judgedForm(form: Element | null, { submits, enterSubmits }: TargetFacts): Pick<JudgedForm, 'form' | 'key'> | undefined {
  const target = submits ?? enterSubmits
  return form && target && /^https?:/.test(target.action) && target.method !== 'dialog'
    ? { form, key: `${new URL(target.action).origin} ${target.method}` }
    : undefined
}

/** A positioned box in front of the page; an application may be in one that is as large as the viewport. */
function isOverlay(node: Node, box: Box | null, viewport: Pick<Layout<Node>, 'width' | 'height'> | null): boolean {
  const position = native.nodeType(node) === 1 ? native.styleValue(node, 'position') : ''
  if (position === 'fixed') return true
  const isPage = !box || !viewport || (box.width >= viewport.width * maxBoxShare && box.height >= viewport.height * maxBoxShare)
  return position === 'absolute' && native.styleValue(node, 'z-index') !== 'auto' && !isPage
}
const maxBoxShare = 0.9

/** The element that a press would reach now, without scrolling; null if that is not known. */
function hitOf(target: Target): Element | null {
  try {
    return findHitPoint(target, ['']).hit
  } catch (error) {
    if (isEngineError(error)) return null
    throw error
  }
}

/** The texts of the options of a list, as far as it has them now. */
function chosenTexts({ dom }: InspectContext<Node>, list: Element, values: readonly string[]): readonly string[] {
  const isSelect = dom.tag(list) === 'select'
  const root = native.ownerDocument(list) as Document
  const options = Array.from(isSelect ? dom.options(list) : native.allOf(root, optionSelector))
  const valueIn = (option: Node) => native.optionValue(option) ?? native.getAttribute(option, 'data-value') ?? ''
  return options
    .filter(option => values.includes(valueIn(option)) || values.some(value => tidy(value) === optionText(dom, option)))
    .map(option => shortText(optionText(dom, option)))
    .slice(0, targetLimits.chosen)
}

/** a drawn option may have a `label` attribute too, which means nothing there */
const optionText = (dom: Dom<Node>, option: Node): string =>
  tidy(
    dom.tag(option) === 'option'
      ? native.getAttribute(option, 'label') || native.optionText(option) || ''
      : nameOf(dom, option) || textBelow(dom, option, { max: 200 }),
  )
const shortText = (text: string): string => ends(tidy(text), targetLimits.name)

/** Fails if an option of a judged list has a text that was not judged; otherwise it must still have this text when it is pressed. */
export function requireJudgedOptions({ session, dom, node }: Target, options: readonly Node[], secrets: readonly string[] = []): void {
  const judged = session.judgedTexts.ofList.get(node)
  if (!judged) return
  const texts = [...judged, ...secrets.map(shortText)]
  for (const option of options) {
    session.judgedTexts.ofOption.set(option, texts)
    requireJudgedText(session, dom, option)
  }
}

function requireJudgedText({ judgedTexts }: Session, dom: Dom<Node>, option: Node): void {
  const texts = judgedTexts.ofOption.get(option)
  if (texts && !texts.includes(shortText(optionText(dom, option))))
    throw engineError('approval_stale', 'the option was not pressed, because its text was not judged: choose the option by its text')
}

/** Fails if a press that reaches `hit` would operate a control that `inspect` did not report. */
export function requireJudged(target: Target, hit: Node): void {
  const { session, dom, node } = target
  requireJudgedText(session, dom, node)
  const judged = session.judged.get(node)
  if (!judged) return
  const context = contextOf(session, node)
  if (!controlsAround({ dom, layout: context.layout ?? null }, hit).every(each => judged.get(each) === controlKey(context, each)))
    throw engineError(
      'approval_stale',
      say`the press on ${target} would have reached another control than the one that was judged, or one that has changed since; it was stopped`,
    )
}

/** Whether keys go to an element of this document; false if they go to a frame in it or around it. */
export const hasKeyFocus = (): boolean => native.hasFocus(document) && !/^i?frame$/i.test(native.nodeName(focusedElement()) ?? '')

/** the focused element of this document, or of a frame in it that a script can reach */
function focusedElement(): Element {
  let at = document
  let focused = focusedIn(at)
  for (let inner = focused && native.iframeDocument(focused); inner; inner = focused && native.iframeDocument(focused)) {
    at = inner
    focused = focusedIn(at)
  }
  return focused ?? native.bodyOf(at) ?? (native.documentElement(at) as Element)
}

/** a document without its own URL, such as a srcdoc, has the origin of the page that made it */
function originOf(own: Document): string {
  const { origin, protocol } = new URL(native.documentURL(own) ?? '')
  return /^(https?|file|blob):$/.test(protocol) ? origin : (native.defaultView(own)?.origin ?? origin)
}
