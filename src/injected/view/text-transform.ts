/** A text as it is drawn with a value of the CSS property `text-transform`. */
export function transformText(text: string, transform: string): string {
  if (transform === 'uppercase') return text.toUpperCase()
  if (transform === 'lowercase') return text.toLowerCase()
  return transform === 'capitalize' ? text.replace(wordsOfText, capitalize) : text
}

// runs without spaces and punctuation; an apostrophe, a dot, a colon and an underscore may be part of a word
const wordsOfText = /[^\s!-&(-\-/;-@[-^`{-~\u2010-\u2018\u201a-\u2027]+/g
const capitalize = (word: string): string => word.replace(/[^'\u2019.:_]/, first => first.toUpperCase())
