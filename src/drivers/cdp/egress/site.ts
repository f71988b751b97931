import { getDomain } from 'tldts'

/** The registrable domain: example.co.uk for www.example.co.uk. null for IP addresses, public suffixes and names without a dot. */
export const siteOf = (name: string): string | null => getDomain(name, { allowPrivateDomains: true })
