import { type Failure, failure } from '../contract/failures.ts'
import { say, term } from '../contract/message.ts'
import { type HostRules, hostRefusal } from './host-rules.ts'
import { parseUrl } from './parse-url.ts'
import { type AllowedUrl, checkUrlSyntax, refuseUrl, type UrlSyntaxResult } from './url-syntax.ts'

/**
 * Rules for `checkUrl`.
 *
 * @example
 * const rules: UrlRules = { hosts: { allow: ['*.example.com'] } }
 */
export interface UrlRules {
  /** folders as file: URLs; a file: URL is allowed only below one of them */
  readonly files?: readonly string[]
  readonly hosts?: HostRules | undefined
}

/**
 * The result of `checkUrl`: the normalized URL, or the reason why it is refused.
 *
 * @example
 * const reason = (result: UrlCheckResult) => (result.ok ? '' : result.error.message)
 */
export type UrlCheckResult = AllowedUrl | { readonly ok: false; readonly error: Failure }

/**
 * Whether a URL may be opened (B4): its syntax, its scheme, and its host. Cloud metadata addresses are always refused (X4-10). For programs
 * that navigate by themselves, such as an Electron app around `openSession({ debugger })`.
 *
 * @example
 * const isAllowed = checkUrl('https://example.com/', { hosts: { private: false } }).ok
 */
export function checkUrl(given: unknown, rules: UrlRules = {}): UrlCheckResult {
  const result = applyHostRules(checkUrlSyntax(given, rules), rules)
  return result.ok ? result : { ok: false, error: failure(result.code, result.message, { page: { url: result.given } }) }
}

function applyHostRules(result: UrlSyntaxResult, { hosts }: UrlRules): UrlSyntaxResult {
  const url = result.ok && result.kind === 'web' ? parseUrl(result.url) : null
  const reason = url && hostRefusal(url, hosts)
  return url && reason ? refuseUrl(url.href, say`The URL is not allowed: ${term(reason)}.`) : result
}
