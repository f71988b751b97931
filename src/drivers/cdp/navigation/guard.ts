import type { PagehandError } from '../errors.ts'
import { withTimeout } from '../timeout.ts'

/** Whether a tab is where it may be (B4): every document is judged as it comes, and one that is refused is left. */
export interface NavigationGuard {
  /** another document is there */
  check(url: string): void
  /** resolves when the tab is where it may be; throws where it could not be led away from where it is */
  settled(): Promise<void>
  /** the document that is there was refused, and will be gone in a moment */
  isRefused(): boolean
  /** how many were refused until now */
  refusals(): number
  /** why the last one was; told once */
  takeRefusal(): PagehandError | undefined
}

interface NavigationGuardOptions {
  check(url: string): Promise<void>
  /** what `check` would throw for, as far as it is known at once */
  refuses(url: string): boolean
  /** leads the tab away, as long as the document is there */
  leave(url: string, isThere: () => boolean): void
  /** how long that may take */
  readonly patienceMs: number
}

export function createNavigationGuard({ check, refuses, leave, patienceMs }: NavigationGuardOptions): NavigationGuard {
  let verdict: Promise<void> = Promise.resolve()
  let here = {}
  let moved = () => {}
  let refused: object | undefined
  let refusal: PagehandError | undefined
  let refusals = 0

  const refuse = async (document: object, url: string, { why, next }: { why: PagehandError; next: Promise<void> }) => {
    refusals++
    // another one came while it was judged: what is there now is not to blame
    if (here !== document) return
    refusal = why
    refused = document
    leave(url, () => here === document)
    await withTimeout(patienceMs, next)
    if (here === document) throw why
  }

  return {
    check(url) {
      moved()
      const document = {}
      here = document
      if (refuses(url)) refused = document
      const next = new Promise<void>(resolve => {
        moved = resolve
      })
      verdict = check(url).catch((why: PagehandError) => refuse(document, url, { why, next }))
      verdict.catch(() => {}) // who wants to look hears it
    },
    async settled() {
      for (let last: Promise<void> | undefined; last !== verdict; ) {
        last = verdict
        await last
      }
    },
    isRefused: () => refused === here,
    refusals: () => refusals,
    takeRefusal: () => {
      const told = refusal
      refusal = undefined
      return told
    },
  }
}
