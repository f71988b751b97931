import { failures } from '../contract/failures.ts'
import { redacted } from '../contract/page-api.ts'
import { base64Fragments, reversed, toDecimal, toHex, toRot13 } from './encodings.ts'
import { type NormalizedText, normalize } from './normalize.ts'
import { isOrdinaryWord } from './ordinary-words.ts'

/** shorter values are not searched for at all */
const minLength = 3
/** a value from here on is redacted as a whole word, and a shorter one only where a URL carries it: 123 is a price as well as a CVV */
const minWord = 4
/** a value from here on is redacted inside of other words too */
const minAnywhere = 6
/** a shorter number is not redacted inside of a longer one: a code of six digits is a part of other numbers by chance */
const minNumber = 12
/** Base64 and hex of a shorter value are found in other words by chance */
const minEncoded = 8
/** a longer value is found by its beginning, which is redacted with everything up to its end */
const maxNeedle = 2_000
const keyLength = 3
const maxPattern = 200
/** a longer value is not searched for in pieces */
const maxPieces = 128

interface Needle {
  /** normalized */
  readonly text: string
  readonly isEncoded: boolean
  /** a word that pages write anyway: it is a secret only where it is a value */
  readonly isOrdinary: boolean
}

/**
 * Redacts secrets in everything that leaves a session. It finds a value in the spellings of URLs, HTML and JSON, in Base64 and hex, in any
 * case, reversed, as decimal codes and in ROT13, with separators between its characters, and pieces of eight characters with letters and
 * digits. Values are kept in memory only.
 */
export class Scrubber {
  /** whether each value is an ordinary word */
  readonly #values = new Map<string, boolean>()
  /** needles by their first characters, so that a text is searched once for all of them */
  readonly #needles = new Map<string, Needle[]>()
  /** the hashes of those first characters: nearly every place in a text is ruled out without a string of its own */
  readonly #hashes = new Uint8Array(hashCount)
  #shortest = Number.POSITIVE_INFINITY
  #version = 0

  /** changes with the values */
  get version(): number {
    return this.#version
  }

  get isEmpty(): boolean {
    return this.#needles.size === 0
  }

  /**
   * Redacts these values from now on. Values of fewer than three characters are ignored. An ordinary word is redacted only after `=` and
   * where it is all that a field holds.
   */
  add(values: readonly string[], isOrdinary: (value: string) => boolean = isOrdinaryWord): void {
    for (const value of values) {
      const known = this.#values.get(value)
      const kind = { isEncoded: false, isOrdinary: isOrdinary(value) }
      // what is a secret everywhere stays one
      if (known === false || known === kind.isOrdinary) continue
      this.#version++
      this.#values.set(value, kind.isOrdinary)
      this.#addNeedle(value, kind)
      if (normalize(value.slice(0, maxNeedle)).text.length < minEncoded) continue
      for (const fragment of base64Fragments(value))
        for (const spelling of [fragment, fragment.replaceAll('+', '-').replaceAll('/', '_')]) this.#addNeedle(spelling, encoded)
      for (const spelling of [toHex(value), toDecimal(value), toRot13(value), reversed(value)]) this.#addNeedle(spelling, encoded)
      if (value.length <= maxPieces && !kind.isOrdinary) this.#addPieces(value)
    }
  }

  /** Whether a value is redacted as such. */
  has(value: string): boolean {
    return this.#values.has(value)
  }

