import type { AppendMessage } from '@assistant-ui/react'
import { useRef, useState } from 'react'
import type { PickedElement } from '../../../../src/wire/live.ts'
import type { StoredFilePart } from '../../../../src/wire/parts.ts'
import type { StudioMessage } from '../../../../src/wire/studio-message.ts'
import { pickText } from './pick-text.ts'

/** An element that a person pointed at, waiting in the composer. */
export interface Pick {
  readonly number: number
  readonly element: PickedElement
  readonly note: string
}

/** The picks of a draft, numbered from 1. */
export const usePicks = () => {
  const [list, setList] = useState<readonly Pick[]>([])
  // read when a message is sent, which is not during a render
  const latest = useRef(list)
  const change = (next: readonly Pick[]) => {
    latest.current = next
    setList(next)
  }
  return {
    list,
    add: (element: PickedElement): number => {
      const number = Math.max(0, ...latest.current.map(pick => pick.number)) + 1
      change([...latest.current, { number, element, note: '' }])
      return number
    },
    setNote: (number: number, note: string) => change(latest.current.map(pick => (pick.number === number ? { ...pick, note } : pick))),
    remove: (number: number) => change(latest.current.filter(pick => pick.number !== number)),
    /** returns the picks and empties the draft */
    take: (): readonly Pick[] => {
      const taken = latest.current
      change([])
      return taken
    },
  }
}

/** The parts of a message: its text, its files, one line and one crop for each pick. */
export const toMessageParts = (
  message: AppendMessage,
  { picks, files }: { readonly picks: readonly Pick[]; readonly files: readonly StoredFilePart[] },
): StudioMessage['parts'] => {
  const text = message.content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n')
  const lines = picks.map(pick => pickText(pick.number, pick.element, pick.note))
  return [
    { type: 'text', text: lines.length === 0 ? text : `${text.trim()}\n\n${lines.join('\n')}` },
    ...files.map(data => ({ type: 'data-stored-file' as const, data })),
    ...picks
      .filter(pick => pick.element.base64 !== '')
      .map(pick => ({
        type: 'file' as const,
        mediaType: pick.element.mime,
        filename: `marker-${pick.number}.${pick.element.mime === 'image/png' ? 'png' : 'jpg'}`,
        url: `data:${pick.element.mime};base64,${pick.element.base64}`,
      })),
  ]
}
