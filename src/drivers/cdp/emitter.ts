export interface Emitter<T> {
  /** Adds a listener and returns the function that removes it. */
  on(listener: (value: T) => void): () => void
  emit(value: T): void
  readonly hasListeners: boolean
}

/** Listeners that are added or removed during `emit` take effect with the next one. */
export function createEmitter<T = void>(): Emitter<T> {
  const listeners = new Set<(value: T) => void>()
  return {
    on(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    get hasListeners() {
      return listeners.size > 0
    },
    emit(value) {
      for (const listener of [...listeners]) listener(value)
    },
  }
}
