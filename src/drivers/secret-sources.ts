import { readFileSync, statSync } from 'node:fs'
import { quoted, say, term } from '../contract/message.ts'
import { PagehandError } from '../contract/pagehand-error.ts'
import type { NamedSecret } from '../secrets/named-secrets.ts'

type SecretTable = { readonly [name: string]: NamedSecret }

/**
 * Reads named secrets from a JSON file: `{ "SHOP": { "value": "…", "origins": ["https://shop.example"] } }`, with `totp` instead of `value`
 * for the seed of an authenticator app, and `"visible": true` if fields may show it. Throws a `PagehandError` if others than its owner can read the file.
 *
 * @example
 * const session = await openSession({ secrets: secretsFromFile('secrets.json') })
 */
export function secretsFromFile(file: string): SecretTable {
  const refuse = (why: string) => new PagehandError('invalid_input', say`The secrets in ${quoted(file, 200)} cannot be used: ${term(why)}`)
  let text = ''
  try {
    // Windows has no such modes
    const mode = process.platform === 'win32' ? 0 : statSync(file).mode & 0o077
    if (mode !== 0) throw refuse(`others can read the file. Run: chmod 600 ${file}`)
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof PagehandError) throw error
    throw refuse(`${(error as NodeJS.ErrnoException).code ?? 'it cannot be read'}.`)
  }
  let table: unknown
  try {
    table = JSON.parse(text)
  } catch {
    throw refuse('it is not JSON.') // the message of the parser quotes the text
  }
  const wrong = firstInvalid(table)
  if (wrong !== undefined) throw refuse(wrong)
  return table as SecretTable
}

/**
 * Reads named secrets from environment variables: `PAGEHAND_SECRET_SHOP` is the value, or an `otpauth://totp/…` URI, and
 * `PAGEHAND_SECRET_SHOP_ORIGINS` the origins it is pinned to, separated by spaces. `PAGEHAND_SECRET_SHOP_VISIBLE=1` declares it visible.
 *
 * @example
 * const session = await openSession({ secrets: secretsFromEnvironment() })
 */
export function secretsFromEnvironment(environment: { readonly [name: string]: string | undefined } = process.env): SecretTable {
  const secrets: { [name: string]: NamedSecret } = {}
  for (const [variable, value] of Object.entries(environment)) {
    const name = /^PAGEHAND_SECRET_(\w+)$/.exec(variable)?.[1]
    if (!name || !value || /_(ORIGINS|VISIBLE)$/.test(name)) continue
    const origins = (environment[`${variable}_ORIGINS`] ?? '').split(/[\s,]+/).filter(Boolean)
    const visible = /^(1|true|yes)$/i.test(environment[`${variable}_VISIBLE`] ?? '')
    secrets[name] = { ...(/^otpauth:/i.test(value) ? { totp: value } : { value }), origins, ...(visible && { visible }) }
  }
  return secrets
}

/** What is wrong with the content of a file, without a word of it besides names. */
function firstInvalid(table: unknown): string | undefined {
  if (typeof table !== 'object' || table === null || Array.isArray(table)) return 'it is not an object.'
  for (const [name, secret] of Object.entries(table as { readonly [name: string]: Partial<Record<string, unknown>> | null })) {
    if (!/^[\w.-]{1,64}$/.test(name)) return `${JSON.stringify(name.slice(0, 64))} is not a name of letters, digits, dots and dashes.`
    const isValid =
      (typeof secret?.value === 'string') !== (typeof secret?.totp === 'string') &&
      Array.isArray(secret?.origins) &&
      secret.origins.every(each => typeof each === 'string') &&
      /^(undefined|boolean)$/.test(typeof secret.visible)
    if (!isValid) return `${name} must be { "value" or "totp": "…", "origins": ["https://…"] }, with "visible": true if fields may show it.`
  }
  return undefined
}
