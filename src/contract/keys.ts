/** A key as it is pressed: what events say of it, and what it writes. */
export interface Key {
  readonly key: string
  readonly code: string
  readonly keyCode: number
  /** what it writes when nothing else is held; '' for keys that write nothing */
  readonly text: string
  readonly modifiers: readonly ModifierKey[]
}
export const modifierKeys = ['Alt', 'Control', 'Meta', 'Shift'] as const
export type ModifierKey = (typeof modifierKeys)[number]

const named: { readonly [key: string]: number } = {
  Backspace: 8,
  Tab: 9,
  Enter: 13,
  Shift: 16,
  Control: 17,
  Alt: 18,
  CapsLock: 20,
  Escape: 27,
  PageUp: 33,
  PageDown: 34,
  End: 35,
  Home: 36,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
  Insert: 45,
  Delete: 46,
  Meta: 91,
  ContextMenu: 93,
}
const others: { readonly [said: string]: string } = {
  esc: 'Escape',
  return: 'Enter',
  del: 'Delete',
  ctrl: 'Control',
  cmd: 'Meta',
  command: 'Meta',
  option: 'Alt',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  space: ' ',
  spacebar: ' ',
  plus: '+',
}
for (const key of Object.keys(named)) (others as { [said: string]: string })[key.toLowerCase()] = key

// what stands on the other keys of a US keyboard, plain and with Shift; the number is their keyCode
const marks = [
  'Semicolon;:186',
  'Equal=+187',
  'Comma,<188',
  'Minus-_189',
  'Period.>190',
  'Slash/?191',
  'Backquote`~192',
  'BracketLeft[{219',
  'Backslash\\|220',
  'BracketRight]}221',
  'Quote\'"222',
]
const overDigits = ')!@#$%^&*('

/** "Enter", "a", "Control+Shift+K", "+"; null for what is on no keyboard. */
export function parseKey(given: unknown): Key | null {
  if (typeof given !== 'string' || given.length > 60) return null
  // the last plus may be the key itself
  const parts = given === ' ' ? [given] : given.trim().split(/\+(?!$)/)
  const key = nameOf(parts.pop() ?? '')
  const modifiers = parts.map(nameOf)
  if (!key || !modifiers.every(isModifier)) return null
  const place = placeOf(key)
  if (!place) return null
  if (place.shifted && !modifiers.includes('Shift')) modifiers.push('Shift')
  // with Shift held a letter is a capital, and with Control it writes nothing
  const written = modifiers.includes('Shift') && /^[a-z]$/.test(key) ? key.toUpperCase() : key
  const writes = key.length === 1 && !modifiers.some(each => each !== 'Shift')
  return { key: written, code: place.code, keyCode: place.keyCode, text: writes ? written : key === 'Enter' ? '\r' : '', modifiers }
}

/** what a name of a key stands for; '' for none. One character is itself. */
function nameOf(said: string): string {
  if ([...said].length === 1) return said
  const name = said.trim()
  if (/^f([1-9]|1\d|2[0-4])$/i.test(name)) return name.toUpperCase()
  return others[name.toLowerCase()] ?? (name.length === 1 ? name : '')
}

export const isModifier = (name: string): name is ModifierKey => modifierKeys.some(key => key === name)

function placeOf(key: string): { code: string; keyCode: number; shifted?: boolean } | null {
  const keyCode = named[key]
  if (keyCode) return { code: /^(Shift|Control|Alt|Meta)$/.test(key) ? `${key}Left` : key, keyCode }
  if (key === ' ') return { code: 'Space', keyCode: 32 }
  if (/^F\d/.test(key)) return { code: key, keyCode: 111 + Number(key.slice(1)) }
  if (/^[a-z]$/i.test(key)) return { code: `Key${key.toUpperCase()}`, keyCode: key.toUpperCase().charCodeAt(0), shifted: key < 'a' }
  const digit = /^\d$/.test(key) ? Number(key) : overDigits.indexOf(key)
  if (digit >= 0) return { code: `Digit${digit}`, keyCode: 48 + digit, shifted: !/\d/.test(key) }
  for (const mark of marks) {
    const [, code = '', pair = '', number] = /^([A-Z][A-Za-z]+)(..)(\d+)$/.exec(mark) ?? []
    if (pair.includes(key)) return { code, keyCode: Number(number), shifted: pair[1] === key }
  }
  return null
}
