import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { MiddlewareHandler } from 'hono'

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
    const { host = '', origin, cookie = '' } = headers
    if (!this.#hosts().has(host)) return 'host'
    // a browser sends the origin with every request that could change something
    if (origin !== undefined && origin !== `http://${host}`) return 'origin'
    if (!needsCookie) return undefined
    const given = new RegExp(`(?:^|;\\s*)${this.cookieName}=([^;]*)`).exec(cookie)?.[1]
    return given !== undefined && isEqual(given, this.#cookie) ? undefined : 'login'
  }

  /** For routes that need the cookie. */
  readonly guard: MiddlewareHandler = async (context, next) => {
    const { method } = context.req
    const headers = { host: context.req.header('host'), origin: context.req.header('origin'), cookie: context.req.header('cookie') }
    const refused = this.refusal(headers, { needsCookie: true })
    if (refused === 'login') return context.json({ error: 'open the link that the terminal shows' }, 401)
    if (refused) return context.json({ error: `wrong ${refused}` }, 403)
    // a form of another site can send text, but not JSON, without asking first
    if (method === 'POST' && !/^application\/json\b/.test(context.req.header('content-type') ?? ''))
      return context.json({ error: 'the body must be JSON' }, 415)
    return next()
  }

  /** The same for the upgrade of a WebSocket, which a page of any origin can request. */
  allowsUpgrade({ headers }: IncomingMessage): boolean {
    const { host, origin, cookie } = headers
    return origin !== undefined && this.refusal({ host, origin, cookie }, { needsCookie: true }) === undefined
  }
}

interface AccessHeaders {
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly cookie?: string | undefined
}

/** Takes the same time whatever differs. */
function isEqual(given: string, expected: string): boolean {
  const [left, right] = [given, expected].map(text => createHash('sha256').update(text).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}
