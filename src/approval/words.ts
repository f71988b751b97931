import { type WordClass, wordLists } from './word-lists.ts'

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const wholeWords = (phrases: readonly string[]) =>
  new RegExp(
    `(?<![\\p{L}\\p{N}_])(?:${phrases.map(phrase => escapeRegExp(phrase).replaceAll(' ', '[\\s\\u00a0-]+')).join('|')})(?![\\p{L}\\p{N}_])`,
    'giu',
  )
const anywhere = (phrases: readonly string[]) => new RegExp(phrases.map(escapeRegExp).join('|'), 'gu')

const matchers = wordLists.map(({ class: actionClass, english, notEnglish, chinese, notChinese }) => ({
  class: actionClass,
  not: [wholeWords(notEnglish), anywhere(notChinese)],
  is: [wholeWords(english), anywhere(chinese)],
}))

/** longer texts are sentences: a paragraph that can be clicked says more than what it does */
const maxWords = 120

/** The classes that the words on a control name. Phrases that mean something else are removed first: "Display" and "Pay stubs" do not pay. */
export function classesOfWords(text: string): readonly WordClass[] {
  const words = text.normalize('NFKC').slice(0, maxWords)
  return matchers.flatMap(({ class: actionClass, is, not }) => {
    const rest = not.reduce((left, pattern) => left.replace(pattern, ' '), words)
    return is.some(pattern => rest.search(pattern) >= 0) ? [actionClass] : []
  })
}
