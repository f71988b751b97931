import { base64Fragments, reversed, toDecimal, toHex, toRot13 } from './encodings.ts'
import { normalize } from './normalize.ts'

/** so many characters of a secret in a URL are no coincidence (TRUST E4) */
const minPiece = 12
/** nor are so many with letters and digits, which are no word */
const minMixedPiece = 8
/** a secret that is not longer than a piece counts only as a whole, and from this length on */
const minSecret = 6
/** what eight characters are in hex, at least in decimal codes, and in Base64 without the characters at both ends */
const pieces = { hex: 16, decimal: 20, base64: 10 }

interface Search {
  readonly length: number
  /** only pieces with letters and digits count */
  readonly isMixed?: boolean
}

/**
 * Returns a function that tells whether a URL contains a secret: 12 characters in a row, or 8 with letters and digits, or all of a shorter
 * one; as it is, percent-encoded, in any case, reversed, in ROT13, in Base64, in hex, or as decimal codes; with separators between its
 * characters, or spread over path segments, parameters or their names. Other encodings are not recognized.
 */
export function createLeakTest(url: string): (secret: string) => boolean {
  const texts = [...new Set([url, ...spreadTexts(url)].map(foldUrl))]
  const piecesByLength = new Map<number, ReadonlySet<string>>()
  const piecesOf = (length: number): ReadonlySet<string> => {
    const known = piecesByLength.get(length) ?? new Set(texts.flatMap(text => windows(text, length)))
    piecesByLength.set(length, known)
    return known
  }
  const contains = (spelling: string, { length, isMixed = false }: Search): boolean => {
    const needle = foldUrl(spelling)
    if (needle.length < minSecret) return false
    if (needle.length <= length) return texts.some(text => text.includes(needle))
    const known = piecesOf(length)
    return windows(needle, length).some(piece => known.has(piece) && (!isMixed || isMixedText(piece)))
  }
  return secret => {
    if (normalize(secret).text.length < minSecret) return false
    const backwards = reversed(secret)
    for (const spelling of [secret, backwards, toRot13(secret), toRot13(backwards)]) {
      if (contains(spelling, { length: minPiece })) return true
      if (foldUrl(spelling).length > minMixedPiece && contains(spelling, { length: minMixedPiece, isMixed: true })) return true
    }
    return (
      contains(toHex(secret), { length: pieces.hex }) ||
      contains(toDecimal(secret), { length: pieces.decimal }) ||
      base64Fragments(secret).some(fragment => contains(fragment, { length: pieces.base64 }))
    )
  }
}

/** Letters and digits alone: a URL may have any sign between them. */
const foldUrl = (text: string): string => normalize(text).text.replace(/[^\p{L}\p{N}]/gu, '')

/** What the names, and the values, of the parameters are when they are read one after the other. */
function spreadTexts(url: string): string[] {
  const parameters = [...url.matchAll(/[?&;#]([^=?&;#]*)(?:=([^?&;#]*))?/g)]
  return [1, 2].map(at => parameters.map(parameter => parameter[at] ?? '').join(''))
}

const windows = (text: string, length: number): string[] =>
  Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length))

const isMixedText = (text: string): boolean => /\p{N}/u.test(text) && /\p{L}/u.test(text)
