import { useEffect, useRef, useState } from 'react'
import { problemWords } from '../messages/fact-words.ts'
import { useMessages } from '../messages/language.tsx'
import { Spinner } from '../shell/states.tsx'
import { drawFrame } from './draw-frame.ts'
import { type Point, place, type Size, toViewport } from './letterbox.ts'
import { useLive } from './live-context.tsx'
import { badgeOf } from './live-state.ts'
import { PageInput } from './page-input.tsx'
import { PickLayer } from './pick-layer.tsx'
import { StageOverlay } from './stage-overlay.tsx'

export interface StageMode {
  readonly refs: boolean
  readonly pick: boolean
  readonly zoom: 'fit' | 'actual'
}

/** At most one request for refs in this time: each is a snapshot of the page. */
const minRefsMs = 1_500

const useStageSize = () => {
  const stage = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useEffect(() => {
    if (stage.current === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setSize({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    observer.observe(stage.current)
    return () => observer.disconnect()
  }, [])
  return { stage, size }
}

/** Asks for refs while they are shown: at once, and again when the page or its picture changed. */
const useRefs = (wanted: boolean) => {
  const { connection, state } = useLive()
  const asked = useRef(0)
  const at = state.picture?.at
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new picture is the reason to ask again
  useEffect(() => {
    if (!wanted || connection === undefined || !state.connected) return
    const wait = Math.max(0, asked.current + minRefsMs - Date.now())
    const timer = setTimeout(() => {
      asked.current = Date.now()
      connection.send({ type: 'refs' })
    }, wait)
    return () => clearTimeout(timer)
  }, [wanted, connection, state.connected, at, state.page?.url])
}

/** The live picture of the page and what lies on it. */
export const Stage = ({ mode, change }: { mode: StageMode; change: (changes: Partial<StageMode>) => void }) => {
  const messages = useMessages()
  const { browser } = messages
  const { connection, state } = useLive()
  const { stage, size } = useStageSize()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [pointer, setPointer] = useState<Point | undefined>(undefined)
  useRefs(mode.refs || mode.pick || (pointer !== undefined && !state.you))

  useEffect(() => {
    connection?.setDraw(async frame => {
      if (canvas.current !== null) await drawFrame(canvas.current, frame)
    })
    return () => connection?.setDraw(undefined)
  }, [connection])

  const viewport: Size = state.picture ?? { width: 1280, height: 800 }
  const placement = place(viewport, { width: size.width - 24, height: size.height - 24 }, mode.zoom)
  const badge = badgeOf(state)
  return (
    <div ref={stage} className="absolute inset-0 overflow-auto">
      <div
        className="relative m-3 overflow-hidden rounded-lg border bg-raised shadow-card"
        style={{ width: placement.width, height: placement.height, left: placement.x, top: placement.y }}
        onPointerMove={event =>
          setPointer(toViewport({ x: event.clientX, y: event.clientY }, event.currentTarget.getBoundingClientRect(), viewport))
        }
        onPointerLeave={() => setPointer(undefined)}
      >
        <canvas
          ref={canvas}
          role="img"
          aria-label={state.page === undefined ? browser.stage : `${browser.stage}: ${state.page.title}`}
          className={`block size-full transition-opacity ${badge === 'reconnecting' ? 'opacity-50 grayscale' : ''}`}
        />
        {state.picture === undefined ? (
          <div className="absolute inset-0 grid place-items-center" role="status">
            <span className="flex items-center gap-2 text-[0.8125rem] text-muted">
              <Spinner />
              {state.page?.problem === undefined ? browser.waitingFrame : problemWords(state.page.problem, messages)}
            </span>
          </div>
        ) : null}
        {mode.pick ? null : <StageOverlay viewport={viewport} showAll={mode.refs} pointer={state.you ? undefined : pointer} />}
        {state.you && !mode.pick ? <PageInput viewport={viewport} /> : null}
        {mode.pick ? <PickLayer viewport={viewport} pointer={pointer} onDone={() => change({ pick: false })} /> : null}
      </div>
    </div>
  )
}
