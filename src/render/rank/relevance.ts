/** What is said about one thing, and how much each place counts. */
export type Spoken = readonly { readonly text: string; readonly weight: number }[]

/**
 * How well each thing fits the words that were asked for, 0 being not at all. A word that few things have counts more; a thing that says
 * little beside what was asked for is meant rather than one that mentions it in passing.
 */
export function relevance(asked: string, things: readonly Spoken[]): readonly number[] {
  const wanted = [...new Set(wordsOf(asked))].filter(word => !idle.has(word))
  const spoken = things.map(places => places.map(({ text, weight }) => ({ words: wordsOf(text), weight })))
  const fits = wanted.map(word => spoken.map(places => Math.max(0, ...places.map(place => place.weight * bestMatch(word, place.words)))))
  const rarity = fits.map(column => Math.log(1 + things.length / Math.max(1, column.filter(fit => fit > 0).length)))
  return spoken.map((places, thing) => {
    const sum = wanted.reduce((total, _, word) => total + (fits[word]?.[thing] ?? 0) * (rarity[word] ?? 0), 0)
    return sum * (1 + 0.5 * share(places[0]?.words ?? [], wanted))
  })
}

/** Lower-case words; scripts without spaces become pairs of characters, which is enough to tell what belongs together. */
export function wordsOf(text: string): readonly string[] {
  const runs =
    text
      .normalize('NFKC')
      .toLowerCase()
      .slice(0, 4_000)
      .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+|[\p{L}\p{N}]+/gu) ?? []
  return runs.flatMap(run => (unspaced.test(run) ? pairs(run) : [run]))
}

const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

function pairs(run: string): readonly string[] {
  const characters = [...run]
  return characters.length < 2 ? characters : characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

function bestMatch(word: string, among: readonly string[]): number {
  let best = 0
  for (const each of among) {
    if (each === word) return 1
    if (alike(word, each)) best = 0.7
  }
  return best
}

// order, orders, ordered, ordering: the same beginning, and little after it
function alike(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  return short.length >= 4 && long.length - short.length <= 4 && long.startsWith(short.slice(0, Math.max(4, short.length - 1)))
}

/** how much of a label is made of what was asked for */
const share = (label: readonly string[], wanted: readonly string[]): number =>
  label.length === 0 ? 0 : label.filter(word => bestMatch(word, wanted) > 0).length / label.length

const idle = new Set(
  'a an and are at by do for from how i in into is it me my of on or please that the then this to want what where which with you your'.split(
    ' ',
  ),
)
