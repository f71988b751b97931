import { redacted } from '../../contract/acts.ts'

/** Takes out what must not be written down: words that are known to be secret, and the user and password inside of an address. */
export interface Scrub {
  hide(words: readonly string[]): void
  text(text: string): string
  /** as JSON, on one line */
  json(value: unknown): string
}

export function scrubbing(secrets: readonly string[] = []): Scrub {
  const hidden = new Set<string>()
  const hide = (words: readonly string[]) => {
    for (const word of words) if (word.length >= leastLength) for (const each of spellings(word)) hidden.add(each)
  }
  // a longer secret first: a shorter one may be a part of it
  const text = (given: string) =>
    [...hidden]
      .sort((one, other) => other.length - one.length)
      .reduce((scrubbed, word) => scrubbed.replaceAll(word, redacted), given)
      .replace(/\/\/[^/\s@:"]*:[^/\s@"]*@/g, `//${redacted}@`)
  hide(secrets)
  return { hide, text, json: value => JSON.stringify(value, (_, inner) => (typeof inner === 'string' ? text(inner) : inner)) }
}

/** shorter ones would take the words of every page apart */
const leastLength = 4

/** a form that is sent by GET puts what was typed into the address */
const spellings = (word: string): readonly string[] => {
  const encoded = encodeURIComponent(word.replace(/\p{Surrogate}/gu, '\ufffd'))
  return [word, encoded, encoded.replaceAll('%20', '+')]
}
