import { redacted } from '../contract/page-api.ts'
import { Scrubber } from '../secrets/scrubber.ts'

/** A goal without what was typed into fields that hide it. A code of three figures counts as well where it is a word: it is not a price here. */
export function withoutWords(goal: string, words: readonly string[]): string {
  const scrubber = new Scrubber()
  scrubber.add(words, () => false)
  const codes = words.filter(word => /^\d{3}$/.test(word))
  return codes.reduce(
    (text, code) => text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${code}(?![\\p{L}\\p{N}])`, 'gu'), redacted),
    scrubber.text(goal),
  )
}
