import { randomBytes } from './random-bytes.ts'

/**
 * The key of the digests that `inspect` reports, of one session. It stays in the process of the driver, so that nobody can compute the digest
 * of a guessed password.
 */
export const createDataKey = (): string => [...randomBytes(16)].map(byte => byte.toString(16).padStart(2, '0')).join('')
