import { useEffect, useRef, useState } from 'react'
import type { DesktopBridge } from '../../../../src/wire/desktop.ts'

/** What may lie over the panel: menus and dialogs, which are children of the body, and toasts. */
const overlays = 'body > :not(#root, script, style), [data-sonner-toast]'

const overlap = (one: DOMRect, other: DOMRect): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

const isVisible = ({ width, height }: DOMRect): boolean => width > 0 && height > 0

/** Whether something lies over an element. A native view is above the whole page, so it would hide it. */
export const useIsCovered = (element: HTMLElement | null): boolean => {
  const [covered, setCovered] = useState(false)
  useEffect(() => {
    if (element === null) return
    let frame = 0
    const look = () => {
      frame = 0
      const box = element.getBoundingClientRect()
      const boxes = [...document.querySelectorAll(overlays)].flatMap(each =>
        [each, ...each.children].map(part => part.getBoundingClientRect()),
      )
      setCovered(boxes.some(each => isVisible(each) && overlap(each, box)))
    }
    const observer = new MutationObserver(() => {
      frame ||= requestAnimationFrame(look)
    })
    observer.observe(document.body, { childList: true, subtree: true })
    look()
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
    }
  }, [element])
  return covered
}

/** The place where the desktop app shows the tab, as long as this is mounted. */
export const NativeView = ({ desktop, chatId }: { desktop: DesktopBridge; chatId: string }) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const report = () => {
      const { x, y, width, height } = element.getBoundingClientRect()
      desktop.placeBrowser(chatId, width > 0 && height > 0 ? { x, y, width, height } : null)
    }
    const observer = new ResizeObserver(report)
    observer.observe(element)
    addEventListener('resize', report)
    return () => {
      observer.disconnect()
      removeEventListener('resize', report)
      desktop.placeBrowser(chatId, null)
    }
  }, [desktop, chatId])
  return <div ref={place} className="absolute inset-0" data-native-view="" />
}
