import { useMutation, useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { History, Languages, MessageSquare, Moon, Plus, Settings, Square, SunMedium, SunMoon } from 'lucide-react'
import type { ReactNode } from 'react'
import { api, client } from '../api/client.ts'
import { useMessages } from '../messages/language.tsx'
import { type Preferences, setPreferences } from './preferences.ts'
import { chatPath, go, useRoute } from './route.ts'
import { toast, toastError } from './toast.tsx'

const item =
  'flex cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-2 text-[0.8125rem] data-[selected=true]:bg-accent-soft [&_svg]:size-4 [&_svg]:text-faint'
const group =
  '[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-2xs [&_[cmdk-group-heading]]:text-faint'

const Palette = ({ onClose }: { onClose: () => void }) => {
  const messages = useMessages()
  const route = useRoute()
  const { data: chats = [] } = useQuery(api.chat.list.queryOptions())
  const save = useMutation(api.settings.set.mutationOptions({ onError: toastError(messages) }))
  const act = (action: () => void) => () => {
    onClose()
    action()
  }
  const prefer = (changes: Partial<Preferences>) =>
    act(() => {
      setPreferences(changes)
      save.mutate(changes)
    })
  const stop = act(() => {
    const chatId = route.name === 'chat' ? route.id : undefined
    client.run.stop
      .mutate(chatId === undefined ? {} : { chatId })
      .then(({ stopped }) => void toast(stopped.length > 0 ? messages.run.stoppedNow : messages.run.nothingToStop), toastError(messages))
  })
  const row = (icon: ReactNode, text: string, onSelect: () => void, value = text) => (
    <Command.Item key={value} value={value} keywords={[text]} onSelect={onSelect} className={item}>
      {icon}
      <span className="truncate">{text}</span>
    </Command.Item>
  )
  return (
    <Command.Dialog
      open
      onOpenChange={open => (open ? undefined : onClose())}
      label={messages.nav.palette}
      overlayClassName="fixed inset-0 z-40 bg-canvas/70"
      contentClassName="fixed top-[14vh] left-1/2 z-50 w-[min(34rem,calc(100vw-2rem))] -translate-x-1/2 animate-rise overflow-hidden rounded-xl border bg-raised shadow-card"
    >
      <Command.Input
        placeholder={messages.palette.placeholder}
        className="h-11 w-full border-b bg-transparent px-4 outline-none placeholder:text-faint"
      />
      <Command.List className="max-h-80 overflow-y-auto p-1.5" label={messages.nav.palette}>
        <Command.Empty className="p-4 text-center text-[0.8125rem] text-muted">{messages.palette.empty}</Command.Empty>
        <Command.Group heading={messages.palette.actions} className={group}>
          {row(
            <Plus />,
            messages.nav.newChat,
            act(() => go('#/')),
          )}
          {row(<Square />, messages.run.stopAll, stop)}
          {row(<SunMedium />, messages.palette.theme(messages.settings.themes.light), prefer({ theme: 'light' }))}
          {row(<Moon />, messages.palette.theme(messages.settings.themes.dark), prefer({ theme: 'dark' }))}
          {row(<SunMoon />, messages.palette.theme(messages.settings.themes.system), prefer({ theme: 'system' }))}
          {row(<Languages />, 'English', prefer({ language: 'en' }))}
          {row(<Languages />, '简体中文', prefer({ language: 'zh-CN' }))}
        </Command.Group>
        <Command.Group heading={messages.palette.goTo} className={group}>
          {row(
            <History />,
            messages.nav.runs,
            act(() => go('#/runs')),
          )}
          {row(
            <Settings />,
            messages.nav.settings,
            act(() => go('#/settings')),
          )}
        </Command.Group>
        {chats.length === 0 ? null : (
          <Command.Group heading={messages.palette.chats} className={group}>
            {chats.map(chat =>
              row(
                <MessageSquare />,
                chat.title === '' ? messages.nav.untitled : chat.title,
                act(() => go(chatPath(chat.id))),
                chat.id,
              ),
            )}
          </Command.Group>
        )}
      </Command.List>
    </Command.Dialog>
  )
}
export default Palette
