import { Download, FileText } from 'lucide-react'
import type { StoredFilePart } from '../../../../src/wire/parts.ts'
import { useMessages } from '../messages/language.tsx'

/** A file of a chat; one that a page gave can be saved. */
export const FileChip = ({ file: { name, bytes, url } }: { file: StoredFilePart }) => {
  const { chat, time } = useMessages()
  return (
    <div className="flex max-w-full items-center gap-2 self-start rounded-lg border bg-raised px-2.5 py-1.5 text-[0.8125rem]">
      <FileText className="size-4 shrink-0 text-faint" aria-hidden />
      <span className="min-w-0 truncate" title={name}>
        {name}
      </span>
      <span className="shrink-0 text-xs text-faint">{time.bytes(bytes)}</span>
      {url === undefined ? null : (
        <a
          href={url}
          download={name}
          aria-label={chat.saveFile(name)}
          className="ml-1 inline-flex h-7 shrink-0 items-center gap-1 rounded-md border border-line-strong px-2 text-xs font-medium hover:border-faint hover:bg-sunken"
        >
          <Download className="size-3.5" aria-hidden />
          {chat.save}
        </a>
      )}
    </div>
  )
}
