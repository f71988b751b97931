export interface Deadline {
  readonly signal: AbortSignal
  /** performance.now() at which the command is given up */
  readonly deadline: number
}

// whole ones: they are told
export const remainingMs = ({ deadline }: Deadline) => Math.max(1, Math.round(deadline - performance.now()))
