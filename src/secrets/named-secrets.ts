import { messageOf } from '../contract/error-message.ts'
import { say, term } from '../contract/message.ts'
import { fail, ok, type Result } from '../contract/run.ts'
import type { SecretPlace, SecretRules } from '../contract/secret-place.ts'
import { totpCode } from './totp.ts'

/**
 * A secret that the host keeps: a value, or the seed of TOTP codes. It is filled in only in frames of its origins.
 *
 * @example
 * const secret: NamedSecret = { value: 'hunter2', origins: ['https://shop.example'] }
 */
export type NamedSecret = {
  /** such as `https://shop.example`; a secret without origins is never filled in */
  readonly origins: readonly string[]
  /**
   * Allows fields that show what is typed: for a user name, or a card number. The value is painted over in screenshots there.
   * @default false: only password fields and others that mask it; the codes of `totp` also in fields for codes
   */
  readonly visible?: boolean
} & ({ readonly value: string } | { /** Base32, or an otpauth:// URI */ readonly totp: string })

/**
 * The secrets of a host by name, or a function that looks one up. The names in an object are shown to the model.
 *
 * @example
 * const secrets: NamedSecrets = { SHOP: { value: 'hunter2', origins: ['https://shop.example'] } }
 * const vault: NamedSecrets = async name => readFromVault(name)
 */
export type NamedSecrets =
  | { readonly [name: string]: NamedSecret }
  | ((name: string) => NamedSecret | undefined | Promise<NamedSecret | undefined>)

/** Text with its placeholders replaced. With `rules`, it must be entered only where they allow it. */
export interface ExpandedText {
  readonly text: string
  readonly rules?: SecretRules
}

const placeholder = /\{\{\s*secret:([\w.-]{1,64})\s*\}\}/g

/** The names that can be shown; a function does not list its names. */
export const secretNames = (secrets: NamedSecrets | undefined): readonly string[] =>
  typeof secrets === 'object' ? Object.keys(secrets) : []

/** Replaces `{{secret:NAME}}` in a text. Fails if a secret is unknown or not pinned to an origin. `used` receives each secret. */
export async function expandSecrets(
  text: string,
  secrets: NamedSecrets | undefined,
  used: (value: string, origins: readonly string[]) => void,
): Promise<Result<ExpandedText>> {
  const names = [...new Set(Array.from(text.matchAll(placeholder), ([, name]) => name as string))]
  if (names.length === 0) return ok({ text })
  const values = new Map<string, string>()
  let allowed: readonly string[] | undefined
  let place: SecretPlace = 'any'
  for (const name of names) {
    const secret = await find(secrets, name)
    if (!secret) return unknown(name, secrets)
    const origins = Array.isArray(secret.origins) ? secret.origins.flatMap(each => originOf(each) ?? []) : []
    if (origins.length === 0)
      return fail(
        'secret_not_allowed',
        say`the secret ${term(name)} is not pinned to an origin such as https://shop.example, so it cannot be used.`,
      )
    try {
      values.set(name, 'totp' in secret ? await totpCode(secret.totp, Date.now()) : secret.value)
    } catch (error) {
      return fail('secret_not_allowed', say`the secret ${term(name)} cannot be read: ${term(messageOf(error))}.`)
    }
    used(values.get(name) as string, origins)
    place = strictest(place, secret.visible === true ? 'any' : 'totp' in secret ? 'code' : 'masked')
    allowed = allowed ? allowed.filter(each => origins.includes(each)) : origins
  }
  return ok({ text: text.replace(placeholder, (_, name: string) => values.get(name) ?? ''), rules: { origins: allowed ?? [], place } })
}

const places: readonly SecretPlace[] = ['masked', 'code', 'any']
const strictest = (one: SecretPlace, other: SecretPlace): SecretPlace => places.find(each => each === one || each === other) ?? 'masked'

const originOf = (text: string): string | undefined =>
  /^(https?:\/\/[^/?#\s@]+)\/?$/i
    .exec(text)?.[1]
    ?.toLowerCase()
    .replace(/^(http:.*):80$|^(https:.*):443$/, '$1$2')

function find(secrets: NamedSecrets | undefined, name: string): NamedSecret | undefined | Promise<NamedSecret | undefined> {
  if (typeof secrets === 'function') return secrets(name)
  return secrets && Object.hasOwn(secrets, name) ? secrets[name] : undefined
}

function unknown(name: string, secrets: NamedSecrets | undefined): Result<never> {
  const names = secretNames(secrets)
  const known = names.length > 0 ? ` The secrets are ${names.join(', ')}.` : secrets ? '' : ' This session has no secrets.'
  return fail('unknown_secret', say`there is no secret ${term(name)}.${term(known)}`)
}
