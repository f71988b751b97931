import { createContext, useContext } from 'react'
import type { PickedElement } from '../../../../src/wire/live.ts'
import type { ApprovalPart, SubAgentRunPart } from '../../../../src/wire/parts.ts'
import type { Attachment } from './attachments.ts'
import type { ChatRun } from './conversation.ts'
import type { Pick } from './picks.ts'

/** The chat on display, for everything below it. */
export interface ChatContextValue {
  readonly chatId: string | undefined
  readonly runs: ReadonlyMap<string, ChatRun>
  readonly activeRun: SubAgentRunPart | undefined
  readonly busy: boolean
  readonly hasBrowser: boolean
  /** the stream was cut and is being resumed */
  readonly reconnecting: boolean
  readonly error: Error | undefined
  readonly stopping: boolean
  readonly stop: () => Promise<void>
  readonly send: (text: string) => void
  readonly approval: (id: string) => ApprovalPart | undefined
  /** shows a decision before the stream confirms it */
  readonly noteDecided: (approval: ApprovalPart) => void
  readonly attachments: {
    readonly list: readonly Attachment[]
    readonly isSending: boolean
    readonly add: (files: Iterable<File>) => void
    readonly remove: (id: string) => Promise<void>
  }
  readonly picks: {
    readonly list: readonly Pick[]
    readonly add: (picked: PickedElement) => number
    readonly setNote: (number: number, note: string) => void
    readonly remove: (number: number) => void
  }
}

export const ChatContext = createContext<ChatContextValue | undefined>(undefined)

export const useStudioChat = (): ChatContextValue => {
  const value = useContext(ChatContext)
  if (value === undefined) throw new Error('useStudioChat is used outside of a chat session')
  return value
}
