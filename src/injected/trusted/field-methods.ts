import { say } from '../../contract/message.ts'
import type { SecretRules } from '../../contract/secret-place.ts'
import { dispatchInputAndChange, fieldValue } from '../actions/change-event.ts'
import { checkedCondition } from '../actions/check.ts'
import { drawnText, editorAround, isEmptied, pasteText } from '../actions/editors.ts'
import {
  comparableText,
  type Field,
  fieldOf,
  focusField,
  hasValue,
  holdsValue,
  isValueField,
  requireAcceptable,
  requireSecretPlace,
  setFieldValue,
  startTyping,
} from '../actions/fields.ts'
import { focusElement, focusRefused, focusTarget } from '../actions/focus.ts'
import { requireJudgedOptions } from '../actions/inspect.ts'
import { findListOptions, isListOpen, scrollList } from '../actions/list-options.ts'
import { selectOptions } from '../actions/select.ts'
import { requireEnabled, visibleElement } from '../actions/target.ts'
import { clearFiles, filesCondition, isFileInput } from '../actions/upload.ts'
import { engineError, isEngineError } from '../runtime/errors.ts'
import * as native from '../runtime/native-actions.ts'
import type { Session } from '../runtime/session.ts'
import { focusedIn } from '../view/focused.ts'
import { findTarget } from '../view/target.ts'
import type { RefPayload } from './state.ts'
import { expectAfterwards } from './watch.ts'

/**
 * How the driver goes on to fill a field. `done`: the value is set already. `field` and `editor`: type over the selection. `drawn-elsewhere`:
 * an editor whose text is drawn by other elements than the focused one, so that only what is drawn tells whether all of it is selected.
 */
export type FillStep =
  | { readonly kind: 'done' }
  | { readonly kind: 'field'; readonly isEmpty: boolean }
  | { readonly kind: 'editor' }
  | { readonly kind: 'drawn-elsewhere'; readonly isEmpty: boolean }
/** `set`: the options are selected already. `options`: the refs of the options to click, if the list is open. */
export type SelectStep = { readonly kind: 'set' } | { readonly kind: 'options'; readonly open: boolean; readonly refs: readonly string[] }

export interface SelectPayload {
  readonly values: readonly string[]
  readonly rules?: SecretRules | undefined
}

export interface SecretPayload {
  readonly text: string
  readonly rules: SecretRules
  readonly replace: boolean
}

/** Reports what is about to be typed into a secret field: once it is typed, the page may be gone. */
function reportSecret({ target: { session, dom }, node }: Field, text: string): void {
  if (dom.secret(node)) session.secretFields.add(node, text)
}

const selectAll = ({ node, target }: Field) => target.document.getSelection()?.selectAllChildren(node)

