import { say } from '../../contract/message.ts'
import { nameOf } from '../../engine/accessibility/names.ts'
import { roleOf } from '../../engine/accessibility/roles.ts'
import { statesOf } from '../../engine/accessibility/states.ts'
import type { Dom } from '../../engine/dom.ts'
import { type EngineError, engineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import type { Target } from '../view/target.ts'

// A page may replace an element on mousedown, so that no click reaches it. If a handler of the press did the work, as in many lists, the page
// shows it: another text, another value, the list is closed. If the same control is there again and nothing else changed, the page has
// only rendered itself anew, and what the click should have done did not happen.

/** What a page shows before an element is pressed. */
export interface PressedElement {
  readonly target: Target
  readonly box: DOMRect
  readonly control: string
  /** the shadow root or the document of the element */
  readonly root: Node
  readonly content: string
}

export function describePressed(target: Target): PressedElement {
  const { dom, node } = target
  const root = native.getRootNode(node) as Node
  return { target, box: native.getBoundingClientRect(node), control: controlOf(dom, node), root, content: contentOf(target, root) }
}

/** The failure of a press that got no click; undefined if the page shows that the press was enough. */
export function replacedError({ target, box, control, root, content }: PressedElement): EngineError | undefined {
  const { dom, node, document, session } = target
  if (native.isConnected(node) || contentOf(target, root) !== content) return undefined
  const { url, dialog, submitted } = session.watch?.effect() ?? {}
  if (url !== undefined || dialog !== undefined || submitted) return undefined
  let each: Node | null = native.elementAt(document, box.left + box.width / 2, box.top + box.height / 2)
  for (; each; each = dom.parent(each)) {
    const { left, top } = native.getBoundingClientRect(each as Element)
    if (Math.abs(left - box.left) < 3 && Math.abs(top - box.top) < 3 && controlOf(dom, each) === control)
      return engineError(
        'outcome_unknown',
        say`${target} was pressed, but the page replaced it before the click, so the click did not reach it`,
      )
  }
  return undefined
}

function controlOf(dom: Dom<Node>, node: Node): string {
  const role = roleOf(dom, node)
  return JSON.stringify([role, nameOf(dom, node), statesOf(dom, node, role)])
}

const maxFields = 200

/** the text of the page and the values of its fields; a shadow root is not part of the text of its document */
function contentOf({ document, dom }: Target, root: Node): string {
  const fields = Array.from(native.allOf(document, 'input,select,textarea')).slice(0, maxFields)
  const values = fields.map(field => [dom.value(field), dom.is(field, 'checked')])
  return JSON.stringify([native.textContent(native.documentElement(document) as Node), native.textContent(root), values])
}
