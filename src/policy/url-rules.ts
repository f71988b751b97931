import { type Failure, failure } from '../contract/failures.ts'
import { type HostRules, hostRefusal } from './host-rules.ts'
import { type ParsedUrl, parseUrl } from './parse-url.ts'

export interface UrlRules {
  /** folders as file: URLs; a file: address is allowed only below one of them */
  readonly files?: readonly string[]
  readonly hosts?: HostRules | undefined
}

type AllowedUrl = { readonly ok: true; readonly kind: 'web' | 'blank' | 'file'; readonly url: string }
type SyntaxCheckResult = AllowedUrl | { readonly ok: false; readonly code: 'invalid_url' | 'url_not_allowed'; readonly message: string }
export type UrlCheckResult = AllowedUrl | { readonly ok: false; readonly error: Failure }

const maxUrlLength = 8_192

/**
 * The one rule on addresses (B4): http, https and about:blank, and file: below the folders that were named. It decides on what a browser
 * would make of the text, and refuses the text where a browser would quietly drop a part of it. Of the web, what the rules on hosts let
 * through; the addresses at which clouds keep the keys of their machines are never opened (X4-10).
 */
export function checkUrl(given: unknown, rules: UrlRules = {}): UrlCheckResult {
  const judged = applyHostRules(checkUrlSyntax(given, rules), rules)
  return judged.ok ? judged : { ok: false, error: failure(judged.code, judged.message) }
}

function applyHostRules(judged: SyntaxCheckResult, { hosts }: UrlRules): SyntaxCheckResult {
  const url = judged.ok && judged.kind === 'web' ? parseUrl(judged.url) : null
  const why = url && hostRefusal(url, hosts)
  return url && why ? refused(`${quoted(url.href)} is not allowed: ${why}.`) : judged
}

/** The same without hosts and hints, which have no place in the injected script: a page goes where it likes by itself. */
export function checkUrlSyntax(given: unknown, { files = [] }: UrlRules = {}): SyntaxCheckResult {
  if (typeof given !== 'string') return invalid('The address is not a string.')
  const text = given.replace(/^ +| +$/g, '')
  if (!text) return invalid('The address is empty.')
  if (text.length > maxUrlLength) return invalid(`The address has ${text.length} characters; at most ${maxUrlLength} are opened.`)
  const control = /[\0-\x1f\x7f-\x9f]/.exec(text)
  if (control) return invalid(`${quoted(text)} has a control character at position ${control.index}; browsers drop some of these unseen.`)
  const url = parseUrl(text)
  if (!url || isHostAndPort(text))
    return invalid(`${quoted(text)} is not an absolute address. Write the scheme too: https://${wouldBe(text)}`)

  if (url.protocol === 'http:' || url.protocol === 'https:') return { ok: true, kind: 'web', url: url.href }
  if (url.protocol === 'about:' && url.pathname === 'blank') return { ok: true, kind: 'blank', url: url.href }
  if (url.protocol !== 'file:')
    return refused(`${quoted(text)} has the scheme ${quoted(url.protocol)}; only http, https, about:blank and allowed files are opened.`)
  if (url.host) return refused(`${quoted(text)} names a file on another machine; copy it into an allowed folder.`)
  // a slash that is written as an escape is a slash again once the address has become a path
  if (/%(2f|5c|00)/i.test(url.pathname)) return refused(`${quoted(text)} hides a separator in its path; write it plainly.`)
  if (files.some(folder => isBelow(url, folder))) return { ok: true, kind: 'file', url: url.href }
  const allowed = files.length ? `only files below ${files.join(', ')} are opened` : 'files are not opened here'
  return refused(`${quoted(text)} is not allowed: ${allowed}. Add its folder to the session's fileRoots to allow it.`)
}

const invalid = (message: string): SyntaxCheckResult => ({ ok: false, code: 'invalid_url', message })
const refused = (message: string): SyntaxCheckResult => ({ ok: false, code: 'url_not_allowed', message })

const quoted = (text: string) => JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)

/** localhost:3000 parses, as a path of the scheme "localhost:" */
const isHostAndPort = (text: string) => /^[\w.-]+:\d+(\/|\?|#|$)/.test(text)
const wouldBe = (text: string) => text.replace(/^\/+/, '').slice(0, 80)

function isBelow(url: ParsedUrl, folder: string): boolean {
  const root = parseUrl(folder)
  if (root?.protocol !== 'file:') return false
  const [path, above] = [plain(url.pathname), plain(root.pathname)]
  return path !== null && above !== null && path.startsWith(above.endsWith('/') ? above : `${above}/`)
}

/** the same path can be written with and without escapes */
function plain(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return null // an escape that is no UTF-8
  }
}
