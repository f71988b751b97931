/** `npm run test:faults` runs every case as often as its promise asks for; `npm test` runs the same cases a few times. */
export const isLong = process.env.PAGEHAND_FAULTS === 'long'

/** how often a case is tried */
export const tries = (long: number, short: number): number => (isLong ? long : short)
