import { cut } from '../../../render/text/quote.ts'

/** Keeps the last items that were added. */
export interface RingBuffer<T> {
  push(item: T): void
  /** oldest first */
  all(): readonly T[]
}

export function createRingBuffer<T>(maxItems: number): RingBuffer<T> {
  const items: T[] = []
  return {
    push(item) {
      items.push(item)
      if (items.length > maxItems) items.shift()
    },
    all: () => [...items],
  }
}

/** The beginning of a text, as a separate string: V8 keeps the whole text in memory for a part of it. */
export const cutCopy = (text: string, maxChars: number): string => Buffer.from(cut(text, maxChars), 'utf16le').toString('utf16le')
