import { type Failure, failure } from './failures.ts'
import { type ParsedUrl, parseUrl } from './parse-url.ts'

/**
 * Whose pages may be shown. A host is written `example.com`, `*.example.com` for the domain and all below it, or as an address; `:8080`
 * after it means that port alone. An address has to pass every rule that is given.
 */
export interface HostRules {
  /** only these */
  readonly allow?: readonly string[]
  /** not these, also where `allow` has them */
  readonly deny?: readonly string[]
  /** false: nothing of this machine and the network around it, as far as the host itself says so */
  readonly private?: boolean
}

/** Why no page of this host is shown; '' where it may be. What a name resolves to is not asked here. */
export function hostRefusal(url: ParsedUrl, { allow, deny, private: allowsPrivate = true }: HostRules = {}): string {
  const name = bare(url.hostname)
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const isIn = (list: readonly string[]) => list.some(given => matches(parseHost(given), name, port))
  const reach = reachOf(name)
  if (reach === 'metadata') return 'it is where clouds keep the keys of their machines, and never opened'
  if (deny && isIn(deny)) return 'its host is denied here'
  if (!allowsPrivate && reach === 'private') return 'it is of this machine or its own network, and private hosts are not opened here'
  return !allow || isIn(allow) ? '' : `only ${allow.slice(0, 10).join(', ')}${allow.length > 10 ? ', …' : ''} may be opened here`
}

type Checked = { readonly ok: true; readonly value: HostRules } | { readonly ok: false; readonly error: Failure }

/** Rules that somebody wrote down; what is not understood is refused, since it was meant to keep something out (C2). */
export function hostRulesFrom(given: unknown): Checked {
  const wrong = typeof given === 'object' && given !== null ? wrongIn(Object.entries(given)) : 'hosts must be an object.'
  return wrong ? { ok: false, error: failure('invalid_input', wrong) } : { ok: true, value: given as HostRules }
}

function wrongIn(entries: readonly (readonly [string, unknown])[]): string {
  if (entries.length === 0) return 'hosts is empty: it takes allow, deny, private.'
  for (const [key, value] of entries) {
    if (key === 'private' && typeof value === 'boolean') continue
    if (key === 'private') return 'hosts.private must be true or false.'
    if (key !== 'allow' && key !== 'deny') return `hosts has no ${JSON.stringify(key.slice(0, 40))}: it takes allow, deny, private.`
    if (!Array.isArray(value) || value.length === 0) return `hosts.${key} must be a list of hosts, and not an empty one.`
    const broken = value.findIndex(each => !parseHost(each))
    if (broken >= 0)
      return `${JSON.stringify(String(value[broken]).slice(0, 60))} is not a host: write example.com, *.example.com, 127.0.0.1 or [::1], with :8080 for one port.`
  }
  return ''
}

interface Pattern {
  readonly name: string
  readonly below: boolean
  readonly port: number | undefined
}

function parseHost(given: unknown): Pattern | null {
  const [, star, host, port] = /^(\*\.)?(\[[\da-f:.]+\]|[^\s:/\\?#@[\]*%]+)(?::(\d{1,5}))?$/i.exec(String(given)) ?? []
  const url = host === undefined ? null : parseUrl(`http://${host}`)
  if (!url?.hostname || Number(port) > 65_535 || Number(port) === 0) return null
  const name = bare(url.hostname)
  // nothing lies below an address
  if (star && numbersOf(name)) return null
  return { name, below: star !== undefined, port: port === undefined ? undefined : Number(port) }
}

const matches = (pattern: Pattern | null, name: string, port: number): boolean =>
  pattern !== null &&
  (name === pattern.name || (pattern.below && name.endsWith(`.${pattern.name}`))) &&
  (pattern.port === undefined || pattern.port === port)

/** `example.com.` is the same host as `example.com` */
const bare = (hostname: string): string => hostname.replace(/\.+$/, '')

/** of this machine or its own network, as far as the name tells */
export const isPrivateHost = (hostname: string): boolean => reachOf(bare(hostname)) !== 'public'

function reachOf(name: string): 'metadata' | 'private' | 'public' {
  const address = numbersOf(name)
  if (!address) return metadataNames.includes(name) ? 'metadata' : privateName.test(name) || !name.includes('.') ? 'private' : 'public'
  const ranges = address.version === 4 ? ipv4 : ipv6
  const isIn = (list: readonly Range[]) => list.some(([from, bits]) => address.first >>> (32 - bits) === from >>> (32 - bits))
  return isIn(ranges.metadata) ? 'metadata' : isIn(ranges.private) ? 'private' : 'public'
}

/** what clouds call the machine that hands out their keys */
const metadataNames = [
  'metadata.google.internal',
  'metadata.azure.internal',
  'metadata.goog',
  'metadata',
  'instance-data.ec2.internal',
  'instance-data',
]
/** RFC 6761, 6762, 8375, and ICANN's .internal; a name without any dot is never a public one either */
const privateName = /(^|\.)(localhost|localdomain|local|internal|lan|home\.arpa)$/

type Range = readonly [from: number, bits: number]
const v4 = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

// https://www.iana.org/assignments/iana-ipv4-special-registry: what is not reachable from everywhere
const ipv4: { readonly [reach in 'metadata' | 'private']: readonly Range[] } = {
  metadata: [
    [v4('169.254.0.0'), 16],
    [v4('100.100.100.200'), 32],
    [v4('168.63.129.16'), 32],
    [v4('192.0.0.192'), 32],
  ],
  private: [
    [v4('0.0.0.0'), 8],
    [v4('10.0.0.0'), 8],
    [v4('100.64.0.0'), 10],
    [v4('127.0.0.0'), 8],
    [v4('172.16.0.0'), 12],
    [v4('192.0.0.0'), 24],
    [v4('192.168.0.0'), 16],
    [v4('198.18.0.0'), 15],
    [v4('224.0.0.0'), 3],
  ],
}
// by the first 32 bits, which is as long as any of these prefixes
const ipv6: typeof ipv4 = {
  metadata: [
    [0xfe800000, 10],
    [0xfd000ec2, 32],
    [0xfd2000ce, 32],
  ],
  private: [
    [0xfc000000, 7],
    [0xfec00000, 10],
    [0xff000000, 8],
  ],
}

/** The first 32 bits of an address as a URL spells it; one of IPv4 inside of IPv6 is that of IPv4. Undefined for a name. */
function numbersOf(name: string): { readonly version: 4 | 6; readonly first: number } | undefined {
  if (/^\d+(\.\d+){3}$/.test(name)) return { version: 4, first: v4(name) }
  if (!name.startsWith('[')) return undefined
  const groups = groupsOf(name.slice(1, -1))
  const pair = (at: number) => (groups[at] ?? 0) * 65_536 + (groups[at + 1] ?? 0)
  if (groups[0] === 0x2002) return { version: 4, first: pair(1) }
  return carriers.includes(groups.slice(0, 6).join()) ? { version: 4, first: pair(6) } : { version: 6, first: pair(0) }
}

/** compatible (with :: and ::1, which become 0.0.0.0 and 0.0.0.1), mapped, translated, NAT64 */
const carriers = ['0,0,0,0,0,0', '0,0,0,0,0,65535', '0,0,0,0,65535,0', '100,65435,0,0,0,0']

function groupsOf(address: string): readonly number[] {
  const [left = [], right] = address.split('::').map(part => part.split(':').filter(Boolean))
  const zeros = right ? Array<string>(8 - left.length - right.length).fill('0') : []
  return [...left, ...zeros, ...(right ?? [])].map(group => Number.parseInt(group, 16))
}
