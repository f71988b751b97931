import { useQuery } from '@tanstack/react-query'
import { Hand, Inbox, PauseCircle, ShieldQuestion } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useEffect, useState } from 'react'
import { api } from '../api/client.ts'
import { setNarrowTab } from '../chat/narrow-tab.ts'
import { useLanguage, useMessages } from '../messages/language.tsx'
import { ago } from '../shell/dates.ts'
import { chatPath, go } from '../shell/route.ts'
import { actionWords, planLines, whereWords } from '../timeline/step-words.ts'

export const useWaiting = () => {
  const { data } = useQuery(api.waiting.queryOptions(undefined, { refetchInterval: 3_000 }))
  const approvals = data?.approvals ?? []
  const handoffs = data?.handoffs ?? []
  return { approvals, handoffs, count: approvals.length + handoffs.length }
}

const Item = ({
  icon,
  kind,
  text,
  detail,
  onOpen,
}: {
  icon: React.ReactNode
  kind: string
  text: string
  detail: string
  onOpen: () => void
}) => (
  <li className="border-t first:border-t-0">
    <button type="button" onClick={onOpen} className="flex w-full items-start gap-2.5 px-3 py-2.5 text-left hover:bg-sunken">
      <span className="mt-0.5 text-warn [&_svg]:size-4">{icon}</span>
      <span className="min-w-0">
        <span className="block text-[0.8125rem] [overflow-wrap:anywhere]">{text}</span>
        <span className="block truncate text-xs text-faint">
          {kind} · {detail}
        </span>
      </span>
    </button>
  </li>
)

/** What waits for the person now, across all runs: a button with the number, and the list. */
export const WaitingList = () => {
  const messages = useMessages()
  const language = useLanguage()
  const { approvals, handoffs, count } = useWaiting()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ''}${messages.app.name}`
  }, [count, messages])
  const show = (chatId: string) => {
    setOpen(false)
    setNarrowTab('chat')
    go(chatPath(chatId))
  }
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-label={count === 0 ? messages.waiting.title : messages.nav.waiting(count)}
        title={messages.waiting.title}
        className={`flex h-8 shrink-0 items-center gap-1.5 rounded-md px-2 text-xs font-medium transition-colors ${
          count > 0 ? 'border border-warn-line bg-warn-soft text-warn' : 'text-muted hover:bg-sunken hover:text-ink'
        }`}
      >
        <Inbox className="size-4" aria-hidden />
        {count > 0 ? <span className="tabular">{count}</span> : null}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label={messages.waiting.title}
          className="z-50 max-h-[70vh] w-80 animate-rise overflow-y-auto rounded-xl border bg-raised shadow-card outline-none"
        >
          <h2 className="border-b px-3 py-2 text-xs font-medium text-muted">{messages.waiting.title}</h2>
          {count === 0 ? (
            <p className="px-3 py-4 text-[0.8125rem] text-muted">
              {messages.waiting.empty}
              <span className="mt-0.5 block text-xs text-faint">{messages.waiting.emptyText}</span>
            </p>
          ) : (
            <ul>
              {approvals.map(each => (
                <Item
                  key={each.id}
                  icon={<ShieldQuestion aria-hidden />}
                  kind={messages.waiting.approval}
                  text={each.kind === 'plan' ? messages.waiting.plan(planLines(each).length) : actionWords(each, messages)}
                  detail={`${whereWords(each, messages)} · ${ago(each.askedAt, language)}`}
                  onOpen={() => show(each.chatId)}
                />
              ))}
              {handoffs.map(each => (
                <Item
                  key={each.runId}
                  icon={each.kind === 'interrupted' ? <PauseCircle aria-hidden /> : <Hand aria-hidden />}
                  kind={each.kind === 'interrupted' ? messages.waiting.interrupted : messages.waiting.handoff}
                  text={each.kind === 'interrupted' ? messages.handoff.interruptedTitle : each.reason}
                  detail={each.goal}
                  onOpen={() => show(each.chatId)}
                />
              ))}
            </ul>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
