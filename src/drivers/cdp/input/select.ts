import { say, term } from '../../../contract/message.ts'
import type { SecretRules } from '../../../contract/secret-place.ts'
import type { SelectStep } from '../../../injected/trusted/field-methods.ts'
import { PagehandError } from '../errors.ts'
import type { ActionContext } from './action-context.ts'
import { typeText } from './keyboard.ts'
import { press } from './mouse.ts'

/** time for a list to open or to filter, from the last change of the page */
const maxOpenMs = 2_000
/** a page that never stops changing ends the wait too */
const maxWaitMs = 8_000
/** an open list that has been quiet for this long is not about to show more options before something is typed */
const quietMs = 500
const maxAttempts = 3
/** pages of a list that renders only the options in view */
const maxListPages = 300

interface SelectOptions {
  readonly ref: string
  readonly values: readonly string[]
  /** of the named secrets in the values */
  readonly rules?: SecretRules
}

/** Selects options: a <select> is set by the engine, the options of a list that the page draws are clicked. */
export async function select(action: ActionContext, given: Omit<SelectOptions, 'rules'>): Promise<void> {
  const options = await expandValues(action, given)
  const { ref } = options
  const { step, why } = await findOptions(action, options)
  if (step?.kind === 'set') return action.markUntrusted()
  const isOpen = step?.open || why !== undefined || (await action.call('isListOpen', { ref }))
  if (!isOpen) await press(action, { ref, isPressEnough: true })
  try {
    const clicked = await clickOptions(action, options, isOpen)
    if (clicked || isOpen) return
    action.input.note('The option was selected already.')
    // the list that the press opened would stay in the way
    await press(action, { ref, isPressEnough: true })
  } catch (error) {
    throw error instanceof PagehandError && (await isLeftOpen(action, ref)) ? openListError(action, ref, error) : error
  }
}

/** Clicks the options once the list draws them; the number of clicks. */
async function clickOptions(action: ActionContext, options: SelectOptions, wasOpen: boolean): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const refs = await waitForOptions(action, options, wasOpen)
    try {
      for (const option of refs) await press(action, { ref: option })
      return refs.length
    } catch (error) {
      // a list may be rendered anew, with other elements for the same options, or still be opening
      const canRetry = error instanceof PagehandError && /^(ref_not_found|target_moved|not_visible|element_blocked)$/.test(error.code)
      if (attempt === maxAttempts || !canRetry) throw error
    }
  }
}

/** The strictest rules of all values hold for each of them. */
async function expandValues(action: ActionContext, { ref, values }: SelectOptions): Promise<SelectOptions> {
  const joined = await action.input.expandSecrets(values.join('\n'))
  if (!joined.rules) return { ref, values }
  const expanded = await Promise.all(values.map(value => action.input.expandSecrets(value)))
  return { ref, values: expanded.map(({ text }) => text), rules: joined.rules }
}

/** the options that the list has now, or the reason why it lacks the wanted ones */
async function findOptions(action: ActionContext, options: SelectOptions): Promise<{ step?: SelectStep; why?: PagehandError }> {
  try {
    return { step: await action.call('select', options) }
  } catch (error) {
    if (error instanceof PagehandError && error.code === 'option_not_found') return { why: error }
    throw error
  }
}

/**
 * Waits until the list draws the options. What the open list lacks once the page is quiet is filtered by typing, if the control takes text,
 * and is scrolled to otherwise. Such a list may also be empty until something is typed.
 */
async function waitForOptions(action: ActionContext, options: SelectOptions, wasOpen: boolean): Promise<readonly string[]> {
  const { ref, values } = options
  const startedAt = performance.now()
  let changedAt = startedAt
  let lastWhy: PagehandError | undefined
  let canType = values.length === 1 && (await action.call('canFilter', { ref }))
  let listPages = 0
  let mustPress = wasOpen
  for (;;) {
    const { step, why } = await findOptions(action, options)
    if (step?.kind === 'options' && step.open) return step.refs
    // typing may leave nothing of the list, whose options the failure names
    lastWhy = lastWhy ?? why
    const { pending } = await action.call('settle', { ms: quietMs })
    const now = performance.now()
    if (pending.length && now - startedAt < maxWaitMs) {
      changedAt = now
      continue
    }
    if (canType && now - changedAt > quietMs) {
      canType = false
      if (await typeOver(action, ref, values[0] ?? '')) changedAt = performance.now()
    } else if (why && !canType && listPages < maxListPages && (await action.call('scrollList', { ref, toStart: listPages === 0 }))) {
      listPages++
      changedAt = now
      action.markUntrusted()
      await action.call('settle', { ms: quietMs }) // it renders the options that have come into view
    } else if (!why && mustPress && now - changedAt > quietMs) {
      // it says that it is open, and draws nothing
      mustPress = false
      changedAt = now
      await press(action, { ref, isPressEnough: true })
    } else if (now - changedAt > maxOpenMs || now - startedAt > maxWaitMs) {
      throw lastWhy ?? new PagehandError('option_not_found', say`The list of ${{ ref: action.frame.spell(ref) }} did not open.`)
    } else await action.call('nextFrame')
  }
}

/** Types over the text of a field; false if it has this text already. */
async function typeOver(action: ActionContext, ref: string, text: string): Promise<boolean> {
  if (await action.call('hasValue', { ref, value: text })) return false
  await action.call('startFill', { ref, value: text })
  await typeText(action, text)
  return true
}

const isLeftOpen = (action: ActionContext, ref: string): Promise<boolean> => action.call('isListOpen', { ref }).catch(() => false)

const openListError = (action: ActionContext, ref: string, { code, message, parts, page }: PagehandError): PagehandError =>
  new PagehandError(
    code,
    say`${parts ?? term(message)} The list of ${{ ref: action.frame.spell(ref) }} is open now: click an option, or press Escape.`,
    { page },
  )

export async function check(action: ActionContext, { ref, checked }: { readonly ref: string; readonly checked: boolean }): Promise<void> {
  if (!(await action.call('isChecked', { ref, checked }))) await press(action, { ref })
}
