/** The URL for what was typed into the address bar; undefined if no web page can have it. */
export const urlOf = (typed: string): string | undefined => {
  const text = typed.trim()
  if (text === '' || /\s/.test(text)) return undefined
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d+(?:\/|$))/i.exec(text)?.[1]?.toLowerCase()
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https' && text !== 'about:blank') return undefined
  const local = /^(localhost|127\.|\[::1\])/i.test(text)
  const url = URL.parse(scheme === undefined ? `${local ? 'http' : 'https'}://${text}` : text)
  return url === null ? undefined : url.href
}
