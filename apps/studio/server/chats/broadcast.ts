import type { UIMessageChunk } from 'ai'

/**
 * The chunks of a message that is being written, for any number of readers. A reader that comes late, or again after its connection was
 * lost, gets everything from the beginning. Transient chunks are not part of the message: a late reader gets only those that are still held,
 * such as a command without a result.
 */
export class Broadcast {
  readonly #past: UIMessageChunk[] = []
  /** where the part with an id is in the past: a later version takes its place */
  readonly #positions = new Map<string, number>()
  readonly #held = new Set<UIMessageChunk>()
  readonly #readers = new Set<ReadableStreamDefaultController<UIMessageChunk>>()
  #isEnded = false

  write(chunk: UIMessageChunk): void {
    if (this.#isEnded) return
    this.#remember(chunk)
    for (const reader of this.#readers) {
      try {
        reader.enqueue(chunk)
      } catch {
        this.#readers.delete(reader) // its connection is gone
      }
    }
  }

  writeText(text: string): void {
    if (text === '') return
    this.write({ type: 'text-start', id: 'summary' })
    this.write({ type: 'text-delta', id: 'summary', delta: text })
    this.write({ type: 'text-end', id: 'summary' })
  }

  /** Writes a transient chunk that late readers get too, until it is released. */
  hold(chunk: UIMessageChunk): () => void {
    this.#held.add(chunk)
    this.write(chunk)
    return () => this.#held.delete(chunk)
  }

  end(): void {
    this.#isEnded = true
    for (const reader of this.#readers) {
      try {
        reader.close()
      } catch {
        // its connection is gone
      }
    }
    this.#readers.clear()
  }

  read(): ReadableStream<UIMessageChunk> {
    let reader: ReadableStreamDefaultController<UIMessageChunk> | undefined
    return new ReadableStream<UIMessageChunk>({
      start: controller => {
        reader = controller
        for (const chunk of [...this.#past, ...this.#held]) controller.enqueue(chunk)
        if (this.#isEnded) controller.close()
        else this.#readers.add(controller)
      },
      cancel: () => {
        if (reader) this.#readers.delete(reader)
      },
    })
  }

  #remember(chunk: UIMessageChunk): void {
    if ('transient' in chunk && chunk.transient) return
    const key = 'data' in chunk && 'id' in chunk && chunk.id !== undefined ? `${chunk.type} ${chunk.id}` : undefined
    const position = key === undefined ? undefined : this.#positions.get(key)
    if (position !== undefined) {
      this.#past[position] = chunk
      return
    }
    if (key !== undefined) this.#positions.set(key, this.#past.length)
    this.#past.push(chunk)
  }
}
