import { FileText, X } from 'lucide-react'
import { useMessages } from '../messages/language.tsx'
import { IconButton } from '../shell/button.tsx'
import { Spinner } from '../shell/states.tsx'
import { useStudioChat } from './chat-context.ts'

/** The files of a draft. */
export const AttachmentList = () => {
  const { chat, time } = useMessages()
  const { attachments } = useStudioChat()
  return (
    <ul aria-label={chat.files} className="flex flex-wrap gap-1.5 border-b p-2">
      {attachments.list.map(({ id, name, bytes, stored }) => (
        <li key={id} className="flex max-w-full animate-rise items-center gap-1.5 rounded-lg bg-sunken py-0.5 pr-0.5 pl-2 text-xs">
          {stored === undefined ? <Spinner className="size-3.5" /> : <FileText className="size-3.5 shrink-0 text-faint" aria-hidden />}
          <span className="truncate">{name}</span>
          <span className="shrink-0 text-faint">{time.bytes(bytes)}</span>
          <IconButton label={chat.removeFile(name)} onClick={() => void attachments.remove(id)} className="size-6">
            <X className="size-3.5" />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}
