import type { Box, LiveRef } from '../../../../src/wire/live.ts'
import type { Messages } from '../messages/en.ts'
import { useMessages } from '../messages/language.tsx'
import { elementWords } from '../timeline/step-words.ts'
import { boxAt, type Point, type Size } from './letterbox.ts'
import { useLive } from './live-context.tsx'
import type { LiveTarget } from './live-state.ts'

const centerOf = (box: Box): Point => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 })

/** A label at a box, above it if there is room. Sizes are in pixels of the viewport, so text is scaled against the picture. */
export const Label = ({ box, text, viewport, tone }: { box: Box; text: string; viewport: Size; tone: string }) => {
  // the share of the picture that a label needs on the smallest screen
  const above = box.y > viewport.height * 0.12
  return (
    <span
      className={`absolute max-w-[70%] truncate rounded px-1.5 py-px text-2xs font-medium ${tone}`}
      style={{
        left: `${(Math.max(0, Math.min(box.x, viewport.width * 0.7)) / viewport.width) * 100}%`,
        ...(above
          ? { bottom: `calc(${(1 - box.y / viewport.height) * 100}% + 4px)` }
          : { top: `calc(${((box.y + box.height) / viewport.height) * 100}% + 4px)` }),
      }}
    >
      {text}
    </span>
  )
}

export const refLabel = (ref: LiveRef, messages: Messages) => `${ref.ref} ${elementWords(ref, messages)}`

const Outline = ({ box, viewport, look }: { box: Box; viewport: Size; look: string }) => (
  <span
    className={`absolute rounded-sm ${look}`}
    style={{
      left: `${(box.x / viewport.width) * 100}%`,
      top: `${(box.y / viewport.height) * 100}%`,
      width: `${(box.width / viewport.width) * 100}%`,
      height: `${(box.height / viewport.height) * 100}%`,
    }}
  />
)

const Cursor = ({ at, viewport }: { at: Point; viewport: Size }) => (
  <svg
    viewBox="0 0 20 20"
    className="absolute size-5 drop-shadow transition-all duration-500 ease-out"
    style={{ left: `${(at.x / viewport.width) * 100}%`, top: `${(at.y / viewport.height) * 100}%` }}
    aria-hidden
  >
    <path d="M2 1.5v14.8l4.2-3.7 2.7 5.8 3-1.4-2.6-5.6 5.6-.5z" className="fill-accent stroke-raised" strokeWidth="1.2" />
  </svg>
)

/** The path of the pointer over the last targets; older parts are fainter. */
const Trail = ({ targets, viewport }: { targets: readonly LiveTarget[]; viewport: Size }) => (
  <svg viewBox={`0 0 ${viewport.width} ${viewport.height}`} preserveAspectRatio="none" className="absolute inset-0 size-full" aria-hidden>
    {targets.slice(1).map((target, index) => {
      const point = centerOf(target.box)
      const from = centerOf((targets[index] ?? target).box)
      return (
        <line
          key={target.step}
          x1={from.x}
          y1={from.y}
          x2={point.x}
          y2={point.y}
          className="stroke-accent"
          strokeWidth="2"
          strokeLinecap="round"
          strokeDasharray="1 7"
          vectorEffect="non-scaling-stroke"
          opacity={(index + 1) / targets.length}
        />
      )
    })}
  </svg>
)

/** What is drawn over the picture: the refs, the target of the last action, and where the pointer went. */
export const StageOverlay = ({ viewport, showAll, pointer }: { viewport: Size; showAll: boolean; pointer: Point | undefined }) => {
  const messages = useMessages()
  const { browser } = messages
  const { state } = useLive()
  // marks of the agent would be in the way of a person who operates the page
  const targets = state.you ? [] : state.targets
  const last = targets.at(-1)
  const hovered = pointer === undefined ? undefined : boxAt(state.refs, pointer)
  return (
    <div className="pointer-events-none absolute inset-0 overflow-hidden">
      {showAll
        ? state.refs.map(ref => <Outline key={ref.ref} box={ref.box} viewport={viewport} look="border border-accent/60 bg-accent/5" />)
        : null}
      <Trail targets={targets} viewport={viewport} />
      {last === undefined ? null : (
        <>
          <Outline
            key={`${last.step}`}
            box={last.box}
            viewport={viewport}
            look="animate-rise border-2 border-accent shadow-[0_0_0_4px_color-mix(in_oklab,var(--accent)_25%,transparent)]"
          />
          <Label
            box={last.box}
            text={browser.target(messages.step.verbs[last.verb] ?? last.verb, elementWords(last.element, messages))}
            viewport={viewport}
            tone="bg-accent text-on-accent"
          />
          <Cursor at={centerOf(last.box)} viewport={viewport} />
        </>
      )}
      {hovered === undefined ? null : (
        <>
          <Outline box={hovered.box} viewport={viewport} look="border-2 border-ink/70 bg-ink/5" />
          <Label box={hovered.box} text={refLabel(hovered, messages)} viewport={viewport} tone="bg-ink text-surface" />
        </>
      )}
    </div>
  )
}
