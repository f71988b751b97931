import { redacted } from './secrets.ts'

/** elements without content and end tag */
export const voidTags = /^(area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/
/** with scripting enabled the content of these is text, and that text may be markup with secrets */
export const rawTextTags = /^(noscript|iframe|noembed|noframes)$/

const entities: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\u00a0': '&nbsp;' }
export const escapeHtml = (text: string): string => text.replace(/[&<>"\u00a0]/g, character => entities[character] as string)

/**
 * The value of an attribute. The `value` attribute of a secret field is as secret as its value, and `srcdoc` is a page whose fields may be
 * secret.
 */
export const redactAttribute = (name: string, value: string, isSecretField: () => boolean): string =>
  value && (name === 'srcdoc' || (name === 'value' && isSecretField())) ? redacted : value

/** A JSON object of at most `limit` characters. Members that do not fit are left out, so that it stays valid JSON. */
export function objectWithin(
  members: Iterable<readonly [string, string | number]>,
  limit: number,
  stringify: (value: string | number) => string,
): { value: string; truncated: boolean } {
  let json = '{'
  let truncated = limit < 2
  for (const [name, value] of members) {
    const member = `${json === '{' ? '' : ','}${stringify(name)}:${stringify(value)}`
    truncated = json.length + member.length >= limit
    if (truncated) break
    json += member
  }
  return { value: limit < 2 ? '' : `${json}}`, truncated }
}
