import { scoreRelevance } from './relevance.ts'

/** The pieces of a text, each with at most `maxChars` characters and, where possible, whole sentences or words. */
export function splitText(text: string, maxChars: number): readonly string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > maxChars) {
    const end = endOfPiece(rest.slice(0, maxChars))
    pieces.push(rest.slice(0, end).trim())
    rest = rest.slice(end)
  }
  return [...pieces, rest.trim()].filter(Boolean)
}

function endOfPiece(room: string): number {
  for (const end of [/[.!?]["')\]]*\s|[。！？]|\n/g, /\s/g]) {
    const last = [...room.matchAll(end)].at(-1)
    const at = (last?.index ?? 0) + (last?.[0].length ?? 0)
    if (at > room.length / 2) return at
  }
  return /[\ud800-\udbff]$/.test(room) && room.length > 1 ? room.length - 1 : room.length
}

/** A part of a text that is too long: the one that matches the query best. */
export function excerptOf(text: string, query: string, maxChars: number): string {
  if (text.length <= maxChars || maxChars < 3) return text
  const pieces = splitText(text, maxChars - 2)
  const scores = scoreRelevance(
    query,
    pieces.map(piece => [{ text: piece, weight: 1 }]),
  )
  const best = scores.indexOf(Math.max(...scores))
  return `${best > 0 ? '…' : ''}${pieces[best] ?? ''}${best < pieces.length - 1 ? '…' : ''}`
}
