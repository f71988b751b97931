import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ExtensionGreeting, extensionProofText, type RefusalReason, relayProofText } from './protocol.ts'

/** `delayMs`: how long to keep the answer back, so that codes cannot be tried in large numbers */
export type PairResult = { readonly key: string } | { readonly reason: RefusalReason; readonly delayMs: number }

/** letters and digits that are not mistaken for each other, without vowels */
const letters = 'BCDFGHJKMNPQRSTVWXYZ23456789'
/** the first wrong codes are mistakes of the user */
const freeWrongCodes = 3
const delay = { stepMs: 1_000, maxMs: 8_000 }

/**
 * Pairs with the extension: a short code that the user copies from the terminal is exchanged for a key. Both sides keep the key, and prove
 * that they have it whenever they connect.
 */
export class Pairing {
  readonly #file: string
  #key: string | undefined
  #code: string
  #wrongCodes = 0

  constructor(folder: string) {
    this.#file = join(folder, 'extension.json')
    this.#key = readKey(this.#file)
    this.#code = createCode()
  }

  isPaired(): boolean {
    return this.#key !== undefined
  }

  /** the code to show: ABCD-EFGH */
  code(): string {
    return this.#code
  }

  /** The right code always counts, whatever others have tried before; it is used up by a success. */
  pair(code: string): PairResult {
    if (!isEqual(normalize(code), normalize(this.#code))) {
      const extra = Math.max(++this.#wrongCodes - freeWrongCodes, 0)
      return { reason: 'wrong code', delayMs: Math.min(extra * delay.stepMs, delay.maxMs) }
    }
    const key = randomBytes(32).toString('base64url')
    this.#wrongCodes = 0
    this.#code = createCode()
    this.#key = key
    writeFileSync(this.#file, JSON.stringify({ key }), { mode: 0o600 })
    return { key }
  }

  /** The next extension has to pair. */
  forget(): void {
    this.#key = undefined
    rmSync(this.#file, { force: true })
  }

  /** The answer to `hello`, and the check of the proof that follows; undefined if no extension is paired. */
  challenge({ nonce }: Extract<ExtensionGreeting, { type: 'hello' }>) {
    const key = this.#key
    if (key === undefined) return undefined
    const relayNonce = randomBytes(24).toString('base64url')
    return {
      message: { type: 'challenge', nonce: relayNonce, proof: sign(key, relayProofText(nonce, relayNonce)) } as const,
      accepts: (proof: unknown) => typeof proof === 'string' && isEqual(proof, sign(key, extensionProofText(nonce, relayNonce))),
    }
  }
}

const sign = (key: string, text: string): string => createHmac('sha256', Buffer.from(key, 'base64url')).update(text).digest('base64url')

const createCode = (): string => {
  const code = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

const normalize = (code: string): string => code.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** Takes the same time whatever differs. */
export function isEqual(given: string, expected: string): boolean {
  const [left, right] = [given, expected].map(text => createHmac('sha256', comparisonKey).update(text).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}
const comparisonKey = randomBytes(32)

function readKey(file: string): string | undefined {
  try {
    const { key } = JSON.parse(readFileSync(file, 'utf8')) as { key?: unknown }
    return typeof key === 'string' && key.length >= 40 ? key : undefined
  } catch {
    return undefined // not paired yet
  }
}
