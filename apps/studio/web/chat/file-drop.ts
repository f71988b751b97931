import { type DragEvent, useState } from 'react'

/** Handlers of an element on which files can be dropped; undefined: it takes none. */
export const useFileDrop = (onFiles: ((files: Iterable<File>) => void) | undefined) => {
  const [isOver, setOver] = useState(false)
  if (onFiles === undefined) return { isOver: false, handlers: {} }
  const isFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')
  return {
    isOver,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!isFiles(event)) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
        if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setOver(false)
      },
      onDrop: (event: DragEvent) => {
        setOver(false)
        if (!isFiles(event)) return
        event.preventDefault()
        onFiles([...event.dataTransfer.files])
      },
    },
  }
}
