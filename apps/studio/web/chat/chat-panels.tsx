import { Globe, MessageSquare } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import { BrowserPanel } from '../browser/browser-panel.tsx'
import { useMessages } from '../messages/language.tsx'
import { Crash } from '../shell/crash.tsx'
import { setNarrowTab, useNarrowTab } from './narrow-tab.ts'
import { Thread } from './thread.tsx'

const wide = matchMedia('(min-width: 820px)')
const subscribe = (listener: () => void) => {
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}

const layoutKey = 'pagehand-panels'
const savedLayout = () => {
  try {
    return JSON.parse(localStorage.getItem(layoutKey) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

const SideBySide = () => {
  const { app } = useMessages()
  return (
    <Group
      orientation="horizontal"
      className="h-full"
      defaultLayout={savedLayout()}
      onLayoutChanged={layout => localStorage.setItem(layoutKey, JSON.stringify(layout))}
    >
      <Panel id="chat" defaultSize="40%" minSize={320}>
        <section aria-label={app.chatPanel} className="h-full">
          <Crash>
            <Thread />
          </Crash>
        </section>
      </Panel>
      <Separator
        aria-label={app.resize}
        className="group relative w-px bg-line outline-none before:absolute before:inset-y-0 before:-inset-x-1 before:z-10 before:transition-colors hover:before:bg-accent/25 focus-visible:before:bg-accent/40"
      />
      <Panel id="browser" minSize={360}>
        <section aria-label={app.browserPanel} className="h-full">
          <Crash>
            <BrowserPanel />
          </Crash>
        </section>
      </Panel>
    </Group>
  )
}

const OneAtATime = () => {
  const { app } = useMessages()
  const tab = useNarrowTab()
  const tabs = [
    { id: 'chat', label: app.chatPanel, icon: <MessageSquare className="size-4" aria-hidden /> },
    { id: 'browser', label: app.browserPanel, icon: <Globe className="size-4" aria-hidden /> },
  ] as const
  return (
    <div className="flex h-full flex-col">
      <div role="tablist" className="flex border-b bg-surface px-2">
        {tabs.map(({ id, label, icon }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={tab === id}
            aria-controls={`panel-${id}`}
            tabIndex={tab === id ? 0 : -1}
            onClick={() => setNarrowTab(id)}
            onKeyDown={event => {
              if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
              const other = id === 'chat' ? 'browser' : 'chat'
              setNarrowTab(other)
              document.getElementById(`tab-${other}`)?.focus()
            }}
            className="-mb-px flex flex-1 items-center justify-center gap-1.5 border-b-2 border-transparent py-2 text-[0.8125rem] font-medium text-muted aria-selected:border-accent aria-selected:text-ink"
          >
            {icon}
            {label}
          </button>
        ))}
      </div>
      <div id="panel-chat" role="tabpanel" aria-labelledby="tab-chat" hidden={tab !== 'chat'} className="min-h-0 flex-1">
        <Crash>
          <Thread />
        </Crash>
      </div>
      <div id="panel-browser" role="tabpanel" aria-labelledby="tab-browser" hidden={tab !== 'browser'} className="min-h-0 flex-1">
        {tab === 'browser' && (
          <Crash>
            <BrowserPanel />
          </Crash>
        )}
      </div>
    </div>
  )
}

/** Chat and browser: side by side, or as tabs on a narrow screen. */
export const ChatPanels = () => {
  const isWide = useSyncExternalStore(subscribe, () => wide.matches)
  return <main className="h-full">{isWide ? <SideBySide /> : <OneAtATime />}</main>
}
