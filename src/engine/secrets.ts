import type { Dom } from './dom.ts'

export { redacted } from '../contract/page-api.ts'

const secretTypes = /^(password|hidden)$/
const secretUses = /(^|\s)(current-password|new-password|one-time-code|cc-\S+)(\s|$)/
// show-password toggles change the type to text, often before the first snapshot, but the name still tells
const secretNames = /(^|[-_.[ ])(pass(code|phrase)?|pwd|secret|otp|cvc|cvv)([-_.\] 0-9]|$)|passwo?r?d/
/** inputs whose value attribute is what they submit, not what the user enters */
export const choiceTypes = /^(checkbox|radio|button|submit|reset|image)$/i

/** Whether the value of a field must not leave the page. */
export function isSecret<N>(dom: Dom<N>, field: N): boolean {
  const read = (name: string) => (dom.attr(field, name) ?? '').toLowerCase()
  if (secretTypes.test(read('type')) || secretUses.test(read('autocomplete'))) return true
  return !choiceTypes.test(read('type')) && secretNames.test(`${read('name')} ${read('id')}`)
}
