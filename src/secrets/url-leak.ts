import { base64Fragments, reversed, toHex } from './encodings.ts'
import { normalize } from './normalize.ts'

/** so many characters of a secret in a URL are no coincidence (TRUST E4) */
const minPiece = 12
/** a secret that is not longer than a piece counts only as a whole, and from this length on */
const minSecret = 6

/**
 * Returns a function that tells whether a URL contains a secret: at least 12 characters in a row, or all of a shorter one; as it is,
 * percent-encoded, in any case, reversed, in Base64, or in hex. Other encodings are not recognized.
 */
export function createLeakTest(url: string): (secret: string) => boolean {
  const { text } = normalize(url)
  const piecesByLength = new Map<number, ReadonlySet<string>>()
  const pieces = (length: number): ReadonlySet<string> => {
    const known = piecesByLength.get(length) ?? new Set(Array.from(text, (_, at) => text.slice(at, at + length)))
    piecesByLength.set(length, known)
    return known
  }
  const contains = (spelling: string, length: number) => {
    const needle = normalize(spelling).text
    if (needle.length <= length) return needle.length >= minSecret && text.includes(needle)
    for (let at = 0; at + length <= needle.length; at++) if (pieces(length).has(needle.slice(at, at + length))) return true
    return false
  }
  return secret => {
    if (normalize(secret).text.length < minSecret) return false
    if (contains(secret, minPiece) || contains(reversed(secret), minPiece)) return true
    // 12 bytes are 24 characters of hex and 16 of Base64
    if (contains(toHex(secret), 2 * minPiece)) return true
    const fragments = base64Fragments(secret)
    return [...fragments, ...fragments.map(each => each.replaceAll('/', '_'))].some(each => contains(each, 16))
  }
}
