import { Globe } from 'lucide-react'
import { useState } from 'react'
import { useStudioChat } from '../chat/chat-context.ts'
import { useMessages } from '../messages/language.tsx'
import { Empty } from '../shell/states.tsx'
import { AddressBar } from './address-bar.tsx'
import { useBrowserOwner } from './desktop.ts'
import { useLive } from './live-context.tsx'
import { NativeView, useIsCovered } from './native-view.tsx'
import { Stage, type StageMode } from './stage.tsx'
import { StatusBar } from './status-bar.tsx'
import { TabStrip } from './tab-strip.tsx'

/** The browser of the chat: tabs, address, the live picture, and who operates the page. */
export const BrowserPanel = () => {
  const { browser } = useMessages()
  const { chatId, hasBrowser } = useStudioChat()
  const owner = useBrowserOwner()
  const { connection, state } = useLive()
  const [mode, setMode] = useState<StageMode>({ refs: false, pick: false, zoom: 'fit' })
  const change = (changes: Partial<StageMode>) => setMode(before => ({ ...before, ...changes }))
  const hasPage = state.page !== undefined && state.page.url !== '' && state.page.url !== 'about:blank'
  const empty = connection === undefined || (!hasPage && state.picture === undefined && !hasBrowser)
  const [area, setArea] = useState<HTMLDivElement | null>(null)
  const covered = useIsCovered(typeof owner === 'object' ? area : null)
  // the agent's work, and what is drawn over the page, is shown on its picture; a person operates the page itself
  const isNative = typeof owner === 'object' && state.controller !== 'agent' && !mode.refs && !mode.pick && !covered
  if (owner === 'elsewhere') return <Empty icon={<Globe />} title={browser.emptyTitle} text={browser.remote} />
  return (
    <div className="flex h-full flex-col bg-canvas">
      {state.tabs.length > 0 ? <TabStrip /> : null}
      <AddressBar mode={mode} change={change} />
      <div ref={setArea} className="relative min-h-0 flex-1">
        {empty ? (
          <Empty icon={<Globe />} title={browser.emptyTitle} text={browser.emptyText} />
        ) : isNative && chatId !== undefined ? (
          <NativeView desktop={owner} chatId={chatId} />
        ) : (
          <Stage mode={mode} change={change} />
        )}
      </div>
      {connection === undefined ? null : <StatusBar />}
    </div>
  )
}
