import { type Message, say, term } from '../contract/message.ts'
import { type ParsedUrl, parseUrl } from './parse-url.ts'

// Part of the injected script, which must not contain host rules: a page navigates itself wherever it likes.

export type AllowedUrl = { readonly ok: true; readonly kind: 'web' | 'blank' | 'file'; readonly url: string }
export type UrlSyntaxResult =
  | AllowedUrl
  | { readonly ok: false; readonly code: 'invalid_url' | 'url_not_allowed'; readonly message: Message; readonly given: string }

const maxUrlLength = 8_192

/**
 * The part of `checkUrl` that needs no host rules: http, https, about:blank, and file: below the given folders. It judges the URL that a
 * browser would make of the text, and refuses a text of which a browser would silently drop a part.
 */
export function checkUrlSyntax(given: unknown, { files = [] }: { readonly files?: readonly string[] | undefined } = {}): UrlSyntaxResult {
  if (typeof given !== 'string') return invalid('', say`The URL is not a string.`)
  const text = given.replace(/^ +| +$/g, '')
  if (!text) return invalid('', say`The URL is empty.`)
  if (text.length > maxUrlLength) return invalid(text, say`The URL has ${text.length} characters; the limit is ${maxUrlLength}.`)
  const control = /[\0-\x1f\x7f-\x9f]/.exec(text)
  if (control)
    return invalid(text, say`The URL has a control character at position ${control.index}; browsers silently drop some of these.`)
  const url = parseUrl(text)
  if (!url || isHostAndPort(text))
    return invalid(text, say`The URL is not absolute. Begin it with https://, or with http:// for a server on this machine.`)

  if (url.protocol === 'http:' || url.protocol === 'https:') return { ok: true, kind: 'web', url: url.href }
  if (url.protocol === 'about:' && url.pathname === 'blank') return { ok: true, kind: 'blank', url: url.href }
  if (url.protocol !== 'file:')
    return refuseUrl(text, say`The URL has another scheme; only http, https, about:blank and allowed files can be opened.`)
  if (url.host) return refuseUrl(text, say`The URL is a file on another machine; copy it into an allowed folder.`)
  // an escaped slash becomes a separator when the URL is converted to a path
  if (/%(2f|5c|00)/i.test(url.pathname)) return refuseUrl(text, say`The URL has an escaped separator in its path; write it unescaped.`)
  if (files.some(folder => isBelow(url, folder))) return { ok: true, kind: 'file', url: url.href }
  const allowed = files.length ? say`only files below ${term(files.join(', '))} can be opened` : 'files cannot be opened here'
  return refuseUrl(text, say`The file is not allowed: ${allowed}. Allow its folder with fileRoots (--file-root).`)
}

const invalid = (given: string, message: Message): UrlSyntaxResult => ({ ok: false, code: 'invalid_url', message, given })
export const refuseUrl = (given: string, message: Message): UrlSyntaxResult => ({ ok: false, code: 'url_not_allowed', message, given })

/** localhost:3000 is a valid URL, with the scheme "localhost:". */
const isHostAndPort = (text: string) => /^[\w.-]+:\d+(\/|\?|#|$)/.test(text)

function isBelow(url: ParsedUrl, folder: string): boolean {
  const root = parseUrl(folder)
  if (root?.protocol !== 'file:') return false
  const [path, above] = [plain(url.pathname), plain(root.pathname)]
  return path !== null && above !== null && (path === above || path.startsWith(above.endsWith('/') ? above : `${above}/`))
}

/** The same path can be written with and without escapes. */
function plain(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return null // an escape that is not UTF-8
  }
}
