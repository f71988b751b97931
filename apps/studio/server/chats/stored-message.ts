import type { UIMessageChunk } from 'ai'
import type { StudioMessage } from 'pagehand/agent'
import type { StoredFilePart } from 'pagehand/wire'

/** The chunks from which a reader builds a stored message again, so that it can be continued. */
export function chunksOf({ id, metadata, parts }: StudioMessage): UIMessageChunk[] {
  return [{ type: 'start', messageId: id, ...(metadata && { messageMetadata: metadata }) }, ...parts.flatMap(partChunks)]
}

function partChunks(part: StudioMessage['parts'][number], index: number): UIMessageChunk[] {
  const id = `stored-${index}`
  if (part.type === 'text' || part.type === 'reasoning')
    return [
      { type: `${part.type}-start`, id },
      { type: `${part.type}-delta`, id, delta: part.text },
      { type: `${part.type}-end`, id },
    ]
  if (part.type.startsWith('data-')) return [part as UIMessageChunk]
  if (part.type === 'step-start') return [{ type: 'start-step' }]
  if (!part.type.startsWith('tool-')) return []
  const { toolCallId, input, output, errorText } = part as { toolCallId: string; input: unknown; output?: unknown; errorText?: string }
  return [
    { type: 'tool-input-available', toolCallId, toolName: part.type.slice('tool-'.length), input },
    ...(output === undefined ? [] : [{ type: 'tool-output-available', toolCallId, output } as const]),
    ...(errorText === undefined ? [] : [{ type: 'tool-output-error', toolCallId, errorText } as const]),
  ]
}

/** The call of a tool whose result is not known yet. */
export const openCall = ({ parts }: StudioMessage): { readonly toolCallId: string } | undefined =>
  parts.find(
    (part): part is Extract<typeof part, { toolCallId: string }> =>
      part.type.startsWith('tool-') && (part as { state?: string }).state === 'input-available',
  )

/** The files that a person attached to a message. */
export const attachedFiles = ({ role, parts }: StudioMessage): readonly StoredFilePart[] =>
  role === 'user' ? parts.flatMap(part => (part.type === 'data-stored-file' ? [part.data] : [])) : []

/** A message as a model reads it: with the names of its files. */
export function withFileNames(message: StudioMessage): StudioMessage {
  const names = attachedFiles(message).map(({ name, bytes }) => `${JSON.stringify(name)} (${bytes} bytes)`)
  if (names.length === 0) return message
  return { ...message, parts: [...message.parts, { type: 'text', text: `Attached files: ${names.join(', ')}` }] }
}

export const textOf = (message: StudioMessage | undefined): string =>
  (message?.parts ?? [])
    .flatMap(part => (part.type === 'text' ? [part.text] : []))
    .join('\n')
    .trim()

/** A message with the result of its call, which its reader may not have seen yet. */
export const withOutput = (message: StudioMessage, toolCallId: string | undefined, output: object): StudioMessage => ({
  ...message,
  parts: message.parts.map(part =>
    'toolCallId' in part && part.toolCallId === toolCallId ? ({ ...part, state: 'output-available', output } as never) : part,
  ),
})

/**
 * A message in which every call has a result. A stop, a failure or the end of the process leaves calls open, and no model continues a chat
 * with one.
 */
export function withoutOpenCalls(message: StudioMessage): StudioMessage {
  const wasStopped = message.parts.some(({ type }) => type === 'data-manual-stop')
  const summary = `${wasStopped ? 'The user stopped this task' : 'This task was interrupted'} before it was done. What it had done until then was not undone.`
  const output = { ok: false, data: { summary, reason: wasStopped ? 'aborted' : 'error' } }
  const call = openCall(message)
  return call ? withoutOpenCalls(withOutput(message, call.toolCallId, output)) : message
}

/** Whether the summary of a run is an answer. Other ends are shown with the run, in the language of the page. */
export const isAnswered = (reason: string): boolean => reason === 'closed'
