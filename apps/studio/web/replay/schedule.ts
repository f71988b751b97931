import type { BrowserEventPart } from '../../../../src/wire/parts.ts'

const minMs = 700
const maxMs = 3_000

/** How long each step is shown in a replay: as long as it took, but neither a flash nor a wait. */
export const stepTimes = (events: readonly Pick<BrowserEventPart, 'startedAt' | 'durationMs'>[]): readonly number[] =>
  events.map((event, index) => {
    const next = events[index + 1]
    const took = next === undefined ? (event.durationMs ?? minMs) : Date.parse(next.startedAt) - Date.parse(event.startedAt)
    return Math.min(maxMs, Math.max(minMs, Number.isFinite(took) ? took : minMs))
  })

/** The picture at a step: its own, or the newest one before it. */
export const frameAt = (events: readonly Pick<BrowserEventPart, 'frame'>[], index: number): string | undefined =>
  events
    .slice(0, index + 1)
    .flatMap(({ frame }) => (frame === undefined ? [] : [frame]))
    .at(-1)
