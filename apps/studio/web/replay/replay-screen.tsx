import { useQuery } from '@tanstack/react-query'
import { Download, FileText, Film, MessageSquare } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { RunDetail } from '../../../../src/wire/studio-api.ts'
import { api } from '../api/client.ts'
import { outcomeWords, problemWords, summaryWords } from '../messages/fact-words.ts'
import { useMessages } from '../messages/language.tsx'
import { chatPath } from '../shell/route.ts'
import { Empty, Failed, Loading } from '../shell/states.tsx'
import { fileUrl } from '../timeline/file-url.ts'
import { StepSentence, StepStateIcon, sawText } from '../timeline/step-row.tsx'
import { amount, runStateWords } from '../timeline/step-words.ts'
import { usePlayback } from './playback.ts'
import { frameAt } from './schedule.ts'
import { Scrubber } from './scrubber.tsx'

const link =
  'inline-flex h-7 items-center gap-1.5 rounded-md px-2 text-xs font-medium text-muted hover:bg-sunken hover:text-ink [&_svg]:size-3.5'

const Header = ({ run }: { run: RunDetail }) => {
  const messages = useMessages()
  const runPath = `/api/runs/${encodeURIComponent(run.id)}`
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b bg-surface px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-72">
        <h1 className="truncate font-semibold" title={run.goal}>
          {run.goal}
        </h1>
        <p className="flex flex-wrap gap-x-2.5 text-xs text-muted tabular">
          <span>{runStateWords(run, messages)}</span>
          <span>{messages.run.steps(run.steps)}</span>
          <span>{amount('timeMs', run.usage.timeMs, messages)}</span>
          <span>
            {amount('tokens', run.usage.tokens, messages)} {messages.run.usage.tokens.toLowerCase()}
          </span>
          {run.usage.costUsd > 0 ? <span>{amount('costUsd', run.usage.costUsd, messages)}</span> : null}
        </p>
      </div>
      <div className="flex flex-wrap">
        <a className={link} href={chatPath(run.chatId)}>
          <MessageSquare aria-hidden />
          {messages.runs.openChat}
        </a>
        <a className={link} href={`${runPath}/files/events.jsonl`} download={`pagehand-${run.id}.jsonl`}>
          <FileText aria-hidden />
          {messages.replay.evidence}
        </a>
        <a className={link} href={`${runPath}/replay.html?language=${messages.tag}`} download={`pagehand-${run.id}.html`}>
          <Download aria-hidden />
          {messages.replay.share}
        </a>
      </div>
    </header>
  )
}

const Steps = ({ run, index, onSelect }: { run: RunDetail; index: number; onSelect: (index: number) => void }) => {
  const messages = useMessages()
  const current = useRef<HTMLButtonElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current step changes with the index
  useEffect(() => {
    // newer browsers return a promise, which must not become the cleanup
    current.current?.scrollIntoView({ block: 'nearest' })
  }, [index])
  return (
    <ol aria-label={messages.replay.steps} className="min-h-0 flex-1 overflow-y-auto">
      {run.events.map((event, each) => (
        <li key={event.step} className="border-b">
          <button
            ref={each === index ? current : undefined}
            type="button"
            aria-current={each === index ? 'step' : undefined}
            onClick={() => onSelect(each)}
            className="flex w-full items-center gap-2.5 border-l-2 border-transparent px-3 py-2 text-left hover:bg-sunken aria-[current=step]:border-accent aria-[current=step]:bg-accent-soft"
          >
            <span className="w-5 shrink-0 text-right text-2xs text-faint tabular">{event.step}</span>
            <span className="grid size-4 shrink-0 place-items-center">
              <StepStateIcon state={event.state} />
            </span>
            <span className="min-w-0 flex-1">
              <span className="block truncate text-[0.8125rem]">
                <StepSentence event={event} />
              </span>
              <span className={`block truncate text-xs empty:hidden ${event.error === undefined ? 'text-faint' : 'text-bad'}`}>
                {event.error === undefined ? outcomeWords(event, messages) : problemWords(event.error, messages)}
              </span>
            </span>
            {event.durationMs === undefined ? null : (
              <span className="text-2xs text-faint tabular">{messages.time.ms(event.durationMs)}</span>
            )}
          </button>
        </li>
      ))}
    </ol>
  )
}

const Player = ({ run }: { run: RunDetail }) => {
  const messages = useMessages()
  const playback = usePlayback(run.events)
  const event = run.events[playback.index]
  const frame = frameAt(run.events, playback.index)
  const saw = event === undefined ? undefined : sawText(event)
  return (
    <>
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,5fr)_minmax(0,6fr)] md:grid-cols-[minmax(0,1fr)_24rem] md:grid-rows-1">
        <div className="grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] place-items-center bg-canvas p-3">
          {frame === undefined ? (
            <p className="text-[0.8125rem] text-muted">{messages.replay.noFrame}</p>
          ) : (
            <img
              src={fileUrl(run.id, frame)}
              alt={messages.step.frame(event?.step ?? 0)}
              className="max-h-full max-w-full rounded-lg border bg-surface object-contain shadow-card"
            />
          )}
        </div>
        <div className="flex min-h-0 flex-col border-t bg-surface md:border-t-0 md:border-l">
          <Steps run={run} index={playback.index} onSelect={playback.seek} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area without focus cannot be scrolled with the keyboard */}
          <section tabIndex={0} aria-label={messages.step.saw} className="max-h-[42%] shrink-0 overflow-auto border-t bg-sunken p-3">
            <h2 className="mb-1 text-2xs font-medium text-faint">{messages.step.saw}</h2>
            {event?.error === undefined ? null : (
              <p className="mb-1 text-xs text-bad">
                {event.error.code}: {event.error.message}
              </p>
            )}
            {saw === undefined ? (
              <p className="text-xs text-muted">{messages.replay.noText}</p>
            ) : (
              <pre className="font-mono text-2xs leading-relaxed whitespace-pre-wrap">{saw}</pre>
            )}
          </section>
        </div>
      </div>
      <Scrubber playback={playback} events={run.events} />
    </>
  )
}

const ReplayScreen = ({ id }: { id: string }) => {
  const messages = useMessages()
  const { replay } = messages
  const { data: run, error, refetch } = useQuery(api.run.get.queryOptions({ id }))
  if (run === undefined)
    return error === null ? <Loading /> : <Failed title={replay.notFound} error={error} onRetry={() => void refetch()} />
  const summary = summaryWords(run, messages)
  return (
    <main className="flex h-full flex-col">
      <Header run={run} />
      {summary === undefined || summary === '' ? null : (
        <p className="border-b bg-surface px-4 py-2 text-[0.8125rem] text-pretty">
          <span className="text-faint">{replay.summary}: </span>
          {summary}
        </p>
      )}
      {run.events.length === 0 ? <Empty icon={<Film />} title={replay.noSteps} /> : <Player run={run} />}
    </main>
  )
}
export default ReplayScreen
