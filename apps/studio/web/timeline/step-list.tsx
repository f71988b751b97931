import { type ComponentType, lazy, Suspense, useState } from 'react'
import type { BrowserEventPart } from '../../../../src/wire/parts.ts'
import { useMessages } from '../messages/language.tsx'
import { StepRow } from './step-row.tsx'

const maxPlain = 60
const newest = 5

interface StepsProps {
  readonly runId: string
  readonly events: readonly BrowserEventPart[]
}

const Steps = ({ runId, events }: StepsProps) =>
  events.map(event => (
    <li key={event.step} className="animate-rise">
      <StepRow runId={runId} event={event} />
    </li>
  ))

const PlainSteps = (props: StepsProps) => (
  <ol>
    <Steps {...props} />
  </ol>
)

// a server that stops at this moment cannot send the part that makes long lists fast
const VirtualSteps = lazy(
  (): Promise<{ default: ComponentType<StepsProps> }> => import('./virtual-steps.tsx').catch(() => ({ default: PlainSteps })),
)

/** The steps of a run. While it runs, only the newest are shown at first; a long list renders what is in view. */
export const StepList = ({ runId, events, fold }: StepsProps & { readonly fold: boolean }) => {
  const messages = useMessages()
  const [all, setAll] = useState(false)
  if (events.length > maxPlain && (all || !fold)) {
    return (
      <Suspense>
        <VirtualSteps runId={runId} events={events} />
      </Suspense>
    )
  }
  const folded = fold && !all ? Math.max(0, events.length - newest) : 0
  return (
    <ol>
      {folded > 0 ? (
        <li>
          <button
            type="button"
            onClick={() => setAll(true)}
            className="w-full px-3 py-1.5 text-left text-xs text-muted hover:bg-sunken hover:text-ink"
          >
            {messages.run.earlier(folded)}
          </button>
        </li>
      ) : null}
      <Steps runId={runId} events={events.slice(folded)} />
    </ol>
  )
}
