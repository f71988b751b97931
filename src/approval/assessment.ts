import type { ActionClass, RiskAssessment } from '../contract/approval.ts'
import type { LoadedBy } from '../contract/results.ts'
import { type RiskReason, riskReasons } from '../contract/risk-reasons.ts'
import type { TargetFacts } from '../contract/target.ts'
import { classesOfWords } from './words.ts'

export interface RiskContext {
  /** the sites of the run: hosts such as shop.example, *.shop.example or 127.0.0.1:8080 */
  readonly sites: readonly string[]
  /** the element that the command would touch; absent if it has none or it could not be inspected */
  readonly target?: TargetFacts
  /** the element on which the target is dropped */
  readonly to?: TargetFacts
  /** the elements of `fillForm` */
  readonly fields?: readonly TargetFacts[]
  /** the request that the page was loaded with; absent if it is not known */
  readonly loadedBy?: LoadedBy
  /** the message of the open dialog */
  readonly dialog?: string
}

/** Collects classes with the reason for each. */
export class Assessment {
  readonly #reasons = new Map<ActionClass, RiskReason>()
  readonly #secrets = new Set<string>()
  destination: string | undefined

  add(actionClass: ActionClass, reason: RiskReason): void {
    if (!this.#reasons.has(actionClass)) this.#reasons.set(actionClass, reason)
  }

  /** Adds the classes that words name. */
  addWords(text: string | undefined, from: 'words' | 'dialog' = 'words'): void {
    for (const actionClass of classesOfWords(text ?? '')) this.add(actionClass, `${from}_${actionClass}`)
  }

  addSecret(name: string): void {
    this.#secrets.add(name)
    this.add('credentials', 'named_secret')
  }

  result(target: TargetFacts | undefined): RiskAssessment {
    const names = [...this.#secrets].join(', ')
    return {
      classes: [...this.#reasons.keys()],
      reasons: [...this.#reasons.values()].map(code => (code === 'named_secret' ? `It enters the secret ${names}.` : riskReasons[code])),
      reasonCodes: [...this.#reasons.values()],
      ...(names && { secrets: [...this.#secrets] }),
      ...(target && { target }),
      ...(this.destination !== undefined && { destination: this.destination }),
    }
  }
}
