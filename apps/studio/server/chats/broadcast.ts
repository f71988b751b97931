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
  readonly #readers = new Map<ReadableStream<UIMessageChunk>, ReadableStreamDefaultController<UIMessageChunk>>()
  #isEnded = false

  write(chunk: UIMessageChunk): void {
    if (this.#isEnded) return
    this.#remember(chunk)
    for (const [stream, reader] of this.#readers) {
      try {
        reader.enqueue(chunk)
      } catch {
        this.#readers.delete(stream) // its connection is gone
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
    for (const stream of [...this.#readers.keys()]) this.endReader(stream)
  }

  /** Ends one stream of `read` before the others. */
  endReader(stream: ReadableStream<UIMessageChunk>): void {
    try {
      this.#readers.get(stream)?.close()
    } catch {
      // its connection is gone
    }
    this.#readers.delete(stream)
  }

  read(): ReadableStream<UIMessageChunk> {
    let reader: ReadableStreamDefaultController<UIMessageChunk> | undefined
    const stream = new ReadableStream<UIMessageChunk>({
      start: controller => {
        reader = controller
      },
      cancel: () => {
        this.#readers.delete(stream)
      },
    })
    for (const chunk of [...this.#past, ...this.#held]) reader?.enqueue(chunk)
    if (this.#isEnded) reader?.close()
    else if (reader) this.#readers.set(stream, reader)
    return stream
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
