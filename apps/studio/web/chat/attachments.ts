import { useRef, useState } from 'react'
import type { StoredFilePart } from '../../../../src/wire/parts.ts'
import { studioProblem } from '../../../../src/wire/problems.ts'

const maxBytes = 50_000_000

/** A file of a draft; `name` is the one that the server gave it, as soon as it has it. */
export interface Attachment {
  readonly id: string
  readonly name: string
  readonly bytes: number
  readonly stored: StoredFilePart | undefined
}

/** The files of a draft. They are sent to the server at once, and belong to the chat when the message is sent. */
export const useAttachments = (chatId: () => Promise<string>, onError: (error: unknown) => void) => {
  const [list, setList] = useState<readonly Attachment[]>([])
  // read when a message is sent, which is not during a render
  const latest = useRef(list)
  const change = (next: readonly Attachment[]) => {
    latest.current = next
    setList(next)
  }
  const forget = async (name: string) => fetch(pathOf(await chatId(), name), { method: 'DELETE' }).catch(() => undefined)
  const addOne = async (file: File) => {
    const id = crypto.randomUUID()
    change([...latest.current, { id, name: file.name, bytes: file.size, stored: undefined }])
    try {
      if (file.size > maxBytes) throw refusal(JSON.stringify({ error: studioProblem('file_too_large') }))
      const response = await fetch(pathOf(await chatId(), file.name || 'file'), { method: 'PUT', body: file })
      if (!response.ok) throw refusal(await response.text())
      const stored = (await response.json()) as StoredFilePart
      // it may have been removed meanwhile
      if (!latest.current.some(each => each.id === id)) await forget(stored.name)
      else change(latest.current.map(each => (each.id === id ? { ...each, ...stored, stored } : each)))
    } catch (error) {
      change(latest.current.filter(each => each.id !== id))
      onError(error)
    }
  }
  return {
    list,
    isSending: list.some(({ stored }) => stored === undefined),
    add: (files: Iterable<File>) => {
      for (const file of files) void addOne(file)
    },
    remove: async (id: string) => {
      const removed = latest.current.find(each => each.id === id)
      change(latest.current.filter(each => each.id !== id))
      if (removed?.stored) await forget(removed.name)
    },
    /** returns the files and empties the draft */
    take: (): readonly StoredFilePart[] => {
      const taken = latest.current.flatMap(({ stored }) => (stored ? [stored] : []))
      change([])
      return taken
    },
  }
}

const pathOf = (chatId: string, name: string): string => `/api/chats/${encodeURIComponent(chatId)}/files/${encodeURIComponent(name)}`

const refusal = (text: string): Error => new Error(text)
