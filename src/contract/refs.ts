/**
 * Normalizes e12, @e12, ref=e12, [ref=e12], 12, [12] and f1e3 to e12 or f1e3; returns null for anything else (C1).
 *
 * @example
 * normalizeRef('[12]') // 'e12'
 */
export function normalizeRef(given: unknown): string | null {
  if (typeof given === 'number') return Number.isInteger(given) && given > 0 ? `e${given}` : null
  if (typeof given !== 'string' || given.length > 40) return null
  const found = /^\s*\[?\s*(?:@|ref\s*=\s*)?"?(?:(f\d{1,9})?e)?(\d{1,9})"?\s*\]?\s*$/i.exec(given)
  return found ? `${(found[1] ?? '').toLowerCase()}e${Number(found[2])}` : null
}
