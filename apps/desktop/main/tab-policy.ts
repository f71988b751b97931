import { checkUrl, type HostRules } from 'pagehand/browser'

/** What the pages in tabs may load. */
export interface TabPolicy {
  /** the rules with the studio among the denied hosts, for the session of a tab */
  readonly hosts: HostRules
  /** Whether a page or a frame may show this address. */
  allowsDocument(url: string): boolean
  /** Whether a page may request this address for anything else: scripts, images, data. */
  allowsResource(url: string): boolean
}

/** Documents without a host of their own; what they may do is up to the page that made them. */
const hostless = /^(?:about:(?:blank|srcdoc)(?:[?#]|$)|blob:)/i

/**
 * The rules for all tabs. The studio itself is never one of their pages: a page that could operate it would approve its own actions. The
 * tabs have neither its cookie nor its token, so this is the second lock.
 */
export function createTabPolicy({ studio, hosts = {} }: { readonly studio: URL; readonly hosts?: HostRules }): TabPolicy {
  const rules: HostRules = { ...hosts, deny: [...(hosts.deny ?? []), ...namesOf(studio)] }
  const { allow: _, allowResources: __, ...resources } = rules
  return {
    hosts: rules,
    allowsDocument: url => hostless.test(url) || /^data:/i.test(url) || checkUrl(url, { hosts: rules }).ok,
    allowsResource: url => hostless.test(url) || /^data:/i.test(url) || checkUrl(toHttp(url), { hosts: resources }).ok,
  }
}

const toHttp = (url: string): string => url.replace(/^ws(?=s?:)/i, 'http')

/** A server on this machine has several names. */
function namesOf({ hostname, port, protocol }: URL): string[] {
  const actual = port || (protocol === 'https:' ? '443' : '80')
  const names = isLoopback(hostname)
    ? [hostname, '127.0.0.1', '0.0.0.0', 'localhost', '*.localhost', '[::1]', '[::]', '[::ffff:127.0.0.1]']
    : [hostname]
  return [...new Set(names)].map(name => `${name}:${actual}`)
}

export const isLoopback = (hostname: string): boolean => /^(?:127(?:\.\d+){3}|localhost|\[::1\])$/.test(hostname)
