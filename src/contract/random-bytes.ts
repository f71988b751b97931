declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array } | undefined

/** Random bytes for words that a page must not guess; Hermes has no `crypto` and falls back to Math.random, unless the host passes `word`. */
export function randomBytes(count: number): Uint8Array {
  const bytes = new Uint8Array(count)
  if (typeof crypto === 'object' && typeof crypto?.getRandomValues === 'function') crypto.getRandomValues(bytes)
  else for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(Math.random() * 256)
  return bytes
}
