import ipaddr from 'ipaddr.js'

type Address = ReturnType<typeof ipaddr.parse>
type Range = ReturnType<typeof ipaddr.parseCIDR>

/** Where an IP address leads: to a cloud metadata service, to this machine or its network, or to the internet. */
export type Reach = 'metadata' | 'private' | 'public'

/** The reach of a hostname that is an IP address as a URL spells it; null for a name. */
export function reachOfAddress(hostname: string): Reach | null {
  const addresses = addressesIn(hostname)
  if (addresses.length === 0) return null
  const isIn = (ranges: readonly Range[]) => addresses.some(address => ranges.some(range => isWithin(address, range)))
  return isIn(metadataRanges) ? 'metadata' : isIn(privateRanges) ? 'private' : 'public'
}

export const isAddress = (hostname: string): boolean => parseAddress(hostname) !== null

const parseAddress = (hostname: string): Address | null => {
  const text = hostname.replace(/^\[(.*)\]$/, '$1')
  // a URL spells IPv4 with four decimal parts; ipaddr.js would also read "1" as an address
  return /^\d+(\.\d+){3}$/.test(text) || text.includes(':') ? (ipaddr.isValid(text) ? ipaddr.parse(text) : null) : null
}

const isWithin = (address: Address, [range, bits]: Range): boolean => address.kind() === range.kind() && address.match(range, bits)

/** The address, and the IPv4 addresses that it embeds: it may lead to any of them. */
function addressesIn(hostname: string): readonly Address[] {
  const address = parseAddress(hostname)
  if (!address) return []
  return address.kind() === 'ipv4' ? [address] : [address, ...embeddedIn((address as ipaddr.IPv6).parts)]
}

function embeddedIn(groups: readonly number[]): readonly Address[] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  const last = ipv4(g, h)
  return [
    ...(ipv4Prefixes.includes(groups.slice(0, 6).join()) ? [last] : []),
    // local NAT64, RFC 8215: after 96 bits or, around the zero byte, after 48 (RFC 6052 section 2.2)
    ...(a === 0x64 && b === 0xff9b && c === 1 ? [last, ipv4(d, (e % 256) * 256 + (f >> 8))] : []),
    // 6to4, RFC 3056
    ...(a === 0x2002 ? [ipv4(b, c)] : []),
    // Teredo, RFC 4380: its server, and its client with every bit inverted
    ...(a === 0x2001 && b === 0 ? [ipv4(c, d), ipv4(0xffff - g, 0xffff - h)] : []),
    // ISATAP, RFC 5214 section 6.1, below any prefix
    ...((e === 0 || e === 0x200) && f === 0x5efe ? [last] : []),
  ]
}

const ipv4 = (high: number, low: number): Address => new ipaddr.IPv4([high >> 8, high % 256, low >> 8, low % 256])

/** IPv4-compatible (including :: and ::1, which embed 0.0.0.0 and 0.0.0.1), IPv4-mapped, IPv4-translated, NAT64. */
const ipv4Prefixes = ['0,0,0,0,0,0', '0,0,0,0,0,65535', '0,0,0,0,65535,0', '100,65435,0,0,0,0']

const ranges = (...list: readonly string[]): readonly Range[] => list.map(each => ipaddr.parseCIDR(each))

const metadataRanges = ranges(
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fe80::/10',
  'fd00:ec2::/32',
  'fd20:ce::/32',
)

// https://www.iana.org/assignments/iana-ipv4-special-registry: addresses that are not globally reachable
const privateRanges = ranges(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
  '64:ff9b:1::/48',
  'fc00::/7',
  'fec0::/10',
  'ff00::/8',
)
