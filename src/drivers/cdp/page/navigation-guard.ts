// Keeps a tab away from URLs that are not allowed (B4): every document is checked as it is committed, and a refused one is left.
import type { PagehandError } from '../errors.ts'
import { withTimeout } from '../timeout.ts'

export interface NavigationGuard {
  /** call it for each document that is committed */
  check(url: string): void
  /** resolves when the current document is allowed; fails if a refused document could not be left */
  settled(): Promise<void>
  /** whether the current document is refused, and about to be left */
  isRefused(): boolean
  /** the number of documents that were refused */
  refusals(): number
  /** returns the reason of the last refusal once */
  takeRefusal(): PagehandError | undefined
}

interface NavigationGuardOptions {
  check(url: string): Promise<void>
  /** whether `check` will fail, as far as the URL alone tells */
  refuses(url: string): boolean
  /** navigates away, as long as `isCurrent` */
  leave(url: string, isCurrent: () => boolean): void
  /** how long leaving may take */
  readonly patienceMs: number
}

export function createNavigationGuard({ check, refuses, leave, patienceMs }: NavigationGuardOptions): NavigationGuard {
  let verdict: Promise<void> = Promise.resolve()
  let current = {}
  let onNextDocument = () => {}
  let refused: object | undefined
  let lastRefusal: PagehandError | undefined
  let refusals = 0

  const refuse = async (document: object, url: string, { reason, next }: { reason: PagehandError; next: Promise<void> }) => {
    refusals++
    // another document was committed during the check, and is allowed or refused by itself
    if (current !== document) return
    lastRefusal = reason
    refused = document
    leave(url, () => current === document)
    await withTimeout(patienceMs, next)
    if (current === document) throw reason
  }

  return {
    check(url) {
      onNextDocument()
      const document = {}
      current = document
      if (refuses(url)) refused = document
      const next = new Promise<void>(resolve => {
        onNextDocument = resolve
      })
      verdict = check(url).catch((reason: PagehandError) => refuse(document, url, { reason, next }))
      verdict.catch(() => {}) // reported by settled()
    },
    async settled() {
      // a new document may be committed while the last one is checked
      for (let last: Promise<void> | undefined; last !== verdict; ) {
        last = verdict
        await last
      }
    },
    isRefused: () => refused === current,
    refusals: () => refusals,
    takeRefusal: () => {
      const refusal = lastRefusal
      lastRefusal = undefined
      return refusal
    },
  }
}
