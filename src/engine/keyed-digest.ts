/** number of hexadecimal digits of a key */
export const digestKeyLength = 32

/**
 * A digest of a text that says nothing about the text without the key: HalfSipHash-2-4 with 64-bit output, once with each half of the key.
 * `crypto.subtle` is asynchronous and missing in documents that are not secure. Letters only, so that nothing in it is taken for a number
 * that has to be redacted.
 *
 * https://github.com/veorq/SipHash
 */
export const keyedDigest = (key: string, text: string): string =>
  [0, digestKeyLength / 2]
    .flatMap(at => halfSipHash(wordAt(key, at), wordAt(key, at + 8), text))
    .map(word => (word >>> 0).toString(16).padStart(8, '0').replace(/./g, toLetter))
    .join('')

const wordAt = (key: string, at: number): number => Number.parseInt(key.slice(at, at + 8), 16) | 0
const toLetter = (digit: string): string => 'abcdefghijklmnop'[Number.parseInt(digit, 16)] as string
const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits))

function halfSipHash(key0: number, key1: number, text: string): readonly number[] {
  let [v0, v1, v2, v3] = [key0, key1 ^ 0xee, key0 ^ 0x6c796765, key1 ^ 0x74656462]
  const mix = (rounds: number): void => {
    for (let i = 0; i < rounds; i++) {
      v0 = (v0 + v1) | 0
      v1 = rotate(v1, 5) ^ v0
      v0 = rotate(v0, 16)
      v2 = (v2 + v3) | 0
      v3 = rotate(v3, 8) ^ v2
      v0 = (v0 + v3) | 0
      v3 = rotate(v3, 7) ^ v0
      v2 = (v2 + v1) | 0
      v1 = rotate(v1, 13) ^ v2
      v2 = rotate(v2, 16)
    }
  }
  const add = (word: number): void => {
    v3 ^= word
    mix(2)
    v0 ^= word
  }
  for (let at = 0; at < text.length; at += 2) add(text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16))
  add(text.length)
  v2 ^= 0xee
  mix(4)
  const first = v1 ^ v3
  v1 ^= 0xdd
  mix(4)
  return [first, v1 ^ v3]
}
