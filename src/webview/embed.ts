/**
 * A value as JavaScript source. That is its JSON with `<` and the two line separators escaped, so that the source can be part of a script
 * tag, an attribute or any string that a host evaluates, and no value can break out of it.
 */
export function embed(value: unknown): string {
  const json = JSON.stringify(value)
  return json === undefined ? 'undefined' : json.replace(/[<\u2028\u2029]/g, escapeCharacter)
}

const escapeCharacter = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
