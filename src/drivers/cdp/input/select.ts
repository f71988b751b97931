import { say } from '../../../contract/message.ts'
import type { SecretRules } from '../../../contract/secret-place.ts'
import type { SelectStep } from '../../../injected/trusted/field-methods.ts'
import { PagehandError } from '../errors.ts'
import type { ActionContext } from './action-context.ts'
import { typeText } from './keyboard.ts'
import { press } from './mouse.ts'

/** time for a list to open, or to filter by the typed text */
const maxOpenMs = 2_000
const maxAttempts = 3

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
  let refs = step?.open ? step.refs : undefined
  if (!refs && why && (await isFiltered(action, options))) refs = await filteredOptions(action, options)
  if (!refs) {
    await press(action, { ref, isPressEnough: true })
    refs = await waitForOptions(action, options)
  }
  for (let attempt = 1; ; attempt++) {
    try {
      for (const option of refs) await press(action, { ref: option })
      return
    } catch (error) {
      // a filtered list is often rendered anew, with other elements for the same options
      const isStale = error instanceof PagehandError && /^(ref_not_found|target_moved)$/.test(error.code)
      if (attempt === maxAttempts || !isStale) throw error
      refs = await waitForOptions(action, options)
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

/** whether the wanted text is in the field already, so that the open list is filtered by it */
const isFiltered = async (action: ActionContext, { ref, values: [value = ''] }: SelectOptions): Promise<boolean> =>
  (await action.call('isTextField', { ref })) && (await action.call('hasValue', { ref, value }))

/** The options of a list that is filtered already. It is not pressed, which may close it. */
async function filteredOptions(action: ActionContext, options: SelectOptions): Promise<readonly string[]> {
  await action.call('settle', { ms: maxOpenMs / 4 })
  const { step, why } = await findOptions(action, options)
  if (step?.kind === 'options' && step.open) return step.refs
  throw why ?? notOpenError(action, options)
}

const notOpenError = (action: ActionContext, { ref }: SelectOptions): PagehandError =>
  new PagehandError('option_not_found', say`The list of ${{ ref: action.frame.spell(ref) }} did not open.`)

/** Waits until the list is open and has the options; a list with a text field is filtered by typing, and may be empty until then. */
async function waitForOptions(action: ActionContext, options: SelectOptions): Promise<readonly string[]> {
  const { ref, values } = options
  let lastWhy: PagehandError | undefined
  let canType = values.length === 1 && (await action.call('isTextField', { ref }))
  const typeAt = performance.now() + maxOpenMs / 4
  for (let until = performance.now() + maxOpenMs; performance.now() < until; ) {
    const { step, why } = await findOptions(action, options)
    if (step?.kind === 'options' && step.open) return step.refs
    if (canType && (why || performance.now() > typeAt)) {
      canType = false
      await typeOver(action, ref, values[0] ?? '')
      await action.call('settle', { ms: maxOpenMs / 4 })
      until = performance.now() + maxOpenMs
    }
    // typing may leave nothing of the list, whose options the failure names
    lastWhy = why ?? lastWhy
    await action.call('nextFrame')
  }
  throw lastWhy ?? notOpenError(action, options)
}

/** Types over the text of a field. */
async function typeOver(action: ActionContext, ref: string, text: string): Promise<void> {
  if (await action.call('hasValue', { ref, value: text })) return
  await action.call('startFill', { ref, value: text })
  await typeText(action, text)
}

export async function check(action: ActionContext, { ref, checked }: { readonly ref: string; readonly checked: boolean }): Promise<void> {
  if (!(await action.call('isChecked', { ref, checked }))) await press(action, { ref })
}
