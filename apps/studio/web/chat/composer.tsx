import { ComposerPrimitive } from '@assistant-ui/react'
import { useQuery } from '@tanstack/react-query'
import { ArrowUp, Square } from 'lucide-react'
import { api } from '../api/client.ts'
import { useMessages } from '../messages/language.tsx'
import { Button } from '../shell/button.tsx'
import { BudgetMeter } from '../timeline/budget-meter.tsx'
import { useStudioChat } from './chat-context.ts'
import { PickList } from './pick-list.tsx'

const StopButton = () => {
  const { run } = useMessages()
  const { stop, stopping } = useStudioChat()
  return (
    <Button look="danger" size="small" onClick={() => void stop()} disabled={stopping} aria-keyshortcuts="Control+.">
      <Square className="size-3 fill-current" aria-hidden />
      {stopping ? run.stopping : run.stop}
    </Button>
  )
}

export const Composer = () => {
  const { chat } = useMessages()
  const { busy, activeRun, picks } = useStudioChat()
  const { data: info } = useQuery(api.info.queryOptions())
  return (
    <div className="mx-auto w-full max-w-2xl px-3 pb-3">
      {activeRun === undefined ? null : (
        <div className="mb-2 px-1">
          <BudgetMeter run={activeRun} />
        </div>
      )}
      <ComposerPrimitive.Root className="rounded-xl border border-line-strong bg-raised shadow-card transition-colors focus-within:border-accent">
        {picks.list.length === 0 ? null : <PickList />}
        <ComposerPrimitive.Input
          id="composer"
          rows={1}
          maxRows={10}
          aria-label={chat.placeholder}
          placeholder={chat.placeholder}
          cancelOnEscape={false}
          className="block w-full resize-none bg-transparent px-3.5 pt-3 pb-1 text-[0.9375rem] leading-normal outline-none placeholder:text-faint"
        />
        <div className="flex items-center gap-2 px-2 pb-2">
          {info === undefined ? null : (
            <a
              href="#/settings"
              className="min-w-0 truncate rounded px-1.5 py-1 text-xs text-faint hover:bg-sunken hover:text-ink"
              title={chat.modelChip(info.model.id)}
            >
              {info.model.isAi ? info.model.id : chat.notAi}
            </a>
          )}
          <span className="flex-1" />
          {busy ? <StopButton /> : null}
          <ComposerPrimitive.Send
            aria-label={chat.send}
            title={chat.send}
            className="grid size-7 place-items-center rounded-md bg-accent text-on-accent hover:bg-accent-strong disabled:bg-sunken disabled:text-faint"
          >
            <ArrowUp className="size-4" />
          </ComposerPrimitive.Send>
        </div>
      </ComposerPrimitive.Root>
    </div>
  )
}
