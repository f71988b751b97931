import { Command, History, Settings } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { WaitingList } from '../approvals/waiting-list.tsx'
import { ChatMenu } from '../chat/chat-menu.tsx'
import { useMessages } from '../messages/language.tsx'
import { IconButton } from './button.tsx'
import { Mark } from './mark.tsx'
import { useRoute } from './route.ts'

const Palette = lazy(() => import('./palette.tsx'))

const links =
  'grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent'

export const TopBar = () => {
  const { nav, app } = useMessages()
  const route = useRoute()
  const [palette, setPalette] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      // in the picture of a page the keys belong to the page
      if (event.target instanceof HTMLElement && event.target.dataset.pageInput !== undefined) return
      event.preventDefault()
      setPalette(open => !open)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <header className="flex h-12 shrink-0 items-center gap-1 border-b bg-surface px-3">
      <button
        type="button"
        onClick={() => document.getElementById('composer')?.focus()}
        className="sr-only focus:not-sr-only focus:rounded focus:px-2 focus:py-1"
      >
        {app.skipToComposer}
      </button>
      <a
        href="#/"
        aria-label={`pagehand: ${nav.newChat}`}
        title={nav.newChat}
        className="mr-1 flex items-center gap-2 rounded-md font-semibold tracking-tight"
      >
        <Mark />
        <span className="hidden sm:inline">pagehand</span>
      </a>
      <ChatMenu />
      <span className="flex-1" />
      <WaitingList />
      <nav className="flex items-center">
        <a
          href="#/runs"
          aria-label={nav.runs}
          title={nav.runs}
          aria-current={route.name === 'runs' || route.name === 'replay' ? 'page' : undefined}
          className={links}
        >
          <History className="size-4" aria-hidden />
        </a>
        <a
          href="#/settings"
          aria-label={nav.settings}
          title={nav.settings}
          aria-current={route.name === 'settings' ? 'page' : undefined}
          className={links}
        >
          <Settings className="size-4" aria-hidden />
        </a>
        <IconButton label={nav.palette} onClick={() => setPalette(true)} aria-keyshortcuts="Control+K">
          <Command className="size-4" aria-hidden />
        </IconButton>
      </nav>
      {palette ? (
        <Suspense>
          <Palette onClose={() => setPalette(false)} />
        </Suspense>
      ) : null}
    </header>
  )
}
