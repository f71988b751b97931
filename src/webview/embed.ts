/**
 * A value as JavaScript source. JSON is nearly that; `<` and the two line separators are written as escapes, so that the source can stand
 * inside a script tag, an attribute or any string a host evaluates, and nothing a caller passes can break out.
 */
export function embed(value: unknown): string {
  const json = JSON.stringify(value)
  return json === undefined ? 'undefined' : json.replace(/[<\u2028\u2029]/g, escaped)
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
