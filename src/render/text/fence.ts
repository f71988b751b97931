import { maxChars as maxCharsOfAnswer } from '../../contract/limits.ts'
import type { PageInfo } from '../../contract/page-api.ts'
import { randomBytes } from '../../contract/random-bytes.ts'
import { note } from './dialect.ts'
import { quote } from './quote.ts'

export interface FenceOptions {
  readonly word: string
  /** characters of the whole fence with its content */
  readonly maxChars?: number
}

/**
 * Puts text of the page between two tags that carry a word of this one call (TRUST A2). The page cannot know the word, so it can neither
 * close the fence nor open another one. The opening tag identifies the page.
 */
export function fence(
  page: Partial<PageInfo> | undefined,
  lines: readonly string[],
  { word, maxChars = maxCharsOfAnswer }: FenceOptions,
): string {
  const head = [`<page ${word}`, ...(page ? pageIdentity(page) : [])].join(' ')
  const tags = head.length + word.length + '>\n\n</page >'.length
  return lines.length === 0 ? `${head}/>` : [`${head}>`, ...fitLines(lines, maxChars - tags), `</page ${word}>`].join('\n')
}

/** The lines that fit, and the number of those that do not. */
export function fitLines(lines: readonly string[], room: number): readonly string[] {
  const total = lines.reduce((sum, line) => sum + line.length + 1, -1)
  if (total <= room) return lines
  let used = '… 99 lines left out'.length
  const kept = lines.filter(line => {
    const fits = used + line.length + 1 <= room
    if (fits) used += line.length + 1
    return fits
  })
  return [...kept, note(`${lines.length - kept.length} lines left out`)]
}

/** The known facts about the page, as attributes of the opening tag. */
export function pageIdentity({ url, title, status, readyState, scroll }: Partial<PageInfo>): readonly string[] {
  return [
    ...(url === undefined ? [] : [`url=${quote(url, 200)}`]),
    ...(title ? [`title=${quote(title, 80)}`] : []),
    ...(status === undefined ? [] : [`status=${status}`]),
    ...(readyState === undefined || readyState === 'complete' ? [] : [`readyState=${quote(readyState, 20)}`]),
    ...(scroll && scroll.height > 0 ? [`scroll=${scroll.y}/${scroll.height}`] : []),
  ]
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** 96 random bits in 16 characters */
export function createFenceWord(): string {
  return Array.from(randomBytes(16), byte => letters[byte & 63]).join('')
}
