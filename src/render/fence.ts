import type { PageInfo } from '../contract/acts.ts'
import { quote } from './quote.ts'

declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array } | undefined

/**
 * What the page wrote stands between two marks that carry a word of this one call (TRUST A2). The page cannot know the word, so it can
 * neither close its part nor open another; and the first mark says where one is.
 */
export function fenced(page: Partial<PageInfo> | undefined, inside: readonly string[], word: string): string {
  const head = [`<page ${word}`, ...(page ? identity(page) : [])].join(' ')
  return inside.length === 0 ? `${head}/>` : [`${head}>`, ...inside, `</page ${word}>`].join('\n')
}

/** Where one is: only what can be said. */
function identity({ url, title, status, readyState, scroll }: Partial<PageInfo>): string[] {
  return [
    ...(url === undefined ? [] : [`url=${quote(url, 200)}`]),
    ...(title ? [`title=${quote(title, 80)}`] : []),
    ...(status === undefined ? [] : [`status=${status}`]),
    ...(readyState === undefined || readyState === 'complete' ? [] : [`readyState=${quote(readyState, 20)}`]),
    ...(scroll && scroll.height > 0 ? [`scroll=${scroll.y}/${scroll.height}`] : []),
  ]
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** 96 bits in 16 characters */
export function fenceWord(): string {
  const bytes = new Uint8Array(16)
  if (typeof crypto === 'object' && typeof crypto?.getRandomValues === 'function') crypto.getRandomValues(bytes)
  // Hermes has no crypto of its own
  else for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(Math.random() * 256)
  return Array.from(bytes, byte => letters[byte & 63]).join('')
}
