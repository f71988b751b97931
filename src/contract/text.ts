/** At most `max` characters including the … that marks the cut, which never splits a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 2)
  const end = last >= 0xd800 && last <= 0xdbff ? max - 2 : max - 1
  return `${text.slice(0, Math.max(0, end))}…`
}

/** Whether a text has a letter or a digit of any script: a glyph or an emoji alone says little. */
export const hasWords = (text: string): boolean =>
  /[\w\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u1fff\u2c00-\u2dff\u3005-\ud7ff\uf900-\ufdff\ufe70-\uffdc]/.test(text)

/** Whether a text has a letter of any script: a number alone says how many, not what. */
export const hasLetters = (text: string): boolean => hasWords(text.replace(/[\d_]+/g, ''))

/** The words with a full stop, unless they end with a mark already. */
export const toSentence = (words: string): string => (/[.?!…]$/.test(words) ? words : `${words}.`)
