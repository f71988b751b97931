/** The last so many of something. */
export interface Ring<T> {
  push(item: T): void
  /** the oldest first */
  all(): readonly T[]
}

export function ring<T>(most: number): Ring<T> {
  const items: T[] = []
  return {
    push(item) {
      items.push(item)
      if (items.length > most) items.shift()
    },
    all: () => [...items],
  }
}
