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

/** One way to read a text. */
interface Reading {
  readonly text: string
  readonly withoutAccents: string
}

const readingOf = (text: string): Reading => ({ text, withoutAccents: withoutAccents(text) })
const textFor = ({ isAccented }: LanguageWords, reading: Reading): string => (isAccented ? reading.text : reading.withoutAccents)

const minNounLetters = 5

/** Phrases of one language: whole texts, beginnings, whole words, and characters of languages that have no spaces between words. */
class PhraseList {
  readonly language: LanguageWords
  readonly #texts = new Set<string>()
  readonly #starts = new Set<string>()
  readonly #words = new Set<string>()
  readonly #parts: string[] = []
  /** the words after the first one of phrases that may have other words between: "Cancel my subscription" */
  readonly #rests = new Map<string, string[][]>()
  #maxTokens = 1

  constructor(language: LanguageWords, phrases: readonly string[]) {
    this.language = language
    for (const phrase of phrases) this.#add(phrase)
  }

  #add(phrase: string): void {
    const words = textFor(this.language, readingOf(withoutSigns(foldWords(phrase.replace(/^[=^]/, '')))))
    const tokens = tokensOf(words)
    this.#maxTokens = Math.max(this.#maxTokens, tokens.length)
    if (phrase.startsWith('=')) this.#texts.add(tokens.join(' '))
    else if (phrase.startsWith('^')) this.#starts.add(tokens.join(' '))
    else if (this.language.isSpaced) {
      this.#words.add(tokens.join(' '))
      const [first = '', ...rest] = tokens
      // a short word belongs to the verb, as in "sign up" or "order now"
      if ((rest.at(-1)?.length ?? 0) >= minNounLetters) this.#rests.set(first, [...(this.#rests.get(first) ?? []), rest])
    } else this.#parts.push(words)
  }

  /** Whether a phrase begins there that has up to two other words after the first one. */
  #isSpreadAt(tokens: readonly string[], at: number): boolean {
    const isAt = (rest: readonly string[], from: number) => rest.every((word, index) => tokens[from + index] === word)
    return this.#rests.get(tokens[at] ?? '')?.some(rest => isAt(rest, at + 2) || isAt(rest, at + 3)) ?? false
  }

  isIn(reading: Reading): boolean {
    const text = textFor(this.language, reading)
    if (this.language.isPresent?.(text) === false) return false
    const tokens = tokensOf(text)
    const letters = tokens.filter(token => !/^\p{N}+$/u.test(token))
    return (
      this.#texts.has(letters.join(' ')) ||
      lengthAt(this.#starts, letters, 0, this.#maxTokens) > 0 ||
      tokens.some((_, at) => lengthAt(this.#words, tokens, at, this.#maxTokens) > 0 || this.#isSpreadAt(tokens, at)) ||
      this.#parts.some(part => text.includes(part))
    )
  }

  /** The text without the phrases. */
  removeFrom(reading: Reading): Reading {
    const text = textFor(this.language, reading)
    const tokens = tokensOf(text)
    const found = tokens.flatMap((_, at) => {
      const length = lengthAt(this.#words, tokens, at, this.#maxTokens)
      return length > 0 ? [new RegExp(tokens.slice(at, at + length).join('[^\\p{L}\\p{M}\\p{N}]+'), 'gu')] : []
    })
    const patterns = [...found, ...this.#parts.filter(part => text.includes(part))]
    const removeAll = (from: string) => patterns.reduce<string>((rest, pattern) => rest.replaceAll(pattern, ' , '), from)
    return patterns.length > 0 ? { text: removeAll(reading.text), withoutAccents: removeAll(reading.withoutAccents) } : reading
  }
}

/** the number of tokens of the longest phrase that begins there */
function lengthAt(phrases: ReadonlySet<string>, tokens: readonly string[], at: number, max: number): number {
  for (let length = Math.min(max, tokens.length - at); length > 0 && phrases.size > 0; length--)
    if (phrases.has(tokens.slice(at, at + length).join(' '))) return length
  return 0
}

interface ClassPhrases {
  readonly name: WordClass
  readonly is: readonly PhraseList[]
  readonly not: readonly PhraseList[]
  readonly nouns: readonly RegExp[]
}

let classPhrases: readonly ClassPhrases[] | undefined
let confirming: readonly PhraseList[] | undefined
const listsOf = (phrases: (language: LanguageWords) => readonly string[]) => languages.map(each => new PhraseList(each, phrases(each)))
/** made at the first use: a program that judges nothing does not wait for it */
function allPhrases(): readonly ClassPhrases[] {
  classPhrases ??= wordClasses.map(name => ({
    name,
    is: listsOf(language => phrasesOf(language[name])),
    not: listsOf(language => phrasesOf(language.not?.[name])),
    nouns: languages.flatMap(language => language.nounsOf?.(name) ?? []),
  }))
  return classPhrases
}

/** The ways in which a text can be read: as it is, as a name such as payNow, with look-alikes as Latin letters, with its letters set apart. */
function readingsOf(text: string): readonly Reading[] {
  const isName = !/\s/.test(text.trim())
  const readings = [text.replace(/_+/g, ' '), ...(isName ? [splitWords(text)] : [])].flatMap(each => [
    foldWords(each),
    foldLookalikes(each),
  ])
  const apart = readings.filter(each => /^(\p{L} ){2,}\p{L}$/u.test(each)).map(each => each.replaceAll(' ', ''))
  return [...new Set([...readings, ...apart].map(withoutSigns))].map(readingOf)
}

/** The classes that the words on a control name. Phrases that mean something else are removed first: "Display" and "Pay stubs" do not pay. */
export function classesOfWords(text: string): readonly WordClass[] {
  if (text === '') return []
  const readings = readingsOf(text)
  const isNamed = ({ is, not, nouns }: ClassPhrases, reading: Reading): boolean => {
    if (!is.some(list => list.isIn(reading))) return false
    const rest = not.reduce((left, list) => list.removeFrom(left), reading)
    const withoutNouns = (words: string) => nouns.reduce((left, noun) => left.replace(noun, ' '), words)
    return is.some(list => list.isIn({ text: withoutNouns(rest.text), withoutAccents: withoutNouns(rest.withoutAccents) }))
  }
  return allPhrases().flatMap(phrases => (readings.some(reading => isNamed(phrases, reading)) ? [phrases.name] : []))
}

/** Whether a text says yes to what a dialog asks, and nothing else. */
export function isConfirming(text: string): boolean {
  confirming ??= listsOf(({ confirm }) => phrasesOf(confirm).map(phrase => `=${phrase}`))
  return text.length <= maxConfirming && readingsOf(text).some(reading => confirming?.some(list => list.isIn(reading)))
}
const maxConfirming = 40

const codes =
  'usd|eur|gbp|jpy|cny|rmb|chf|cad|aud|nzd|hkd|twd|sgd|inr|krw|brl|mxn|rub|try|pln|sek|nok|dkk|czk|huf|thb|idr|vnd|aed|sar|egp|zar|btc|eth|usdt|usdc|bnb|xrp|sol|doge|ltc'
const names =
  'dollars?|euros?|pounds?|rupees?|rubles?|yuan|yen|kr|zl|zł|kc|kč|ft|tl|lei|rs|rp|r\\$|руб|р|грн|元|块钱?|圆|円|원|塊|रुपये|रुपए|ريال|درهم|جنيه'
const number = "\\p{Nd}(?:[\\p{Nd}.,٫٬' ]*\\p{Nd})?"
/** two decimals and nothing else: a price beside which the page draws the currency, or leaves it out */
const bare = "^[^\\p{L}\\p{N}]*\\p{Nd}{1,3}(?:[.,'  ]?\\p{Nd}{3})*[.,]\\p{Nd}{2}[^\\p{L}\\p{N}%°]*$"
const amount = new RegExp(
  `${bare}|\\p{Sc}\\s*${number}|${number}\\s*\\p{Sc}|(?<!\\p{L})(?:${codes}|rs\\.?|rp\\.?|r\\$|kr\\.?)\\s*${number}|${number}\\s*(?:${codes}|${names})(?![\\p{Script=Latin}\\p{Script=Cyrillic}])`,
  'u',
)

/** Whether a text has an amount of money: a number beside the sign, the code or the name of a currency. */
export const showsAmount = (text: string): boolean => readingsOf(text).some(reading => amount.test(reading.text))

/** Letters of the languages that have a list; those of Vietnamese are in its own block of Unicode. Other letters of Latin, Cyrillic and Arabic belong to languages without one. */
const knownLetters =
  /[a-zàâäáãåçèéêëìíîïñòóôöõùúûüýÿæœøßğşąćęłńśźżăđĩơũưỡªº\u1ea0-\u1ef9\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}а-яёіїєґءآأؤإئابةتثجحخدذرزسشصضطظعغـفقكلمنهوىي\p{Script=Devanagari}\p{Script=Common}\p{Script=Inherited}]/u

/**
 * Whether a text is mostly in languages that have word lists, as far as its letters tell. A text without words is understood; a single letter
 * is a symbol.
 */
export function isUnderstood(text: string): boolean {
  const folded = foldWords(text).normalize('NFC')
  const words = folded.match(/[\p{L}\p{M}]{2,}/gu) ?? []
  const isForeign = (letter: string) => /\p{L}/u.test(letter) && !knownLetters.test(letter)
  // a letter of another language with this script: the other words are in that language too
  const scripts = unmixedScripts.filter(script => [...folded].some(letter => script.test(letter) && isForeign(letter)))
  const unknown = words.filter(word => [...word].some(isForeign) || scripts.some(script => script.test(word)))
  return unknown.join('').length * 2 <= words.join('').length
}
const unmixedScripts = [/\p{Script=Cyrillic}/u, /\p{Script=Arabic}/u]
