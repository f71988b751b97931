import { cut } from '../../../render/text/quote.ts'
import type { Page } from '../page/page.ts'
import { isSentTo } from './storage-scope.ts'
import type { StorageState } from './storage-state.ts'

type Cookie = StorageState['cookies'][number]

/** Names that servers give to the cookie of a login; tokens against forged requests are set for everybody. */
const loginName = /sess|auth|token|sid|login|jwt|remember|user/i
const isLoginCookie = ({ name, httpOnly }: Cookie) => (httpOnly || loginName.test(name)) && !/csrf|xsrf/i.test(name)
/** session cookies have no end */
const endOf = ({ expires }: Cookie): number | undefined => (expires > 0 ? expires * 1_000 : undefined)

const domainOf = ({ domain }: Cookie): string => domain.replace(/^\./, '')

/** A domain whose login cookies have all ended. */
export interface ExpiredLogin {
  readonly domain: string
  readonly cookies: readonly string[]
  /** when the last one ended, in ISO 8601 */
  readonly endedAt: string
}

/** The domains for which every cookie that looks like a login has ended. */
export function expiredLogins({ cookies }: StorageState, now = Date.now()): readonly ExpiredLogin[] {
  const domains = new Set(cookies.map(domainOf))
  return [...domains].flatMap(domain => {
    const group = cookies.filter(cookie => isLoginCookie(cookie) && domainOf(cookie) === domain)
    if (group.length === 0) return []
    const ends = group.map(endOf)
    if (!ends.every(end => end !== undefined && end < now)) return []
    const endedAt = new Date(Math.max(...ends.map(Number))).toISOString()
    return [{ domain, cookies: group.map(({ name }) => cut(name, 40)), endedAt }]
  })
}

/** Whether the state has a login for a URL. */
export const hasLoginFor = ({ cookies, origins }: StorageState, url: string): boolean => {
  if (!URL.canParse(url)) return false
  const target = new URL(url)
  return cookies.some(cookie => isLoginCookie(cookie) && isSentTo(cookie, target)) || origins.some(({ origin }) => origin === target.origin)
}

const passwordField = `[...document.querySelectorAll('input[type=password]')].some(field => field.getClientRects().length > 0)`

/** Whether the page came from another URL and shows a password field: it asks to log in. */
export async function asksToLogIn(page: Page, requested: string): Promise<boolean> {
  const withoutHash = (url: string) => url.split('#')[0]
  if (withoutHash(page.url()) === withoutHash(requested)) return false
  return page.evaluate<boolean>(await page.topWorld(), passwordField)
}
