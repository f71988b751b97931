import type { UIMessageChunk } from 'ai'

/** Closes what a broken or stopped step left open in a UI message, so that its history can be used again (S3-42). */
export class OpenParts {
  readonly #texts = new Map<string, 'text-end' | 'reasoning-end'>()
  readonly #inputs = new Map<string, string>()
  readonly #calls = new Set<string>()
  #isStepOpen = false

  /** Follows the chunks that are written. */
  add(chunk: UIMessageChunk): void {
    if (chunk.type === 'start-step') this.#isStepOpen = true
    if (chunk.type === 'finish-step') this.#isStepOpen = false
    if (chunk.type === 'text-start') this.#texts.set(chunk.id, 'text-end')
    if (chunk.type === 'reasoning-start') this.#texts.set(chunk.id, 'reasoning-end')
    if (chunk.type === 'text-end' || chunk.type === 'reasoning-end') this.#texts.delete(chunk.id)
    if (chunk.type === 'tool-input-start') this.#inputs.set(chunk.toolCallId, chunk.toolName)
    if (chunk.type === 'tool-input-available') {
      this.#inputs.delete(chunk.toolCallId)
      this.#calls.add(chunk.toolCallId)
    }
    if (chunk.type === 'tool-input-error') this.#inputs.delete(chunk.toolCallId)
    if (chunk.type === 'tool-output-available' || chunk.type === 'tool-output-error' || chunk.type === 'tool-output-denied')
      this.#calls.delete(chunk.toolCallId)
  }

  /** The chunks that close everything. `outcomeOf` says what became of a call. */
  close(outcomeOf: (toolCallId: string) => UIMessageChunk | string): UIMessageChunk[] {
    const chunks: UIMessageChunk[] = [
      ...[...this.#texts].map(([id, type]): UIMessageChunk => ({ type, id })),
      ...[...this.#inputs].map(
        ([toolCallId, toolName]): UIMessageChunk => ({
          type: 'tool-input-error',
          toolCallId,
          toolName,
          input: {},
          errorText: 'the call was never complete. Nothing was done.',
        }),
      ),
      ...[...this.#calls].map((toolCallId): UIMessageChunk => {
        const outcome = outcomeOf(toolCallId)
        return typeof outcome === 'string' ? { type: 'tool-output-error', toolCallId, errorText: outcome } : outcome
      }),
      ...(this.#isStepOpen ? [{ type: 'finish-step' } as const] : []),
    ]
    for (const chunk of chunks) this.add(chunk)
    this.#texts.clear()
    this.#inputs.clear()
    this.#calls.clear()
    return chunks
  }
}
