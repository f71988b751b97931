import { failure } from '../contract/failures.ts'
import type { ParseResult } from '../contract/parse-command.ts'
import { isAddress, type Reach, reachOfAddress } from './ip-ranges.ts'
import { type ParsedUrl, parseUrl } from './parse-url.ts'

/**
 * The hosts whose pages may be shown. A host is `example.com`, `*.example.com` for a domain and its subdomains, or an IP address, each
 * optionally with a port: `example.com:8080`. A URL must pass every rule that is given.
 *
 * @example
 * await openSession({ hosts: { allow: ['*.example.com'], private: false } })
 */
export interface HostRules {
  /** Only these hosts. @default all */
  readonly allow?: readonly string[]
  /** Never these hosts, even if `allow` includes them. @default none */
  readonly deny?: readonly string[]
  /** false blocks this machine and its private network, as far as the hostname tells. @default true */
  readonly private?: boolean
}

/** The reason why a URL is refused; '' if it is allowed. Names are not resolved here. */
export function hostRefusal(url: ParsedUrl, { allow, deny, private: allowsPrivate = true }: HostRules = {}): string {
  const name = withoutTrailingDot(url.hostname)
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const isIn = (list: readonly string[]) => list.some(given => matches(parseHost(given), name, port))
  const reach = reachOf(name)
  if (reach === 'metadata') return 'it is a cloud metadata address, which is always blocked'
  if (deny && isIn(deny)) return 'its host is denied'
  if (!allowsPrivate && reach === 'private') return 'it is a private address, and private hosts are blocked'
  return !allow || isIn(allow) ? '' : `only ${allow.slice(0, 10).join(', ')}${allow.length > 10 ? ', …' : ''} are allowed`
}

/** For rules from a file or a user. A rule that is not understood is an error, since it was meant to block something (TRUST C2). */
export function parseHostRules(given: unknown): ParseResult<HostRules> {
  const problem = typeof given === 'object' && given !== null ? findProblem(Object.entries(given)) : 'hosts must be an object.'
  return problem ? { ok: false, error: failure('invalid_input', problem) } : { ok: true, value: given as HostRules }
}

function findProblem(entries: readonly (readonly [string, unknown])[]): string {
  if (entries.length === 0) return 'hosts is empty: it takes allow, deny, private.'
  for (const [key, value] of entries) {
    if (key === 'private' && typeof value === 'boolean') continue
    if (key === 'private') return 'hosts.private must be true or false.'
    if (key !== 'allow' && key !== 'deny') return `hosts has no ${JSON.stringify(key.slice(0, 40))}: it takes allow, deny, private.`
    if (!Array.isArray(value) || value.length === 0) return `hosts.${key} must be a non-empty list of hosts.`
    const broken = value.findIndex(each => !parseHost(each))
    if (broken >= 0)
      return `${JSON.stringify(String(value[broken]).slice(0, 60))} is not a host: write example.com, *.example.com, 127.0.0.1 or [::1], optionally with a port such as :8080.`
  }
  return ''
}

interface Pattern {
  readonly name: string
  readonly includesSubdomains: boolean
  readonly port: number | undefined
}

function parseHost(given: unknown): Pattern | null {
  const [, star, host, port] = /^(\*\.)?(\[[\da-f:.]+\]|[^\s:/\\?#@[\]*%]+)(?::(\d{1,5}))?$/i.exec(String(given)) ?? []
  const url = host === undefined ? null : parseUrl(`http://${host}`)
  if (!url?.hostname || Number(port) > 65_535 || Number(port) === 0) return null
  const name = withoutTrailingDot(url.hostname)
  // an IP address has no subdomains
  if (star && isAddress(name)) return null
  return { name, includesSubdomains: star !== undefined, port: port === undefined ? undefined : Number(port) }
}

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
