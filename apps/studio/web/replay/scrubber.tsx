import { Pause, Play, SkipBack, SkipForward } from 'lucide-react'
import type { BrowserEventPart } from '../../../../src/wire/parts.ts'
import { useMessages } from '../messages/language.tsx'
import { IconButton } from '../shell/button.tsx'
import { type Playback, speeds } from './playback.ts'

const marks = { running: 'bg-accent', done: 'bg-line-strong', failed: 'bg-bad', denied: 'bg-warn' } as const

export const Scrubber = ({ playback, events }: { playback: Playback; events: readonly BrowserEventPart[] }) => {
  const { replay } = useMessages()
  const { index, last, playing, speed, seek, toggle, setSpeed } = playback
  return (
    <footer className="flex items-center gap-2 border-t bg-surface px-3 py-2">
      <IconButton label={replay.previous} onClick={() => seek(index - 1)} disabled={index === 0}>
        <SkipBack className="size-4" />
      </IconButton>
      <IconButton
        label={playing ? replay.pause : replay.play}
        onClick={toggle}
        className="bg-accent text-on-accent hover:bg-accent-strong hover:text-on-accent"
      >
        {playing ? <Pause className="size-4 fill-current" /> : <Play className="size-4 fill-current" />}
      </IconButton>
      <IconButton label={replay.next} onClick={() => seek(index + 1)} disabled={index >= last}>
        <SkipForward className="size-4" />
      </IconButton>
      <div className="flex min-w-0 flex-1 flex-col gap-1 px-2">
        <input
          type="range"
          min={0}
          max={last}
          step={1}
          value={index}
          onChange={event => seek(Number(event.target.value))}
          aria-label={replay.position}
          aria-valuetext={replay.positionText(index + 1, last + 1)}
          className="w-full accent-accent"
        />
        <div className="flex gap-px" aria-hidden>
          {events.map((event, each) => (
            <span
              key={event.step}
              className={`h-0.5 flex-1 ${each <= index && event.state === 'done' ? 'bg-accent' : marks[event.state]}`}
            />
          ))}
        </div>
      </div>
      <span className="hidden shrink-0 text-xs text-muted tabular sm:inline">{replay.positionText(index + 1, last + 1)}</span>
      <select
        value={speed}
        onChange={event => setSpeed(Number(event.target.value))}
        aria-label={replay.speed}
        className="h-8 shrink-0 rounded-md border border-line-strong bg-raised px-1.5 text-xs"
      >
        {speeds.map(each => (
          <option key={each} value={each}>
            {each}×
          </option>
        ))}
      </select>
    </footer>
  )
}
