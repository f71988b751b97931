/** A key press: the properties of its keyboard events, and the text that it enters. */
export interface Key {
  readonly key: string
  readonly code: string
  readonly keyCode: number
  /** as in CDP's Input.dispatchKeyEvent; '' for keys and combinations that enter no text */
  readonly text: string
  readonly modifiers: readonly ModifierKey[]
}
export const modifierKeys = ['Alt', 'Control', 'Meta', 'Shift'] as const
export type ModifierKey = (typeof modifierKeys)[number]

/** keyCode by key; except for modifiers, the code of these keys is their name */
const namedKeys: { readonly [key: string]: number } = {
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
const aliases: { readonly [alias: string]: string } = {
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

/** the keys with punctuation on a US keyboard: code, keyCode, and the characters without and with Shift */
const punctuationKeys = [
  ['Semicolon', 186, ';:'],
  ['Equal', 187, '=+'],
  ['Comma', 188, ',<'],
  ['Minus', 189, '-_'],
  ['Period', 190, '.>'],
  ['Slash', 191, '/?'],
  ['Backquote', 192, '`~'],
  ['BracketLeft', 219, '[{'],
  ['Backslash', 220, '\\|'],
  ['BracketRight', 221, ']}'],
  ['Quote', 222, '\'"'],
] as const
/** the characters of the keys 0 to 9 with Shift */
const shiftedDigits = ')!@#$%^&*('

/** Parses "Enter", "a", "Control+Shift+K" or "+"; returns null if a US keyboard has no such key. */
export function parseKey(given: unknown): Key | null {
  if (typeof given !== 'string' || given.length > 60) return null
  // a plus sign at the end is the key itself
  const parts = given === ' ' ? [given] : given.trim().split(/\+(?!$)/)
  const name = keyName(parts.pop() ?? '')
  const modifiers = parts.map(keyName)
  if (!name || !modifiers.every(isModifier)) return null
  const physical = physicalKey(name)
  if (!physical) return null
  const { code, keyCode, shifted } = physical
  if (shifted && !modifiers.includes('Shift')) modifiers.push('Shift')
  const key = modifiers.includes('Shift') && /^[a-z]$/.test(name) ? name.toUpperCase() : name
  const entersText = key.length === 1 && modifiers.every(modifier => modifier === 'Shift')
  return { key, code, keyCode, text: entersText ? key : key === 'Enter' ? '\r' : '', modifiers }
}

/** The `key` property for a name in any case or an alias; '' if it is unknown. A single character is its own name. */
function keyName(given: string): string {
  if ([...given].length === 1) return given
  const name = given.trim()
  if (/^f([1-9]|1\d|2[0-4])$/i.test(name)) return name.toUpperCase()
  const lower = name.toLowerCase()
  return aliases[lower] ?? Object.keys(namedKeys).find(key => key.toLowerCase() === lower) ?? (name.length === 1 ? name : '')
}

export const isModifier = (name: string): name is ModifierKey => modifierKeys.some(key => key === name)

function physicalKey(key: string): { code: string; keyCode: number; shifted?: boolean } | null {
  const keyCode = namedKeys[key]
  if (keyCode) return { code: isModifier(key) ? `${key}Left` : key, keyCode }
  if (key === ' ') return { code: 'Space', keyCode: 32 }
  if (/^F\d/.test(key)) return { code: key, keyCode: 111 + Number(key.slice(1)) }
  if (/^[a-z]$/i.test(key)) return { code: `Key${key.toUpperCase()}`, keyCode: key.toUpperCase().charCodeAt(0), shifted: key < 'a' }
  const digit = /^\d$/.test(key) ? Number(key) : shiftedDigits.indexOf(key)
  if (digit >= 0) return { code: `Digit${digit}`, keyCode: 48 + digit, shifted: !/\d/.test(key) }
  for (const [code, keyCode, characters] of punctuationKeys)
    if (characters.includes(key)) return { code, keyCode, shifted: characters[1] === key }
  return null
}
