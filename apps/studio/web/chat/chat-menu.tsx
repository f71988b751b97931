import { useMutation, useQuery } from '@tanstack/react-query'
import { ChevronsUpDown, Pencil, Plus, Trash2 } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import type { ChatSummary } from '../../../../src/wire/studio-api.ts'
import { api, queries } from '../api/client.ts'
import { useLanguage, useMessages } from '../messages/language.tsx'
import { Button, IconButton } from '../shell/button.tsx'
import { ago } from '../shell/dates.ts'
import { chatPath, go, useRoute } from '../shell/route.ts'
import { toastError } from '../shell/toast.tsx'

const dots = { idle: 'bg-transparent', running: 'bg-accent animate-breathe', waiting: 'bg-warn' } as const

const ChatItem = ({ chat, current, onOpen }: { chat: ChatSummary; current: boolean; onOpen: () => void }) => {
  const messages = useMessages()
  const language = useLanguage()
  const [mode, setMode] = useState<'show' | 'rename' | 'remove'>('show')
  const [title, setTitle] = useState(chat.title)
  const after = {
    onError: toastError(messages),
    onSettled: () => {
      setMode('show')
      void queries.invalidateQueries(api.chat.list.queryFilter())
    },
  }
  const rename = useMutation(api.chat.rename.mutationOptions(after))
  const remove = useMutation(
    api.chat.remove.mutationOptions({
      ...after,
      onSuccess: () => {
        window.pagehandDesktop?.closeBrowser(chat.id)
        if (current) go(chatPath(undefined))
      },
    }),
  )
  const shown = chat.title === '' ? messages.nav.untitled : chat.title
  if (mode === 'rename') {
    return (
      <form
        className="flex gap-1.5 p-1.5"
        onSubmit={event => {
          event.preventDefault()
          if (title.trim() !== '') rename.mutate({ id: chat.id, title: title.trim() })
        }}
      >
        <input
          // biome-ignore lint/a11y/noAutofocus: the field replaces the button that was just pressed
          autoFocus
          value={title}
          maxLength={120}
          onChange={event => setTitle(event.target.value)}
          aria-label={messages.nav.renameAsk}
          className="h-7 min-w-0 flex-1 rounded-md border border-line-strong bg-surface px-2 text-[0.8125rem] outline-none focus:border-accent"
        />
        <Button size="small" type="submit" look="primary">
          {messages.nav.save}
        </Button>
      </form>
    )
  }
  if (mode === 'remove') {
    return (
      <div className="flex flex-col gap-1.5 p-2 text-[0.8125rem]">
        {messages.nav.removeAsk(shown)}
        <span className="flex gap-1.5">
          <Button size="small" look="danger" onClick={() => remove.mutate({ id: chat.id })}>
            {messages.nav.remove}
          </Button>
          <Button size="small" look="quiet" onClick={() => setMode('show')}>
            {messages.app.cancel}
          </Button>
        </span>
      </div>
    )
  }
  return (
    <div className={`group flex items-center rounded-lg ${current ? 'bg-accent-soft' : 'hover:bg-sunken'}`}>
      <a
        href={chatPath(chat.id)}
        onClick={onOpen}
        aria-current={current ? 'true' : undefined}
        className="flex min-w-0 flex-1 items-center gap-2 px-2 py-1.5"
      >
        <span className={`size-1.5 shrink-0 rounded-full ${dots[chat.state]}`} aria-hidden />
        <span className="min-w-0 flex-1 truncate text-[0.8125rem]">{shown}</span>
        <span className="text-2xs text-faint group-focus-within:hidden group-hover:hidden">{ago(chat.updatedAt, language)}</span>
      </a>
      <span className="sr-only group-focus-within:not-sr-only group-hover:not-sr-only">
        <span className="flex">
          <IconButton label={`${messages.nav.rename}: ${shown}`} className="size-7" onClick={() => setMode('rename')}>
            <Pencil className="size-3.5" />
          </IconButton>
          <IconButton label={`${messages.nav.remove}: ${shown}`} className="size-7" onClick={() => setMode('remove')}>
            <Trash2 className="size-3.5" />
          </IconButton>
        </span>
      </span>
    </div>
  )
}

/** The chats: the title of the one on display opens the list. */
export const ChatMenu = () => {
  const { nav } = useMessages()
  const route = useRoute()
  const [open, setOpen] = useState(false)
  const { data: chats = [] } = useQuery(api.chat.list.queryOptions())
  const id = route.name === 'chat' ? route.id : undefined
  const title = chats.find(chat => chat.id === id)?.title
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className="flex h-8 min-w-0 items-center gap-1.5 rounded-md px-2 text-[0.8125rem] text-muted hover:bg-sunken hover:text-ink">
        <span className="truncate">{route.name === 'chat' ? (title === undefined || title === '' ? nav.untitled : title) : nav.chats}</span>
        <ChevronsUpDown className="size-3.5 shrink-0 text-faint" aria-hidden />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label={nav.chats}
          className="z-50 flex max-h-[70vh] w-80 animate-rise flex-col gap-0.5 overflow-y-auto rounded-xl border bg-raised p-1.5 shadow-card outline-none"
        >
          <button
            type="button"
            onClick={() => {
              setOpen(false)
              go(chatPath(undefined))
            }}
            className="flex items-center gap-2 rounded-lg px-2 py-1.5 text-left text-[0.8125rem] font-medium text-accent hover:bg-sunken"
          >
            <Plus className="size-3.5" aria-hidden />
            {nav.newChat}
          </button>
          {chats.map(chat => (
            <ChatItem key={chat.id} chat={chat} current={chat.id === id} onOpen={() => setOpen(false)} />
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
