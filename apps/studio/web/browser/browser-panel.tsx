import { Globe } from 'lucide-react'
import { useState } from 'react'
import { useStudioChat } from '../chat/chat-context.ts'
import { useMessages } from '../messages/language.tsx'
import { Empty } from '../shell/states.tsx'
import { AddressBar } from './address-bar.tsx'
import { useLive } from './live-context.tsx'
import { Stage, type StageMode } from './stage.tsx'
import { StatusBar } from './status-bar.tsx'
import { TabStrip } from './tab-strip.tsx'

/** The browser of the chat: tabs, address, the live picture, and who operates the page. */
export const BrowserPanel = () => {
  const { browser } = useMessages()
  const { hasBrowser } = useStudioChat()
  const { connection, state } = useLive()
  const [mode, setMode] = useState<StageMode>({ refs: false, pick: false, zoom: 'fit' })
  const change = (changes: Partial<StageMode>) => setMode(before => ({ ...before, ...changes }))
  const hasPage = state.page !== undefined && state.page.url !== '' && state.page.url !== 'about:blank'
  const empty = connection === undefined || (!hasPage && state.picture === undefined && !hasBrowser)
  return (
    <div className="flex h-full flex-col bg-canvas">
      {state.tabs.length > 0 ? <TabStrip /> : null}
      <AddressBar mode={mode} change={change} />
      <div className="relative min-h-0 flex-1">
        {empty ? <Empty icon={<Globe />} title={browser.emptyTitle} text={browser.emptyText} /> : <Stage mode={mode} change={change} />}
      </div>
      {connection === undefined ? null : <StatusBar />}
    </div>
  )
}
