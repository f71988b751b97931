import { maxChars } from '../../contract/limits.ts'
import type { PageInfo } from '../../contract/page-api.ts'
import { quote } from './quote.ts'

declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array } | undefined

/**
 * What the page wrote stands between two marks that carry a word of this one call (TRUST A2). The page cannot know the word, so it can
 * neither close its part nor open another; and the first mark says where one is.
 */
export function fenced(page: Partial<PageInfo> | undefined, inside: readonly string[], { word, most = maxChars }: Fence): string {
  const head = [`<page ${word}`, ...(page ? identity(page) : [])].join(' ')
  const frame = head.length + word.length + '>\n\n</page >'.length
  return inside.length === 0 ? `${head}/>` : [`${head}>`, ...fitting(inside, most - frame), `</page ${word}>`].join('\n')
}

export interface Fence {
  readonly word: string
  /** characters of all of it */
  readonly most?: number
}

/** the lines that fit, and how many did not */
function fitting(lines: readonly string[], room: number): readonly string[] {
  const whole = lines.reduce((sum, line) => sum + line.length + 1, -1)
  if (whole <= room) return lines
  let used = '… 99 lines left out'.length
  const kept = lines.filter(line => {
    const fits = used + line.length + 1 <= room
    if (fits) used += line.length + 1
    return fits
  })
  return [...kept, `… ${lines.length - kept.length} lines left out`]
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
