import { foldLookalikes, foldWords, splitWords } from '../contract/fold-words.ts'
import { type LanguageWords, languages, type WordClass, wordClasses } from './word-lists.ts'

const withoutSigns = (folded: string): string => folded.replace(/['’]/g, '').replace(/[-‐‑‒–]+/g, ' ')
const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')

const phrasesOf = (list: string | undefined): readonly string[] =>
  (list ?? '')
    .trim()
    .split(/\s*,\s*/)
    .filter(Boolean)
const tokensOf = (text: string): readonly string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** Phrases of all languages: whole texts, whole words, and characters of languages that have no spaces between words. */
class PhraseList {
  readonly #texts = new Set<string>()
  readonly #words = new Set<string>()
  readonly #parts: { readonly part: string; readonly language: LanguageWords }[] = []
  #maxTokens = 1

  constructor(listOf: (language: LanguageWords) => readonly string[]) {
    for (const language of languages) for (const phrase of listOf(language)) this.#add(phrase, language)
  }

  #add(phrase: string, language: LanguageWords): void {
    const folded = withoutSigns(foldWords(phrase.replace(/^=/, '')))
    const words = language.isAccented ? folded : withoutAccents(folded)
    const tokens = tokensOf(words)
    if (phrase.startsWith('=')) this.#texts.add(tokens.join(' '))
    else if (language.isSpaced) {
      this.#words.add(tokens.join(' '))
      this.#maxTokens = Math.max(this.#maxTokens, tokens.length)
    } else this.#parts.push({ part: words, language })
  }

  isIn(text: string): boolean {
    const tokens = tokensOf(text)
    const letters = tokens.filter(token => !/^\p{N}+$/u.test(token))
    return (
      this.#texts.has(letters.join(' ')) ||
      tokens.some((_, at) => this.#lengthAt(tokens, at) > 0) ||
      this.#parts.some(({ part, language }) => text.includes(part) && isPresent(language, text))
    )
  }

  /** The text without the phrases. */
  removeFrom(text: string): string {
    const tokens = tokensOf(text)
    let rest = text
    for (const [at] of tokens.entries()) {
      const length = this.#lengthAt(tokens, at)
      if (length > 0) rest = rest.replace(new RegExp(tokens.slice(at, at + length).join('[^\\p{L}\\p{M}\\p{N}]+'), 'u'), ' , ')
    }
    for (const { part, language } of this.#parts) if (rest.includes(part) && isPresent(language, text)) rest = rest.replaceAll(part, ' ')
    return rest
  }

  /** the number of tokens of the longest phrase that begins there */
  #lengthAt(tokens: readonly string[], at: number): number {
    for (let length = Math.min(this.#maxTokens, tokens.length - at); length > 0; length--)
      if (this.#words.has(tokens.slice(at, at + length).join(' '))) return length
    return 0
  }
}

const isPresent = (language: LanguageWords, text: string): boolean => language.isPresent?.(text) ?? true

interface ClassPhrases {
  readonly name: WordClass
  readonly is: PhraseList
  readonly not: PhraseList
  readonly nouns: readonly RegExp[]
}

let classPhrases: readonly ClassPhrases[] | undefined
let confirming: PhraseList | undefined
/** made at the first use: a program that judges nothing does not wait for it */
function allPhrases(): readonly ClassPhrases[] {
  classPhrases ??= wordClasses.map(name => ({
    name,
    is: new PhraseList(language => phrasesOf(language[name])),
    not: new PhraseList(language => phrasesOf(language.not?.[name])),
    nouns: languages.flatMap(language => language.nounsOf?.(name) ?? []),
  }))
  return classPhrases
}

/** The ways in which a text can be read: as it is, as a name such as payNow, with look-alikes as Latin letters, with its letters set apart. */
function readingsOf(text: string): readonly string[] {
  const isName = !/\s/.test(text.trim())
  const readings = [text.replace(/_+/g, ' '), ...(isName ? [splitWords(text)] : [])].flatMap(each => [
    foldWords(each),
    foldLookalikes(each),
  ])
  const apart = readings.filter(each => /^(\p{L} ){2,}\p{L}$/u.test(each)).map(each => each.replaceAll(' ', ''))
  return [...new Set([...readings, ...apart].map(withoutSigns).flatMap(each => [each, withoutAccents(each)]))]
}

/** The classes that the words on a control name. Phrases that mean something else are removed first: "Display" and "Pay stubs" do not pay. */
export function classesOfWords(text: string): readonly WordClass[] {
  if (text === '') return []
  const readings = readingsOf(text)
  const isNamed = ({ is, not, nouns }: ClassPhrases, reading: string): boolean =>
    is.isIn(reading) && is.isIn(nouns.reduce((rest, noun) => rest.replace(noun, ' '), not.removeFrom(reading)))
  return allPhrases().flatMap(phrases => (readings.some(reading => isNamed(phrases, reading)) ? [phrases.name] : []))
}

/** Whether a text says yes to what a dialog asks, and nothing else. */
export function isConfirming(text: string): boolean {
  confirming ??= new PhraseList(({ confirm }) => phrasesOf(confirm).map(phrase => `=${phrase}`))
  return text.length <= maxConfirming && readingsOf(text).some(reading => confirming?.isIn(reading))
}
const maxConfirming = 40

const codes =
  'usd|eur|gbp|jpy|cny|rmb|chf|cad|aud|nzd|hkd|twd|sgd|inr|krw|brl|mxn|rub|try|pln|sek|nok|dkk|czk|huf|thb|idr|vnd|aed|sar|egp|zar'
const names =
  'dollars?|euros?|pounds?|rupees?|rubles?|yuan|yen|kr|zl|kc|ft|tl|lei|rs|rp|r\\$|руб|р|грн|元|块钱?|圆|円|원|塊|रुपये|रुपए|ريال|درهم|جنيه'
const number = "\\p{Nd}(?:[\\p{Nd}.,٫٬' ]*\\p{Nd})?"
const amount = new RegExp(
  `\\p{Sc}\\s*${number}|${number}\\s*\\p{Sc}|(?<!\\p{L})(?:${codes}|rs\\.?|rp\\.?|r\\$|kr\\.?)\\s*${number}|${number}\\s*(?:${codes}|${names})(?![\\p{Script=Latin}\\p{Script=Cyrillic}])`,
  'u',
)

/** Whether a text has an amount of money: a number beside the sign, the code or the name of a currency. */
export const showsAmount = (text: string): boolean => readingsOf(text).some(reading => amount.test(reading))

/** Letters of the languages that have a list; those of Vietnamese are in its own block of Unicode. Other letters of Latin, Cyrillic and Arabic belong to languages without one. */
const knownLetters =
  /[a-zàâäáãåçèéêëìíîïñòóôöõùúûüýÿæœøßğşąćęłńśźżăđĩơũưỡªº\u1ea0-\u1ef9\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}а-яёіїєґءآأؤإئابةتثجحخدذرزسشصضطظعغـفقكلمنهوىي\p{Script=Devanagari}\p{Script=Common}\p{Script=Inherited}]/u

/** Whether the letters of a text are those of languages that have word lists. A text without words is understood. */
export function isUnderstood(text: string): boolean {
  const words =
    foldWords(text)
      .normalize('NFC')
      .match(/[\p{L}\p{M}]{2,}/gu) ?? []
  return words.every(word => [...word].every(letter => !/\p{L}/u.test(letter) || knownLetters.test(letter)))
}
