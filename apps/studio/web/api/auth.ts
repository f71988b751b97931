/**
 * Exchanges the token in the fragment of the URL for a cookie, once, and removes it from the address bar and the history first: whatever
 * happens next, it is not left behind. A route may follow the token: `#token=TOKEN/chat/ID`.
 */
export const exchangeToken = async (): Promise<void> => {
  const [, token, route = '/'] = /^#token=([^&/]+)(\/.*)?/.exec(location.hash) ?? []
  if (token === undefined) return
  history.replaceState(null, '', `${location.pathname}${location.search}#${route}`)
  // a failure shows itself: the next request is answered with 401 or not at all
  await fetch('/api/auth', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: decodeURIComponent(token) }),
  }).catch(() => undefined)
}
