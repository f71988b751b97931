import { isInHosts } from '../policy/host-rules.ts'
import { parseUrl } from '../policy/parse-url.ts'

/** Whether a URL belongs to the sites of a run. A URL that is not a web page never does. */
export function isOwnSite(url: string, sites: readonly string[]): boolean {
  const parsed = parseUrl(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return false
  return isInHosts(sites, { hostname: parsed.hostname, port: Number(parsed.port) || (parsed.protocol === 'https:' ? 443 : 80) })
}

/** The origin of a URL; '' if it has none. */
export function originOf(url: string): string {
  const parsed = parseUrl(url)
  return parsed && /^https?:$/.test(parsed.protocol) ? `${parsed.protocol}//${parsed.hostname}${parsed.port ? `:${parsed.port}` : ''}` : ''
}

export const withoutFragment = (url: string): string => url.replace(/#.*$/s, '')
