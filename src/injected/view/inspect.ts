import { normalizeRef } from '../../contract/refs.ts'
import type { TargetFacts } from '../../contract/target.ts'
import { inspectElement } from '../../engine/inspect.ts'
import * as native from '../runtime/native-actions.ts'
import type { JudgedForm, Session } from '../runtime/session.ts'
import { unveiled } from './dom.ts'
import { focusedIn } from './focused.ts'
import { resolve, sceneOf } from './scene.ts'
import { findTarget } from './target.ts'

export interface InspectOptions {
  /** the key of the digest of the data that would be sent */
  readonly key?: unknown
  /** the refs of fields that are left out of the data */
  readonly except?: unknown
  /** remembers where its form is sent: the next action fails if the form would go to another origin, or with another method */
  readonly guard?: unknown
}

/** What an element is and does. Without a ref: the focused element, or the body if there is none. Throws an EngineError. */
export function inspect(session: Session, ref?: unknown, { key, except, guard }: InspectOptions = {}): TargetFacts {
  const node = ref === undefined || ref === null ? focusedElement() : findTarget(session, ref).node
  const own = native.ownerDocument(node) as Document
  const base = native.baseURI(node) ?? ''
  let form: Element | null = null
  const formOf = (each: Node) => {
    const found = native.formAround(each)
    form = found ?? form
    return found
  }
  const facts = inspectElement<Node>(
    {
      dom: sceneOf(session, node).dom,
      url: native.documentURL(document) ?? '',
      origin: originOf(own),
      key: typeof key === 'string' ? key : undefined,
      except: Array.isArray(except) ? except.flatMap(each => resolve(session, normalizeRef(each) ?? '') ?? []) : [],
      formOf,
      controlsOf: form => native.formElements(form) ?? [],
      filesOf: field => Array.from(native.filesOf(field) ?? []).map(({ name, size }) => `${name} (${size} bytes)`),
      unveiled,
      resolve: url => {
        try {
          return new URL(url, base).href
        } catch {
          return '' // not a URL, so that nothing is opened
        }
      },
    },
    node,
  )
  if (guard === true) session.judgedForm = judgedForm(form, facts)
  return facts
}

function judgedForm(form: Element | null, { submits, enterSubmits }: TargetFacts): JudgedForm | undefined {
  const target = submits ?? enterSubmits
  return form && target && /^https?:/.test(target.action) && target.method !== 'dialog'
    ? { form, key: `${new URL(target.action).origin} ${target.method}` }
    : undefined
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
