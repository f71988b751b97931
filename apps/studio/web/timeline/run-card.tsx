import { ChevronDown, History } from 'lucide-react'
import { useState } from 'react'
import { useStudioChat } from '../chat/chat-context.ts'
import { summaryWords } from '../messages/fact-words.ts'
import { useMessages } from '../messages/language.tsx'
import { replayPath } from '../shell/route.ts'
import { StepList } from './step-list.tsx'
import { amount, runStateWords, succeeded } from './step-words.ts'

const dots = { running: 'bg-accent animate-breathe', queued: 'bg-faint', waiting: 'bg-warn', handoff: 'bg-warn', ended: 'bg-good' } as const

/** A run in the chat: its goal, state and steps. */
export const RunCard = ({ runId }: { runId: string }) => {
  const messages = useMessages()
  const { runs } = useStudioChat()
  const { run, events } = runs.get(runId) ?? { events: [] }
  const ended = run?.state === 'ended'
  const [chosen, setChosen] = useState<boolean | undefined>(undefined)
  const open = chosen ?? !ended
  if (run === undefined) return null
  const dot = ended && succeeded(run) === false ? 'bg-bad' : dots[run.state]
  return (
    <section aria-label={run.goal} className="overflow-hidden rounded-xl border bg-raised">
      <header className="flex items-start gap-2.5 px-3 py-2.5">
        <span className={`mt-[0.4rem] size-2 shrink-0 rounded-full ${dot}`} aria-hidden />
        <div className="min-w-0 flex-1">
          <h3 className="text-[0.8125rem] leading-snug font-medium text-pretty">{run.goal}</h3>
          <p className="mt-0.5 flex flex-wrap gap-x-2 text-2xs text-muted tabular">
            <span className={ended && succeeded(run) === false ? 'text-bad' : ''}>{runStateWords(run, messages)}</span>
            <span>{messages.run.steps(run.usage.steps)}</span>
            <span>{amount('timeMs', run.usage.timeMs, messages)}</span>
            {run.usage.costUsd > 0 ? <span>{amount('costUsd', run.usage.costUsd, messages)}</span> : null}
          </p>
        </div>
        {ended ? (
          <a
            href={replayPath(runId)}
            className="flex items-center gap-1 rounded px-1.5 py-0.5 text-xs font-medium text-accent hover:bg-accent-soft"
          >
            <History className="size-3.5" aria-hidden />
            {messages.run.replay}
          </a>
        ) : null}
        <button
          type="button"
          aria-expanded={open}
          aria-label={open ? messages.run.hideSteps : messages.run.showSteps}
          title={open ? messages.run.hideSteps : messages.run.showSteps}
          onClick={() => setChosen(!open)}
          className="grid size-6 place-items-center rounded text-faint hover:bg-sunken hover:text-ink"
        >
          <ChevronDown className={`size-4 transition-transform ${open ? 'rotate-180' : ''}`} aria-hidden />
        </button>
      </header>
      {ended && succeeded(run) === false ? (
        <p className="border-t px-3 py-2 text-[0.8125rem] text-muted [overflow-wrap:anywhere]">{summaryWords(run, messages)}</p>
      ) : null}
      {open && events.length > 0 ? (
        <div className="border-t">
          <StepList runId={runId} events={events} fold={!ended} />
        </div>
      ) : null}
    </section>
  )
}
