declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array } | undefined

/**
 * A word that a page cannot know before the script is in it. The script carries it, and every expression asks for it,
 * so an object that the page put in the script's place is not taken for it.
 */
export function createSeal(): string {
  const bytes = new Uint8Array(16)
  if (typeof crypto === 'object' && typeof crypto?.getRandomValues === 'function') crypto.getRandomValues(bytes)
  // Hermes has no crypto of its own
  else for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(Math.random() * 256)
  let seal = ''
  for (const byte of bytes) seal += byte.toString(16).padStart(2, '0')
  return seal
}

export const isSeal = (word: string): boolean => /^[\w-]{8,64}$/.test(word)
