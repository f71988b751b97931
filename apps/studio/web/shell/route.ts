import { useSyncExternalStore } from 'react'

/** The screens of the page. They are in the fragment of the URL, so that the server needs to know one address only. */
export type Route =
  | { readonly name: 'chat'; readonly id: string | undefined }
  | { readonly name: 'runs' }
  | { readonly name: 'replay'; readonly id: string }
  | { readonly name: 'settings' }

export const routeOf = (hash: string): Route => {
  const [, name, id] = hash.replace(/^#/, '').split('/')
  if (name === 'runs') return id === undefined || id === '' ? { name: 'runs' } : { name: 'replay', id: decodeURIComponent(id) }
  if (name === 'settings') return { name: 'settings' }
  return { name: 'chat', id: name === 'chat' && id !== undefined && id !== '' ? decodeURIComponent(id) : undefined }
}

export const chatPath = (id: string | undefined) => (id === undefined ? '#/' : `#/chat/${encodeURIComponent(id)}`)
export const replayPath = (id: string) => `#/runs/${encodeURIComponent(id)}`

const changed = 'pagehand-route'
export const go = (path: string, options?: { replace: boolean }) => {
  if (options?.replace === true) history.replaceState(null, '', path)
  else history.pushState(null, '', path)
  dispatchEvent(new Event(changed))
}

const subscribe = (listener: () => void) => {
  for (const type of ['hashchange', 'popstate', changed]) addEventListener(type, listener)
  return () => {
    for (const type of ['hashchange', 'popstate', changed]) removeEventListener(type, listener)
  }
}

let cache: { readonly hash: string; readonly route: Route } | undefined
const current = (): Route => {
  if (cache?.hash !== location.hash) cache = { hash: location.hash, route: routeOf(location.hash) }
  return cache.route
}
export const useRoute = (): Route => useSyncExternalStore(subscribe, current)
