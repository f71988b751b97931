import { getDomain, parse } from 'tldts'

/** The registrable domain: example.co.uk for www.example.co.uk. null for IP addresses, public suffixes and names without a dot. */
export const siteOf = (name: string): string | null => getDomain(name, { allowPrivateDomains: true })

/** Whether a name is one below which anyone can register a domain, such as com and co.uk. */
export function isPublicSuffix(name: string): boolean {
  const { isIcann, publicSuffix } = parse(name)
  return isIcann === true && publicSuffix === name.toLowerCase()
}
