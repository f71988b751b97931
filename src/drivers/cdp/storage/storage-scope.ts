import { quoted, say } from '../../../contract/message.ts'
import { PagehandError } from '../errors.ts'
import type { StorageState } from './storage-state.ts'

type CookieScope = Pick<StorageState['cookies'][number], 'domain' | 'secure'>

/**
 * The part of a storage state that pages of these origins can use: their stored data, and the cookies that would be sent to them.
 *
 * @example
 * const state = scopeStorageState(await session.storageState(), ['https://shop.example'])
 */
export function scopeStorageState(state: StorageState, origins: readonly string[]): StorageState {
  const urls = origins.map(parseOrigin)
  const isScoped = ({ origin }: { readonly origin: string }) => urls.some(url => url.origin === origin)
  return {
    cookies: state.cookies.filter(cookie => urls.some(url => isSentTo(cookie, url))),
    origins: state.origins.filter(isScoped),
    report: state.report.filter(isScoped),
  }
}

// https://www.rfc-editor.org/rfc/rfc6265#section-5.1.3; a domain with a leading dot includes its subdomains
export function isSentTo({ domain, secure }: CookieScope, { hostname, protocol }: URL): boolean {
  if (secure && protocol !== 'https:' && !/^(localhost|127\.|\[::1\])/.test(hostname)) return false
  return domain.startsWith('.') ? `.${hostname}`.endsWith(domain) : hostname === domain
}

function parseOrigin(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash || url.host.includes('*'))
    throw new PagehandError('invalid_input', say`${quoted(text)} is not an origin such as https://shop.example.`)
  return url
}
