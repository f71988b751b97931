import { failure } from '../contract/failures.ts'
import { term } from '../contract/message.ts'
import type { ParseResult } from '../contract/parse-command.ts'
import { isAddress, type Reach, reachOfAddress } from './ip-ranges.ts'
import { type ParsedUrl, parseUrl } from './parse-url.ts'

/**
 * The hosts that a session may reach. A host is `example.com`, `*.example.com` for a domain and its subdomains, or an IP address, each
 * optionally with a port: `example.com:8080`. A URL must pass every rule that is given.
 *
 * @example
 * await openSession({ hosts: { allow: ['*.example.com'], private: false } })
 */
export interface HostRules {
  /** Only pages of these hosts. @default all */
  readonly allow?: readonly string[]
  /**
   * Other hosts from which allowed pages may load scripts, styles, images and data, but no documents: `*` is every host. Requires `allow`.
   * @default hosts of the same site as an allowed host: www.example.com and cdn.example.com
   */
  readonly allowResources?: readonly string[]
  /** Never these hosts, even if `allow` includes them. @default none */
  readonly deny?: readonly string[]
  /** false blocks this machine and its private network. @default true */
  readonly private?: boolean
}

/** The reason why a URL is refused; '' if it is allowed. Names are not resolved here. */
export function hostRefusal(url: ParsedUrl, rules: HostRules = {}): string {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const { allow } = rules
  const blocked = blockedReason({ hostname: url.hostname, port }, rules)
  return blocked || !allow || isInHosts(allow, { hostname: url.hostname, port }) ? blocked : onlyReason(allow)
}

/** Where a request goes. */
export interface Destination {
  readonly hostname: string
  readonly port: number
}

/**
 * The reason why a request of any kind is refused, as far as the hostname tells; '' if it is allowed. A page may load from the allowed
 * hosts, from hosts of the same site, and from `allowResources`. `siteOf` returns the registrable domain of a name, null for others.
 */
export function requestRefusal(to: Destination, rules: HostRules, siteOf: (name: string) => string | null): string {
  const { allow, allowResources = [] } = rules
  const blocked = blockedReason(to, rules)
  if (blocked || !allow || allowResources.includes(anyHost) || isInHosts([...allow, ...allowResources], to)) return blocked
  const site = siteOf(withoutTrailingDot(to.hostname))
  const isSameSite = (pattern: Pattern | null) =>
    pattern !== null && site !== null && siteOf(pattern.name) === site && (pattern.port ?? to.port) === to.port
  return allow.some(given => isSameSite(parseHost(given))) ? '' : onlyReason([...allow, ...allowResources])
}

/** The reason why an IP address that a name resolves to is refused; '' if it is allowed. */
export function addressRefusal(address: string, port: number, { deny = [], private: allowsPrivate = true }: HostRules): string {
  const hostname = address.includes(':') ? `[${address}]` : address
  const reach = reachOfAddress(hostname)
  if (reach === null) return `it resolves to ${address}, which is not an IP address`
  if (reach === 'metadata') return `it resolves to ${address}, a cloud metadata address, which is always blocked`
  if (isInHosts(deny, { hostname, port })) return `it resolves to ${address}, which is denied`
  return reach === 'private' && !allowsPrivate ? `it resolves to ${address}, a private address, and private hosts are blocked` : ''
}

/** Whether one of the hosts, written as in rules, is the host of a request. */
export const isInHosts = (hosts: readonly string[], { hostname, port }: Destination): boolean =>
  hosts.some(given => matches(parseHost(given), withoutTrailingDot(hostname), port))

function blockedReason(to: Destination, { deny = [], private: allowsPrivate = true }: HostRules): string {
  const reach = reachOf(withoutTrailingDot(to.hostname))
  if (reach === 'metadata') return 'it is a cloud metadata address, which is always blocked'
  if (isInHosts(deny, to)) return 'its host is denied'
  return !allowsPrivate && reach === 'private' ? 'it is a private address, and private hosts are blocked' : ''
}

const onlyReason = (allow: readonly string[]): string =>
  `only ${allow.slice(0, 10).join(', ')}${allow.length > 10 ? ', …' : ''} are allowed`

/** In `allowResources`: every host that is neither denied nor blocked as private. */
const anyHost = '*'

