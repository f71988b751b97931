import type { LiveClientMessage } from '../../../../src/wire/live.ts'

interface Modifiers {
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
}
interface KeyPress extends Modifiers {
  readonly key: string
  readonly code: string
  readonly isComposing?: boolean
}

/** The bits of CDP's Input domain: Alt 1, Control 2, Meta 4, Shift 8. */
export const modifiersOf = (event: Modifiers): number =>
  (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0)

/** Shift+Escape takes the focus out of the picture, since every other key belongs to the page. */
export const leavesPicture = (event: KeyPress): boolean => event.key === 'Escape' && event.shiftKey && !event.ctrlKey && !event.metaKey

/** A paste is sent as text: the clipboard of the page's browser is another one. */
const isPaste = (event: KeyPress): boolean => (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'v'

/**
 * The message for a key; undefined if the key is not for the page: an input method composes with it (its text comes at the end), or it pastes.
 */
export const keyMessage = (kind: 'down' | 'up', event: KeyPress): Extract<LiveClientMessage, { type: 'key' }> | undefined => {
  if (event.isComposing === true || event.key === 'Process' || event.key === 'Unidentified' || event.key === 'Dead') return undefined
  if (isPaste(event) || leavesPicture(event)) return undefined
  return { type: 'key', kind, key: event.key, code: event.code, modifiers: modifiersOf(event) }
}

const buttons = ['left', 'middle', 'right'] as const
/** The button of a mouse event by its number; others, such as those for back and forward, are not sent. */
export const buttonOf = (button: number): (typeof buttons)[number] | undefined => buttons[button]

const lineHeight = 16
/** Wheel deltas in pixels, whatever unit the device reports. */
export const wheelDelta = (
  event: { deltaX: number; deltaY: number; deltaMode: number },
  pageHeight: number,
): { deltaX: number; deltaY: number } => {
  const unit = event.deltaMode === 1 ? lineHeight : event.deltaMode === 2 ? pageHeight : 1
  return { deltaX: event.deltaX * unit, deltaY: event.deltaY * unit }
}
