import { useEffect, useMemo, useState } from 'react'
import type { BrowserEventPart } from '../../../../src/wire/parts.ts'
import { stepTimes } from './schedule.ts'

export const speeds = [0.5, 1, 2, 4] as const

/** Position, play and speed of a replay. */
export const usePlayback = (events: readonly BrowserEventPart[]) => {
  const [index, setIndex] = useState(0)
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<number>(1)
  const times = useMemo(() => stepTimes(events), [events])
  const last = events.length - 1
  useEffect(() => {
    if (!playing) return
    if (index >= last) return setPlaying(false)
    const timer = setTimeout(() => setIndex(index + 1), (times[index] ?? 0) / speed)
    return () => clearTimeout(timer)
  }, [playing, index, last, speed, times])
  return {
    index,
    last,
    playing,
    speed,
    setSpeed,
    seek: (to: number) => {
      setPlaying(false)
      setIndex(Math.min(last, Math.max(0, to)))
    },
    toggle: () => {
      // playing from the end starts again
      if (!playing && index >= last) setIndex(0)
      setPlaying(!playing)
    },
  }
}
export type Playback = ReturnType<typeof usePlayback>