/**
 * Checks host rules from a file or a user. A rule that is not understood is an error, since it was meant to block something (TRUST C2).
 *
 * @example
 * const parsed = parseHostRules(JSON.parse(await readFile('hosts.json', 'utf8')))
 */
export function parseHostRules(given: unknown): ParseResult<HostRules> {
  const problem = typeof given === 'object' && given !== null ? findProblem(given) : 'hosts must be an object.'
  return problem ? { ok: false, error: failure('invalid_input', term(problem)) } : { ok: true, value: given as HostRules }
}

const keys = 'allow, allowResources, deny, private'
const lists = ['allow', 'allowResources', 'deny']

function findProblem(given: object): string {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(given)
  if (entries.length === 0) return `hosts is empty: it takes ${keys}.`
  for (const [key, value] of entries) {
    if (key === 'private' && typeof value === 'boolean') continue
    if (key === 'private') return 'hosts.private must be true or false.'
    if (!lists.includes(key)) return `hosts has no ${JSON.stringify(key.slice(0, 40))}: it takes ${keys}.`
    if (!Array.isArray(value) || value.length === 0) return `hosts.${key} must be a non-empty list of hosts.`
    const broken = value.findIndex(each => !parseHost(each) && !(key === 'allowResources' && each === anyHost))
    if (broken >= 0)
      return `${JSON.stringify(String(value[broken]).slice(0, 60))} is not a host: write example.com, *.example.com, 127.0.0.1 or [::1], optionally with a port such as :8080.`
  }
  const both = texts(given, 'allow').find(each => texts(given, 'deny').includes(each))
  if (both !== undefined) return `${JSON.stringify(both.slice(0, 60))} is in hosts.allow and in hosts.deny: remove it from one of them.`
  // without `allow`, pages load from every host anyway
  return 'allowResources' in given && !('allow' in given) ? 'hosts.allowResources needs hosts.allow, the hosts of the pages.' : ''
}

const texts = (given: object, key: string): readonly string[] =>
  ((given as { readonly [name: string]: unknown })[key] as readonly string[] | undefined) ?? []

interface Pattern {
  readonly name: string
  readonly includesSubdomains: boolean
  readonly port: number | undefined
}

function parseHost(given: unknown): Pattern | null {
  const [, star, host, port] = /^(\*\.)?(\[[\da-f:.]+\]|[^\s\u0000-\u001f\u007f:/\\?#@[\]*%]+)(?::(\d{1,5}))?$/i.exec(String(given)) ?? []
  const url = host === undefined ? null : parseUrl(`http://${host}`)
  if (!url?.hostname || Number(port) > 65_535 || Number(port) === 0) return null
  const name = withoutTrailingDot(url.hostname)
  // an IP address has no subdomains
  if (isAddress(name) ? star : !isName(name)) return null
  return { name, includesSubdomains: star !== undefined, port: port === undefined ? undefined : Number(port) }
}

/** Whether a URL can have this name: a rule for any other would match nothing, and block nothing. */
const isName = (name: string): boolean => name.length <= 253 && /^[a-z\d_-]{1,63}(\.[a-z\d_-]{1,63})*$/.test(name)

const matches = (pattern: Pattern | null, name: string, port: number): boolean =>
  pattern !== null &&
  (name === pattern.name || (pattern.includesSubdomains && name.endsWith(`.${pattern.name}`))) &&
  (pattern.port === undefined || pattern.port === port)

/** `example.com.` is the same host as `example.com`. */
const withoutTrailingDot = (hostname: string): string => hostname.replace(/\.+$/, '')

/** Whether a hostname is this machine or its private network, as far as the name tells. */
export const isPrivateHost = (hostname: string): boolean => reachOf(withoutTrailingDot(hostname)) !== 'public'

function reachOf(name: string): Reach {
  const reach = reachOfAddress(name)
  if (reach) return reach
  return metadataNames.includes(name) ? 'metadata' : privateName.test(name) || !name.includes('.') ? 'private' : 'public'
}

/** Names of cloud metadata services. */
const metadataNames = [
  'metadata.google.internal',
  'metadata.azure.internal',
  'metadata.goog',
  'metadata',
  'instance-data.ec2.internal',
  'instance-data',
]
/** RFC 6761, 6762, 8375, and ICANN's .internal; a name without a dot is never public either. */
const privateName = /(^|\.)(localhost|localdomain|local|internal|lan|home\.arpa)$/
