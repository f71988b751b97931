import { useQuery } from '@tanstack/react-query'
import { ArrowUpRight, Play } from 'lucide-react'
import { api } from '../api/client.ts'
import { useMessages } from '../messages/language.tsx'
import { Button } from '../shell/button.tsx'
import { Mark } from '../shell/mark.tsx'
import { useStudioChat } from './chat-context.ts'

export const EmptyThread = () => {
  const { chat } = useMessages()
  const { send } = useStudioChat()
  const { data: info } = useQuery(api.info.queryOptions())
  const demo = info?.demo
  return (
    <div className="mx-auto flex min-h-full max-w-md flex-col justify-center gap-4 px-6 py-10">
      <span className="[&_svg]:size-9">
        <Mark />
      </span>
      <div>
        <h1 className="text-xl font-semibold tracking-tight">{chat.emptyTitle}</h1>
        <p className="mt-1 text-muted text-pretty">{chat.emptyText}</p>
      </div>
      {demo === undefined ? null : (
        <div className="rounded-xl border bg-raised p-3 shadow-card">
          <p className="text-[0.8125rem] text-pretty">{demo.goal}</p>
          <Button look="primary" className="mt-2.5" onClick={() => send(demo.goal)}>
            <Play className="size-3.5" aria-hidden />
            {chat.tryDemo}
          </Button>
        </div>
      )}
      {info?.model.isAi === true ? (
        <ul className="flex flex-col">
          {chat.suggestions.map(suggestion => (
            <li key={suggestion} className="border-t first:border-t-0">
              <button
                type="button"
                onClick={() => send(suggestion)}
                className="group flex w-full items-center justify-between gap-3 py-2 text-left text-[0.8125rem] text-muted hover:text-ink"
              >
                {suggestion}
                <ArrowUpRight className="size-3.5 shrink-0 text-faint group-hover:text-accent" aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
