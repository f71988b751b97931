import { redacted } from '../contract/page-api.ts'
import { quote } from '../render/text/quote.ts'

/** Takes out what must not be written down: words that are known to be secret, and the user and password inside of an address. */
export interface Scrub {
  hide(words: readonly string[]): void
  text(text: string): string
  /** a copy of what JSON can hold, its keys and strings scrubbed */
  value(value: unknown): unknown
}

export function scrubbing(secrets: readonly string[] = []): Scrub {
  const short = secrets.find(secret => secret.length < leastLength)
  if (short !== undefined)
    throw new TypeError(`a secret must have at least ${leastLength} characters: shorter ones are parts of other words`)
  let hidden: readonly string[] = []
  const hide = (words: readonly string[]) => {
    const all = new Set([...hidden, ...words.filter(word => word.length >= leastLength).flatMap(spellings)])
    // a longer secret first: a shorter one may be a part of it
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

/** shorter ones would take the words of every page apart */
const leastLength = 4

/** as it was typed, as addresses and forms write it, as markup does, and as text for a model quotes either */
function spellings(word: string): readonly string[] {
  const inMarkup = word.replace(/[&<>"]/g, unit => entities[unit] ?? unit)
  const inAddresses = [
    encodeURIComponent(word.replace(/\p{Surrogate}/gu, '\ufffd')),
    new URLSearchParams({ word }).toString().slice('word='.length),
  ]
  return [word, inMarkup, ...inAddresses, ...inAddresses.map(each => each.replaceAll('+', '%20')), inner(word), inner(inMarkup)]
}

const entities: { readonly [unit: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const inner = (word: string): string => quote(word).slice(1, -1)
