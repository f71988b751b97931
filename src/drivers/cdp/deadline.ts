export interface Time {
  readonly signal: AbortSignal
  /** performance.now() at which the command is given up */
  readonly deadline: number
}

// whole ones: they are told
export const left = ({ deadline }: Time) => Math.max(1, Math.round(deadline - performance.now()))
