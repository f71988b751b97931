import { parseUrl } from './parse-url.ts'

/** A proxy server as its URL names it. */
export interface ProxyUrl {
  readonly protocol: 'http:' | 'https:' | 'socks5:'
  readonly hostname: string
  readonly port: number
  readonly username: string
  readonly password: string
}

const defaultPorts: { readonly [protocol: string]: number } = { 'http:': 80, 'https:': 443, 'socks5:': 1080 }

/** `http://user:password@proxy.example:3128`; without a scheme it is an HTTP proxy. null if the text is not the URL of a proxy. */
export function parseProxyUrl(text: string): ProxyUrl | null {
  const url = parseUrl(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  const port = url && (Number(url.port) || defaultPorts[url.protocol])
  if (!url?.hostname || !port || !/^\/?$/.test(url.pathname) || /[?#\s]/.test(text)) return null
  const [username, password] = [decode(url.username), decode(url.password)]
  if (username === null || password === null) return null
  // a URL with a scheme that browsers do not fetch keeps the case of its host
  return { protocol: url.protocol as ProxyUrl['protocol'], hostname: url.hostname.toLowerCase(), port, username, password }
}

/** The URL without its login, for messages. */
export function proxyUrlWithoutLogin(text: string): string {
  const url = parseProxyUrl(text)
  return url ? `${url.protocol}//${url.hostname}:${url.port}` : ''
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null // an escape that is not UTF-8
  }
}
