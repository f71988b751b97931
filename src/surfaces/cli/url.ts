import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

export type ParsedUrl = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly why: string }

/**
 * The URL that a person means: an existing file is a file URL; `localhost:8123` and other names of this network are http; `example.org` is
 * https. Everything else is left to the session, which says what is wrong with it.
 */
export function toUrl(text: string): ParsedUrl {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { ok: true, url: text }
  if (isFile(text)) return { ok: true, url: pathToFileURL(resolve(text)).href }
  if (looksLikeFile(text)) return { ok: false, why: `there is no file ${text}` }
  const [, host = '', port] = /^(\[[0-9a-f:]+\]|[\w-]+(?:\.[\w-]+)*)(:\d+)?(?:[/?#].*)?$/i.exec(text) ?? []
  if (host && isLocal(host, port)) return { ok: true, url: `http://${text}` }
  return { ok: true, url: host.includes('.') ? `https://${text}` : text }
}

/** Names without a dot exist only in the local network; `mailto:x` and `about:blank` are not among them, because a port is a number. */
const isLocal = (host: string, port: string | undefined): boolean =>
  /^(localhost|.*\.localhost|\d+\.\d+\.\d+\.\d+|\[.*\])$/i.test(host) || (port !== undefined && !host.includes('.'))

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
const looksLikeFile = (text: string): boolean => /^(\.{0,2}\/|~\/)/.test(text) || /^[^?#:]*\.x?html?$/i.test(text)
