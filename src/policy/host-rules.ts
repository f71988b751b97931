import { type Failure, failure } from '../contract/failures.ts'
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
export function parseHostRules(given: unknown): Checked {
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
  if (star && numbersOf(name).length > 0) return null
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
  const addresses = numbersOf(name)
  if (addresses.length === 0)
    return metadataNames.includes(name) ? 'metadata' : privateName.test(name) || !name.includes('.') ? 'private' : 'public'
  const isOf = (reach: 'metadata' | 'private') =>
    addresses.some(({ space, first }) => space[reach].some(([from, bits]) => first >= from && first < from + 2 ** (space.width - bits)))
  return isOf('metadata') ? 'metadata' : isOf('private') ? 'private' : 'public'
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
interface Space {
  /** how many of its first bits are looked at: as many as the longest range has */
  readonly width: number
  readonly metadata: readonly Range[]
  readonly private: readonly Range[]
}
const v4 = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

// https://www.iana.org/assignments/iana-ipv4-special-registry: what is not reachable from everywhere
const ipv4: Space = {
  width: 32,
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
const ipv6: Space = {
  width: 48,
  metadata: [
    [0xfe80_0000_0000, 10],
    [0xfd00_0ec2_0000, 32],
    [0xfd20_00ce_0000, 32],
  ],
  private: [
    [0x0064_ff9b_0001, 48],
    [0xfc00_0000_0000, 7],
    [0xfec0_0000_0000, 10],
    [0xff00_0000_0000, 8],
  ],
}

/** The first bits of an address as a URL spells it, and of those of IPv4 that it carries inside: it may lead to any of them. None for a name. */
function numbersOf(name: string): readonly { readonly space: Space; readonly first: number }[] {
  if (/^\d+(\.\d+){3}$/.test(name)) return [{ space: ipv4, first: v4(name) }]
  if (!name.startsWith('[')) return []
  const groups = groupsOf(name.slice(1, -1))
  const [a = 0, b = 0, c = 0] = groups
  return [{ space: ipv6, first: (a * 65_536 + b) * 65_536 + c }, ...insideOf(groups).map(first => ({ space: ipv4, first }))]
}

function insideOf(groups: readonly number[]): readonly number[] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = groups
  const pair = (at: number) => (groups[at] ?? 0) * 65_536 + (groups[at + 1] ?? 0)
  const last = pair(6)
  return [
    ...(wholePrefixes.includes(groups.slice(0, 6).join()) ? [last] : []),
    // NAT64 of a network of its own, RFC 8215: behind 96 bits or, around the byte that stays 0, behind 48 (RFC 6052 2.2)
    ...(a === 0x64 && b === 0xff9b && c === 1 ? [last, d * 65_536 + (e % 256) * 256 + (f >> 8)] : []),
    // 6to4, RFC 3056
    ...(a === 0x2002 ? [pair(1)] : []),
    // Teredo, RFC 4380: its server, and its client with every bit turned over
    ...(a === 0x2001 && b === 0 ? [pair(2), 0xffff_ffff - last] : []),
    // ISATAP, RFC 5214 6.1, below any prefix
    ...((e === 0 || e === 0x200) && f === 0x5efe ? [last] : []),
  ]
}

/** compatible (with :: and ::1, which carry 0.0.0.0 and 0.0.0.1), mapped, translated, NAT64 */
const wholePrefixes = ['0,0,0,0,0,0', '0,0,0,0,0,65535', '0,0,0,0,65535,0', '100,65435,0,0,0,0']

function groupsOf(address: string): readonly number[] {
  const [left = [], right] = address.split('::').map(part => part.split(':').filter(Boolean))
  const zeros = right ? Array<string>(8 - left.length - right.length).fill('0') : []
  return [...left, ...zeros, ...(right ?? [])].map(group => Number.parseInt(group, 16))
}
