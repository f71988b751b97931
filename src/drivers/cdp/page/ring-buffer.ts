/** The last so many of something. */
export interface RingBuffer<T> {
  push(item: T): void
  /** the oldest first */
  all(): readonly T[]
}

export function createRingBuffer<T>(most: number): RingBuffer<T> {
  const items: T[] = []
  return {
    push(item) {
      items.push(item)
      if (items.length > most) items.shift()
    },
    all: () => [...items],
  }
}
