/** What a key does with the clipboard of the session. */
export type ClipboardCommand = 'copy' | 'cut' | 'paste'

interface KeyPress {
  readonly key: string
  readonly keyCode: number
  readonly modifiers: ModifierFlags
}
export interface ModifierFlags {
  readonly alt: boolean
  readonly control: boolean
  readonly meta: boolean
  readonly shift: boolean
}

const byKeyCode: { readonly [code: number]: ClipboardCommand } = { 67: 'copy', 86: 'paste', 88: 'cut' }
/** keys of large keyboards */
const byName: { readonly [key: string]: ClipboardCommand } = { Copy: 'copy', Cut: 'cut', Paste: 'paste' }

/** https://source.chromium.org/chromium/chromium/src/+/main:third_party/blink/renderer/core/editing/editing_behavior.cc */
export function clipboardCommandOf({ key, keyCode, modifiers: { alt, control, meta, shift } }: KeyPress): ClipboardCommand | undefined {
  const named = byName[key]
  if (named) return named
  if (alt) return undefined
  const command = control || meta
  if (command && (!shift || keyCode === 86)) return byKeyCode[keyCode] ?? (key === 'Insert' && !shift ? 'copy' : undefined)
  if (shift && !command) return key === 'Insert' ? 'paste' : key === 'Delete' ? 'cut' : undefined
  return undefined
}

/** Includes combinations with other modifiers, which another version or platform may look up too. */
export const isClipboardKey = ({ key, keyCode, modifiers: { control, meta, shift } }: KeyPress): boolean =>
  byName[key] !== undefined ||
  ((control || meta) && byKeyCode[keyCode] !== undefined) ||
  (key === 'Insert' && (control || meta || shift)) ||
  (key === 'Delete' && shift)

/** from the bits of CDP: Alt 1, Control 2, Meta 4, Shift 8 */
export const toModifierFlags = (bits: number): ModifierFlags => ({
  alt: (bits & 1) !== 0,
  control: (bits & 2) !== 0,
  meta: (bits & 4) !== 0,
  shift: (bits & 8) !== 0,
})