export const fieldMethods = {
  focus: (session: Session, { ref }: RefPayload) => expectAfterwards(session, focusTarget(findTarget(session, ref))),
  blur: (session: Session, { ref }: RefPayload) => {
    const { node, document } = findTarget(session, ref)
    if (focusedIn(document) === node) native.blur(node)
    expectAfterwards(session, () => focusedIn(document) !== node)
  },
  /** leaves a field that was filled; what filling it expects still has to hold, since a page may drop the text now */
  commit: (session: Session, { ref }: RefPayload) => {
    const { node } = fieldOf(findTarget(session, ref))
    if (focusedIn(native.ownerDocument(node) as Document) === node) native.blur(node)
  },
  /** focuses the element, or lets it pass the focus on, before a key is pressed */
  focusForKey: (session: Session, { ref }: RefPayload) => {
    const target = findTarget(session, ref)
    visibleElement(target, 'nearest')
    requireEnabled(target)
    session.keyGuard?.aim(target.node)
    if (!focusElement(target.node) && !focusedIn(target.document)) throw focusRefused(target)
  },

  /** focuses a field and selects its text; a field that cannot be typed into is set at once */
  startFill: (session: Session, { ref, value }: RefPayload & { readonly value: string }): FillStep => {
    const target = findTarget(session, ref)
    if (target.dom.tag(target.node) === 'select') {
      expectAfterwards(session, selectOptions(target, [value]))
      return { kind: 'done' }
    }
    const field = fieldOf(target)
    requireAcceptable(field, value)
    reportSecret(field, value)
    session.keyGuard?.aim(field.node)
    focusField(field.target)
    expectAfterwards(session, () => holdsValue(field, value))
    if (isValueField(field)) {
      setFieldValue(field, value)
      dispatchInputAndChange(field.node)
      return { kind: 'done' }
    }
    const current = fieldValue(field.node)
    const editor = editorAround(field)
    session.trustedState.textBefore = editor ? drawnText(field, editor) : ''
    if (editor) return { kind: 'drawn-elsewhere', isEmpty: isEmptied('', session.trustedState.textBefore) }
    if (current === undefined) return { kind: 'editor' }
    ;(field.node as HTMLInputElement).select()
    return { kind: 'field', isEmpty: current === '' }
  },
  /** whether an editor that draws its text elsewhere has nothing left of the text that it drew when filling it began */
  isEmptied: (session: Session, { ref }: RefPayload) => {
    const field = fieldOf(findTarget(session, ref))
    const editor = editorAround(field)
    return !!editor && isEmptied(session.trustedState.textBefore ?? '', drawnText(field, editor))
  },
  /** pastes text into an editor, which keeps its indentation; false if the editor ignores it */
  paste: (session: Session, { ref, text }: RefPayload & { readonly text: string }) => {
    const { node } = fieldOf(findTarget(session, ref))
    return pasteText(node, text)
  },
  /** inserts a secret if the frame and the field may get it: in one call, so that nothing happens between the check and the insertion */
  insertSecret: (session: Session, { ref, text, rules, replace }: RefPayload & SecretPayload) => {
    const target = findTarget(session, ref)
    const field = fieldOf(target)
    requireSecretPlace(target, field.node, rules)
    session.secretFields.add(field.node, text)
    if (replace) {
      requireAcceptable(field, text)
      focusField(field.target)
      if (fieldValue(field.node) === undefined) selectAll(field)
      else (field.node as HTMLInputElement).select()
    } else startTyping(field)
    const isDone = replace ? () => hasValue(field, text) : () => true
    expectAfterwards(session, isDone)
    if (!native.execCommand(field.target.document, 'insertText', false, text) || !isDone())
      throw engineError('not_committed', say`${target} did not take the secret`)
  },
  /** selects everything in an editable element without a key press */
  selectAll: (session: Session, { ref }: RefPayload) => {
    selectAll(fieldOf(findTarget(session, ref)))
  },
  hasValue: (session: Session, { ref, value }: RefPayload & { readonly value: string }) => {
    const target = findTarget(session, ref)
    return target.dom.tag(target.node) === 'select' || hasValue(fieldOf(target), value)
  },
  startTyping: (session: Session, { ref, text }: RefPayload & { readonly text: string }) => {
    const field = fieldOf(findTarget(session, ref))
    reportSecret(field, text.replace(/\s+$/, ''))
    session.keyGuard?.aim(field.target.node)
    startTyping(field)
    const before = comparableText(field)
    session.trustedState.hasTyped = () => comparableText(field) !== before || focusedIn(field.target.document) !== field.node
  },
  /** whether typing has changed the text, or moved the focus on */
  hasTyped: ({ trustedState }: Session) => trustedState.hasTyped?.() ?? true,
  /** whether text can be typed into the element now, which filters its list */
  canFilter: (session: Session, { ref }: RefPayload) => {
    const target = findTarget(session, ref)
    try {
      return fieldValue(target.node) !== undefined && fieldOf(target).node === target.node
    } catch (error) {
      if (isEngineError(error)) return false
      throw error
    }
  },
  isListOpen: (session: Session, { ref }: RefPayload) => isListOpen(findTarget(session, ref)),
  /** see `scrollList` in actions/list-options.ts */
  scrollList: (session: Session, { ref, toStart }: RefPayload & { readonly toStart: boolean }) =>
    scrollList(findTarget(session, ref), toStart),

  select: (session: Session, { ref, values, rules }: RefPayload & SelectPayload): SelectStep => {
    const target = findTarget(session, ref)
    if (rules) requireSecretPlace(target, target.node, rules)
    requireEnabled(target)
    if (target.dom.tag(target.node) === 'select') {
      expectAfterwards(session, selectOptions(target, values))
      return { kind: 'set' }
    }
    const { open, toClick, isSelected } = findListOptions(target, values)
    if (open) expectAfterwards(session, isSelected)
    requireJudgedOptions(target, toClick, rules ? values : [])
    const prefix = session.frames.get(target.document)?.prefix ?? ''
    return { kind: 'options', open, refs: toClick.map(option => session.refs.ensure(option, prefix)) }
  },
  /** whether the element is checked, or unchecked, already */
  isChecked: (session: Session, { ref, checked }: RefPayload & { readonly checked: boolean }) => {
    const isDone = checkedCondition(findTarget(session, ref), checked)
    expectAfterwards(session, isDone)
    return isDone()
  },
  clearFiles: (session: Session, { ref }: RefPayload) => clearFiles(findTarget(session, ref)),
  /** whether it is a file input; any other element may open a file chooser when it is clicked */
  isFileInput: (session: Session, { ref, count }: RefPayload & { readonly count: number }) => {
    const target = findTarget(session, ref)
    if (!isFileInput(target)) return false
    expectAfterwards(session, filesCondition(target, count))
    return true
  },
}
