import { redacted } from '../contract/page-api.ts'
import { quote } from '../render/text/quote.ts'

/** Replaces what must not be written: known secrets, and user and password in URLs. */
export interface Scrubber {
  /** redacts these words from now on; words of fewer than four characters are ignored */
  hide(words: readonly string[]): void
  text(text: string): string
  /** a copy of a JSON value whose keys and strings are scrubbed */
  value(value: unknown): unknown
}

/** Throws if a secret is too short to be searched for. */
export function createScrubber(secrets: readonly string[] = []): Scrubber {
  if (secrets.some(secret => secret.length < minSecretLength))
    throw new TypeError(`a secret must have at least ${minSecretLength} characters: shorter ones occur in other words`)
  let hidden: readonly string[] = []
  const hide = (words: readonly string[]) => {
    const all = new Set([...hidden, ...words.filter(word => word.length >= minSecretLength).flatMap(spellings)])
    // longest first: one secret may contain another
    hidden = [...all].sort((one, other) => other.length - one.length)
  }
  const text = (given: string) =>
    hidden.reduce((scrubbed, word) => scrubbed.replaceAll(word, redacted), given).replace(/\/\/[^/?#\s"]*@/g, `//${redacted}@`)
  const value = (given: unknown): unknown => {
    if (typeof given === 'string') return text(given)
    if (typeof given !== 'object' || given === null) return given
    if (Array.isArray(given)) return given.map(value)
    return Object.fromEntries(Object.entries(given).map(([key, inner]) => [text(key), value(inner)]))
  }
  hide(secrets)
  return { hide, text, value }
}

const minSecretLength = 4

/** A word as it was typed, and as it is spelled in URLs, form data, markup, and text that is quoted for a model. */
function spellings(word: string): readonly string[] {
  const inMarkup = word.replace(/[&<>"]/g, unit => entities[unit] ?? unit)
  const inUrls = [
    encodeURIComponent(word.replace(/\p{Surrogate}/gu, '\ufffd')),
    new URLSearchParams({ word }).toString().slice('word='.length),
  ]
  return [word, inMarkup, ...inUrls, ...inUrls.map(each => each.replaceAll('+', '%20')), withoutQuotes(word), withoutQuotes(inMarkup)]
}

const entities: { readonly [unit: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const withoutQuotes = (word: string): string => quote(word).slice(1, -1)
