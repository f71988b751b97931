import { type PointerEvent, useEffect, useRef } from 'react'
import { useMessages } from '../messages/language.tsx'
import { buttonOf, keyMessage, leavesPicture, modifiersOf, wheelDelta } from './keys.ts'
import { clampToViewport, type Point, type Size } from './letterbox.ts'
import { useLive } from './live-context.tsx'

/** A finger that moved less than this tapped. */
const maxTapPixels = 8

/**
 * Sends mouse, wheel, keyboard, input methods and the clipboard to the page. It is a text field over the picture, since only a text field gets
 * the text of an input method.
 */
export const PageInput = ({ viewport }: { viewport: Size }) => {
  const { browser } = useMessages()
  const { connection } = useLive()
  const field = useRef<HTMLTextAreaElement>(null)
  const moved = useRef<{ point: Point; modifiers: number } | undefined>(undefined)
  const touch = useRef<{ x: number; y: number; dragged: boolean } | undefined>(undefined)
  const clicks = useRef({ at: 0, count: 0 })

  useEffect(() => {
    field.current?.focus()
  }, [])

  const pointOf = (event: { clientX: number; clientY: number; currentTarget: Element }): Point =>
    clampToViewport({ x: event.clientX, y: event.clientY }, event.currentTarget.getBoundingClientRect(), viewport)

  // the newest position per animation frame: a mouse reports many more
  const move = (point: Point, modifiers: number) => {
    const waits = moved.current !== undefined
    moved.current = { point, modifiers }
    if (waits) return
    requestAnimationFrame(() => {
      const latest = moved.current
      moved.current = undefined
      if (latest !== undefined) connection?.send({ type: 'mouse', kind: 'move', ...latest.point, modifiers: latest.modifiers })
    })
  }

  const press = (event: PointerEvent<HTMLTextAreaElement>) => {
    const point = pointOf(event)
    const modifiers = modifiersOf(event)
    if (event.pointerType === 'touch') {
      touch.current = { x: event.clientX, y: event.clientY, dragged: false }
      return
    }
    const button = buttonOf(event.button)
    if (button === undefined) return
    event.currentTarget.setPointerCapture(event.pointerId)
    clicks.current = { at: Date.now(), count: Date.now() - clicks.current.at < 500 ? clicks.current.count + 1 : 1 }
    // the position must be known to the page before the press
    moved.current = undefined
    connection?.send({ type: 'mouse', kind: 'move', ...point, modifiers })
    connection?.send({ type: 'mouse', kind: 'down', ...point, button, clickCount: clicks.current.count, modifiers })
  }

  const drag = (event: PointerEvent<HTMLTextAreaElement>) => {
    const start = touch.current
    if (event.pointerType !== 'touch' || start === undefined) return move(pointOf(event), modifiersOf(event))
    const deltaX = start.x - event.clientX
    const deltaY = start.y - event.clientY
    if (!start.dragged && Math.hypot(deltaX, deltaY) < maxTapPixels) return
    touch.current = { x: event.clientX, y: event.clientY, dragged: true }
    connection?.send({ type: 'mouse', kind: 'wheel', ...pointOf(event), deltaX, deltaY, modifiers: 0 })
  }

  const release = (event: PointerEvent<HTMLTextAreaElement>) => {
    const point = pointOf(event)
    const modifiers = modifiersOf(event)
    if (event.pointerType === 'touch') {
      const tapped = touch.current?.dragged === false
      touch.current = undefined
      if (!tapped) return
      connection?.send({ type: 'mouse', kind: 'move', ...point, modifiers })
      connection?.send({ type: 'mouse', kind: 'down', ...point, button: 'left', clickCount: 1, modifiers })
      connection?.send({ type: 'mouse', kind: 'up', ...point, button: 'left', clickCount: 1, modifiers })
      return
    }
    const button = buttonOf(event.button)
    if (button !== undefined) connection?.send({ type: 'mouse', kind: 'up', ...point, button, clickCount: clicks.current.count, modifiers })
  }

  const sendText = (text: string) => {
    if (text !== '') connection?.send({ type: 'text', text })
    if (field.current !== null) field.current.value = ''
  }

  useEffect(() => {
    const element = field.current
    if (element === null) return
    // React's own listener is passive and could not keep the studio from scrolling
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      const point = clampToViewport({ x: event.clientX, y: event.clientY }, element.getBoundingClientRect(), viewport)
      connection?.send({ type: 'mouse', kind: 'wheel', ...point, ...wheelDelta(event, viewport.height), modifiers: modifiersOf(event) })
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [connection, viewport])

  return (
    <textarea
      ref={field}
      data-page-input=""
      aria-label={browser.stageControlled}
      title={browser.keys}
      autoCapitalize="off"
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
      className="absolute inset-0 size-full resize-none touch-none cursor-default border-0 bg-transparent text-transparent caret-transparent ring-2 ring-accent outline-none ring-inset selection:bg-transparent"
      onPointerDown={press}
      onPointerMove={drag}
      onPointerUp={release}
      onContextMenu={event => event.preventDefault()}
      onKeyDown={event => {
        if (leavesPicture(event)) {
          event.preventDefault()
          return document.getElementById('hand-back')?.focus()
        }
        const message = keyMessage('down', { ...pick(event), isComposing: event.nativeEvent.isComposing })
        if (message === undefined) return
        event.preventDefault()
        connection?.send(message)
      }}
      onKeyUp={event => {
        const message = keyMessage('up', { ...pick(event), isComposing: event.nativeEvent.isComposing })
        if (message !== undefined) connection?.send(message)
      }}
      onPaste={event => {
        event.preventDefault()
        sendText(event.clipboardData.getData('text/plain'))
      }}
      onCompositionEnd={event => sendText(event.data)}
      onBeforeInput={event => {
        // keyboards on screens report no keys
        if ((event.nativeEvent as InputEvent).inputType !== 'deleteContentBackward') return
        for (const kind of ['down', 'up'] as const)
          connection?.send({ type: 'key', kind, key: 'Backspace', code: 'Backspace', modifiers: 0 })
      }}
      onInput={event => {
        if (!(event.nativeEvent as InputEvent).isComposing) sendText(event.currentTarget.value)
      }}
    />
  )
}

const pick = (event: { key: string; code: string; altKey: boolean; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean }) => ({
  key: event.key,
  code: event.code,
  altKey: event.altKey,
  ctrlKey: event.ctrlKey,
  metaKey: event.metaKey,
  shiftKey: event.shiftKey,
})
