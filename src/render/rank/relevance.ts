import { foldWords } from '../../contract/fold-words.ts'
import { groupsOf, isGroup } from './synonyms.ts'

/** A text of a candidate. */
export interface WeightedText {
  readonly text: string
  readonly weight: number
  /** it says what kind of thing the candidate is, as many others are: it counts only beside another match, or if a query names kinds only */
  readonly isKind?: boolean
}
/** The texts of one candidate. The first is its label. */
export type WeightedTexts = readonly WeightedText[]

/**
 * Scores how well each candidate matches a query; 0 means not at all. A word that few candidates have counts more. A candidate whose label
 * consists mostly of the query scores higher than one that mentions it in passing.
 */
export function scoreRelevance(query: string, candidates: readonly WeightedTexts[]): readonly number[] {
  const queryWords = [...new Set(wordsOf(query))].filter(word => !stopWords.has(word))
  const indexed = candidates.map(texts => texts.map(({ text, ...rest }) => ({ words: wordsOf(text), ...rest })))
  const matchesOf = (isKind: boolean, match: typeof bestMatch) =>
    queryWords.map(word =>
      indexed.map(texts =>
        texts.reduce((best, each) => ((each.isKind ?? false) === isKind ? Math.max(best, each.weight * match(word, each.words)) : best), 0),
      ),
    )
  const own = matchesOf(false, bestMatch)
  const kinds = matchesOf(true, (word, among) => (among.some(each => each === word || isPlural(word, each)) ? 1 : 0))
  const namesKindsOnly = kinds.every(column => column.some(match => match > 0))
  const isFound = indexed.map((_, candidate) => namesKindsOnly || own.some(column => (column[candidate] ?? 0) > 0))
  const matches = own.map((column, word) =>
    column.map((match, candidate) => (isFound[candidate] ? Math.max(match, kinds[word]?.[candidate] ?? 0) : 0)),
  )
  const rarity = matches.map(column => Math.log(1 + candidates.length / Math.max(1, column.filter(match => match > 0).length)))
  return indexed.map((texts, candidate) => {
    const sum = queryWords.reduce((total, _, word) => total + (matches[word]?.[candidate] ?? 0) * (rarity[word] ?? 0), 0)
    const label = texts[0]?.words ?? []
    return sum * (1 + 0.5 * matchingShare(label, queryWords) + 0.25 * characterShare(label, queryWords))
  })
}

/** The numbers of a query that no text has. A passage about another order or model may match all its other words. */
export function absentNumbers(query: string, texts: readonly string[]): readonly string[] {
  const numbers = [...new Set(wordsOf(query))].filter(word => /^\p{L}{0,3}\p{N}{2,}$/u.test(word))
  if (numbers.length === 0) return []
  const said = new Set(texts.flatMap(wordsOf))
  return numbers.filter(number => !said.has(number))
}

/**
 * Folded words. Scripts without spaces become pairs of characters, which is enough to find related texts, and words with synonyms are
 * followed by the name of their group.
 */
export function wordsOf(text: string): readonly string[] {
  const plain = foldMarks(foldWords(text.slice(0, 20_000)))
  const runs = plain.match(wordRuns) ?? []
  // Wi-Fi is also written as one word
  const joined = plain.includes('-') ? (plain.match(hyphenated) ?? []).map(run => run.replace(/-/g, '')) : []
  return [...runs.flatMap(run => (unspacedScript.test(run) ? characterPairs(run) : [run])), ...joined, ...groupsOf(plain)]
}

const unspaced = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Thai}'
/** iPhone手机 and 5星好评 are two words each */
const wordRuns = new RegExp(`[${unspaced}]+|\\p{Script=Hangul}+|(?:(?![${unspaced}\\p{Script=Hangul}])[\\p{L}\\p{M}\\p{N}])+`, 'gu')
const hyphenated = /[a-z]+(?:-[a-z]+)+/g
/** Korean words have particles at their end, so that they are compared like those of a script without spaces */
const unspacedScript = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/u

/** Accents are often left out: cafe, offnungszeiten. Marks of other scripts are letters. */
const foldMarks = (text: string): string =>
  /[\u0080-\u036f\u1e00-\u1eff]/.test(text)
    ? text
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .normalize('NFC')
    : text

function characterPairs(run: string): readonly string[] {
  const characters = [...run]
  return characters.length < 2 ? characters : characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

function bestMatch(word: string, among: readonly string[]): number {
  let best = 0
  for (const each of among) {
    if (each === word) return 1
    if (isHan.test(word) && each.includes(word)) best = 0.7
    else if (haveSameStem(word, each)) best = 0.7
    else if (isPlural(word, each) || isPlural(each, word)) best = 0.7
  }
  return best
}

/** order, orders, ordered, ordering: the same beginning and at most four more letters. Numbers are the same or not. */
function haveSameStem(one: string, other: string): boolean {
  if (/\p{N}/u.test(one + other)) return false
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  return short.length >= 4 && long.length - short.length <= 4 && long.startsWith(short.slice(0, Math.max(4, short.length - 1)))
}

const isPlural = (plural: string, word: string): boolean => word.length > 1 && (plural === `${word}s` || plural === `${word}es`)

/** the share of a label's words that match the query */
const matchingShare = (label: readonly string[], queryWords: readonly string[]): number =>
  label.length === 0 ? 0 : label.filter(word => bestMatch(word, queryWords) > 0).length / label.length

const isHan = /^\p{Script=Han}$/u

/** The share of the query's Han characters that a label has, in whatever pairs: 加入购物车 has all those of 加购物车. */
function characterShare(label: readonly string[], queryWords: readonly string[]): number {
  const wanted = new Set(
    queryWords
      .filter(word => !isGroup(word))
      .join('')
      .match(/\p{Script=Han}/gu),
  )
  const said = label.filter(word => !isGroup(word)).join('')
  return wanted.size === 0 ? 0 : [...wanted].filter(character => said.includes(character)).length / wanted.size
}

const stopWords = new Set(
  'a an and are at by do for from how i in into is it me my of on or please that the then this to want what where which with you your'.split(
    ' ',
  ),
)
