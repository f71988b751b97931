import { Plus, X } from 'lucide-react'
import { useMessages } from '../messages/language.tsx'
import { IconButton } from '../shell/button.tsx'
import { useLive } from './live-context.tsx'

export const TabStrip = () => {
  const { browser } = useMessages()
  const { connection, state } = useLive()
  return (
    <nav aria-label={browser.tabs} className="flex items-end gap-0.5 overflow-x-auto bg-canvas px-2 pt-1.5 [scrollbar-width:none]">
      <ul className="flex min-w-0 gap-0.5">
        {state.tabs.map(tab => {
          const title = tab.title === '' ? (tab.url === '' ? browser.untitled : tab.url) : tab.title
          return (
            <li
              key={tab.id}
              className={`group flex max-w-52 min-w-24 items-center rounded-t-lg border border-b-0 pr-1 ${
                tab.selected ? 'bg-surface' : 'border-transparent text-muted hover:bg-sunken'
              }`}
            >
              <button
                type="button"
                aria-current={tab.selected ? 'page' : undefined}
                title={tab.url}
                onClick={() => connection?.send({ type: 'tab', operation: 'select', id: tab.id })}
                className="min-w-0 flex-1 truncate py-1.5 pl-2.5 text-left text-xs"
              >
                {title}
              </button>
              <IconButton
                label={browser.closeTab(title)}
                className="size-5"
                onClick={() => connection?.send({ type: 'tab', operation: 'close', id: tab.id })}
              >
                <X className="size-3" />
              </IconButton>
            </li>
          )
        })}
      </ul>
      <IconButton label={browser.newTab} className="mb-0.5 size-6" onClick={() => connection?.send({ type: 'tab', operation: 'new' })}>
        <Plus className="size-3.5" />
      </IconButton>
    </nav>
  )
}
