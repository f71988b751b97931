import { maxChars as ceiling, minChars } from '../../contract/limits.ts'
import type { SnapshotMeta } from '../../contract/snapshot.ts'
import { quote } from '../text/quote.ts'

/** One thing found: its line or lines, and how well it fits. */
export interface Find {
  readonly text: string
  readonly refs: readonly string[]
  readonly score: number
}

export interface Ranked {
  readonly text: string
  readonly refs: readonly string[]
  /** how many there are, and how many of them fit what was asked for */
  readonly found: number
  readonly matching: number
  /** where to go on; null at the end */
  readonly nextOffset: number | null
}

export interface Asked {
  readonly word: string
  readonly about: string
  readonly offset: number
  readonly maxChars: number
  /** the page held more than it told */
  readonly cut: boolean
}

/** Finds in their order, as many as fit, and where to go on. */
export function ranked(meta: SnapshotMeta, finds: readonly Find[], { word, about, offset, maxChars, cut }: Asked): Ranked {
  const most = Math.min(ceiling, Math.max(minChars, maxChars))
  const matching = about ? finds.filter(({ score }) => score > 0).length : finds.length
  const head = [
    `[${word}]`,
    ...(meta.url ? [`url=${quote(meta.url, Math.floor(most / 16))}`] : []),
    ...(meta.title ? [`title=${quote(meta.title, Math.floor(most / 20))}`] : []),
    `found=${finds.length}`,
    ...(about ? [`matching=${matching}`] : []),
    ...(cut ? ['truncated=true'] : []),
  ].join(' ')
  const lines: string[] = [head]
  const refs: string[] = []
  let used = head.length + footerRoom
  let next = offset
  // what does not fit the question is there for who goes on
  const end = offset < matching ? matching : finds.length
  for (; next < end; next++) {
    const { text, refs: own } = finds[next] as Find
    if (used + text.length + 1 > most) break
    lines.push(text)
    refs.push(...own)
    used += text.length + 1
  }
  // one that is longer than a whole answer is passed over, or it would stand in the way for ever
  if (next === offset && next < end) next++
  const more = finds.length - next
  if (more > 0) lines.push(`… ${more} ${next === matching && about ? 'that do not match' : 'more'}: offset=${next}`)
  else if (cut) lines.push('… the page holds more: scroll, or give a scope')
  return { text: lines.join('\n'), refs, found: finds.length, matching, nextOffset: more > 0 ? next : null }
}

const footerRoom = 60
