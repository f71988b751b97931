import { lazy, Suspense } from 'react'
import { useConnection } from './api/connection.ts'
import { ChatSkeleton } from './chat/chat-skeleton.tsx'
import { LanguageProvider } from './messages/language.tsx'
import { ConnectionNotice } from './shell/connection-notice.tsx'
import { Crash } from './shell/crash.tsx'
import { NeedLink } from './shell/need-link.tsx'
import { usePreferences, useSyncedPreferences } from './shell/preferences.ts'
import { useRoute } from './shell/route.ts'
import { Loading } from './shell/states.tsx'
import { Toasts } from './shell/toast.tsx'
import { TopBar } from './shell/top-bar.tsx'

// the runtime of the chat is most of the code: the frame of the page is painted before it has arrived
const chatModule = import('./chat/chat-workspace.tsx')
const ChatWorkspace = lazy(async () => ({ default: (await chatModule).ChatWorkspace }))
const Runs = lazy(() => import('./runs/runs-screen.tsx'))
const Replay = lazy(() => import('./replay/replay-screen.tsx'))
const Settings = lazy(() => import('./settings/settings-screen.tsx'))

const Screens = () => {
  useSyncedPreferences()
  const route = useRoute()
  const onChat = route.name === 'chat'
  return (
    <div className="flex h-full flex-col">
      <TopBar />
      <ConnectionNotice />
      <div className="relative min-h-0 flex-1">
        {/* stays mounted, so that a run keeps streaming while another screen is open */}
        <div className="h-full" hidden={!onChat} inert={!onChat}>
          <Suspense fallback={<ChatSkeleton />}>
            <ChatWorkspace chatId={onChat ? route.id : undefined} shown={onChat} />
          </Suspense>
        </div>
        {onChat ? null : (
          <Crash>
            <Suspense fallback={<Loading />}>
              {route.name === 'runs' && <Runs />}
              {route.name === 'replay' && <Replay key={route.id} id={route.id} />}
              {route.name === 'settings' && <Settings />}
            </Suspense>
          </Crash>
        )}
      </div>
    </div>
  )
}

export const App = () => {
  const { language } = usePreferences()
  const connection = useConnection()
  return (
    <LanguageProvider choice={language}>
      <Crash>{connection === 'unauthorized' ? <NeedLink /> : <Screens />}</Crash>
      <Toasts />
    </LanguageProvider>
  )
}
