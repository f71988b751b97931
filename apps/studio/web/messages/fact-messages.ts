import type { StopReason } from '../../../../src/contract/agent-run.ts'
import type { FailureCode } from '../../../../src/contract/failures.ts'
import type { Effect } from '../../../../src/contract/page-api.ts'
import type { RiskReason } from '../../../../src/contract/risk-reasons.ts'
import type { StudioProblemCode } from '../../../../src/wire/problems.ts'

/** Words for what the server reports as codes and facts. */
export interface FactMessages {
  /** why an action needs a decision */
  readonly reasons: { readonly [code in RiskReason]: string }
  /** what a grant allows on a site, or on all if it is undefined; `isTo`: going there, not acting there */
  clause(clause: { readonly classes: readonly string[]; readonly origin: string | undefined; readonly isTo: boolean }): string
  readonly clauseSeparator: string
  /** what an action changed; '' is not worth a word */
  readonly effects: { readonly [name in keyof Required<Effect>]: (value: NonNullable<Effect[name]>) => string }
  readonly noEffect: string
  readonly fields: (count: number) => string
  readonly read: (characters: number) => string
  /** between two facts */
  readonly separator: string
  /** what the end of a run means, unless its own summary says more */
  readonly ends: { readonly [reason in Exclude<StopReason, 'closed' | 'error'>]: string }
  /** what went wrong, by code; the server's own sentence is English */
  readonly problems: { readonly [code in FailureCode | StudioProblemCode]?: string }
}
