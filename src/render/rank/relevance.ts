/** The texts of one candidate, each with its weight. The first is its label. */
export type WeightedTexts = readonly { readonly text: string; readonly weight: number }[]

/**
 * Scores how well each candidate matches a query; 0 means not at all. A word that few candidates have counts more. A candidate whose label
 * consists mostly of the query scores higher than one that mentions it in passing.
 */
export function scoreRelevance(query: string, candidates: readonly WeightedTexts[]): readonly number[] {
  const queryWords = [...new Set(wordsOf(query))].filter(word => !stopWords.has(word))
  const indexed = candidates.map(texts => texts.map(({ text, weight }) => ({ words: wordsOf(text), weight })))
  const matches = queryWords.map(word =>
    indexed.map(texts => Math.max(0, ...texts.map(({ words, weight }) => weight * bestMatch(word, words)))),
  )
  const rarity = matches.map(column => Math.log(1 + candidates.length / Math.max(1, column.filter(match => match > 0).length)))
  return indexed.map((texts, candidate) => {
    const sum = queryWords.reduce((total, _, word) => total + (matches[word]?.[candidate] ?? 0) * (rarity[word] ?? 0), 0)
    return sum * (1 + 0.5 * matchingShare(texts[0]?.words ?? [], queryWords))
  })
}

/** Words in lower case. Scripts without spaces become pairs of characters, which is enough to find related texts. */
export function wordsOf(text: string): readonly string[] {
  const runs =
    text
      .normalize('NFKC')
      .toLowerCase()
      .slice(0, 4_000)
      .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+|[\p{L}\p{N}]+/gu) ?? []
  return runs.flatMap(run => (unspacedScript.test(run) ? characterPairs(run) : [run]))
}

const unspacedScript = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

function characterPairs(run: string): readonly string[] {
  const characters = [...run]
  return characters.length < 2 ? characters : characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

function bestMatch(word: string, among: readonly string[]): number {
  let best = 0
  for (const each of among) {
    if (each === word) return 1
    if (haveSameStem(word, each)) best = 0.7
  }
  return best
}

/** order, orders, ordered, ordering: the same beginning and at most four more letters. */
function haveSameStem(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  return short.length >= 4 && long.length - short.length <= 4 && long.startsWith(short.slice(0, Math.max(4, short.length - 1)))
}

/** the share of a label's words that match the query */
const matchingShare = (label: readonly string[], queryWords: readonly string[]): number =>
  label.length === 0 ? 0 : label.filter(word => bestMatch(word, queryWords) > 0).length / label.length

const stopWords = new Set(
  'a an and are at by do for from how i in into is it me my of on or please that the then this to want what where which with you your'.split(
    ' ',
  ),
)