  /** Forgets a value. For values that were the beginning of one that is being typed. */
  delete(value: string): void {
    if (!this.#values.delete(value)) return
    const rest = new Map(this.#values)
    this.#values.clear()
    this.#needles.clear()
    this.#hashes.fill(0)
    this.#shortest = Number.POSITIVE_INFINITY
    this.#version++
    this.add([...rest.keys()], each => rest.get(each) === true)
  }

  /** The source of a regular expression that finds the values in the text of a page. */
  get pattern(): string {
    const words = [...this.#values]
      .map(([value, isOrdinary]) => ({ word: normalize(value.slice(0, maxPattern)).text, isOrdinary }))
      .filter(({ word }) => word.length >= minWord)
    return words
      .sort((one, other) => other.word.length - one.word.length)
      .map(({ word, isOrdinary }) => `${isOrdinary ? '(?<==)' : ''}${spacedPattern(word)}`)
      .join('|')
  }

  /** `isField`: the text is what a field holds. */
  text(given: string, { isField = false } = {}): string {
    if (given.length < this.#shortest) return given
    const normalized = normalize(given)
    const ranges = this.#find(normalized, isField)
    if (ranges.length === 0) return given
    let text = ''
    let done = 0
    for (const { start, end } of merge(ranges)) {
      text += `${given.slice(done, start)}${redacted}`
      done = end
    }
    return text + given.slice(done)
  }

  /** A copy of a JSON value with its keys and strings redacted. Refs, image data and our own words stay as they are. */
  value(given: unknown, inside = ''): unknown {
    if (this.isEmpty) return given
    if (typeof given === 'string') return isRef(given) || isFixed(inside, given) ? given : this.text(given, { isField: inside === 'value' })
    if (typeof given !== 'object' || given === null) return given
    if (Array.isArray(given)) return given.map(each => this.value(each, inside))
    return Object.fromEntries(
      Object.entries(given).map(([key, inner]) =>
        fixedKeys.has(key) ? [key, inner] : [isRef(key) || isOwnKey(inside, key) ? key : this.text(key), this.value(inner, key)],
      ),
    )
  }

  /** Parts of a value that no page has by chance: of letters alone, they could be words. */
  #addPieces(value: string): void {
    for (const direction of [value, reversed(value)]) {
      const { text } = normalize(direction)
      for (let at = 0; at + minEncoded < text.length; at++) {
        const piece = text.slice(at, at + minEncoded)
        if (/\d/.test(piece) && /\p{L}/u.test(piece)) this.#addNeedle(piece, encoded)
      }
    }
  }

  #addNeedle(value: string, kind: Omit<Needle, 'text'>): void {
    const { text } = normalize(value.slice(0, maxNeedle))
    if (text.length < minLength) return
    const key = text.slice(0, keyLength)
    const needles = this.#needles.get(key) ?? []
    const known = needles.findIndex(each => each.text === text)
    if (known < 0) needles.push({ text, ...kind })
    else if (!kind.isOrdinary) needles[known] = { text, ...kind }
    this.#needles.set(key, needles)
    this.#hashes[hashAt(text, 0)] = 1
    this.#shortest = Math.min(this.#shortest, text.length)
  }

  #find(normalized: NormalizedText, isField: boolean): Range[] {
    const { text, starts, ends } = normalized
    const isCut = text.endsWith('…')
    const ranges: Range[] = []
    for (let at = 0; at + keyLength <= text.length; at++) {
      if (!this.#hashes[hashAt(text, at)]) continue
      const needles = this.#needles.get(text.slice(at, at + keyLength))
      if (!needles) continue
      for (const needle of needles) {
        const rest = isCut ? text.length - 1 - at : Number.POSITIVE_INFINITY
        const length = Math.min(needle.text.length, rest)
        // the beginning of a value at the end of a text that was cut off
        const isTail = length < needle.text.length && length >= Math.min(minAnywhere, Math.ceil(needle.text.length / 2))
        if (length < needle.text.length && (!isTail || needle.isOrdinary)) continue
        if (!text.startsWith(length === needle.text.length ? needle.text : needle.text.slice(0, length), at)) continue
        const isAll = isField && length >= minWord && length === text.length
        if (length < needle.text.length || isAll || fits(normalized, { from: at, to: at + length }, needle.isOrdinary))
          ranges.push({ start: starts[at] as number, end: ends[at + length - 1] as number })
      }
    }
    return ranges
  }
}

/** never words of a page */
const fixedKeys: ReadonlySet<string> = new Set(['base64', 'code'])
/** where text of the page can be a key: names of attributes, and what a script returned */
const pageKeys: ReadonlySet<string> = new Set(['attrs', 'value'])
const isOwnKey = (inside: string, key: string): boolean => !pageKeys.has(inside) && /^[a-z]+(?:[A-Z][a-z]*)*$/.test(key)
/** our own words: the tag and the role of an element, and the next step after a failure */
const isFixed = (key: string, text: string): boolean =>
  key === 'hint' ? hints.has(text) : (key === 'tag' || key === 'role') && /^#?[a-z]+\d?$/.test(text)
const hints: ReadonlySet<string> = new Set(Object.values(failures))
const encoded = { isEncoded: true, isOrdinary: false }
const spacedPattern = (word: string): string => Array.from(word, unit => unit.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('[\\s\\-._/]*')
const isRef = (text: string): boolean => /^(f\d+)*e\d+$/.test(text)

const hashCount = 1 << 14
/** of the characters that are the key of a needle */
const hashAt = (text: string, at: number): number =>
  (text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 4) ^ (text.charCodeAt(at + 2) << 8)) & (hashCount - 1)

/** Whether a value at this place is the secret and not part of another word. */
function fits({ text, starts, ends }: NormalizedText, { from, to }: Record<'from' | 'to', number>, isOrdinary: boolean): boolean {
  const before = from > 0 && ends[from - 1] === starts[from] ? (text[from - 1] as string) : ''
  const after = to < text.length && ends[to - 1] === starts[to] ? (text[to] as string) : ''
  const isCode = to - from < minNumber && /^\d+$/.test(text.slice(from, to))
  if (to - from >= minAnywhere && !isOrdinary) return !isCode || (!isDigit.test(before) && !isDigit.test(after))
  if (isWordCharacter.test(before) || isWordCharacter.test(after)) return false
  return (to - from >= minWord && !isOrdinary) || before === '='
}
const isWordCharacter = /[\p{L}\d_]/u
const isDigit = /\d/

interface Range {
  readonly start: number
  readonly end: number
}

function merge(ranges: readonly Range[]): Range[] {
  const merged: { start: number; end: number }[] = []
  for (const { start, end } of [...ranges].sort((one, other) => one.start - other.start)) {
    const last = merged.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return merged
}
