import { X } from 'lucide-react'
import { useMessages } from '../messages/language.tsx'
import { IconButton } from '../shell/button.tsx'
import { elementWords } from '../timeline/step-words.ts'
import { useStudioChat } from './chat-context.ts'

/** The marked elements of a draft. */
export const PickList = () => {
  const messages = useMessages()
  const { chat } = messages
  const { picks } = useStudioChat()
  return (
    <ul aria-label={chat.picks} className="flex flex-col gap-1 border-b p-2">
      {picks.list.map(({ number, element, note }) => (
        <li key={number} className="flex animate-rise items-center gap-2 rounded-lg bg-sunken p-1.5">
          <span className="grid size-5 shrink-0 place-items-center rounded-full bg-accent text-2xs font-semibold text-on-accent">
            {number}
          </span>
          {element.base64 === '' ? null : (
            <img
              src={`data:${element.mime};base64,${element.base64}`}
              alt={chat.picture(number)}
              className="h-8 max-w-24 shrink-0 rounded border bg-surface object-contain"
            />
          )}
          <span className="min-w-0 flex-1">
            <span className="block truncate text-xs">
              {elementWords(element, messages)} <code className="font-mono text-2xs text-faint">{element.ref}</code>
            </span>
            <input
              value={note}
              onChange={event => picks.setNote(number, event.target.value)}
              aria-label={chat.pickNote(number)}
              placeholder={chat.pickNotePlaceholder}
              className="w-full bg-transparent text-xs text-muted outline-none placeholder:text-faint focus:text-ink"
            />
          </span>
          <IconButton label={chat.removePick(number)} onClick={() => picks.remove(number)} className="size-6">
            <X className="size-3.5" />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}
