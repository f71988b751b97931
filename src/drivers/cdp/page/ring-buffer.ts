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
