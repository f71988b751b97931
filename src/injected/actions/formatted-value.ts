/** letters, marks and digits of any script; Firefox 74 to 77 knows no property escapes, and compares more characters there */
const wordCharacters = (() => {
  try {
    return /[\p{L}\p{M}\p{N}]+/gu
  } catch {
    return /[^\0-/:-@[-`{-\xbf\u2000-\u206f\u20a0-\u20cf\u3000-\u303f]+/g
  }
})()

/** upper case first, since it writes ß as SS */
export const wordsOf = (text: string): readonly string[] => text.normalize('NFKC').toUpperCase().toLowerCase().match(wordCharacters) ?? []

/** `$5.00` for 5: formatters of amounts add up to two zeros after the decimal separator */
const withoutZeros = (text: string): string => text.replace(/([.,]\d?)0{1,2}(?=\D*$)/, '$1')

/**
 * Whether a page may have made `current` from the entered text by formatting it: the same letters and digits in the same order, in any case,
 * with any characters between them. A fixed part before or after the text is accepted if it is separated from it: `+1 (555) 010-9999`,
 * `$5.00 USD`.
 */
export function isFormatted(current: string, entered: string): boolean {
  const wanted = wordsOf(entered).join('')
  // a text of signs only has nothing else that could be compared
  if (!wanted) return entered ? current.replace(/\s/g, '') === entered.replace(/\s/g, '') : wordsOf(current).length === 0
  return isInWords(wordsOf(current), wanted) || isInWords(wordsOf(withoutZeros(current)), wordsOf(withoutZeros(entered)).join(''))
}

/** whether some words in a row are the wanted text */
function isInWords(words: readonly string[], wanted: string): boolean {
  for (let start = 0; start < words.length; start++) {
    let text = ''
    for (let end = start; end < words.length && text.length < wanted.length; end++) {
      text += words[end]
      if (text === wanted) return true
    }
  }
  return false
}
