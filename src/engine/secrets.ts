import type { Dom } from './dom.ts'

export { redacted } from '../contract/page-api.ts'

const secretTypes = /^(password|hidden)$/
const secretUses = /(^|\s)(current-password|new-password|one-time-code|cc-\S+)(\s|$)/
// show-password toggles turn the type to text, often before anybody looked: the field still says what it holds
const secretNames = /(^|[-_.[ ])(pass(code|phrase)?|pwd|secret|otp|cvc|cvv)([-_.\] 0-9]|$)|passwo?r?d/
/** inputs whose value is what they send, not what they hold */
export const choices = /^(checkbox|radio|button|submit|reset|image)$/i

/** Whether a field holds something that must not leave the page. */
export function isSecret<N>(dom: Dom<N>, field: N): boolean {
  const read = (name: string) => (dom.attr(field, name) ?? '').toLowerCase()
  if (secretTypes.test(read('type')) || secretUses.test(read('autocomplete'))) return true
  return !choices.test(read('type')) && secretNames.test(`${read('name')} ${read('id')}`)
}
