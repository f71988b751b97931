/** The name that a misspelled one was most likely meant to be; undefined if none is close. */
export function suggest(word: string, names: readonly string[]): string | undefined {
  const given = word.toLowerCase()
  const maxDistance = Math.max(1, Math.floor(given.length / 3))
  const ranked = names
    .map(name => ({ name, distance: given.length >= 3 && name.startsWith(given) ? 0 : distanceOf(given, name) }))
    .filter(({ distance }) => distance <= maxDistance)
  ranked.sort((a, b) => a.distance - b.distance)
  return ranked[0]?.name
}

/** `; did you mean open?`, to be put after a sentence about the unknown word; '' if nothing is close. */
export function didYouMean(word: string, names: readonly string[]): string {
  const name = suggest(word, names)
  return name === undefined ? '' : `; did you mean ${name}?`
}

/** How many letters have to be inserted, removed, replaced or swapped with their neighbor (optimal string alignment). */
function distanceOf(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[beforeLast, last] = [last, current]
  }
  return last[to.length] ?? 0
}
