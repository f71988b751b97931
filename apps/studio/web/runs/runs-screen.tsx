import { useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronRight, History, Search } from 'lucide-react'
import { useDeferredValue, useRef, useState } from 'react'
import type { RunListItem } from '../../../../src/wire/studio-api.ts'
import { api } from '../api/client.ts'
import { useLanguage, useMessages } from '../messages/language.tsx'
import { ago } from '../shell/dates.ts'
import { replayPath } from '../shell/route.ts'
import { Empty, Failed, Loading } from '../shell/states.tsx'
import { runStateWords, succeeded } from '../timeline/step-words.ts'

const RunRow = ({ run }: { run: RunListItem }) => {
  const messages = useMessages()
  const language = useLanguage()
  const good = succeeded(run)
  const isWaiting = run.state === 'waiting' || run.state === 'handoff'
  const dot = isWaiting ? 'bg-warn' : good === undefined ? 'bg-accent animate-breathe' : good ? 'bg-good' : 'bg-bad'
  const took = run.endedAt === undefined ? undefined : Date.parse(run.endedAt) - Date.parse(run.startedAt)
  return (
    <a href={replayPath(run.id)} className="group flex items-center gap-3 border-b px-4 py-3 hover:bg-sunken">
      <span className={`size-2 shrink-0 rounded-full ${dot}`} aria-hidden />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{run.goal}</span>
        <span className="flex flex-wrap gap-x-2.5 text-xs text-muted tabular">
          <span className={good === false ? 'text-bad' : ''}>{runStateWords(run, messages)}</span>
          <span>{messages.run.steps(run.steps)}</span>
          {took === undefined ? null : <span>{messages.time.ms(took)}</span>}
        </span>
      </span>
      <time dateTime={run.startedAt} className="shrink-0 text-xs text-faint">
        {ago(run.startedAt, language)}
      </time>
      <ChevronRight className="size-4 shrink-0 text-faint group-hover:text-accent" aria-hidden />
    </a>
  )
}

const RunList = ({ runs }: { runs: readonly RunListItem[] }) => {
  const { runs: texts } = useMessages()
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({ count: runs.length, getScrollElement: () => scroller.current, estimateSize: () => 64, overscan: 8 })
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto">
      <ul aria-label={texts.title} className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start, key }) => {
          const run = runs[index]
          return run === undefined ? null : (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className="absolute inset-x-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <RunRow run={run} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

const RunsScreen = () => {
  const { runs: texts, app } = useMessages()
  const [search, setSearch] = useState('')
  const words = useDeferredValue(search.trim())
  const { data, error, refetch } = useQuery(
    api.run.list.queryOptions(
      { limit: 500, ...(words === '' ? {} : { search: words }) },
      { refetchInterval: 5_000, placeholderData: before => before },
    ),
  )
  return (
    <main className="mx-auto flex h-full max-w-3xl flex-col bg-surface sm:border-x">
      <div className="flex flex-wrap items-center gap-3 border-b px-4 py-3">
        <h1 className="text-base font-semibold">{texts.title}</h1>
        <label className="relative ml-auto w-full sm:w-64">
          <span className="sr-only">{texts.search}</span>
          <Search className="pointer-events-none absolute top-2 left-2.5 size-4 text-faint" aria-hidden />
          <input
            type="search"
            value={search}
            onChange={event => setSearch(event.target.value)}
            placeholder={texts.search}
            className="h-8 w-full rounded-lg border border-line-strong bg-raised pr-2 pl-8 text-[0.8125rem] outline-none placeholder:text-faint focus:border-accent"
          />
        </label>
      </div>
      {data === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <Failed title={app.failed} error={error} onRetry={() => void refetch()} />
        )
      ) : data.length === 0 ? (
        <Empty
          icon={<History />}
          title={words === '' ? texts.empty : texts.noMatch(words)}
          text={words === '' ? texts.emptyText : undefined}
        />
      ) : (
        <RunList runs={data} />
      )}
    </main>
  )
}
export default RunsScreen
