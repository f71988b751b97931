import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

/** An IP address of a name. */
export interface ResolvedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Resolves a hostname as a URL spells it; fails if it has no address. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>

const cacheMs = 60_000
const maxEntries = 1_000

/**
 * Resolves names for a session. An answer is kept for a minute: a page and the request that follows its check get the same addresses.
 * `rules` is the value of Chromium's flag --host-resolver-rules, which has no effect in a browser that uses a proxy.
 */
export function createResolver({ rules = '', ask = askSystem }: { rules?: string; ask?: Resolve } = {}): Resolve {
  const map = parseResolverRules(rules)
  const cache = new Map<string, { readonly until: number; readonly addresses: Promise<readonly ResolvedAddress[]> }>()

  const resolve: Resolve = async hostname => {
    const name = map(hostname.replace(/^\[(.*)\]$/, '$1'))
    if (name === undefined) throw new Error(`${hostname} was not found`)
    const literal = toAddress(name)
    if (literal) return [literal]
    // RFC 6761: these names never leave the machine, whatever its resolver says
    if (/^(.*\.)?localhost\.?$/i.test(name)) return loopback
    return ask(name)
  }
  return hostname => {
    const now = performance.now()
    const known = cache.get(hostname)
    if (known && known.until > now) return known.addresses
    const addresses = resolve(hostname)
    cache.delete(hostname)
    cache.set(hostname, { until: now + cacheMs, addresses })
    addresses.catch(() => cache.delete(hostname)) // the next request asks again
    const oldest = cache.keys().next().value
    if (cache.size > maxEntries && oldest !== undefined) cache.delete(oldest)
    return addresses
  }
}

export function toAddress(text: string): ResolvedAddress | undefined {
  const family = isIP(text)
  return family === 4 || family === 6 ? { address: text, family } : undefined
}

const loopback: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

async function askSystem(name: string): Promise<readonly ResolvedAddress[]> {
  const found = await lookup(name, { all: true })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

/** Returns the name to resolve instead of the given one; undefined if a rule says that it does not exist. */
function parseResolverRules(text: string): (name: string) => string | undefined {
  const rules = text.split(',').map(rule => rule.trim().split(/\s+/))
  const excluded = rules.filter(([verb]) => verb?.toUpperCase() === 'EXCLUDE').map(([, pattern = '']) => toPattern(pattern))
  const mapped = rules
    .filter(([verb]) => verb?.toUpperCase() === 'MAP')
    .map(([, pattern = '', to = '']) => ({ pattern: toPattern(pattern), to: to.replace(/^\[(.*)\]$/, '$1') }))
  return name => {
    if (excluded.some(pattern => pattern.test(name))) return name
    const to = mapped.find(({ pattern }) => pattern.test(name))?.to
    return to?.toUpperCase() === '~NOTFOUND' ? undefined : (to ?? name)
  }
}

const toPattern = (pattern: string): RegExp => new RegExp(`^${pattern.replace(/[\\^$.|?+()[\]{}]/g, '\\$&').replaceAll('*', '.*')}$`, 'i')
