import type { StudioMessage } from '../../../../src/wire/studio-message.ts'

/** The messages of a chat from the server. tRPC types what JSON leaves of them, in which `unknown` values become optional. */
export const storedMessages = (chat: { readonly messages: readonly object[] }): StudioMessage[] => chat.messages as StudioMessage[]
