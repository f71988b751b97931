import { addressRefusal, type Destination, type HostRules, requestRefusal } from '../../../policy/host-rules.ts'
import type { Resolve, ResolvedAddress } from './resolver.ts'

/** Decides where the requests of a session may go. */
export interface EgressRules {
  /**
   * Resolves the host and checks its name and every address. A connection must use the addresses that this returns, because another
   * lookup may have another answer. Fails with `EgressRefusal` if the host is not allowed, and with another error if it is not found.
   */
  check(to: Destination): Promise<readonly ResolvedAddress[]>
}

/** The message is a reason such as "its host is denied". */
export class EgressRefusal extends Error {}

export function createEgressRules(hosts: HostRules, resolve: Resolve): EgressRules {
  return {
    async check(to) {
      // the list of public suffixes takes a while to load, and only `allow` needs it
      const siteOf = hosts.allow ? (await import('./site.ts')).siteOf : () => null
      const refusal = requestRefusal(to, hosts, siteOf)
      if (refusal) throw new EgressRefusal(refusal)
      const addresses = await resolve(to.hostname)
      for (const { address } of addresses) {
        const reason = addressRefusal(address, to.port, hosts)
        if (reason) throw new EgressRefusal(reason)
      }
      return addresses
    },
  }
}

/** The host and port to which a browser connects for a URL. */
export function destinationOf(url: string): Destination {
  const { hostname, port, protocol } = new URL(url)
  return { hostname, port: Number(port) || (/^(https|wss):$/.test(protocol) ? 443 : 80) }
}
