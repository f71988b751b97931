import type { Dom } from './dom.ts'

export const redacted = '[redacted]'

const secretTokens = /^(current-password|new-password|one-time-code|cc-.+)$/
// show-password toggles turn the type to text, often before anybody looked: the field still says what it holds
const secretNames = /(^|[-_.[ ])(pass(word|wd|code|phrase)?|pwd|secret|otp|cvc|cvv)([-_.\] 0-9]|$)|passwo?r?d/i

/** Whether a field holds something that must not leave the page. */
export function isSecret<N>(dom: Dom<N>, field: N): boolean {
  const tag = dom.tag(field)
  if (tag !== 'input' && tag !== 'textarea') return false
  const type = (dom.attr(field, 'type') ?? '').toLowerCase()
  if (tag === 'input' && (type === 'password' || type === 'hidden')) return true
  const autocomplete = (dom.attr(field, 'autocomplete') ?? '').toLowerCase()
  if (autocomplete.split(/\s+/).some(token => secretTokens.test(token))) return true
  if (tag === 'input' && /^(button|submit|reset|image|checkbox|radio|file)$/.test(type)) return false
  return secretNames.test(dom.attr(field, 'name') ?? '') || secretNames.test(dom.attr(field, 'id') ?? '')
}
