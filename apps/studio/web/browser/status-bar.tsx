import { Bot, Hand, MousePointer2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { problemWords } from '../messages/fact-words.ts'
import { useMessages } from '../messages/language.tsx'
import { Button } from '../shell/button.tsx'
import { useLive } from './live-context.tsx'
import { badgeOf } from './live-state.ts'

const Age = ({ at }: { at: string }) => {
  const { browser } = useMessages()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return <span className="tabular">{browser.age(Math.max(0, Math.round((now - Date.parse(at)) / 1_000)))}</span>
}

/** Whether the picture follows the page. */
const Badge = () => {
  const messages = useMessages()
  const { browser } = messages
  const { state } = useLive()
  const badge = badgeOf(state)
  const looks = {
    live: 'bg-accent-soft text-accent',
    still: 'bg-sunken text-muted',
    connecting: 'bg-sunken text-muted',
    reconnecting: 'bg-warn-soft text-warn',
  }
  const dots = { live: 'bg-accent', still: 'bg-faint', connecting: 'bg-faint animate-breathe', reconnecting: 'bg-warn animate-breathe' }
  return (
    <span
      role="status"
      title={state.page?.problem === undefined ? browser.badgeHint[badge] : problemWords(state.page.problem, messages)}
      className={`flex shrink-0 items-center gap-1.5 rounded-full px-2 py-0.5 text-2xs font-medium ${looks[badge]}`}
    >
      <span className={`size-1.5 rounded-full ${dots[badge]}`} aria-hidden />
      {browser.badge[badge]}
      {badge !== 'live' && state.picture !== undefined ? <Age at={state.picture.at} /> : null}
    </span>
  )
}

/** Who sees the picture and who operates the page: one at a time. */
export const StatusBar = () => {
  const { browser } = useMessages()
  const { connection, state } = useLive()
  const words = state.you ? browser.youControl : browser.controller[state.controller]
  return (
    <footer className="flex h-11 shrink-0 items-center gap-2.5 border-t bg-surface px-3">
      <Badge />
      <span className="hidden min-w-0 truncate text-2xs text-faint lg:inline" title={browser.privacy(state.viewers)}>
        {browser.privacy(state.viewers)}
      </span>
      <span className="flex-1" />
      <span className="flex min-w-0 items-center gap-1.5 text-xs text-muted" role="status">
        {state.you ? (
          <Hand className="size-3.5 shrink-0 text-accent" aria-hidden />
        ) : state.controller === 'agent' ? (
          <Bot className="size-3.5 shrink-0" aria-hidden />
        ) : (
          <MousePointer2 className="size-3.5 shrink-0" aria-hidden />
        )}
        <span className="truncate">{words}</span>
      </span>
      {state.you ? (
        <Button look="primary" size="small" id="hand-back" onClick={() => connection?.send({ type: 'give' })}>
          {browser.handBack}
        </Button>
      ) : (
        <Button size="small" disabled={!state.connected || state.page === undefined} onClick={() => connection?.send({ type: 'take' })}>
          {browser.takeOver}
        </Button>
      )}
    </footer>
  )
}
