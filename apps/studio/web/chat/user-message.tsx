import { MessagePrimitive } from '@assistant-ui/react'
import type { StoredFilePart } from '../../../../src/wire/parts.ts'
import { useMessages } from '../messages/language.tsx'
import { FileChip } from './file-chip.tsx'

export const UserMessage = () => {
  const { chat } = useMessages()
  return (
    <MessagePrimitive.Root className="flex flex-col items-end gap-1.5">
      <h2 className="sr-only">{chat.you}</h2>
      <div className="max-w-[85%] rounded-2xl rounded-br-md bg-accent-soft px-3.5 py-2 whitespace-pre-wrap [overflow-wrap:anywhere]">
        <MessagePrimitive.Parts>{({ part }) => (part.type === 'text' ? <p>{part.text}</p> : null)}</MessagePrimitive.Parts>
      </div>
      <div className="flex flex-wrap justify-end gap-1.5 empty:hidden">
        <MessagePrimitive.Parts>
          {({ part }) => (part.type === 'data' && part.name === 'stored-file' ? <FileChip file={part.data as StoredFilePart} /> : null)}
        </MessagePrimitive.Parts>
      </div>
      <div className="flex flex-wrap justify-end gap-1.5 empty:hidden">
        <MessagePrimitive.Attachments>
          {({ attachment }) => {
            const [content] = attachment.content ?? []
            const source = content?.type === 'image' ? content.image : content?.type === 'file' ? content.data : undefined
            return source?.startsWith('data:image/') === true ? (
              <img
                src={source}
                alt={attachment.name === '' ? chat.attached : attachment.name}
                className="h-12 max-w-40 rounded-md border bg-surface object-contain"
              />
            ) : null
          }}
        </MessagePrimitive.Attachments>
      </div>
    </MessagePrimitive.Root>
  )
}
