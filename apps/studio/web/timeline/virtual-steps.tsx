import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import type { BrowserEventPart } from '../../../../src/wire/parts.ts'
import { useMessages } from '../messages/language.tsx'
import { StepRow } from './step-row.tsx'

/** A long list of steps, of which only those in view are rendered. */
const VirtualSteps = ({ runId, events }: { runId: string; events: readonly BrowserEventPart[] }) => {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({ count: events.length, getScrollElement: () => scroller.current, estimateSize: () => 52, overscan: 6 })
  return (
    <section
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area without focus cannot be scrolled with the keyboard
      tabIndex={0}
      aria-label={useMessages().replay.steps}
      className="max-h-[26rem] overflow-y-auto"
    >
      <ol className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start, key }) => {
          const event = events[index]
          return event === undefined ? null : (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className="absolute inset-x-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <StepRow runId={runId} event={event} />
            </li>
          )
        })}
      </ol>
    </section>
  )
}
export default VirtualSteps
