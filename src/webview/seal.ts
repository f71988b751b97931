import { randomBytes } from '../contract/random-bytes.ts'

/**
 * A word that a page cannot know before the script is injected. The script carries it and every expression checks it, so an object that the
 * page put in place of the script is not accepted.
 *
 * @example
 * const seal = createSeal()
 * await evaluate(AgentBrowser.getScript({ seal }))
 * const json = await evaluate(AgentBrowser.snapshotJs({}, { seal }))
 */
export function createSeal(): string {
  let seal = ''
  for (const byte of randomBytes(16)) seal += byte.toString(16).padStart(2, '0')
  return seal
}

export const isSeal = (word: string): boolean => /^[\w-]{8,64}$/.test(word)
