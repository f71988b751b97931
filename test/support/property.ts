import * as fc from 'fast-check'
import { test as vitest } from 'vitest'

export { fc }

/** A test that holds for all generated values. */
export function test<T extends [unknown, ...unknown[]]>(
  title: string,
  given: { [K in keyof T]: fc.Arbitrary<T[K]> },
  holds: (...values: T) => void,
  numRuns = 200,
): void {
  vitest(title, () => fc.assert(fc.property(...given, holds as (...values: unknown[]) => void), { numRuns }))
}
