import type { UIMessage } from 'ai'
import type { StudioDataParts } from './parts.ts'
import type { StudioMetadata } from './studio-api.ts'

/**
 * A message of a chat of the studio, as the AI SDK has it.
 *
 * @example
 * const message: StudioMessage = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Order tea' }] }
 */
export type StudioMessage = UIMessage<StudioMetadata, StudioDataParts>
