import { redacted } from '../contract/page-api.ts'
import { base64Fragments, toHex } from './encodings.ts'
import { type NormalizedText, normalize } from './normalize.ts'

/** shorter values are not searched for at all */
const minLength = 3
/** a value from here on is redacted as a whole word, and a shorter one only where a URL carries it: 123 is a price as well as a CVV */
const minWord = 4
/** a value from here on is redacted inside of other words too */
const minAnywhere = 6
/** Base64 and hex of a shorter value are found in other words by chance */
const minEncoded = 8
/** a longer value is found by its beginning, which is redacted with everything up to its end */
const maxNeedle = 2_000
const keyLength = 3
const maxPattern = 200

interface Needle {
  /** normalized */
  readonly text: string
  readonly isEncoded: boolean
}

/**
 * Redacts secrets in everything that leaves a session. It finds a value in the spellings of URLs, HTML and JSON, in Base64 and hex, in any
 * case, and with spaces or hyphens between its characters. Values are kept in memory only.
 */
export class Scrubber {
  readonly #values = new Set<string>()
  /** needles by their first characters, so that a text is searched once for all of them */
  readonly #needles = new Map<string, Needle[]>()
  #shortest = Number.POSITIVE_INFINITY

  get isEmpty(): boolean {
    return this.#needles.size === 0
  }

  /** Redacts these values from now on. Values of fewer than three characters are ignored. */
  add(values: readonly string[]): void {
    for (const value of values) {
      if (this.#values.has(value)) continue
      this.#values.add(value)
      this.#addNeedle(value, false)
      if (normalize(value.slice(0, maxNeedle)).text.length < minEncoded) continue
      for (const fragment of base64Fragments(value))
        for (const spelling of [fragment, fragment.replaceAll('+', '-').replaceAll('/', '_')]) this.#addNeedle(spelling, true)
      this.#addNeedle(toHex(value), true)
    }
  }

  /** Whether a value is redacted as such. */
  has(value: string): boolean {
    return this.#values.has(value)
  }

  /** Forgets a value. For values that were the beginning of one that is being typed. */
  delete(value: string): void {
    if (!this.#values.delete(value)) return
    const rest = [...this.#values]
    this.#values.clear()
    this.#needles.clear()
    this.#shortest = Number.POSITIVE_INFINITY
    this.add(rest)
  }

  /** The source of a regular expression that finds the values in the text of a page. */
  get pattern(): string {
    const words = [...this.#values].map(value => normalize(value.slice(0, maxPattern)).text).filter(word => word.length >= minWord)
    return words
      .sort((one, other) => other.length - one.length)
      .map(word => Array.from(word, unit => unit.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('[\\s-]*'))
      .join('|')
  }

  text(given: string): string {
    if (given.length < this.#shortest) return given
    const normalized = normalize(given)
    const ranges = this.#find(normalized)
    if (ranges.length === 0) return given
    let text = ''
    let done = 0
    for (const { start, end } of merge(ranges)) {
      text += `${given.slice(done, start)}${redacted}`
      done = end
    }
    return text + given.slice(done)
  }

  /** A copy of a JSON value with its keys and strings redacted. Refs and image data stay as they are. */
  value(given: unknown): unknown {
    if (this.isEmpty) return given
    if (typeof given === 'string') return isRef(given) ? given : this.text(given)
    if (typeof given !== 'object' || given === null) return given
    if (Array.isArray(given)) return given.map(each => this.value(each))
    return Object.fromEntries(
      Object.entries(given).map(([key, inner]) =>
        fixedKeys.has(key) ? [key, inner] : [isRef(key) ? key : this.text(key), this.value(inner)],
      ),
    )
  }

  #addNeedle(value: string, isEncoded: boolean): void {
    const { text } = normalize(value.slice(0, maxNeedle))
    if (text.length < minLength) return
    const key = text.slice(0, keyLength)
    const needles = this.#needles.get(key) ?? []
    if (!needles.some(each => each.text === text)) needles.push({ text, isEncoded })
    this.#needles.set(key, needles)
    this.#shortest = Math.min(this.#shortest, text.length)
  }

  #find(normalized: NormalizedText): Range[] {
    const { text, starts, ends } = normalized
    const isCut = text.endsWith('…')
    const ranges: Range[] = []
    for (let at = 0; at + keyLength <= text.length; at++) {
      const needles = this.#needles.get(text.slice(at, at + keyLength))
      if (!needles) continue
      for (const needle of needles) {
        const rest = isCut ? text.length - 1 - at : Number.POSITIVE_INFINITY
        const length = Math.min(needle.text.length, rest)
        // the beginning of a value at the end of a text that was cut off
        const isTail = length < needle.text.length && length >= Math.min(minAnywhere, Math.ceil(needle.text.length / 2))
        if (length < needle.text.length && !isTail) continue
        if (!text.startsWith(length === needle.text.length ? needle.text : needle.text.slice(0, length), at)) continue
        if (length < needle.text.length || fits(normalized, at, at + length))
          ranges.push({ start: starts[at] as number, end: ends[at + length - 1] as number })
      }
    }
    return ranges
  }
}

/** never words of a page */
const fixedKeys: ReadonlySet<string> = new Set(['base64', 'code'])
const isRef = (text: string): boolean => /^(f\d+)*e\d+$/.test(text)

/** Whether a value at this place is the secret and not part of another word. */
function fits({ text, starts, ends }: NormalizedText, from: number, to: number): boolean {
  if (to - from >= minAnywhere) return true
  const before = from > 0 && ends[from - 1] === starts[from] ? (text[from - 1] as string) : ''
  const after = to < text.length && ends[to - 1] === starts[to] ? (text[to] as string) : ''
  if (isWordCharacter.test(before) || isWordCharacter.test(after)) return false
  return to - from >= minWord || before === '='
}
const isWordCharacter = /[\p{L}\d_]/u

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
