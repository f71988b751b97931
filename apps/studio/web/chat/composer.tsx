import { AuiIf, ComposerPrimitive } from '@assistant-ui/react'
import { useQuery } from '@tanstack/react-query'
import { ArrowUp, Paperclip, Square } from 'lucide-react'
import { useRef } from 'react'
import { api } from '../api/client.ts'
import { useMessages } from '../messages/language.tsx'
import { Button, IconButton } from '../shell/button.tsx'
import { BudgetMeter } from '../timeline/budget-meter.tsx'
import { AttachmentList } from './attachment-list.tsx'
import { useStudioChat } from './chat-context.ts'
import { useFileDrop } from './file-drop.ts'
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

const noteId = 'composer-note'

/** Why a message that was typed during a run is not sent. */
const BusyNote = () => {
  const { chat } = useMessages()
  const { busy, activeRun } = useStudioChat()
  const state = activeRun?.state === 'waiting' || activeRun?.state === 'handoff' ? activeRun.state : 'running'
  return (
    <p id={noteId} role="status" className="mb-2 px-1 text-xs text-warn text-pretty empty:hidden">
      {busy ? <AuiIf condition={({ composer }) => composer.text.trim() !== ''}>{chat.busy[state]}</AuiIf> : null}
    </p>
  )
}

export const Composer = () => {
  const { chat } = useMessages()
  const { busy, activeRun, picks, attachments } = useStudioChat()
  const { data: info } = useQuery(api.info.queryOptions())
  const input = useRef<HTMLInputElement>(null)
  // the desktop app gives its pages no files
  const takesFiles = info?.drive === 'local'
  const drop = useFileDrop(takesFiles ? attachments.add : undefined)
  return (
    <div className="mx-auto w-full max-w-2xl px-3 pb-3">
      {activeRun === undefined ? null : (
        <div className="mb-2 px-1">
          <BudgetMeter run={activeRun} />
        </div>
      )}
      <BusyNote />
      <ComposerPrimitive.Root
        {...drop.handlers}
        className={`relative rounded-xl border bg-raised shadow-card transition-colors focus-within:border-accent ${drop.isOver ? 'border-accent bg-accent-soft' : 'border-line-strong'}`}
      >
        {picks.list.length === 0 ? null : <PickList />}
        {attachments.list.length === 0 ? null : <AttachmentList />}
        <ComposerPrimitive.Input
          id="composer"
          rows={1}
          maxRows={10}
          aria-label={chat.placeholder}
          placeholder={chat.placeholder}
          aria-describedby={noteId}
          cancelOnEscape={false}
          onKeyDown={event => {
            // keeps the message as it is: neither sent to a run that cannot take it, nor with another line
            if ((busy || attachments.isSending) && event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing)
              event.preventDefault()
          }}
          className="block w-full resize-none bg-transparent px-3.5 pt-3 pb-1 text-[0.9375rem] leading-normal outline-none placeholder:text-faint"
        />
        <div className="flex items-center gap-2 px-2 pb-2">
          {takesFiles ? (
            <>
              <input
                ref={input}
                type="file"
                multiple
                hidden
                onChange={event => {
                  attachments.add([...(event.target.files ?? [])])
                  // the same file can be chosen again
                  event.target.value = ''
                }}
              />
              <IconButton label={chat.attach} onClick={() => input.current?.click()} className="size-7">
                <Paperclip className="size-4" />
              </IconButton>
            </>
          ) : null}
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
            disabled={busy || attachments.isSending}
            className="grid size-7 place-items-center rounded-md bg-accent text-on-accent hover:bg-accent-strong disabled:bg-sunken disabled:text-faint"
          >
            <ArrowUp className="size-4" />
          </ComposerPrimitive.Send>
        </div>
      </ComposerPrimitive.Root>
    </div>
  )
}
