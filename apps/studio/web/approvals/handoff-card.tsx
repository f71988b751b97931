import { useMutation } from '@tanstack/react-query'
import { Check, Hand, PauseCircle } from 'lucide-react'
import { useId } from 'react'
import type { HandoffPart } from '../../../../src/wire/parts.ts'
import { api, queries } from '../api/client.ts'
import { useLive } from '../browser/live-context.tsx'
import { setNarrowTab } from '../chat/narrow-tab.ts'
import { useMessages } from '../messages/language.tsx'
import { Button } from '../shell/button.tsx'
import { toastError } from '../shell/toast.tsx'

/** The run waits until a person has done something in the browser. */
export const HandoffCard = ({ handoff }: { handoff: HandoffPart }) => {
  const messages = useMessages()
  const texts = messages.handoff
  const { connection, state } = useLive()
  const title = useId()
  const handBack = useMutation(
    api.run.handBack.mutationOptions({
      onMutate: () => {
        if (state.you) connection?.send({ type: 'give' })
      },
      onError: toastError(messages),
      onSettled: () => void queries.invalidateQueries(api.waiting.queryFilter()),
    }),
  )
  const wasInterrupted = handoff.kind === 'interrupted'
  if (handoff.state === 'done') {
    return (
      <p className="flex items-center gap-2 text-[0.8125rem] text-muted">
        <Check className="size-3.5 shrink-0 text-good" aria-hidden />
        {wasInterrupted ? texts.resumed : `${texts.finished}: ${handoff.reason}`}
      </p>
    )
  }
  return (
    <section aria-labelledby={title} className="animate-rise rounded-xl border border-warn-line bg-raised shadow-card">
      <h3
        id={title}
        className="flex items-center gap-2 rounded-t-xl border-b border-warn-line bg-warn-soft px-3 py-2 text-[0.8125rem] font-medium text-warn"
      >
        {wasInterrupted ? <PauseCircle className="size-4" aria-hidden /> : <Hand className="size-4" aria-hidden />}
        {wasInterrupted ? texts.interruptedTitle : texts.title}
      </h3>
      <div className="flex flex-col gap-3 p-3">
        <div>
          <p className="font-medium">{wasInterrupted ? texts.interruptedText : handoff.reason}</p>
          <p className="mt-0.5 text-xs text-muted">{wasInterrupted ? texts.interruptedHint : texts.text}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          {state.you || wasInterrupted ? null : (
            <Button
              look="primary"
              onClick={() => {
                connection?.send({ type: 'take' })
                setNarrowTab('browser')
              }}
            >
              {texts.takeOver}
            </Button>
          )}
          <Button
            look={state.you || wasInterrupted ? 'primary' : 'plain'}
            disabled={handBack.isPending}
            onClick={() => handBack.mutate({ runId: handoff.runId })}
          >
            {wasInterrupted ? texts.resume : texts.done}
          </Button>
        </div>
      </div>
    </section>
  )
}
