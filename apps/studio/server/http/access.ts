import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Context, MiddlewareHandler } from 'hono'
import { studioProblem } from 'pagehand/wire'

/** A request must come from the studio's own page, opened with the link that the person at this machine got. */
export class Access {
  /** part of the link; shown in the terminal only */
  readonly token = randomBytes(24).toString('base64url')
  /** what a page gets for the token; scripts cannot read it */
  readonly #cookie = randomBytes(24).toString('base64url')
  readonly #hosts: () => ReadonlySet<string>

  /** @param hosts the values of Host that name this server */
  constructor(hosts: () => ReadonlySet<string>) {
    this.#hosts = hosts
  }

  /** Cookies do not know ports: without it in the name, two studios would log each other out. */
  get cookieName(): string {
    const [host = ''] = this.#hosts()
    return `pagehand-studio-${host.split(':')[1]}`
  }

  setCookie(): string {
    return `${this.cookieName}=${this.#cookie}; HttpOnly; SameSite=Strict; Path=/`
  }

  isToken(given: unknown): boolean {
    return typeof given === 'string' && isEqual(given, this.token)
  }

  /** Why a request is refused; undefined if it is not. */
  refusal(headers: AccessHeaders, { needsCookie }: { readonly needsCookie: boolean }): 'host' | 'origin' | 'login' | undefined {
    const { method, host = '', origin, site, cookie = '' } = headers
    if (!this.#hosts().has(host)) return 'host'
    // a browser sends the origin with every request that could change something
    if (origin === undefined ? !isRead(method) : origin !== `http://${host}`) return 'origin'
    if (!needsCookie) return undefined
    // the page itself may be opened by a link in another one, such as a terminal in a browser
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'origin'
    const given = new RegExp(`(?:^|;\\s*)${this.cookieName}=([^;]*)`).exec(cookie)?.[1]
    return given !== undefined && isEqual(given, this.#cookie) ? undefined : 'login'
  }

  /** For routes that need the cookie. */
  readonly guard: MiddlewareHandler = async (context, next) => {
    const { method } = context.req
    const refused = this.refusal(headersOf(context), { needsCookie: true })
    if (refused === 'login') return context.json({ error: studioProblem('no_link') }, 401)
    if (refused) return context.json({ error: studioProblem(refused === 'host' ? 'wrong_host' : 'wrong_origin') }, 403)
    // a form of another site can send text, but not JSON, without asking first
    if (method === 'POST' && !/^application\/json\b/.test(context.req.header('content-type') ?? ''))
      return context.json({ error: studioProblem('not_json') }, 415)
    return next()
  }

  /** The same for the upgrade of a WebSocket, which a page of any origin can request. */
  allowsUpgrade({ headers }: IncomingMessage): boolean {
    const { host, origin, cookie } = headers
    return origin !== undefined && this.refusal({ method: 'GET', host, origin, cookie }, { needsCookie: true }) === undefined
  }
}

/** What a request says about where it comes from. */
export const headersOf = ({ req }: Context): AccessHeaders => ({
  method: req.method,
  host: req.header('host'),
  origin: req.header('origin'),
  site: req.header('sec-fetch-site'),
  cookie: req.header('cookie'),
})

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

interface AccessHeaders {
  readonly method: string
  /** Sec-Fetch-Site: cross-site, same-site, same-origin, or none if a person typed the URL */
  readonly site?: string | undefined
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly cookie?: string | undefined
}

/** Takes the same time whatever differs. */
function isEqual(given: string, expected: string): boolean {
  const [left, right] = [given, expected].map(text => createHash('sha256').update(text).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}
