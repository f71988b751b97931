import { useEffect, useRef, useState } from 'react'
import { useStudioChat } from '../chat/chat-context.ts'
import { setNarrowTab } from '../chat/narrow-tab.ts'
import { useMessages } from '../messages/language.tsx'
import { Spinner } from '../shell/states.tsx'
import { toast } from '../shell/toast.tsx'
import { boxAt, type Point, type Size, toViewport } from './letterbox.ts'
import { useLive } from './live-context.tsx'
import { Label, refLabel } from './stage-overlay.tsx'

/** Points at an element, with the pointer or with the arrow keys, and puts it into the composer. */
export const PickLayer = ({ viewport, pointer, onDone }: { viewport: Size; pointer: Point | undefined; onDone: () => void }) => {
  const messages = useMessages()
  const { browser } = messages
  const { picks } = useStudioChat()
  const { connection, state } = useLive()
  const layer = useRef<HTMLButtonElement>(null)
  const [index, setIndex] = useState(-1)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    layer.current?.focus()
  }, [])

  const byKeys = state.refs[index]
  const shown = byKeys ?? (pointer === undefined ? undefined : boxAt(state.refs, pointer))
  const pick = async (point: Point | undefined) => {
    if (point === undefined || connection === undefined || busy) return
    setBusy(true)
    const picked = await connection.pick(point.x, point.y)
    setBusy(false)
    if (picked === null) return void toast(browser.pickedNothing)
    const number = picks.add(picked)
    onDone()
    setNarrowTab('chat')
    void toast(browser.picked(number))
    requestAnimationFrame(() => document.getElementById('composer')?.focus())
  }
  return (
    <>
      <button
        ref={layer}
        type="button"
        data-page-input=""
        aria-label={byKeys === undefined ? browser.pickOn : refLabel(byKeys, messages)}
        className="absolute inset-0 size-full cursor-crosshair ring-2 ring-accent ring-inset outline-none"
        onPointerMove={() => setIndex(-1)}
        onKeyDown={event => {
          const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
          if (event.key === 'Escape') onDone()
          else if (step !== undefined && state.refs.length > 0) setIndex(before => (before + step + state.refs.length) % state.refs.length)
          else return
          event.preventDefault()
        }}
        onClick={event => {
          // a click without a pointer comes from Enter or Space
          const box = event.detail === 0 ? shown?.box : undefined
          if (box !== undefined) void pick({ x: box.x + box.width / 2, y: box.y + box.height / 2 })
          else if (event.detail > 0)
            void pick(toViewport({ x: event.clientX, y: event.clientY }, event.currentTarget.getBoundingClientRect(), viewport))
        }}
      />
      {shown === undefined ? null : (
        <div className="pointer-events-none absolute inset-0">
          <span
            className="absolute rounded-sm border-2 border-accent bg-accent/15"
            style={{
              left: `${(shown.box.x / viewport.width) * 100}%`,
              top: `${(shown.box.y / viewport.height) * 100}%`,
              width: `${(shown.box.width / viewport.width) * 100}%`,
              height: `${(shown.box.height / viewport.height) * 100}%`,
            }}
          />
          <Label box={shown.box} text={refLabel(shown, messages)} viewport={viewport} tone="bg-accent text-on-accent" />
        </div>
      )}
      <p className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
        <span className="flex items-center gap-2 rounded-full bg-ink px-3 py-1 text-xs text-surface shadow-card">
          {busy ? <Spinner className="size-3" /> : null}
          {browser.pickOn}
        </span>
      </p>
    </>
  )
}
