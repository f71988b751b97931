import { Ban, Check, ChevronRight, X } from 'lucide-react'
import { useState } from 'react'
import type { BrowserEventPart } from '../../../../src/wire/parts.ts'
import { outcomeWords, problemWords } from '../messages/fact-words.ts'
import { useMessages } from '../messages/language.tsx'
import { Spinner } from '../shell/states.tsx'
import { fileUrl } from './file-url.ts'
import { stepWords } from './step-words.ts'

export const StepStateIcon = ({ state }: { state: BrowserEventPart['state'] }) => {
  const { step } = useMessages()
  const label = <span className="sr-only">{step.states[state]}</span>
  if (state === 'running')
    return (
      <>
        {label}
        <Spinner className="size-3.5" />
      </>
    )
  if (state === 'done')
    return (
      <>
        {label}
        <Check className="size-3.5 text-good" aria-hidden />
      </>
    )
  if (state === 'denied')
    return (
      <>
        {label}
        <Ban className="size-3.5 text-warn" aria-hidden />
      </>
    )
  return (
    <>
      {label}
      <X className="size-3.5 text-bad" aria-hidden />
    </>
  )
}

export const StepSentence = ({ event }: { event: Pick<BrowserEventPart, 'verb' | 'target' | 'element'> }) => {
  const { verb, target } = stepWords(event, useMessages())
  return (
    <>
      <span className="font-medium">{verb}</span>
      {target === undefined ? null : <span className="text-muted"> {target}</span>}
    </>
  )
}

/** The text of a step; an effect of more than one line is one too. */
export const sawText = ({ text, effect }: BrowserEventPart): string | undefined =>
  text !== undefined && text !== '' ? text : effect?.includes('\n') === true ? effect : undefined

const StepDetails = ({ runId, event }: { runId: string; event: BrowserEventPart }) => {
  const { step } = useMessages()
  const saw = sawText(event)
  return (
    <div className="flex flex-col gap-2 px-3 pb-3 pl-10">
      {event.error === undefined ? null : (
        <p className="rounded-md bg-bad-soft px-2.5 py-1.5 text-xs text-bad">
          <code className="font-mono">{event.error.code}</code>: {event.error.message}
        </p>
      )}
      {event.frame === undefined ? null : (
        <img
          src={fileUrl(runId, event.frame)}
          alt={step.frame(event.step)}
          loading="lazy"
          className="max-h-64 w-full rounded-md border bg-sunken object-contain object-left-top"
        />
      )}
      {saw === undefined ? null : (
        <details>
          <summary className="cursor-pointer text-xs text-muted hover:text-ink">{step.saw}</summary>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area without focus cannot be scrolled with the keyboard
            tabIndex={0}
            className="mt-1 max-h-60 overflow-auto rounded-md bg-sunken p-2.5 font-mono text-2xs leading-relaxed whitespace-pre-wrap"
          >
            {saw}
          </pre>
        </details>
      )}
    </div>
  )
}

/** A step: what was done to what, what came of it, and at which price. */
export const StepRow = ({ runId, event }: { runId: string; event: BrowserEventPart }) => {
  const messages = useMessages()
  const [open, setOpen] = useState(false)
  const result = event.error === undefined ? outcomeWords(event, messages) : problemWords(event.error, messages)
  const expandable = sawText(event) !== undefined || event.frame !== undefined || event.error !== undefined
  return (
    <div className="border-t first:border-t-0">
      <button
        type="button"
        disabled={!expandable}
        aria-expanded={expandable ? open : undefined}
        onClick={() => setOpen(!open)}
        className="group flex w-full items-center gap-2.5 px-3 py-1.5 text-left enabled:hover:bg-sunken"
      >
        <span className="grid size-4 shrink-0 place-items-center">
          <StepStateIcon state={event.state} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="line-clamp-2 text-[0.8125rem] leading-snug [overflow-wrap:anywhere]">
            <StepSentence event={event} />
          </span>
          {result === '' ? null : (
            <span className={`block truncate text-xs ${event.error === undefined ? 'text-faint' : 'text-bad'}`}>{result}</span>
          )}
        </span>
        <span className="flex shrink-0 flex-col items-end text-2xs text-faint tabular">
          {event.durationMs === undefined ? null : <span>{messages.time.ms(event.durationMs)}</span>}
          {event.tokens === undefined || event.tokens === 0 ? null : <span>{messages.step.tokens(event.tokens)}</span>}
        </span>
        {event.frame === undefined ? (
          <span className="h-9 w-14 shrink-0 rounded border border-dashed" aria-hidden />
        ) : (
          <img
            src={fileUrl(runId, event.frame)}
            alt=""
            loading="lazy"
            className="h-9 w-14 shrink-0 rounded border bg-sunken object-cover object-top"
          />
        )}
        <ChevronRight
          className={`size-3.5 shrink-0 text-faint transition-transform ${open ? 'rotate-90' : ''} ${expandable ? '' : 'invisible'}`}
          aria-hidden
        />
      </button>
      {open ? <StepDetails runId={runId} event={event} /> : null}
    </div>
  )
}
