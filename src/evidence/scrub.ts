import { redacted } from '../contract/page-api.ts'
import { Scrubber } from '../secrets/scrubber.ts'

/** Redacts what must not be written: secrets, and user and password in URLs. */
export class RecordScrubber extends Scrubber {
  /** Throws if a secret is too short to be searched for everywhere. */
  constructor(secrets: readonly string[] = []) {
    super()
    if (secrets.some(secret => secret.length < minSecretLength))
      throw new TypeError(`a secret must have at least ${minSecretLength} characters: shorter ones occur in other words`)
    // the host names them, so they are secrets even if they are ordinary words
    this.add(secrets, () => false)
  }

  override get isEmpty(): boolean {
    return false
  }

  override text(given: string, options?: { readonly isField?: boolean }): string {
    return super.text(given, options).replace(/\/\/[^/?#\s"]*@/g, `//${redacted}@`)
  }
}

const minSecretLength = 4
